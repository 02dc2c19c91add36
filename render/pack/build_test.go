package pack_test

import (
	"strings"
	"testing"

	"benchline/ingest/evidence"
	"benchline/render/pack"
)

// A run at the conditions stands in the table with its figures, each linked to its
// block, its ledger and its cost.
func TestRow(t *testing.T) {
	a := base()
	a.failed = 1
	d := built(t, parsed(t), nil, two(t, a)...)
	o := d.Options[0]
	if o.Gap != "" || o.Row == nil {
		t.Fatalf("got no row: %q", o.Gap)
	}
	if f := o.Row.TTFT95.Fig; f == nil || f.Text+" "+f.Unit != "80.00 ms" || f.Href != "../records/a.html#fig-ttft-p95" {
		t.Errorf("got TTFT p95 %+v", o.Row.TTFT95)
	}
	if o.Row.Rate.Fig == nil || o.Target != pack.Pass || o.Overall != pack.Pass {
		t.Errorf("got rate %+v, target %s, overall %s", o.Row.Rate, o.Target, o.Overall)
	}
	if got := o.Row.Outcomes.Failed.N; got != 1 {
		t.Errorf("got %d failed, want 1", got)
	}
	if o.Row.Tokens.Value != 200*16 {
		t.Errorf("got %v completed output tokens, want 3200", o.Row.Tokens.Value)
	}
	if got := o.Precision.Text; got != "fp16" {
		t.Errorf("got precision %q", got)
	}
	if !o.Simulated || d.Simulated != 2 || !strings.Contains(d.Notes[0], "simulated endpoint") {
		t.Errorf("simulated %t, %d records, notes %q", o.Simulated, d.Simulated, d.Notes)
	}
	if len(o.Row.Headlines) != 2 {
		t.Errorf("got %d headline blocks, want those of rate and first token", len(o.Row.Headlines))
	}
}

// What is not at the conditions has no number, and says what differs.
func TestNotComparable(t *testing.T) {
	for _, c := range []struct {
		name string
		with func(*run)
		want string
	}{
		{"input", func(r *run) { r.input = 2000 }, "not comparable: input length 2,000, asked 512"},
		{"output", func(r *run) { r.output = 64 }, "not comparable: output length 64, asked 16"},
		{"concurrency", func(r *run) { r.concurrency = 4 }, "not comparable: concurrency 4, asked 8"},
		{"open loop", func(r *run) { r.rate = "20/s" }, "not comparable: open loop of 20 requests per 1s, asked concurrency 8"},
		{"profile", func(r *run) { r.profile = "other" }, "not comparable: profile other, asked P"},
		{"date", func(r *run) { r.started = "2026-10-31T10:00:00Z" }, "not comparable: date 2026-10-31, asked from 2026-11-01 to 2026-12-31"},
		{"two", func(r *run) { r.input, r.output = 64, 8 }, "not comparable: input length 64, asked 512, output length 8, asked 16"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := base()
			c.with(&a)
			o := built(t, parsed(t), nil, two(t, a)...).Options[0]
			if o.Gap != c.want || o.Row != nil {
				t.Errorf("got %q, want %q", o.Gap, c.want)
			}
			if o.Overall != pack.NotCompared || o.Target != pack.NotCompared || len(o.Verdicts) != 0 {
				t.Errorf("got target %s, overall %s, %d verdicts of what is not comparable", o.Target, o.Overall, len(o.Verdicts))
			}
		})
	}
}

