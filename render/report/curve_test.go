package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// ladderPoint is a run of which everything is stated that a comparison asks for.
func ladderPoint(slug string, concurrency int64, rate, p50, p95 float64) evidence.Record {
	r := evidence.Unstated("the test does not say")
	said := func(s string) evidence.Known[string] { return evidence.Stated(s, "test") }
	r.Slug, r.Title, r.Class, r.Kind, r.Family = slug, "Point "+slug, evidence.OwnRun, evidence.RunRecord, "ladder"
	r.Subject.Profile = "P"
	for _, k := range []*evidence.Known[string]{&r.Subject.Model, &r.Subject.ModelRevision, &r.Subject.Tokenizer, &r.Subject.Engine, &r.Subject.EngineVersion,
		&r.Subject.Precision, &r.Subject.Parallelism, &r.Subject.Hardware, &r.Workload.TokenSource, &r.State.Objectives, &r.State.Complete, &r.Subject.Tool} {
		*k = said("one")
	}
	for _, key := range []string{"client_location", "interconnect", "host_cpu", "host_memory", "driver", "runtime", "cache_config", "decoding", "sampling"} {
		r.Facts = append(r.Facts, evidence.Fact{Key: key, Label: key, Value: said("one")})
	}
	r.Subject.Accelerators = stated(1)
	r.Workload.InputTokensAsked, r.Workload.OutputTokensAsked, r.Workload.Requests = stated(128), stated(64), stated(100)
	each := func(n int64) evidence.Known[evidence.Spread] {
		return evidence.Stated(evidence.Spread{Min: n, Median: n, Max: n, N: 100, Sum: 100 * n}, "test")
	}
	r.Workload.InputTokens, r.Workload.OutputTokens = each(128), each(64)
	r.Load.Mode, r.Load.Concurrency = said("closed loop"), stated(concurrency)
	r.Load.Rate, r.Load.Arrivals = evidence.NotApplicable[string]("closed loop"), evidence.NotApplicable[string]("closed loop")
	r.Load.RatePerSec = evidence.NotApplicable[float64]("closed loop")
	r.State.Cache = evidence.Cache{Kind: measure.CacheCold, Declared: true, Measured: evidence.NotStated[evidence.CacheMeasure]("test")}
	r.Outcomes.Completed, r.Outcomes.Sent = stated(100), stated(100)
	for id, x := range map[measure.MetricID]float64{"output_token_rate": rate, "ttft_p50": p50, "ttft_p95": p95} {
		r.Values = append(r.Values, figureOf(id, x))
	}
	slices.SortFunc(r.Values, func(a, b evidence.Value) int { return strings.Compare(string(a.Metric), string(b.Metric)) })
	return r
}

func figureOf(id measure.MetricID, x float64) evidence.Value {
	return evidence.Value{Metric: id, Amount: evidence.Amount{Kind: evidence.Exact, X: x}, Rule: "rule of " + string(id),
		Numerator: evidence.Stated(evidence.Term{Amount: 1, Unit: "rank"}, "test"), Denominator: evidence.Stated(evidence.Term{Amount: 1, Unit: "requests"}, "test"),
		Window:     evidence.Stated(evidence.Window{Rule: measure.ObservationWindow, Seconds: 10}, "test"),
		Population: evidence.Stated(evidence.Population{Rule: "completed requests", N: 100}, "test"), Interval: evidence.NotStated[evidence.Interval]("one run")}
}

// amend changes the value of a record.
func amend(r *evidence.Record, id measure.MetricID, change func(*evidence.Value)) {
	for i := range r.Values {
		if r.Values[i].Metric == id {
			change(&r.Values[i])
		}
	}
}

