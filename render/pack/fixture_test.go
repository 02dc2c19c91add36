package pack_test

import (
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"benchline/ingest/evidence"
	"benchline/ingest/summarize"
	"benchline/render/pack"
	"benchline/render/report"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// run is a made-up run: its record is computed from rows, as that of a real one is.
type run struct {
	profile, precision string
	input, output      int
	concurrency        int
	rate               string // open loop in place of concurrency
	repeat, repeats    int
	// ttft is the time to the first token of each completed request in ms; tpot
	// that of each further token.
	ttft       []int64
	tpot       int64
	failed     int
	unresolved int
	age        int64 // of the unresolved, in ms
	quality    string
	accel      int
	more       map[string]string
	started    string
	real       bool
}

// steady is n requests whose first token takes so many ms.
func steady(n int, ms int64) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = ms
	}
	return out
}

func base() run {
	return run{profile: "P", precision: "fp16", input: 512, output: 16, concurrency: 8, repeat: 1, repeats: 1, ttft: steady(200, 80), tpot: 5, age: 20, started: "2026-11-25T10:00:00Z"}
}

func (r run) plan() string {
	load := fmt.Sprintf("mode = \"closed\"\nconcurrency = [%d]", r.concurrency)
	if r.rate != "" {
		load = fmt.Sprintf("mode = \"open\"\nrates = [%q]\narrivals = \"poisson\"", r.rate)
	}
	quality := ""
	if r.quality != "" {
		quality = fmt.Sprintf("[quality]\ncheck = %q\nresult = \"not run\"\n", r.quality)
	}
	precision := ""
	if r.precision != "" {
		precision = fmt.Sprintf("precision = %q\n", r.precision)
	}
	if r.accel > 0 {
		precision += fmt.Sprintf("accelerators = %d\n", r.accel)
	}
	return fmt.Sprintf(`name = "plan-%s"
repeats = %d
[endpoint]
url = "http://127.0.0.1:8000"
api = "completions"
model = "m"
[profile]
name = %q
%s[workload]
seed = 1
input_tokens = [%d]
output_tokens = [%d]
words = "list"
[load]
%s
[stop]
requests = %d
[drain]
grace = "1s"
[timeouts]
total = "120s"
[cache]
policy = "cold"
[objectives]
ttft = "100ms"
end_to_end = "500ms"
%s`, strings.ToLower(r.profile), r.repeats, r.profile, precision, r.input, r.output, load, len(r.ttft)+r.failed+r.unresolved, quality)
}

const ms = int64(time.Millisecond)

func ptr[T any](v T) *T { return &v }

// rows are the run's requests, eight at a time.
func (r run) rows() []reqlog.Row {
	var rows []reqlog.Row
	sentAt := func(i int) int64 { return int64(i) * 20 * ms }
	row := func(i int) reqlog.Row {
		return reqlog.Row{Seq: int64(i), Phase: reqlog.MeasurePhase, DueNS: sentAt(i), SentNS: ptr(sentAt(i)), Attempts: 1, ConnReused: ptr(true),
			AskedInputTokens: int64(r.input), AskedOutputTokens: int64(r.output), InFlightNow: int32(r.concurrency)}
	}
	for i, first := range r.ttft {
		x := row(i)
		from := sentAt(i) + first*ms
		to := from + int64(r.output-1)*r.tpot*ms
		x.FirstByteNS, x.FirstTokenNS, x.FirstAnswerNS, x.LastTokenNS, x.EndNS = ptr(from), ptr(from), ptr(from), ptr(to), ptr(to)
		x.Outcome, x.InputTokens, x.OutputTokens, x.CachedTokens = reqlog.Completed, ptr(int64(r.input)), ptr(int64(r.output)), ptr(int64(0))
		x.TokenSource, x.FinishReason, x.SawDone, x.Chunks = "usage", "length", true, int32(r.output)
		rows = append(rows, x)
	}
	n := len(rows)
	for i := range r.failed {
		x := row(n + i)
		x.Outcome, x.ErrorClass, x.EndNS = reqlog.Failed, "http-500", ptr(sentAt(n+i)+ms)
		rows = append(rows, x)
	}
	n = len(rows)
	for i := range r.unresolved {
		x := row(n + i)
		x.Outcome, x.EndNS = reqlog.Unresolved, ptr(sentAt(n+i)+r.age*ms)
		rows = append(rows, x)
	}
	return rows
}

