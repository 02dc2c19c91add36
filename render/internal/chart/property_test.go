package chart_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/render/internal/chart"
	"benchline/render/report"
)

// anyChart draws charts of any finite numbers.
func anyChart(t *rapid.T) report.Chart {
	number := rapid.OneOf(rapid.Float64Range(-1e280, 1e280), rapid.Float64Range(0, 1), rapid.Float64Range(-1000, 1e6), rapid.SampledFrom([]float64{0, 1, 5e-324, 1e280, -1e280, 1 << 20}))
	text := rapid.OneOf(rapid.StringN(0, 20, 80), rapid.SampledFrom([]string{"output tokens/s of a very long name that has to be wrapped somewhere", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字", "<&\"'>\x01"}))
	axis := rapid.Custom(func(t *rapid.T) report.Axis {
		a := report.Axis{Label: text.Draw(t, "label"), Unit: rapid.SampledFrom([]string{"", "s", "tokens/s"}).Draw(t, "unit"), Log: rapid.Bool().Draw(t, "log"),
			Better: rapid.SampledFrom([]string{"", "higher is better", "lower is better"}).Draw(t, "better"), Share: rapid.Bool().Draw(t, "share")}
		if rapid.Bool().Draw(t, "has min") {
			a.Min = ptr(number.Draw(t, "min"))
		}
		if rapid.Bool().Draw(t, "has max") {
			a.Max = ptr(number.Draw(t, "max"))
		}
		return a
	})
	c := report.Chart{ID: "any", Title: text.Draw(t, "title"), X: axis.Draw(t, "x"), Y: axis.Draw(t, "y")}
	if rapid.Bool().Draw(t, "x is a metric") {
		c.X.Metric = "output_token_rate"
	}
	states := []report.PointState{report.PointOK, report.PointSuspect, report.PointVoid, report.PointDerived, report.PointClaimed}
	c.Series = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) report.Series {
		s := report.Series{Name: text.Draw(t, "name"), Style: rapid.IntRange(0, 30).Draw(t, "style"), Line: rapid.Bool().Draw(t, "line")}
		s.Step = !s.Line && rapid.Bool().Draw(t, "step")
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			p := report.Point{X: number.Draw(t, "px"), State: rapid.SampledFrom(states).Draw(t, "state"), Label: text.Draw(t, "point label")}
			if rapid.IntRange(0, 5).Draw(t, "gap") == 0 {
				p.State, p.Reason = report.PointNoData, text.Draw(t, "reason")
			} else {
				p.Y = ptr(number.Draw(t, "py"))
				p.XLeast, p.YLeast, p.Apart = rapid.Bool().Draw(t, "x least"), rapid.Bool().Draw(t, "y least"), rapid.Bool().Draw(t, "apart")
				p.Place = rapid.SampledFrom([]report.Place{"", report.OnFrontier, report.Dominated, report.Undecided, report.NotCompared}).Draw(t, "place")
			}
			if n := len(s.Points); s.Step && n > 0 {
				p.X = max(p.X, s.Points[n-1].X)
			}
			s.Points = append(s.Points, p)
		}
		return s
	}), 0, 3).Draw(t, "series")
	for range rapid.IntRange(0, 3).Draw(t, "lines") {
		l := report.RefLine{Label: text.Draw(t, "line label"), Hot: rapid.Bool().Draw(t, "hot")}
		if v := ptr(number.Draw(t, "at")); rapid.Bool().Draw(t, "vertical") {
			l.X = v
		} else {
			l.Y = v
		}
		c.Lines = append(c.Lines, l)
	}
	for range rapid.IntRange(0, 20).Draw(t, "unplaced") {
		c.Unplaced = append(c.Unplaced, report.Unplaced{Label: text.Draw(t, "unplaced label"), Reason: text.Draw(t, "why"),
			State: rapid.SampledFrom([]report.PointState{report.PointNoData, report.PointFailed, report.PointVoid}).Draw(t, "unplaced state")})
	}
	return c
}

var pair = regexp.MustCompile(`[MHLV]?(-?[0-9.]+),(-?[0-9.]+)`)

// TestEverythingInside: whatever the finite data, the drawing is well-formed,
// every mark lies inside, no text reaches outside by its estimated width, and
// option and table can be made.
func TestEverythingInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyChart(t)
		for _, w := range []chart.Width{chart.Wide, chart.Narrow} {
			out, err := chart.SVG(c, w)
			if err != nil {
				t.Fatalf("SVG: %v", err)
			}
			again, _ := chart.SVG(c, w)
			if !bytes.Equal(out, again) {
				t.Fatalf("two drawings differ")
			}
			if bytes.Contains(out, []byte("NaN")) && !strings.Contains(c.Title, "NaN") || bytes.Contains(out, []byte("Inf\"")) {
				t.Fatalf("a number is not finite: %s", out)
			}
			inside(t, elements(t, out))
		}
		if _, err := chart.Table(c); err != nil {
			t.Fatalf("Table: %v", err)
		}
		if out, err := chart.Option(c); err != nil || !json.Valid(out) {
			t.Fatalf("Option: %v", err)
		}
	})
}

func inside(t *rapid.T, es []element) {
	f := func(s string) float64 {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatalf("%q is not a number", s)
		}
		return x
	}
	width, height := f(es[0].attrs["width"]), f(es[0].attrs["height"])
	for _, e := range es {
		switch e.name {
		case "path":
			m := pair.FindStringSubmatch(e.attrs["d"])
			if x, y := f(m[1]), f(m[2]); x < 0 || x > width || y < 0 || y > height {
				t.Fatalf("a mark at %v,%v is outside %v × %v", x, y, width, height)
			}
		case "text", "tspan":
			if e.name == "tspan" && e.attrs["x"] == "" {
				continue
			}
			x, w := f(e.attrs["x"]), chart.TextWidth(e.text)
			left := x
			switch e.attrs["text-anchor"] {
			case "end":
				left = x - w
			case "middle":
				left = x - w/2
			}
			if e.name == "text" && (left < -1 || left+w > width+1 || f(e.attrs["y"]) > height) {
				t.Fatalf("text %q from %v to %v is outside %v", e.text, left, left+w, width)
			}
		}
	}
}
