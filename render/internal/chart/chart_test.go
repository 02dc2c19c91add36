package chart_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchline/render/internal/chart"
	"benchline/render/report"
)

// element is one start tag of a drawing with the text directly inside.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

// elements parses a drawing; it fails the test if it is not well-formed.
func elements(t interface{ Fatalf(string, ...any) }, svg []byte) []element {
	var out []element
	var open []int
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("parse: %v\n%s", err, svg)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			e := element{name: tok.Name.Local, attrs: map[string]string{}}
			for _, a := range tok.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			out = append(out, e)
			open = append(open, len(out)-1)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				out[open[len(open)-1]].text += string(tok)
			}
		}
	}
}

func having(es []element, class string) []element {
	var out []element
	for _, e := range es {
		if strings.Contains(" "+e.attrs["class"]+" ", " "+class+" ") {
			out = append(out, e)
		}
	}
	return out
}

func svg(t *testing.T, c report.Chart, w chart.Width) []element {
	t.Helper()
	out, err := chart.SVG(c, w)
	if err != nil {
		t.Fatal(err)
	}
	return elements(t, out)
}

func texts(es []element) string {
	var out []string
	for _, e := range es {
		if e.name == "text" || e.name == "tspan" {
			out = append(out, strings.ReplaceAll(e.text, "\u00a0", " "))
		}
	}
	return strings.Join(out, "\n")
}

// TestAxes is case C34: the label has the unit of the ticks, and the direction.
func TestAxes(t *testing.T) {
	var in struct {
		Series []struct {
			Metric, Unit, Better, X string
			Points                  [][2]float64
		}
	}
	readCase(t, "c34-axes.json", &in)
	for i, want := range [][]string{
		{"output tokens per second (tok/s)", "higher is better ↑", "12,500", "concurrency"},
		{"time to first token, p99 (s)", "lower is better ↓", "12.5", "asked rate (req/s)"},
	} {
		s := in.Series[i]
		unit, factor := s.Unit, 1.0
		if unit == "ms" {
			unit, factor = "s", 1e-3
		}
		c := report.Chart{ID: "c34", X: report.Axis{Label: s.X}, Y: report.Axis{Label: s.Metric, Unit: unit, Better: s.Better + " is better"}}
		var pts []report.Point
		for _, p := range s.Points {
			pts = append(pts, ok(p[0], p[1]*factor, ""))
		}
		c.Series = []report.Series{{Name: "a", Points: pts}}
		got := texts(svg(t, c, chart.Wide))
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("series %d: %q is not in\n%s", i, w, got)
			}
		}
	}
}

// TestUnits: values below a second are in ms, and label, ticks, tooltips and
// table agree.
func TestUnits(t *testing.T) {
	c := report.Chart{ID: "u", X: report.Axis{Label: "Concurrency"}, Y: report.Axis{Metric: "ttft_p50", Label: "TTFT", Unit: "s"},
		Series: []report.Series{{Points: []report.Point{ok(1, 0.08, ""), ok(2, 0.95, "")}}}}
	es := svg(t, c, chart.Wide)
	got := texts(es)
	for _, w := range []string{"TTFT (ms)", "1,000"} {
		if !strings.Contains(got, w) {
			t.Errorf("%q is not in\n%s", w, got)
		}
	}
	for _, e := range es {
		if e.name == "title" && strings.Contains(e.text, "TTFT") && !strings.Contains(e.text, "\u00a0ms") {
			t.Errorf("tooltip in another unit: %q", e.text)
		}
	}
	g, err := chart.Table(c)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := g.Columns[1].Head(), "TTFT\u00a0(ms)"; got != want {
		t.Errorf("got head %q, want %q", got, want)
	}
	if got, want := g.Rows[1][1], (chart.Cell{Text: "950.0", Exact: "0.95"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func readCase(t *testing.T, name string, into any) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "shared", "cases", name))
	if err != nil {
		t.Skipf("shared/cases/%s is not there", name)
	}
	if err := json.Unmarshal(src, into); err != nil {
		t.Fatal(err)
	}
}

// gapChart is case C35 as read from its file.
func gapChart(t *testing.T) report.Chart {
	var in struct {
		Series []struct {
			Name string
			X    []float64
			Y    []*float64
		}
	}
	readCase(t, "c35-gaps.json", &in)
	c := report.Chart{ID: "c35", X: report.Axis{Label: "x"}, Y: report.Axis{Label: "y"}}
	for i, s := range in.Series {
		series := report.Series{Name: s.Name, Style: i, Line: true}
		for j, x := range s.X {
			p := report.Point{X: x, Y: s.Y[j], State: report.PointOK}
			if p.Y == nil {
				p.State, p.Reason = report.PointNoData, "not run"
			}
			series.Points = append(series.Points, p)
		}
		c.Series = append(c.Series, series)
	}
	return c
}