// curveOf is the load curve of records in p95 of the time to first token.
func curveOf(t *testing.T, records ...evidence.Record) Curve {
	t.Helper()
	s, err := NewSet(records)
	if err != nil {
		t.Fatal(err)
	}
	spec := CurveSpec{ID: "c", Title: "c", Latency: "ttft", Stats: []measure.Stat{measure.P95}, Root: "../"}
	for _, r := range records {
		spec.Records = append(spec.Records, r.Slug)
	}
	c, err := s.Curve(spec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// said is a chart in short: its series with the marks and breaks of the line,
// then what has no place.
func said(c Chart) string {
	var b strings.Builder
	for _, s := range c.Series {
		fmt.Fprintf(&b, "[%s; along %q]", s.Name, s.Along)
		for i, p := range s.Points {
			sep := " "
			if s.Line && i > 0 && !p.Apart && p.Y != nil && s.Points[i-1].Y != nil {
				sep = "-"
			}
			fmt.Fprintf(&b, "%s%s", sep, p.Label)
			if p.State != PointOK {
				fmt.Fprintf(&b, " %s", p.State)
			}
			if p.YLeast {
				b.WriteString(" ↑")
			}
			if p.XLeast {
				b.WriteString(" →")
			}
			if p.Place != "" {
				b.WriteString(" (" + PlaceOf{p.Place, p.By}.Words() + ")")
			}
		}
		b.WriteString("\n")
	}
	for _, u := range c.Unplaced {
		fmt.Fprintf(&b, "off: %s %s: %s\n", u.Label, u.State, u.Reason)
	}
	return b.String()
}

func TestLoadCurve(t *testing.T) {
	c1, c4, c16, c32 := ladderPoint("a", 1, 100, 0.1, 0.2), ladderPoint("b", 4, 300, 0.2, 0.4), ladderPoint("c", 16, 500, 0.5, 2), ladderPoint("d", 32, 450, 2, 9)
	with := func(r evidence.Record, change func(*evidence.Record)) evidence.Record {
		r.Values = slices.Clone(r.Values)
		change(&r)
		return r
	}
	claim := func(r *evidence.Record) {
		for i := range r.Values {
			r.Values[i].Amount.Kind, r.Values[i].Amount.Text = evidence.Quoted, "as printed"
			r.Values[i].Original = &evidence.Original{Number: "1", Key: "k"}
		}
	}
	for name, c := range map[string]struct {
		records []evidence.Record
		want    string
	}{
		"a ladder": {[]evidence.Record{c32, c1, c16, c4},
			"[p95; along \"concurrency\"] c = 1 (on the frontier)-c = 4 (on the frontier)-c = 16 (on the frontier)-c = 32 (dominated by c = 16)\n"},
		"another request count is another cause": {[]evidence.Record{c1, c4, with(c16, func(r *evidence.Record) { r.Workload.Requests = stated(512) })},
			"[p95; along \"concurrency\"] c = 1 (on the frontier)-c = 4 (on the frontier) c = 16 (not compared)\n"},
		"what is not stated may differ": {[]evidence.Record{with(c1, func(r *evidence.Record) { r.Subject.Engine = evidence.NotStated[string]("") }), c4},
			"[p95; along \"\"] c = 1 (not compared) c = 4 (not compared)\n"},
		"a void run is no measurement": {[]evidence.Record{c1, with(c4, func(r *evidence.Record) { r.Void, r.VoidWhy = true, "lost rows" }), c16},
			"[p95; along \"\"] c = 1 (on the frontier) c = 4 void c = 16 (on the frontier)\n"},
		"a gap breaks the line": {[]evidence.Record{c1, with(c4, func(r *evidence.Record) {
			amend(r, "ttft_p95", func(v *evidence.Value) {
				v.Amount = evidence.Amount{Kind: evidence.TooFew, N: 20, Need: 72}
			})
		}), c16}, "[p95; along \"\"] c = 1 (on the frontier) c = 4 no data c = 16 (on the frontier)\n"},
		"no line to a bound": {[]evidence.Record{c1, c4, with(c16, func(r *evidence.Record) {
			amend(r, "ttft_p95", func(v *evidence.Value) { v.Amount.Kind = evidence.AtLeast })
		})}, "[p95; along \"concurrency\"] c = 1 (on the frontier)-c = 4 (on the frontier) c = 16 ↑ (on the frontier)\n"},
		"a rate that is a bound": {[]evidence.Record{c4, with(c16, func(r *evidence.Record) {
			amend(r, "output_token_rate", func(v *evidence.Value) { v.Amount.Kind = evidence.AtLeast })
		})}, "[p95; along \"\"] c = 4 (on the frontier) c = 16 → (on the frontier)\n"},
		"repeats have no order": {[]evidence.Record{c1, ladderPoint("a2", 1, 101, 0.1, 0.19)},
			"[p95; along \"\"] c = 1 (dominated by Point a2) c = 1 (on the frontier)\n"},
		"claims": {[]evidence.Record{c1, c4, with(c16, claim)},
			"[closed loop, cache cold, p95; along \"concurrency\"] c = 1 (on the frontier)-c = 4 (on the frontier)\n[closed loop, cache cold, claimed, p95; along \"\"] c = 16 claimed\n"},
		"suspect": {[]evidence.Record{c1, with(c4, func(r *evidence.Record) { r.Client = &evidence.Client{Verdict: "suspect"} })},
			"[p95; along \"concurrency\"] c = 1 (on the frontier)-c = 4 suspect (on the frontier)\n"},
		"two classes are two series": {[]evidence.Record{c1, with(c4, func(r *evidence.Record) { r.Class = evidence.Simulated })},
			"[closed loop, cache cold, own run, p95; along \"\"] c = 1 (not compared)\n[closed loop, cache cold, simulated endpoint, p95; along \"\"] c = 4 (not compared)\n"},
		"all failed": {[]evidence.Record{c1, c4, with(c16, func(r *evidence.Record) {
			r.Outcomes.Completed, r.Values = stated(0), []evidence.Value{figureOf("output_token_rate", 0)}
		})}, "[p95; along \"concurrency\"] c = 1 (on the frontier)-c = 4 (on the frontier) c = 16 failed\n"},
		"no rate, no place": {[]evidence.Record{c1, c4, with(c16, func(r *evidence.Record) { r.Values = r.Values[1:] })},
			"[p95; along \"concurrency\"] c = 1 (on the frontier)-c = 4 (on the frontier)\noff: c = 16 no data: Output-token rate not stated\n"},
		"a cold and a warm cache are no choice": {[]evidence.Record{c4, with(c4, func(r *evidence.Record) { r.Slug, r.State.Cache.Kind = "w", measure.CacheWarm })},
			"[closed loop, cache cold, p95; along \"\"] c = 4 (not compared)\n[closed loop, cache warm, p95; along \"\"] c = 4 (not compared)\n"},
	} {
		got := curveOf(t, c.records...)
		if s := said(got.Chart); s != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, s, c.want)
		}
		if sh := got.Chart.Shown; sh.Of != len(c.records) || sh.Drawn+leftOf(sh) != sh.Of {
			t.Errorf("%s: %d of %d drawn, %d left out", name, sh.Drawn, sh.Of, leftOf(sh))
		}
	}
}

