package pack_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/ingest/tomlfile"
	"benchline/render/pack"
	"benchline/render/report"
)

func TestParse(t *testing.T) {
	p := parsed(t)
	if p.Name != "chat" || p.Title != "Which profile" || p.Date != "2026-11-29" || len(p.Criteria) != 2 || len(p.Options) != 2 {
		t.Errorf("got %+v", p)
	}
	if c := p.Criteria[0]; c.Limit != 0.1 || c.AtLeast || c.Bound() != 0.1 || c.Line != 18 {
		t.Errorf("got %+v", c)
	}
	if pr := p.Options[1].Price; pr == nil || pr.PerGPUHour != 2.5 || pr.Said != pack.Assumed || pr.Utilisation != 0.6 {
		t.Errorf("got %+v", pr)
	}
	if !slices.Equal(p.Shape.Governing, []measure.MetricID{"ttft", "tpot"}) || p.Shape.Why == "" {
		t.Errorf("got %+v", p.Shape)
	}
}

// Each mistake is a fault with its line and what to do.
func TestFaultsOfAPack(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`title    = "Which profile"`, ``, "packs/chat.toml:1: title: is required"},
		{`title    = "Which profile"`, `titel = "Which profile"`, "packs/chat.toml:1: titel: unknown key"},
		{`date     = 2026-11-29`, `date = "soon"`, `packs/chat.toml:3: date: "soon" is no day`},
		{`kind = "interactive chat"`, `kind = "chat"`, `packs/chat.toml:7: shape.kind: "chat" is no kind of deployment (one of interactive chat, batch documents,`},
		{`kind = "interactive chat"`, "kind = \"interactive chat\"\ngoverning = \"e2e\"", "shape.governing: another governing metric goes with why"},
		{`kind = "interactive chat"`, "kind = \"interactive chat\"\ngoverning = \"e2e_p95\"\nwhy = \"x\"", `shape.governing: "e2e_p95" is no latency or rate`},
		{`kind = "interactive chat"`, `kind = "batch documents"`, "packs/chat.toml:18: criteria: none is about Output-token rate, which governs batch documents"},
		{`input_tokens     = 512`, ``, "conditions.input_tokens: input_tokens and output_tokens are required"},
		{`concurrency      = 8`, ``, "conditions.concurrency: is required"},
		{`concurrency      = 8`, "concurrency = 8\narrival_rate = 2.0", "not both"},
		{`concurrency      = 8`, "arrival_rate = 2.0", "conditions.arrivals: goes with arrival_rate"},
		{`concurrency      = 8`, "arrival_rate = 2.0\narrivals = \"gamma\"", `"gamma" is no pattern of arrivals`},
		{`concurrency      = 8`, "arrival_rate = 2.0\narrivals = \"poisson\"", "criteria 1.metric: ttft_p95 counts from when a request was sent (in an open loop a late send would shorten it: take ttft_due_p95)"},
		{`concurrency      = 8`, "concurrency = 0", "0 is out of range"},
		{`cache            = "cold"`, `cache = "lukewarm"`, `packs/chat.toml:14: conditions.cache: "lukewarm" is no cache state`},
		{`cache            = "cold"`, `cache = "shared prefix"`, `conditions.cache_share: goes with cache = "shared prefix"`},
		{`length_tolerance = 0.02`, `length_tolerance = 2`, "2 is out of range (from 0 to 0.5)"},
		{`length_tolerance = 0.02`, ``, "conditions.length_tolerance: is required"},
		{`to               = 2026-12-31`, `to = 2026-10-31`, "lies before from"},
		{`metric    = "ttft_p95"`, `metric = "ttft_mean"`, "a mean says nothing about the slow end (take a percentile, as in ttft_p95)"},
		{`metric    = "ttft_p95"`, `metric = "ttft"`, "a latency needs its percentile"},
		{`metric    = "ttft_p95"`, `metric = "speed"`, `the metric registry has no "speed"`},
		{`metric    = "ttft_p95"`, `metric = "e2e_p95"`, "none is about Time to first token, which governs interactive chat"},
		{`at_most   = "100ms"`, `at_least = "100ms"`, "is the wrong side: of ttft_p95 lower is better"},
		{`at_most   = "100ms"`, `at_most = 100`, "must be a string, is a whole number"},
		{`at_most   = "100ms"`, `at_most = "0s"`, "is no duration longer than zero"},
		{`at_most   = "100ms"`, ``, "is required, or at_least"},
		{"at_most   = \"100ms\"\ntolerance = 0", "at_most = \"100ms\"", "packs/chat.toml:18: criteria 1.tolerance: is required"},
		{"at_most   = \"100ms\"\ntolerance = 0", "at_most = \"100ms\"\ntolerance = 0.5", "out of range (from 0 to 0.2)"},
		{`name      = "errors"`, `name = "first token"`, `criteria 2.name: "first token" is there twice`},
		{`at_most   = 0.01`, `at_most = "1 %"`, "must be a number"},
		{`metric    = "error_share"`, `metric = "e2e_p95"`, "must be a string, is a decimal number"},
		{`name      = "B"`, `name = "A"`, `options 2.name: "A" is there twice`},
		{`records   = ["b"]`, `records = ["a"]`, `options 2.records: a is named already, at option "A"`},
		{`records   = ["b"]`, `records = ["b", "b"]`, `"b" is there twice`},
		{`records   = ["b"]`, `records = "b"`, "must be a list of strings"},
		{"profile   = \"Q\"\nquantised = false", "profile = \"Q\"", "options 2.quantised: is required"},
		{"profile   = \"Q\"\nquantised = false", "profile = \"Q\"\nquantised = \"no\"", "must be true or false"},
		{`per_gpu_hour     = 2.5`, `per_gpu_hour = 0`, "options 2.price.per_gpu_hour: must be more than zero"},
		{`source           = "list price"`, ``, "options 2.price.source: is required"},
		{"currency         = \"EUR\"\nsaid             = \"assumed\"", "currency = \"€\"\nsaid = \"assumed\"", `"€" is no currency code`},
		{"said             = \"assumed\"", `said = "sure"`, `"sure" does not say who vouches for it`},
		{"gpus_per_replica = 1\nutilisation      = 0.6\nutilisation_said = \"assumed\"\nutilisation_source", "utilisation = 0\nutilisation_said = \"assumed\"\nutilisation_source", "gpus_per_replica: is required"},
		{`no_conflicts = "Nobody has one, asked on 2026-11-20."`, `no_conflicts = ""`, "is empty"},
		{`[shape]`, "[[conflicts]]\nby = \"X\"\ntext = \"Y\"\n[shape]", "there are conflicts below"},
		{`[shape]`, "[[accuracy]]\noption = \"C\"\ntask = \"t\"\nresult = \"61 %\"\nsaid = \"measured\"\nsource = \"s\"\ndate = 2026-11-01\n[shape]", `there is no option "C"`},
		{`name      = "A"`, "name = \"A\"\nstrengths = 3", "must be a string, is a whole number"},
		{`name      = "A"`, "name = \"A\"\nquality = { gate = \"g\", declared = 2026-11-01, passed = true }", "a result goes with passed and source"},
		{`decision = "Which profile serves the assistant?"`, `decision = `, "packs/chat.toml:2: "},
	} {
		_, err := pack.Parse("packs/chat.toml", []byte(strings.Replace(packText, c.old, c.new, 1)))
		if _, ok := errors.AsType[tomlfile.Faults](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got\n%v\nwant %q in it", c.new, c.old, err, c.want)
		}
	}
}