func TestGaps(t *testing.T) {
	c := gapChart(t)
	es := svg(t, c, chart.Wide)
	for _, e := range having(es, "curve") {
		if d := e.attrs["d"]; strings.Count(d, "L") > 1 {
			t.Errorf("the gap is bridged: %s", d)
		}
	}
	if got := len(having(es, "pt")); got != 4 {
		t.Errorf("got %d marks, want 4: three of the first series, one of the last", got)
	}
	if got := texts(es); !strings.Contains(got, "no data") || !strings.Contains(got, "all empty: no data (not run)") {
		t.Errorf("no mark for the gap or the empty series:\n%s", got)
	}
	g, err := chart.Table(c)
	if err != nil {
		t.Fatal(err)
	}
	var second []string
	for _, r := range g.Rows[:4] {
		second = append(second, r[2].Text)
	}
	if diff := cmp.Diff(second, []string{"10", "no data: not run", "0", "40"}); diff != "" {
		t.Errorf("table (-got +want):\n%s", diff)
	}
	c.Series = c.Series[1:2]
	if got := texts(svg(t, c, chart.Narrow)); !strings.Contains(got, "No data") || !strings.Contains(got, "all empty: not run") {
		t.Errorf("the empty frame does not say why:\n%s", got)
	}
}

func TestRefused(t *testing.T) {
	inf := math.Inf(1)
	base := func(change func(*report.Chart)) report.Chart {
		c := single()
		change(&c)
		return c
	}
	for name, c := range map[string]report.Chart{
		"NaN":          base(func(c *report.Chart) { c.Series[0].Points[0].Y = ptr(math.NaN()) }),
		"infinite x":   base(func(c *report.Chart) { c.Series[0].Points[0].X = inf }),
		"line":         base(func(c *report.Chart) { c.Lines = []report.RefLine{{Y: &inf}} }),
		"empty line":   base(func(c *report.Chart) { c.Lines = []report.RefLine{{Label: "x"}} }),
		"end":          base(func(c *report.Chart) { c.Y.Max = &inf }),
		"ID":           base(func(c *report.Chart) { c.ID = `a"b` }),
		"state":        base(func(c *report.Chart) { c.Series[0].Points[0].State = "new" }),
		"two ways":     base(func(c *report.Chart) { c.Series[0].Step = true }),
		"style":        base(func(c *report.Chart) { c.Series[0].Style = -1 }),
		"band":         base(func(c *report.Chart) { c.Series[0].Band = []report.BandPoint{{X: 1, Low: 2, High: 1}} }),
		"value and no": base(func(c *report.Chart) { c.Series[0].Points[0].State = report.PointNoData }),
	} {
		if _, err := chart.SVG(c, chart.Wide); err == nil {
			t.Errorf("%s: drawn", name)
		}
		if _, err := chart.Option(c); err == nil {
			t.Errorf("%s: made an option", name)
		}
		if _, err := chart.Table(c); err == nil {
			t.Errorf("%s: made a table", name)
		}
	}
	if _, err := chart.SVG(single(), 0); err == nil {
		t.Error("no width: drawn")
	}
}

func TestNothingInline(t *testing.T) {
	c := loadCurve()
	c.Title, c.Desc = `</title><script>alert(1)</script>`, `"><img onerror=x>`
	c.Series[0].Name = "</text><style>*{}</style>\x00"
	c.Series[0].Points[0].Href = `x" onclick="y`
	for _, e := range svg(t, c, chart.Wide) {
		switch e.name {
		case "svg", "g", "text", "tspan", "path", "line", "circle", "rect", "title", "desc", "a":
		default:
			t.Errorf("element %q", e.name)
		}
		for a := range e.attrs {
			if a == "style" || strings.HasPrefix(a, "on") {
				t.Errorf("attribute %q of %q", a, e.name)
			}
		}
	}
}

