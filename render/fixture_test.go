package render_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"benchline/ingest/evidence"
	"benchline/ingest/summarize"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

var keep = flag.String("keep", "", "build the site of the fixtures into this folder, to look at it")

var update = flag.Bool("update", false, "write testdata/evidence again")

// scene is one invented run: a small queue in front of a number of servers.
type scene struct {
	run      string
	plan     string // name and family
	title    string
	model    string
	cache    string // cold, warm
	in, out  int
	conc     int
	perSec   int // open loop when > 0
	n        int // planned
	warmup   int
	slots    int     // what the invented endpoint serves at once
	observe  float64 // seconds after the last send at which observation ends
	failAll  bool
	failSome int   // every so many requests fail
	noUsage  int   // every so many requests come without usage
	lose     int64 // rows that the ledger lacks: void
	suspect  bool
	sim      bool
	facts    bool
}

const evidenceDir = "../testdata/evidence"

// fixtures are the invented records in a fixed order.
func fixtures(t testing.TB) []evidence.Record {
	t.Helper()
	if *update {
		writeFixtures(t)
	}
	var all []evidence.Record
	names, err := filepath.Glob(filepath.Join(evidenceDir, "*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no evidence in %s: %v", evidenceDir, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range evidence.Decode(name, bytes.NewReader(b)) {
			if err != nil {
				t.Fatalf("%v (make them again with -update)", err)
			}
			all = append(all, r)
		}
	}
	return all
}

func writeFixtures(t testing.TB) {
	t.Helper()
	if err := os.MkdirAll(evidenceDir, 0o755); err != nil {
		t.Fatal(err)
	}
	sets := map[string][]evidence.Record{}
	for _, workload := range [][2]int{{128, 32}, {128, 256}, {1024, 32}, {1024, 256}} {
		for _, c := range []int{1, 2, 4, 8, 16, 32} {
			s := scene{run: fmt.Sprintf("ladder-20261129t172300z-i%d-o%d-c%d-r1", workload[0], workload[1], c), plan: "ladder", title: "Rising concurrency",
				cache: "cold", in: workload[0], out: workload[1], conc: c, n: 40 + 12*c, warmup: 4, slots: 12, observe: 30, facts: true}
			if workload[1] == 256 && c == 32 {
				s.failSome = 40
			}
			sets["complete"] = append(sets["complete"], s.record(t))
		}
	}
	warm := scene{run: "ladder-warm-20261129t172300z-i1024-o32-c16-r1", plan: "ladder", title: "Rising concurrency, warm prompts", cache: "warm", in: 1024, out: 32, conc: 16,
		n: 400, warmup: 8, slots: 12, observe: 30, facts: true}
	sets["complete"] = append(sets["complete"], warm.record(t))
	over := scene{run: "overload-20261129t172300z-i128-o64-r40-r1", plan: "overload", title: "Beyond capacity", cache: "cold", in: 128, out: 64, perSec: 40,
		n: 800, warmup: 40, slots: 54, observe: 0.5, failSome: 160, sim: true, facts: true}
	sets["unresolved"] = []evidence.Record{over.record(t)}
	calm := over
	calm.run, calm.perSec, calm.n, calm.failSome, calm.observe = "overload-20261129t172300z-i128-o64-r10-r1", 10, 200, 0, 10
	sets["simulated"] = []evidence.Record{calm.record(t)}
	failed := scene{run: "refused-20261129t172300z-i128-o32-c4-r1", plan: "refused", title: "Everything fails", cache: "cold", in: 128, out: 32, conc: 4, n: 50, slots: 4, observe: 5, failAll: true}
	sets["all-failed"] = []evidence.Record{failed.record(t)}
	void := scene{run: "void-20261129t172300z-i128-o32-c4-r1", plan: "ladder", title: "Lost rows", cache: "cold", in: 128, out: 32, conc: 4, n: 120, slots: 4, observe: 5, lose: 3, facts: true}
	sets["void"] = []evidence.Record{void.record(t)}
	usage := scene{run: "nousage-20261129t172300z-i128-o32-c4-r1", plan: "nousage", title: "Usage missing for some", cache: "cold", in: 128, out: 32, conc: 4, n: 120, slots: 4, observe: 5, noUsage: 3, suspect: true}
	sets["usage-missing"] = []evidence.Record{usage.record(t)}
	sets["hostile"] = []evidence.Record{hostile(t, failed), hostile(t, over)}
	for name, records := range sets {
		var b bytes.Buffer
		if err := evidence.Encode(&b, records...); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(evidenceDir, name+".jsonl"), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// hostile puts markup from public bug reports wherever a record has text.
func hostile(t testing.TB, s scene) evidence.Record {
	t.Helper()
	s.run = "hostile-" + s.run
	s.plan, s.sim = "hostile", false
	r := s.unsealed(t)
	const (
		img    = `<img src=x onerror=alert(1)>`
		script = `"><script>alert(2)</script>`
		attr   = `x' onmouseover='alert(3)`
		note   = "[click](javascript:alert(4)) and <iframe src=\"//x.invalid\"></iframe>\n# head | cell\n```"
		errs   = `<b>upstream</b> & "proxy" failed`
		tmpl   = "{{.Data}} ${7*7} </script><!-- <benchline-slot n=\"0\"></benchline-slot>"
	)
	r.Title, r.Summary = script+" "+tmpl, note
	r.Family, r.Subject.Profile, r.Subject.ProfileNote = "=HYPERLINK(\"x\") "+img, attr, note
	for _, k := range []*evidence.Known[string]{&r.Subject.Model, &r.Subject.Engine, &r.Subject.Hardware, &r.Subject.Tool, &r.Workload.Prompts, &r.State.Warmup} {
		*k = evidence.Stated(img+" "+attr+" "+tmpl, script)
	}
	r.Subject.Precision = evidence.NotStated[string](note)
	for i := range r.Facts {
		r.Facts[i].Label, r.Facts[i].Value = attr, evidence.Stated(note, img)
	}
	r.Facts = append(r.Facts, evidence.Fact{Key: "x", Label: script, Value: evidence.Stated("@SUM(A1)", errs)})
	for i := range r.Errors {
		r.Errors[i].Example, r.Errors[i].Class = errs+" "+tmpl, img
	}
	for i := range r.Values {
		r.Values[i].Rule = "-2+3 " + img
		if p, ok := r.Values[i].Population.Get(); ok {
			p.Rule = img + " " + note
			r.Values[i].Population = evidence.Stated(p, script)
		}
	}
	for i := range r.Sources {
		r.Sources[i].Name, r.Sources[i].Supports = script, note
	}
	r.Void, r.VoidWhy = true, script
	r.Limits = append(r.Limits, evidence.Limit{Code: evidence.ClientVoid, Args: []string{img + note}, Where: "record"})
	r.Files = slices.DeleteFunc(r.Files, func(f evidence.File) bool { return f.Name == "plan.toml" })
	r.PlanTOML = "name = \"</pre>" + script + "\"\n" + note
	sealed, err := evidence.Seal(r)
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

func (s scene) record(t testing.TB) evidence.Record {
	t.Helper()
	r, err := evidence.Seal(s.unsealed(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (s scene) unsealed(t testing.TB) evidence.Record {
	t.Helper()
	p, err := plan.Parse("plan.toml", []byte(s.toml()))
	if err != nil {
		t.Fatalf("%v\n%s", err, s.toml())
	}
	rows, m := s.log(p)
	r, err := summarize.Run(seq(rows), m, p)
	if err != nil {
		t.Fatal(err)
	}
	folder := "logs/" + s.run + "/"
	for _, f := range s.files(p) {
		r.Files = append(r.Files, evidence.File{Name: f.name, Path: folder + f.name, Bytes: int64(len(f.body)), SHA256: sumOf(f.body), What: f.what})
	}
	r.Sources = []evidence.Source{{Name: "own request log (invented for tests)", Supports: "every figure of this record", Published: evidence.NotApplicable[string]("an own run"),
		Reviewed: evidence.NotStated[string]("nobody has reviewed it"), Licence: evidence.NotStated[string]("the log does not say"), File: folder + "requests.parquet",
		SHA256: sumOf([]byte("rows of " + s.run)), Adapter: "own 1"}}
	return r
}

type fixtureFile struct {
	name, what string
	body       []byte
}

func (s scene) files(p plan.Plan) []fixtureFile {
	return []fixtureFile{
		{"manifest.json", "run manifest", []byte("{\"invented\": \"" + s.run + "\"}\n")},
		{"plan.toml", "the plan as run", p.Source()},
		{"requests.parquet", "per-request log, Parquet", []byte("rows of " + s.run)},
	}
}

func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func seq(rows []reqlog.Row) iter.Seq2[reqlog.Row, error] {
	return func(yield func(reqlog.Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (s scene) toml() string {
	var b strings.Builder
	fmt.Fprintf(&b, "name = %q\ntitle = %q\n\n[endpoint]\nurl = \"http://127.0.0.1:8000\"\napi = \"chat\"\nmodel = %q\n\n", s.plan, s.title, cmp.Or(s.model, "sim-8b"))
	fmt.Fprint(&b, "[profile]\nname = \"S1\"\ndescription = \"Invented for tests.\"\nhardware = \"none: invented\"\nprecision = \"BF16\"\n\n")
	fmt.Fprintf(&b, "[workload]\ninput_tokens = [%d]\noutput_tokens = [%d]\nseed = 7\nwords = \"list\"\n\n", s.in, s.out)
	if s.perSec > 0 {
		fmt.Fprintf(&b, "[load]\nmode = \"open\"\nrates = [\"%d/s\"]\narrivals = \"poisson\"\n\n", s.perSec)
	} else {
		fmt.Fprintf(&b, "[load]\nmode = \"closed\"\nconcurrency = [%d]\n\n", s.conc)
	}
	fmt.Fprintf(&b, "[stop]\nrequests = %d\n\n[drain]\ngrace = \"%gs\"\n\n[cache]\npolicy = %q\n", s.n, s.observe, s.cache)
	if s.warmup > 0 {
		fmt.Fprintf(&b, "\n[warmup]\nrequests = %d\n", s.warmup)
	}
	fmt.Fprint(&b, "\n[timeouts]\ntotal = \"120s\"\n\n[objectives]\nttft = \"500ms\"\nend_to_end = \"4s\"\n")
	return b.String()
}

// log plays the queue.
func (s scene) log(p plan.Plan) ([]reqlog.Row, reqlog.Manifest) {
	rng := rand.New(rand.NewPCG(uint64(s.in*1000+s.out), uint64(s.conc*100+s.perSec)))
	free := make([]float64, s.slots) // when each server is free
	client := make([]float64, max(1, s.conc))
	due, lastSend := 1.0, 1.0
	var rows []reqlog.Row
	type life struct{ sent, end float64 }
	var lives []life
	for i := range s.n {
		var sent float64
		if s.perSec > 0 {
			due += rng.ExpFloat64() / float64(s.perSec)
			sent = due + 0.0003*rng.Float64()
		} else {
			k := slices.Index(client, slices.Min(client))
			due = max(1, client[k])
			sent = due + 0.0002*rng.Float64()
		}
		k := slices.Index(free, slices.Min(free))
		start := max(sent, free[k])
		prefill := 0.02 + float64(s.in)*0.00012*(0.9+0.2*rng.Float64())
		if s.cache == "warm" {
			prefill *= 0.25
		}
		step := 0.009 + 0.0012*float64(min(s.slots, max(s.conc, s.perSec/4))) + 0.001*rng.ExpFloat64()
		first := start + prefill
		end := first + step*float64(s.out-1)
		fail := s.failAll || s.failSome > 0 && i%s.failSome == s.failSome-1
		if fail {
			end = sent + 0.03*rng.Float64()
		} else {
			free[k] = end
		}
		if s.perSec == 0 {
			client[slices.Index(client, slices.Min(client))] = end
		}
		lastSend = max(lastSend, sent)
		lives = append(lives, life{sent, end})
		open := int32(1)
		for _, l := range lives[:len(lives)-1] {
			if l.end > sent {
				open++
			}
		}
		row := reqlog.Row{Seq: int64(i + 1), Phase: reqlog.MeasurePhase, DueNS: nanos(due), SentNS: ptr(nanos(sent)), Attempts: 1, ConnReused: ptr(i > 4),
			AskedInputTokens: int64(s.in), AskedOutputTokens: int64(s.out), RequestID: fmt.Sprintf("%s-%d", s.run, i), PromptHash: fmt.Sprintf("h%d", i), InFlightNow: open, GapsRecorded: true}
		if fail {
			row.Outcome, row.ErrorClass, row.ErrorText, row.EndNS, row.HTTPStatus = reqlog.Failed, "http status", "internal error (invented)", ptr(nanos(end)), ptr(int32(500))
			if i%3 == 1 {
				row.Outcome, row.ErrorClass, row.ErrorText, row.HTTPStatus = reqlog.Rejected, "too many requests", "queue full (invented)", ptr(int32(429))
			}
		} else {
			row.Outcome, row.FirstTokenNS, row.FirstAnswerNS, row.LastTokenNS, row.EndNS = reqlog.Completed, ptr(nanos(first)), ptr(nanos(first)), ptr(nanos(end)), ptr(nanos(end))
			row.HeadersNS, row.FirstByteNS, row.HTTPStatus = ptr(nanos(first-0.001)), ptr(nanos(first-0.001)), ptr(int32(200))
			row.SawDone, row.FinishReason, row.Chunks = true, "length", int32(s.out)
			row.InputTokens, row.CachedTokens = ptr(int64(s.in)), ptr(int64(0))
			if s.cache == "warm" {
				row.CachedTokens = ptr(int64(s.in) * 15 / 16)
			}
			if s.noUsage == 0 || i%s.noUsage != 0 {
				row.OutputTokens, row.TokenSource = ptr(int64(s.out)), "usage"
			} else {
				row.InputTokens, row.CachedTokens = nil, nil
			}
			for range s.out - 1 {
				row.ChunkGapsNS = append(row.ChunkGapsNS, nanos(step))
			}
		}
		rows = append(rows, row)
	}
	for i := range s.warmup {
		at := nanos(0.1 * float64(i%9))
		rows = append(rows, reqlog.Row{Seq: int64(len(rows) + 1), Phase: reqlog.WarmupPhase, DueNS: at, SentNS: &at, Attempts: 1, Outcome: reqlog.Completed, EndNS: ptr(at + 1e6),
			FirstTokenNS: ptr(at + 5e5), LastTokenNS: ptr(at + 1e6), AskedInputTokens: int64(s.in), AskedOutputTokens: int64(s.out), PromptHash: fmt.Sprintf("w%d", i)})
	}
	return s.cut(rows, lastSend, p)
}

// cut ends observation and writes the manifest.
func (s scene) cut(rows []reqlog.Row, lastSend float64, p plan.Plan) ([]reqlog.Row, reqlog.Manifest) {
	observed := nanos(lastSend + s.observe)
	last := int64(0)
	var l reqlog.Ledger
	for i := range rows {
		r := &rows[i]
		if r.Phase == reqlog.WarmupPhase {
			continue
		}
		if *r.EndNS > observed {
			if *r.FirstTokenNS > observed {
				r.FirstTokenNS, r.FirstAnswerNS, r.FirstByteNS, r.HeadersNS = nil, nil, nil, nil
			}
			r.Outcome, r.LastTokenNS, r.EndNS, r.SawDone, r.FinishReason, r.OutputTokens, r.TokenSource = reqlog.Unresolved, nil, ptr(observed), false, "", nil, ""
			r.ChunkGapsNS = nil
		}
		last = max(last, *r.EndNS)
		switch r.Outcome {
		case reqlog.Completed:
			l.Completed++
		case reqlog.Failed:
			l.Failed++
		case reqlog.Rejected:
			l.Rejected++
		case reqlog.Unresolved:
			l.Unresolved++
		case reqlog.TimedOut, reqlog.Cancelled, reqlog.NeverSent:
		}
		l.Sent++
	}
	if s.perSec >= 40 {
		for i := range 3 {
			rows = append(rows, reqlog.Row{Seq: int64(len(rows) + 1), Phase: reqlog.MeasurePhase, DueNS: nanos(lastSend) - int64(i)*1000, Outcome: reqlog.NeverSent,
				AskedInputTokens: int64(s.in), AskedOutputTokens: int64(s.out), EndNS: ptr(nanos(lastSend))})
			l.NeverSent++
		}
	}
	l.Planned = l.Sent + l.NeverSent + s.lose
	m := reqlog.Manifest{State: reqlog.Complete, Ledger: l, Warmup: reqlog.Ledger{Planned: int64(s.warmup), Sent: int64(s.warmup), Completed: int64(s.warmup)},
		Windows: reqlog.Windows{MeasureFromNS: nanos(1), SendEndNS: nanos(lastSend), ObservedToNS: min(observed, last)}}
	if s.warmup > 0 {
		m.Windows.WarmupFromNS = ptr(int64(0))
	}
	m.Header = reqlog.Header{Schema: reqlog.SchemaVersion, RunID: s.run, Plan: s.plan, PlanHash: p.Hash(), Family: s.plan, Point: p.Points()[0], Repeat: 1, Repeats: 1,
		Tool: "benchline 0.1.0 (test)", WallStart: time.Date(2026, 11, 29, 17, 23, 0, 0, time.UTC).Add(time.Duration(s.conc) * time.Minute), Simulated: s.sim}
	share := 0.004
	m.Health = reqlog.Health{Verdict: reqlog.Sound, SendLagP50NS: 61_000, SendLagP99NS: 402_000, SendLagMaxNS: 2_100_000, SchedLagP99NS: 350_000, SchedLagMaxNS: 3_900_000,
		CPUSeconds: 1.42, CPUShare: 0.11, Cores: 2, GCPauses: 7, GCPauseMaxNS: 180_000, MaxInFlight: int64(max(s.conc, s.perSec*3)), OpenFileLimit: 1 << 20, SubMSGapShare: &share,
		Sends: ptr(l.Sent), Ticks: ptr(int64(2_400)), Gaps: ptr(l.Completed * 31), SchedLagP50NS: ptr(int64(80_000))}
	if s.suspect {
		m.Health.Verdict, m.Health.Reasons = reqlog.Suspect, []string{"1 % of the sends were more than 10 ms late."}
	}
	if s.facts {
		stated := func(key, value, by string) { m.Facts = append(m.Facts, reqlog.Fact{Key: key, Value: &value, By: by}) }
		gap := func(key, by, note string) { m.Facts = append(m.Facts, reqlog.Fact{Key: key, By: by, Note: note}) }
		stated("engine", "invented engine", "endpoint /version")
		stated("engine_version", "0.1.0", "endpoint /version")
		gap("driver", "plan", "the plan does not say")
		gap("interconnect", "plan", "the plan does not say")
		stated("host_cpu", "2 cores, x86-64", "host")
		gap("gpu_clock", "endpoint /metrics", "the page has no such sample")
		stated("client_location", "same host", "plan")
	}
	return rows, m
}

func nanos(s float64) int64 { return int64(math.Round(s * 1e9)) }
func ptr[T any](x T) *T     { return &x }
