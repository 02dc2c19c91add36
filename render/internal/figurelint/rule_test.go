package figurelint

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/report"
)

// record is a run of which what the rules ask for is stated.
func record(slug string, concurrency int64) *evidence.Record {
	r := evidence.Unstated("the test does not say")
	r.Slug, r.Class, r.Kind = slug, evidence.OwnRun, evidence.RunRecord
	r.Load.Concurrency = evidence.Stated(concurrency, "test")
	r.Outcomes.Sent, r.Outcomes.Completed = evidence.Stated[int64](400, "test"), evidence.Stated[int64](400, "test")
	return &r
}

// basis is a value of a record: exact, over its completed requests.
func basis(r *evidence.Record, id measure.MetricID, x float64) *report.Basis {
	return &report.Basis{Record: r, Value: &evidence.Value{Metric: id, Amount: evidence.Amount{Kind: evidence.Exact, X: x},
		Numerator: evidence.NotStated[evidence.Term]("test"), Denominator: evidence.Stated(evidence.Term{Amount: 20, Unit: "s"}, "test"),
		Window:     evidence.Stated(evidence.Window{Rule: measure.ObservationWindow, Seconds: 20}, "test"),
		Population: evidence.Stated(evidence.Population{Rule: "completed requests", N: 400}, "test"), Interval: evidence.NotStated[evidence.Interval]("one run")}}
}

func pt(x float64) *float64 { return &x }

// curve is a load curve with nothing wrong: two points on the frontier, joined
// along the concurrency, and one that is dominated.
func curve() report.Chart {
	point := func(slug string, c int64, rate, ttft float64, place report.Place) report.Point {
		r := record(slug, c)
		return report.Point{X: rate, Order: float64(c), Y: pt(ttft), State: report.PointOK, Place: place, Label: fmt.Sprintf("c = %d", c), Record: slug,
			Basis: basis(r, "ttft_p95", ttft), XBasis: basis(r, "output_token_rate", rate)}
	}
	beaten := point("c", 16, 280, 2, report.Dominated)
	beaten.By = "c = 4"
	return report.Chart{ID: "curve", Title: "Time to first token",
		X:      report.Axis{Metric: "output_token_rate", Label: "Output-token rate", Unit: "output tokens/s"},
		Y:      report.Axis{Metric: "ttft", Label: "Time to first token", Unit: "s"},
		Series: []report.Series{{Name: "p95", Metric: "ttft_p95", Line: true, Along: "concurrency", Points: []report.Point{point("a", 1, 100, 0.2, report.OnFrontier), point("b", 4, 300, 0.4, report.OnFrontier), beaten}}},
		Shown:  report.Shown{What: report.OfRecords, Drawn: 3, Of: 3}}
}

// sheet is a table with nothing wrong.
func sheet() report.Sheet {
	row := func(slug string, c int64, rate float64, text string) report.SheetRow {
		r := record(slug, c)
		return report.SheetRow{Label: fmt.Sprintf("c = %d", c), Record: slug, Cells: []report.Cell{
			{Fig: &report.Figure{Text: text, Unit: "output tokens/s", Kind: evidence.Exact, Basis: basis(r, "output_token_rate", rate)}},
			{Fig: &report.Figure{Text: "400", Unit: "ms", Kind: evidence.Exact, Basis: basis(r, "ttft_p95", 0.4)}},
		}}
	}
	return report.Sheet{ID: "points", Title: "Every point", Ranked: true,
		Columns: []report.SheetColumn{{Metric: "output_token_rate", Label: "Output tokens/s", Unit: "output tokens/s"}, {Metric: "ttft_p95", Label: "TTFT p95", Unit: "ms"}},
		Groups:  []report.SheetGroup{{Title: "64 tokens in, 8 out", Rows: []report.SheetRow{row("a", 1, 100, "100.00"), row("b", 4, 300.25, "300.25")}}},
		Shown:   report.Shown{What: report.OfRecords, Drawn: 2, Of: 2}}
}

// stairs is a distribution with nothing wrong.
func stairs() report.Chart {
	return report.Chart{ID: "ecdf", Title: "Time to first token",
		X: report.Axis{Metric: "ttft", Label: "Time to first token, from send", Unit: "s"},
		Y: report.Axis{Of: report.SentShare, Label: "share of the 400 sent requests", Share: true, Min: pt(0), Max: pt(1)},
		Series: []report.Series{{Name: "finished by then", Of: report.SentShare, Step: true, Points: []report.Point{
			{X: 0.1, Y: pt(0.5), State: report.PointOK}, {X: 0.4, Y: pt(1), State: report.PointOK}}}},
		Shown: report.Shown{What: "steps of the curve", Drawn: 2, Of: 5, Left: []report.Left{{N: 3, Why: "between those drawn"}}}}
}

// onCurve, onSheet and onStairs change a view that has nothing wrong.
func onCurve(change func(*report.Chart)) View {
	c := curve()
	change(&c)
	return OfChart(c)
}

func onPoint(i int, change func(*report.Point)) View {
	return onCurve(func(c *report.Chart) { change(&c.Series[0].Points[i]) })
}

func onSheet(change func(*report.Sheet)) View {
	s := sheet()
	change(&s)
	return OfSheet(s)
}

func onCell(row, col int, change func(*report.SheetRow, *report.Cell)) View {
	return onSheet(func(s *report.Sheet) {
		r := &s.Groups[0].Rows[row]
		change(r, &r.Cells[col])
	})
}