func TestRoleAndNames(t *testing.T) {
	linked, plain := svg(t, loadCurve(), chart.Wide)[0], svg(t, ecdf(), chart.Narrow)[0]
	if linked.attrs["role"] != "group" || plain.attrs["role"] != "img" {
		t.Errorf("got roles %q and %q, want group for the chart with links and img for the other", linked.attrs["role"], plain.attrs["role"])
	}
	if got, want := plain.attrs["aria-labelledby"], "ecdf-n-t ecdf-n-d"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStates(t *testing.T) {
	es := svg(t, loadCurve(), chart.Wide)
	for class, want := range map[string]int{"hollow": 4, "cross": 2, "arrow": 2} { // each once in the key
		if got := len(having(es, class)); got != want {
			t.Errorf("got %d %s, want %d", got, class, want)
		}
	}
	if got := texts(having(es, "point-label")); strings.Count(got, "c = ") < 8 {
		t.Errorf("few points are labelled:\n%s", got)
	}
	if got := texts(having(svg(t, ladder(), chart.Wide), "point-label")); got != "" {
		t.Errorf("points are labelled where the axis says what they are: %s", got)
	}
}

func TestOpenEnd(t *testing.T) {
	es := svg(t, ecdf(), chart.Wide)
	if len(having(es, "open-end")) != 1 || !strings.Contains(texts(es), "7.7 % no value") {
		t.Errorf("the open end is not shown:\n%s", texts(es))
	}
	c := ecdf()
	last := &c.Series[0].Points[len(c.Series[0].Points)-1]
	last.Y = ptr(1)
	if len(having(svg(t, c, chart.Wide), "open-end")) != 0 {
		t.Error("a closed distribution has an open end")
	}
}

// TestZeroOnLog: a zero has no place on a logarithmic axis, so the axis is
// linear and does not call itself logarithmic.
func TestZeroOnLog(t *testing.T) {
	c := logLog()
	c.Series[0].Points[0].Y = ptr(0)
	got := texts(svg(t, c, chart.Wide))
	if strings.Contains(got, "(s, log scale)") || !strings.Contains(got, "(s)") {
		t.Errorf("got\n%s", got)
	}
}

func TestFixedEndsCutNothing(t *testing.T) {
	c := ladder()
	c.Y.Min, c.Y.Max = ptr(0), ptr(5000)
	for _, e := range having(svg(t, c, chart.Wide), "tick") {
		if e.text == "12,500" {
			return
		}
	}
	t.Error("a value above the fixed end was cut off")
}

func TestOption(t *testing.T) {
	for _, c := range kinds() {
		out, err := chart.Option(c)
		if err != nil {
			t.Fatal(err)
		}
		type datum struct {
			Name  string
			Value [2]*float64
		}
		var o struct {
			Color  []string
			Styles []int
			Series []struct {
				Name string
				Data []datum
			}
		}
		if err := json.Unmarshal(out, &o); err != nil {
			t.Fatal(err)
		}
		if len(o.Color) != len(o.Series) || len(o.Styles) != len(o.Series) {
			t.Errorf("%s: %d series, %d colours, %d styles", c.ID, len(o.Series), len(o.Color), len(o.Styles))
		}
		i := 0
		for _, s := range c.Series {
			got := o.Series[i]
			got.Data = slices.DeleteFunc(got.Data, func(d datum) bool { return d.Name == "" }) // ends of a line
			if len(got.Data) != len(s.Points) {
				t.Fatalf("%s, %q: got %d points, want %d", c.ID, s.Name, len(got.Data), len(s.Points))
			}
			for j, p := range s.Points {
				if (got.Data[j].Value[1] == nil) != (p.Y == nil) {
					t.Errorf("%s, %q, point %d: a gap became a value or the other way", c.ID, s.Name, j)
				}
				if p.State == report.PointVoid && !strings.HasSuffix(got.Data[j].Name, "void") {
					t.Errorf("%s: void is not said: %q", c.ID, got.Data[j].Name)
				}
			}
			i++
			if len(s.Band) > 0 {
				i += 2
			}
		}
	}
}

// TestOptionShows: what ECharts draws only if told so.
func TestOptionShows(t *testing.T) {
	out, err := chart.Option(ladder())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"logBase":2`, `"renderMode":"richText"`, `"connectNulls":false`, `"formatter":"no data"`} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("%s is not in %s", want, out)
		}
	}
}

func TestOptionIsNoCode(t *testing.T) {
	c := single()
	c.Series[0].Name = "</script><script>alert(1)</script>"
	out, err := chart.Option(c)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsAny(out, "<>") {
		t.Errorf("the option is not escaped: %s", out)
	}
	for _, change := range []func(*report.Chart){
		func(c *report.Chart) { c.Series[0].Name = "__f__(x)__f__" },
		func(c *report.Chart) { c.Series[0].Points[0].Label = "a__f__" },
		func(c *report.Chart) { c.Y.Label = "__f__" },
		func(c *report.Chart) { c.Desc = "__f__" },
		func(c *report.Chart) { c.Lines = []report.RefLine{{Y: ptr(1), Label: "__f__"}} },
	} {
		c := single()
		change(&c)
		if out, err := chart.Option(c); err == nil {
			t.Errorf("a function marker got through: %s", out)
		}
	}
}

func TestTableKeepsWhatIsOutOfTheOrdinary(t *testing.T) {
	c := timeline()
	c.Series[0].Points[101].State = report.PointVoid
	c.Series[0].Points[133] = gap(66.5, "lost")
	g, err := chart.Table(c)
	if err != nil {
		t.Fatal(err)
	}
	if total := len(g.Rows) + g.LeftOut; total != 400 {
		t.Errorf("%d rows and %d left out are not 400 points", len(g.Rows), g.LeftOut)
	}
	void, gaps := 0, 0
	for _, r := range g.Rows {
		if r[len(r)-1].Text == "void" {
			void++
		}
		if r[2].Gap {
			gaps++
		}
	}
	if void != 1 || gaps != 1 {
		t.Errorf("got %d void and %d gaps, want one each", void, gaps)
	}
}