// All faults come at once, in the order of the file.
func TestAllFaultsAtOnce(t *testing.T) {
	text := changed(t, `kind = "interactive chat"`, `kind = "x"`, `cache            = "cold"`, `cash = "cold"`, `metric    = "ttft_p95"`, `metric = "x"`, "per_gpu_hour     = 2.5", "per_gpu_hour = -1")
	_, err := pack.Parse("packs/chat.toml", []byte(text))
	fs, _ := errors.AsType[tomlfile.Faults](err)
	var lines []int
	for _, f := range fs {
		lines = append(lines, f.Line)
	}
	if !slices.Equal(lines, []int{7, 9, 14, 20, 55}) {
		t.Errorf("got faults on lines %v:\n%v", lines, err)
	}
}

func TestNameOfThePack(t *testing.T) {
	for name, ok := range map[string]bool{"packs/chat.toml": true, "chat-2026.toml": true, "packs/Chat.toml": false, "packs/ü.toml": false, "packs/index.toml": false} {
		_, err := pack.Parse(name, []byte(packText))
		if (err == nil) != ok {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// One option is no choice, no criterion no decision.
func TestTooLittle(t *testing.T) {
	head, options, _ := strings.Cut(packText, "[[options]]\nname      = \"B\"")
	_ = options
	if _, err := pack.Parse("p.toml", []byte(head)); err == nil || !strings.Contains(err.Error(), "1 is no choice") {
		t.Errorf("got %v", err)
	}
	without := changed(t, packText[strings.Index(packText, "[[criteria]]"):strings.Index(packText, "[[options]]")], "")
	if _, err := pack.Parse("p.toml", []byte(without)); err == nil || !strings.Contains(err.Error(), "a pack without a threshold decides nothing") {
		t.Errorf("got %v", err)
	}
	one := packText[strings.Index(packText, "[[criteria]]\nname      = \"errors\""):strings.Index(packText, "[[options]]")]
	if _, err := pack.Parse("p.toml", []byte(changed(t, one, ""))); err == nil || !strings.Contains(err.Error(), "none bounds the requests that end without an answer") {
		t.Errorf("got %v", err)
	}
}

// A record or family that is not there is a fault of the pack, with its line.
func TestRecordsThatAreNotThere(t *testing.T) {
	p := parsed(t, `records   = ["a"]`, "records = [\"a\", \"gone\"]\nfamilies = [\"none\"]")
	set, err := report.NewSet(two(t, base()))
	if err != nil {
		t.Fatal(err)
	}
	_, err = pack.Build(pack.Input{Pack: p, Set: set})
	want := "packs/chat.toml:37: there is no record \"gone\"\npacks/chat.toml:38: option \"A\": there is no family \"none\""
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// Records may be named by their ID, which nobody can put another record under.
func TestRecordsByID(t *testing.T) {
	records := two(t, base())
	p := parsed(t, `records   = ["a"]`, fmt.Sprintf("records = [%q]", records[0].ID))
	if o := built(t, p, nil, records...).Options[0]; o.Row == nil || o.Row.Record.Href != "../records/a.html" {
		t.Errorf("got %q, %+v", o.Gap, o.Row)
	}
}

// Everything that people say reaches the document.
func TestRegisters(t *testing.T) {
	p := parsed(t, "[shape]", `[[assumptions]]
text = "Traffic doubles"
said = "assumed"
[[accuracy]]
option = "A"
task = "MMLU-Pro"
result = "61.2 %"
said = "vendor-stated"
source = "model card"
date = 2026-10-01
[[reservations]]
by = "A. Member"
text = "Ten minutes are no day."
[[signatories]]
name = "A. Member"
role = "Chair"
[shape]`)
	d := built(t, p, nil, two(t, base())...)
	if len(d.Assumptions) != 2*2+1+1 || len(d.Accuracy) != 1 || len(d.Reservations) != 1 || len(d.Signatories) != 1 || d.NoConflicts == "" {
		t.Errorf("got %d assumptions, %d accuracy, %d reservations, %d signatories, %q", len(d.Assumptions), len(d.Accuracy), len(d.Reservations), len(d.Signatories), d.NoConflicts)
	}
	p = parsed(t, "no_conflicts = \"Nobody has one, asked on 2026-11-20.\"\n", "")
	if d := built(t, p, nil, two(t, base())...); !slices.Contains(d.Notes, "Nobody has stated whether there are conflicts of interest.") {
		t.Errorf("got notes %q", d.Notes)
	}
}

// The kinds of deployment each have a metric that governs and a reason.
func TestShapes(t *testing.T) {
	for _, s := range pack.Shapes() {
		if s.Why == "" || len(s.Governing) == 0 {
			t.Errorf("%+v", s)
		}
		for _, id := range s.Governing {
			if m, ok := measure.Lookup(id); !ok || m.Stat != measure.NoStat {
				t.Errorf("%s is governed by %q", s.Kind, id)
			}
		}
	}
}

// FuzzParse holds that no file makes the reader panic, and that what it accepts
// freezes, reads back and builds.
func FuzzParse(f *testing.F) {
	f.Add([]byte(packText))
	f.Add([]byte("[[criteria]]\nmetric = 3\n[[options]]\nprice = 1\n"))
	f.Add([]byte(strings.ReplaceAll(packText, `"ttft_p95"`, `"tpot_max"`)))
	a, b := base(), base()
	b.profile = "Q"
	set, err := report.NewSet([]evidence.Record{a.record(f, "a"), b.record(f, "b")})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := pack.Parse("packs/chat.toml", src)
		if err != nil {
			if _, ok := errors.AsType[tomlfile.Faults](err); !ok {
				t.Fatalf("got %v, want faults", err)
			}
			return
		}
		frozen, _ := pack.Freeze(p, nil, moment(t, "2026-11-20T08:00:00Z"))
		if _, err := pack.ParseFrozen("f.toml", frozen.TOML()); err != nil {
			t.Fatalf("what was frozen does not read back: %v", err)
		}
		if _, err := pack.Build(pack.Input{Pack: p, Frozen: frozen, Set: set, Root: "../"}); err != nil {
			if _, ok := errors.AsType[tomlfile.Faults](err); !ok {
				t.Fatalf("got %v, want faults", err)
			}
		}
	})
}