func leftOf(s Shown) int {
	n := 0
	for _, l := range s.Left {
		n += l.N
	}
	return n
}

// The drawing and the table do not hang on the order in which records are named.
func TestCurveDoesNotHangOnOrder(t *testing.T) {
	records := []evidence.Record{ladderPoint("a", 1, 100, 0.1, 0.2), ladderPoint("b", 4, 300, 0.2, 0.4), ladderPoint("c", 16, 500, 0.5, 2)}
	a := said(curveOf(t, records...).Chart)
	slices.Reverse(records)
	if b := said(curveOf(t, records...).Chart); a != b {
		t.Errorf("got\n%s and\n%s", a, b)
	}
}

// Why neighbours are not joined is said once for all pairs with one cause.
func TestCurveSaysWhyNotJoined(t *testing.T) {
	var records []evidence.Record
	for i, c := range []int64{1, 2, 4, 8, 16, 32} {
		r := ladderPoint(fmt.Sprint("r", i), c, float64(100*c), 0.1, 0.2*float64(c))
		r.Subject.Engine = evidence.NotStated[string]("")
		records = append(records, r)
	}
	want := "Not joined by a line: c = 1 and c = 2, c = 2 and c = 4, c = 4 and c = 8 and 2 more pairs: more than the load may differ (concurrency; not stated: engine)."
	if notes := curveOf(t, records...).Chart.Notes; !slices.Contains(notes, want) {
		t.Errorf("got %q", notes)
	}
	c := curveOf(t, records...)
	if c.Pairs != 5 || c.Joined != 0 {
		t.Errorf("got %d of %d pairs", c.Joined, c.Pairs)
	}
}

func TestCurveTarget(t *testing.T) {
	r := ladderPoint("a", 1, 100, 0.1, 0.2)
	s, err := NewSet([]evidence.Record{r})
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Curve(CurveSpec{ID: "c", Records: []string{"a"}, Latency: "ttft", Stats: []measure.Stat{measure.P95}, Target: &Target{Seconds: 2, Label: "target: 2 s"},
		May: func(v compare.Verdict) bool { return v.Numbers() }, Series: func(r evidence.Record) string { return "option " + r.Slug }})
	if err != nil || len(c.Chart.Lines) != 1 || *c.Chart.Lines[0].Y != 2 || c.Chart.Sub != "option a" {
		t.Errorf("got %+v, %v", c.Chart, err)
	}
	if _, err := s.Curve(CurveSpec{Records: []string{"b"}}); err == nil {
		t.Error("an unknown record is no error")
	}
}

// A family without a latency shows its rate by load, and joins no confounded
// points: the ladder of the first seed.
func TestRateByLoad(t *testing.T) {
	var records []evidence.Record
	for i, c := range []int64{16, 32, 64, 128} {
		r := ladderPoint(fmt.Sprint("p", i), c, float64(100*c), 0, 0)
		r.Values, r.Class = []evidence.Value{figureOf("output_token_rate", float64(30*c))}, evidence.DerivedClass
		r.Values[0].Original = &evidence.Original{Number: "1", Key: "k"}
		if c == 128 {
			r.Workload.Requests = stated(512)
		}
		records = append(records, r)
	}
	s, err := NewSet(records)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Family("ladder")
	if err != nil || len(f.Curves) != 1 || !f.Curves[0].ByLoad {
		t.Fatalf("got %+v, %v", f, err)
	}
	c := f.Curves[0].Charts[0]
	if got, want := said(c), "[closed loop, cache cold; along \"concurrency\"] c = 16 derived-c = 32 derived-c = 64 derived c = 128 derived\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !c.X.Log || c.X.Of != Outstanding || c.X.Label != "requests outstanding" {
		t.Errorf("got axis %+v", c.X)
	}
	if f.Pairs != 3 || f.Joined != 2 {
		t.Errorf("got %d of %d pairs", f.Joined, f.Pairs)
	}
}