func TestConditionsOfOtherKinds(t *testing.T) {
	precise := []string{`cache            = "cold"`, "cache = \"cold\"\nprecision = [\"fp8\", \"int4\"]\nregion = \"eu\""}
	for _, c := range []struct {
		name    string
		with    func(*run)
		replace []string
		want    string
	}{
		{"precision", func(r *run) { r.more = map[string]string{"region": "eu"} }, precise, "not comparable: precision fp16, asked fp8 or int4"},
		{"precision not stated", func(r *run) { r.precision, r.more = "", map[string]string{"region": "eu"} }, precise, "not comparable: precision not stated, asked fp8 or int4"},
		{"region", func(r *run) { r.precision, r.more = "fp8", map[string]string{"region": "us"} }, precise, "not comparable: region us, asked eu"},
		{"region not stated", func(r *run) { r.precision = "int4" }, precise, "not comparable: region not stated, asked eu"},
		{"cache", func(*run) {}, []string{`cache            = "cold"`, `cache = "warm"`}, "not comparable: cache cold, asked warm"},
		{"arrival rate", func(r *run) { r.rate = "20/s" }, []string{"concurrency      = 8", "arrival_rate = 25\narrivals = \"poisson\"", "ttft_p95", "ttft_due_p95"},
			"not comparable: 20 requests/s, asked 25 requests/s"},
		{"arrivals", func(r *run) { r.rate = "20/s" }, []string{"concurrency      = 8", "arrival_rate = 20\narrivals = \"constant\"", "ttft_p95", "ttft_due_p95"},
			"not comparable: arrivals poisson, asked constant"},
		{"closed loop", func(*run) {}, []string{"concurrency      = 8", "arrival_rate = 20\narrivals = \"constant\"", "ttft_p95", "ttft_due_p95"},
			"not comparable: closed loop of 8, asked 20 requests/s"},
		{"met", func(r *run) { r.precision, r.more = "int4", map[string]string{"region": "eu"} }, precise, ""},
		{"rate met", func(r *run) { r.rate = "20/s" }, []string{"concurrency      = 8", "arrival_rate = 20\narrivals = \"poisson\"", "ttft_p95", "ttft_due_p95"}, ""},
		{"mix", func(*run) {}, []string{"length_tolerance = 0.02", "length_tolerance = 0.02\nmix = \"tickets of May\"\nworkload_hash = \"abc\""},
			"not comparable: workload not stated, asked tickets of May (abc)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := base()
			c.with(&a)
			if got := built(t, parsed(t, c.replace...), nil, two(t, a)...).Options[0].Gap; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A void record is no measurement, an interrupted one is not at the conditions.
func TestVoidAndInterrupted(t *testing.T) {
	records := two(t, base())
	records[0].Void, records[0].VoidWhy = true, "the client was the bottleneck"
	records[0] = seal(t, records[0])
	if got := built(t, parsed(t), nil, records...).Options[0].Gap; got != "not comparable: void: the client was the bottleneck" {
		t.Errorf("got %q", got)
	}
	records = two(t, base())
	records[0].State.Complete = evidence.Stated("interrupted: killed", "manifest")
	records[0] = seal(t, records[0])
	if got := built(t, parsed(t), nil, records...).Options[0].Gap; got != "not comparable: run interrupted: killed" {
		t.Errorf("got %q", got)
	}
}

// A vendor's figure never stands in the table, also where the tuple fits: it is
// quoted in the appendix.
func TestClaimsStayOutOfTheTable(t *testing.T) {
	for _, class := range []evidence.Class{evidence.VendorStated, evidence.ReportBacked, evidence.DerivedClass, evidence.Imported} {
		records := two(t, base())
		records[0].Class = class
		records[0].Limits = nil
		records[0].Subject.Precision = evidence.NotStated[string]("the slide does not say")
		records[0] = seal(t, records[0])
		d := built(t, parsed(t), nil, records...)
		o := d.Options[0]
		if o.Gap != "not measured" || o.Row != nil || o.Passing != nil || len(o.Points) != 0 {
			t.Errorf("%s: got %q, row %v", class, o.Gap, o.Row)
		}
		if len(d.Claims) != 1 || d.Claims[0].Class != class || d.Claims[0].Missing != "precision" || len(d.Claims[0].Figures) == 0 {
			t.Errorf("%s: got claims %+v", class, d.Claims)
		}
	}
	for _, class := range []evidence.Class{evidence.OwnRun, evidence.Rerun, evidence.Independent, evidence.RawArchive} {
		records := two(t, base())
		records[0].Class = class
		records[0].Limits = nil
		records[0] = seal(t, records[0])
		if d := built(t, parsed(t), nil, records...); d.Options[0].Row == nil || len(d.Claims) != 0 {
			t.Errorf("%s computed from rows: got %q and %d claims", class, d.Options[0].Gap, len(d.Claims))
		}
	}
	// Independent, but no rows behind the figures.
	records := two(t, base())
	records[0].Class, records[0].Limits = evidence.Independent, nil
	for i := range records[0].Values {
		records[0].Values[i].Bounds = nil
	}
	records[0] = seal(t, records[0])
	if d := built(t, parsed(t), nil, records...); d.Options[0].Gap != "not measured" || len(d.Claims) != 1 {
		t.Errorf("independent without rows: got %q and %d claims", d.Options[0].Gap, len(d.Claims))
	}
}

// What an option names as a claim is quoted and not compared, whatever it is.
func TestNamedClaims(t *testing.T) {
	records := append(two(t, base()), func() evidence.Record { c := base(); c.real = true; return c.record(t, "c") }())
	d := built(t, parsed(t, `records   = ["b"]`, "records = [\"b\"]\nclaims = [\"c\"]"), nil, records...)
	if len(d.Claims) != 1 || d.Claims[0].Option != "B" || d.Claims[0].Missing != "" {
		t.Errorf("got %+v", d.Claims)
	}
	if len(d.Options[1].Points) != 1 {
		t.Errorf("got %d points of B, want the measured one", len(d.Options[1].Points))
	}
}

// A quantised variant without a declared gate is not compared; with a gate it is.
func TestQualityGate(t *testing.T) {
	quantised := []string{"profile   = \"P\"\nquantised = false", "profile   = \"P\"\nquantised = true"}
	o := built(t, parsed(t, quantised...), nil, two(t, base())...).Options[0]
	if o.Gap != "not compared: quantised, and no quality gate is declared" || o.Row != nil || o.Passing != nil {
		t.Errorf("got %q, row %v, passing %v", o.Gap, o.Row, o.Passing)
	}
	if len(o.Points) != 1 || o.Points[0].Rate.Fig != nil || o.Points[0].Latency.Fig != nil {
		t.Errorf("the points show figures of what may not be compared: %+v", o.Points)
	}
	a := base()
	a.quality = "smoke test of ten prompts"
	if o := built(t, parsed(t, quantised...), nil, two(t, a)...).Options[0]; o.Row == nil || !strings.Contains(o.Quality.Gate.Text, "smoke test") {
		t.Errorf("gate of the plan: got %q, %+v", o.Gap, o.Quality)
	}
	gate := "[options.quality]\ngate = \"within 1 point\"\ndeclared = 2026-11-20\n"
	withGate := append(quantised, "[options.price]\nper_gpu_hour     = 3.2", gate+"[options.price]\nper_gpu_hour     = 3.2")
	o = built(t, parsed(t, withGate...), nil, two(t, base())...).Options[0]
	if o.Row == nil || o.Quality.Result.Text != "not stated" || o.Screen != "" || o.Quality.Note != "" {
		t.Errorf("declared gate: got %q, %+v", o.Gap, o.Quality)
	}
	late := append(withGate, "declared = 2026-11-20", "declared = 2026-11-28\nresult = \"2 points lower\"\npassed = false\nsource = \"own test\"")
	o = built(t, parsed(t, late...), nil, two(t, base())...).Options[0]
	if o.Screen != "does not pass its quality gate" || o.Row == nil || !strings.Contains(o.Quality.Note, "after the first run") {
		t.Errorf("failed gate: got screen %q, note %q", o.Screen, o.Quality.Note)
	}
}

// A record that states that its option is quantised is believed, not the pack.
func TestQuantisedByItsRecord(t *testing.T) {
	a := base()
	a.more = map[string]string{"quantized": "true"}
	o := built(t, parsed(t), nil, two(t, a)...).Options[0]
	if o.Gap != "not compared: quantised, and no quality gate is declared" || !o.Quality.Quantised || o.Quality.Note != "The pack calls it not quantised; record a states that it is." {
		t.Errorf("got %q, %+v", o.Gap, o.Quality)
	}
	a.more["quantized"] = "false"
	if o := built(t, parsed(t), nil, two(t, a)...).Options[0]; o.Row == nil || o.Quality.Quantised {
		t.Errorf("got %q, %+v", o.Gap, o.Quality)
	}
}

// An option that is screened out stays, with its reason, and has no place in the order.
func TestScreenedOut(t *testing.T) {
	p := parsed(t, "profile   = \"P\"\n", "profile   = \"P\"\nscreened_out = \"No support contract.\"\n")
	d := built(t, p, nil, two(t, base())...)
	if len(d.Options) != 2 || d.Options[0].Screen != "No support contract." || d.Options[0].Row == nil {
		t.Errorf("got %+v", d.Options[0].Screen)
	}
	if len(d.Order.Ranks) != 1 || d.Order.Ranks[0].Option != "B" || d.Order.None == "" {
		t.Errorf("got the order %+v", d.Order)
	}
}

// Runs of one point are judged one by one: they all pass, or the criterion does not.
func TestRepeats(t *testing.T) {
	runs := func(third int64) []evidence.Record {
		var out []evidence.Record
		for i, x := range []int64{80, 90, third} {
			r := base()
			r.repeat, r.repeats, r.ttft = i+1, 3, steady(100, x)
			out = append(out, r.record(t, []string{"a-r1", "a-r2", "a-r3"}[i]))
		}
		return append(out, repeats(t, out))
	}
	// One of the runs is named; all are taken.
	p := parsed(t, `records   = ["a"]`, `records = ["a-r2"]`, `records   = ["b"]`, `records = []`)
	o := built(t, p, nil, runs(95)...).Options[0]
	if o.Target != pack.Pass || len(o.Verdicts[0].Runs) != 3 || o.Row.Repeats != "medians over 3 runs" {
		t.Errorf("got %s of %d runs, %q", o.Target, len(o.Verdicts[0].Runs), o.Row.Repeats)
	}
	if o.Row.Tokens.Value != 3*100*16 || len(o.Row.Tokens.From) != 3 {
		t.Errorf("got %v tokens from %d runs, want the sum of three", o.Row.Tokens.Value, len(o.Row.Tokens.From))
	}
	o = built(t, p, nil, runs(150)...).Options[0]
	if o.Target != pack.Undetermined || o.Verdicts[0].Says != "2 of 3 runs: pass; 1 of 3 runs: fail." || o.Verdicts[0].Settle == "" {
		t.Errorf("got %s, %q", o.Target, o.Verdicts[0].Says)
	}
}

// Two records at the conditions are both judged; the slower one is shown.
func TestTwoRecordsAtTheConditions(t *testing.T) {
	records := two(t, base())
	slow := base()
	slow.ttft = steady(200, 150)
	records = append(records, slow.record(t, "a2"))
	o := built(t, parsed(t, `records   = ["a"]`, `records = ["a", "a2"]`), nil, records...).Options[0]
	if o.Target != pack.Undetermined || o.Row.Record.Href != "../records/a2.html" || len(o.Row.Notes) != 1 {
		t.Errorf("got %s, row %s, notes %q", o.Target, o.Row.Record.Href, o.Row.Notes)
	}
}

// The load at which an option meets its targets is looked for along its points.
func TestPassingLoad(t *testing.T) {
	records := two(t, base())
	at := func(slug string, c int, ttft int64) evidence.Record {
		r := base()
		r.concurrency, r.ttft = c, steady(200, ttft)
		return r.record(t, slug)
	}
	records[0] = at("a", 8, 150)
	records = append(records, at("a-1", 1, 20), at("a-4", 4, 90))
	for i := range records[2:] {
		records[2+i] = seal(t, records[2+i])
	}
	d := built(t, parsed(t, `records   = ["a"]`, `families = ["plan-p"]`), nil, records...)
	o := d.Options[0]
	if o.Target != pack.Fail || o.Row.Rate.Text != "none: the target is not met" {
		t.Errorf("got %s and %+v at the conditions", o.Target, o.Row.Rate)
	}
	if o.Passing == nil || o.Passing.AtConditions {
		t.Fatalf("got passing %+v", o.Passing)
	}
	if len(o.Points) != 3 {
		t.Errorf("got %d points, want 3", len(o.Points))
	}
	if d.Curve == nil || len(d.Curve.Chart.Series) != 2 || len(d.Curve.Chart.Series[0].Points) != 3 || len(d.Curve.Chart.Lines) != 1 {
		t.Errorf("got curve %+v", d.Curve)
	}
}

func TestNothingMeasured(t *testing.T) {
	d := built(t, parsed(t, `records   = ["b"]`, `records = []`), nil, two(t, base())...)
	if o := d.Options[1]; o.Gap != "not measured" || o.NoPass != "not measured" {
		t.Errorf("got %q, %q", o.Gap, o.NoPass)
	}
}

// A goodput under other objectives than the committee's has no number.
func TestGoodputObjectives(t *testing.T) {
	records := two(t, base())
	with := func(ttft string) pack.OptionSays {
		return built(t, parsed(t, `cache            = "cold"`, "cache = \"cold\"\nttft_objective = \""+ttft+"\""), nil, records...).Options[0]
	}
	if o := with("100ms"); o.Row.Goodput.Fig == nil {
		t.Errorf("got %+v, want the figure", o.Row.Goodput)
	}
	if o := with("200ms"); o.Row.Goodput.Text != "not comparable: first-token objective 100.0 ms, asked 200.0 ms" {
		t.Errorf("got %+v", o.Row.Goodput)
	}
}

// The hash stands on the pack, on what was frozen of it and on every record.
func TestHash(t *testing.T) {
	records := two(t, base())
	p := parsed(t)
	one := built(t, p, nil, records...).Hash
	if again := built(t, p, nil, records...).Hash; again != one || len(one) != 64 {
		t.Errorf("got %s, then %s", one, again)
	}
	if built(t, parsed(t, "quote of a vendor", "quote of another"), nil, records...).Hash == one {
		t.Error("another price source, the same hash")
	}
	frozen, _ := pack.Freeze(p, nil, moment(t, "2026-11-20T08:00:00Z"))
	if built(t, p, frozen, records...).Hash == one {
		t.Error("frozen, and the same hash")
	}
	other := base()
	other.tpot = 6
	if built(t, p, nil, two(t, other)...).Hash == one {
		t.Error("another record, the same hash")
	}
}