// record is the sealed evidence of the run.
func (r run) record(t testing.TB, slug string) evidence.Record {
	t.Helper()
	p, err := plan.Parse("plan.toml", []byte(r.plan()))
	if err != nil {
		t.Fatal(err)
	}
	started, err := time.Parse(time.RFC3339, r.started)
	if err != nil {
		t.Fatal(err)
	}
	rows := r.rows()
	last := int64(0)
	for _, x := range rows {
		last = max(last, *x.EndNS)
	}
	m := reqlog.Manifest{
		Header: reqlog.Header{Schema: reqlog.SchemaVersion, RunID: slug, Plan: p.Spec().Name, Family: p.Spec().Family, Point: p.Points()[0], Repeat: r.repeat, Repeats: r.repeats,
			Tool: "benchline test", Simulated: !r.real, WallStart: started},
		State:   reqlog.Complete,
		Windows: reqlog.Windows{MeasureFromNS: 0, SendEndNS: int64(len(rows)) * 20 * ms, ObservedToNS: last},
		Health:  reqlog.Health{Verdict: reqlog.Sound, Cores: 2},
		Ledger: reqlog.Ledger{Planned: int64(len(rows)), Sent: int64(len(rows)), Completed: int64(len(r.ttft)), Failed: int64(r.failed),
			Unresolved: int64(r.unresolved)},
	}
	seq := func(yield func(reqlog.Row, error) bool) {
		for _, x := range rows {
			if !yield(x, nil) {
				return
			}
		}
	}
	rec, err := summarize.Run(iter.Seq2[reqlog.Row, error](seq), m, p)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range r.more {
		rec.Facts = append(rec.Facts, evidence.Fact{Key: k, Label: k, Value: evidence.Stated(v, "plan")})
	}
	return seal(t, rec)
}

func seal(t testing.TB, rec evidence.Record) evidence.Record {
	t.Helper()
	none := evidence.NotStated[string]("test")
	rec.Sources = []evidence.Source{{Name: "test", Supports: "all", Adapter: "test 1", Published: none, Reviewed: none, Licence: none}}
	out, err := evidence.Seal(rec)
	if err != nil {
		t.Fatalf("the record is not valid evidence:\n%v", err)
	}
	return out
}

// packText is a pack with two options; each test changes what it is about.
const packText = `title    = "Which profile"
decision = "Which profile serves the assistant?"
date     = 2026-11-29
no_conflicts = "Nobody has one, asked on 2026-11-20."

[shape]
kind = "interactive chat"

[conditions]
input_tokens     = 512
output_tokens    = 16
length_tolerance = 0.02
concurrency      = 8
cache            = "cold"
from             = 2026-11-01
to               = 2026-12-31

[[criteria]]
name      = "first token"
metric    = "ttft_p95"
at_most   = "100ms"
tolerance = 0
date      = 2026-11-20
why       = "Longer than this reads as a pause."

[[criteria]]
name      = "errors"
metric    = "error_share"
at_most   = 0.01
tolerance = 0
date      = 2026-11-20

[[options]]
name      = "A"
profile   = "P"
quantised = false
records   = ["a"]
[options.price]
per_gpu_hour     = 3.2
currency         = "EUR"
said             = "vendor-stated"
source           = "quote of a vendor"
date             = 2026-11-25
gpus_per_replica = 1
utilisation      = 0.6
utilisation_said = "assumed"
utilisation_source = "traffic of last October"

[[options]]
name      = "B"
profile   = "Q"
quantised = false
records   = ["b"]
[options.price]
per_gpu_hour     = 2.5
currency         = "EUR"
said             = "assumed"
source           = "list price"
date             = 2026-11-25
gpus_per_replica = 1
utilisation      = 0.6
utilisation_said = "assumed"
`

// parsed is the pack text after replacements: old, new, old, new.
func parsed(t testing.TB, replace ...string) pack.Pack {
	t.Helper()
	p, err := pack.Parse("packs/chat.toml", []byte(changed(t, replace...)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func changed(t testing.TB, replace ...string) string {
	t.Helper()
	text := packText
	for i := 0; i+1 < len(replace); i += 2 {
		if !strings.Contains(text, replace[i]) {
			t.Fatalf("the pack has no %q", replace[i])
		}
		text = strings.ReplaceAll(text, replace[i], replace[i+1])
	}
	return text
}

// built is the document of a pack and records.
func built(t testing.TB, p pack.Pack, f pack.Frozen, records ...evidence.Record) *pack.Document {
	t.Helper()
	set, err := report.NewSet(records)
	if err != nil {
		t.Fatal(err)
	}
	d, err := pack.Build(pack.Input{Pack: p, Frozen: f, Set: set, Root: "../"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// two are the records of both options; the second is as given.
func two(t testing.TB, a run) []evidence.Record {
	t.Helper()
	b := base()
	b.profile = "Q"
	return []evidence.Record{a.record(t, "a"), b.record(t, "b")}
}

// repeats is the summary of runs of one point.
func repeats(t testing.TB, runs []evidence.Record) evidence.Record {
	t.Helper()
	rec, err := summarize.Repeats(runs)
	if err != nil {
		t.Fatal(err)
	}
	return seal(t, rec)
}

func moment(t testing.TB, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