func onStairs(change func(*report.Chart)) View {
	c := stairs()
	change(&c)
	return OfChart(c)
}

// quoted makes a cell a claim of its source.
func quoted(c *report.Cell, text string) {
	c.Fig.Kind, c.Fig.Text = evidence.Quoted, "“"+text+"”"
	c.Fig.Basis.Value.Amount.Kind, c.Fig.Basis.Value.Amount.Text = evidence.Quoted, text
	c.Fig.Basis.Value.Original = &evidence.Original{Number: text, Key: "k"}
}

func limited(b *report.Basis, code evidence.Code) {
	b.Value.Limits = append(b.Value.Limits, evidence.Limit{Code: code, Where: "record"})
}

func TestNothingWrong(t *testing.T) {
	for _, v := range []View{OfChart(curve()), OfSheet(sheet()), OfChart(stairs())} {
		if notes, faults := Check("page", v, nil); len(notes) > 0 || len(faults) > 0 {
			t.Errorf("%s: got %v and %v", v.ID, notes, faults)
		}
	}
}

// Each example has what its rule finds in it, and of that level.
func TestRules(t *testing.T) {
	for _, x := range examples() {
		r := Rules()[slices.IndexFunc(Rules(), func(r Rule) bool { return r.ID == x.rule })]
		level := Level(0)
		found := r.Check(x.view)
		for _, f := range found {
			level = max(level, f.Level)
		}
		if level != x.level {
			t.Errorf("%s, %s: got level %d, want %d (%v)", x.rule, x.what, level, x.level, found)
		}
	}
}

// Every rule has an example that triggers it and one beside it that does not:
// a rule without either is not tested.
func TestEveryRuleHasExamples(t *testing.T) {
	all := examples()
	for i, r := range Rules() {
		if want := fmt.Sprintf("L%d", i+1); r.ID != want || r.Name == "" {
			t.Errorf("rule %d is %s, %q", i+1, r.ID, r.Name)
		}
		triggers := slices.ContainsFunc(all, func(x example) bool { return x.rule == r.ID && x.level > 0 })
		passes := slices.ContainsFunc(all, func(x example) bool { return x.rule == r.ID && x.level == 0 })
		if !triggers || !passes {
			t.Errorf("%s: triggered %t, passed %t", r.ID, triggers, passes)
		}
	}
}

// A rule set aside stops nothing, and says so with the reason and the finding.
func TestSetAside(t *testing.T) {
	v := onCurve(func(c *report.Chart) { c.Shown.Of = 4 })
	aside := Aside{Rule: "L15", Page: "families/a", Reason: "the fourth is in another language"}
	for _, c := range []struct {
		page, figure string
		covered      bool
	}{{"families/a", "", true}, {"families/a", "curve", true}, {"families/a", "other", false}, {"families/b", "", false}} {
		aside.Figure = c.figure
		notes, faults := Check(c.page, v, []Aside{aside})
		if (len(faults) == 0) != c.covered || (len(notes) > 0) != c.covered {
			t.Errorf("%+v: got %v and %v", c, notes, faults)
		}
		if c.covered && (!strings.Contains(notes[0].Words, "set aside here: The fourth is in another language.") || !strings.Contains(notes[0].Words, "are not the 4 of the source")) {
			t.Errorf("got %q", notes[0].Words)
		}
	}
}

// Equal findings are one note, and not every figure is named.
func TestJoin(t *testing.T) {
	found := []Finding{warn("a", "x"), warn("b", "x"), warn("a", "x"), warn("c", "x"), warn("d", "x"), warn("", "y")}
	if got, want := join(found), "A, b, c, 1 more: x. Y."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	fs := Faults{{Rule: "L9", Name: "n", Figure: "f", Title: "T", Words: "W."}}
	if got, want := fs.Error(), `"T" (f): L9, n: W.`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDigitsBeyond(t *testing.T) {
	for _, c := range []struct {
		n, unit, width float64
		want           bool
	}{{100, 0.01, 18, true}, {100, 0.1, 18, true}, {100, 1, 18, false}, {100, 1, 1e6, false}, {100, 0.01, 0.18, false}, {100, 0.001, 0.18, true},
		{100, 0.01, 0, false}, {100, 0.1, 9.99, false}, {100, 0.1, 10, true}, {0.1, 0.01, 500, false}} {
		if got := digitsBeyond(c.n, c.unit, c.width); got != c.want {
			t.Errorf("%v, %v of %v: got %t", c.n, c.unit, c.width, got)
		}
	}
}

// What the site's own scalers write never has a digit that the rule objects to.
func TestDigitsOfTheSitePass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom([]measure.MetricID{"ttft_p95", "output_token_rate"}).Draw(t, "metric")
		x := math.Pow(10, rapid.Float64Range(-7, 5).Draw(t, "x"))
		width := math.Pow(10, rapid.Float64Range(-9, 5).Draw(t, "width"))
		s := measure.Scale(id, x).Within(width)
		n, half, ok := number(s.Text(x))
		if !ok || digitsBeyond(n, 2*half, width*factorOf(s.Unit())) {
			t.Fatalf("%v with an interval of %v is written %q %s", x, width, s.Text(x), s.Unit())
		}
		if !shows(s.Text(x), s.Unit(), x) {
			t.Fatalf("%v is written %q %s", x, s.Text(x), s.Unit())
		}
	})
}
