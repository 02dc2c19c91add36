package figurelint

import (
	"fmt"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/report"
)

// View is a chart or a table of figures as it will be shown.
type View struct {
	ID, Title string
	Chart     bool
	// Ranked: what it shows stands to be compared: the points of a chart, rows
	// that can be put in order.
	Ranked bool
	Fields []Field
	Lines  []Line
	Shown  report.Shown
	Words  string // all that stands beside it
}

// Field is an axis, or a column.
type Field struct {
	Label, Unit string
	Metric      measure.MetricID // empty: Of says what it holds
	Of          report.Quantity
	Better      string
	Axis        report.Axis // of a chart; the zero Axis of a column
}

// Line is figures that are read together: a series, or a group of a column.
type Line struct {
	Name   string
	Field  int // index in Fields
	Metric measure.MetricID
	Of     report.Quantity // what its figures are where they are no metric
	Joined bool            // a line joins them
	Along  string          // what rises along it
	Step   bool
	Data   []Datum
}

// Datum is one figure as it is shown.
type Datum struct {
	Name   string // of its point or row
	Record string // slug
	Basis  *report.Basis
	// Text and Unit are those of a cell; a drawing has none.
	Text, Unit string
	// Number is what is drawn, in the base unit; nil where nothing is.
	Number *float64
	Least  bool // shown as a lower bound
	State  report.PointState
	Reason string // why nothing is drawn
	Marks  []string
	// Bounded: where the figure can lie stands in the same table.
	Bounded      bool
	Gap          bool
	Place        report.Place
	X, Order     float64
	XBasis       *report.Basis
	Apart, XHigh bool
}

// OfChart is a chart as the rules see it.
func OfChart(c report.Chart) View {
	v := View{ID: c.ID, Title: c.Title, Chart: true, Ranked: true, Shown: c.Shown,
		Fields: []Field{axisField(c.X), axisField(c.Y)}}
	words := append([]string{c.Title, c.Sub, c.Desc, c.Shown.Words()}, c.Notes...)
	for _, s := range c.Series {
		words = append(words, s.Name)
		across := Line{Name: s.Name, Field: 0, Metric: c.X.Metric, Of: c.X.Of}
		up := Line{Name: s.Name, Field: 1, Metric: s.Metric, Of: s.Of, Joined: s.Line, Along: s.Along, Step: s.Step}
		up.Data = make([]Datum, 0, len(s.Points)) // a timeline has thousands
		for _, p := range s.Points {
			x := p.X
			if p.XBasis != nil && p.Y != nil { // a gap lies on the axis, at its rate
				across.Data = append(across.Data, Datum{Name: p.Label, Record: p.Record, Basis: p.XBasis, Number: &x, Least: p.XLeast, State: p.State})
			}
			up.Data = append(up.Data, Datum{Name: p.Label, Record: p.Record, Basis: p.Basis, Number: p.Y, Least: p.YLeast, State: p.State, Reason: p.Reason,
				Place: p.Place, X: p.X, Order: p.Order, XBasis: p.XBasis, Apart: p.Apart, XHigh: p.XLeast, Gap: p.Y == nil})
		}
		v.Lines = append(v.Lines, up)
		if len(across.Data) > 0 {
			v.Lines = append(v.Lines, across)
		}
	}
	v.Words = strings.Join(words, "\n")
	return v
}

func axisField(a report.Axis) Field {
	return Field{Label: a.Label, Unit: a.Unit, Metric: a.Metric, Of: a.Of, Better: a.Better, Axis: a}
}

// OfSheet is a table as the rules see it.
func OfSheet(s report.Sheet) View {
	v := View{ID: s.ID, Title: s.Title, Ranked: s.Ranked, Shown: s.Shown, Words: strings.Join(append(s.Words, s.Title, s.Shown.Words()), "\n")}
	for _, c := range s.Columns {
		v.Fields = append(v.Fields, Field{Label: c.Label, Unit: c.Unit, Metric: c.Metric})
	}
	for _, g := range s.Groups {
		v.Words += "\n" + g.Title
		for i, c := range s.Columns {
			line := Line{Name: strings.TrimPrefix(g.Title+", "+c.Label, ", "), Field: i, Metric: c.Metric}
			for _, row := range g.Rows {
				if i < len(row.Cells) {
					line.Data = append(line.Data, cellDatum(row, row.Cells[i], c))
				}
			}
			v.Lines = append(v.Lines, line)
		}
	}
	return v
}

func cellDatum(row report.SheetRow, c report.Cell, col report.SheetColumn) Datum {
	d := Datum{Name: row.Label, Record: row.Record, Text: c.Text, Unit: col.Unit, Gap: c.Gap, Marks: row.Marks, Bounded: row.Bounded}
	if f := c.Fig; f != nil {
		d.Text, d.Basis = f.Text, f.Basis
		d.Least = f.Kind == evidence.AtLeast
	}
	return d
}

// each does something with every figure of the view.
func (v View) each(do func(Field, Line, Datum)) {
	for _, l := range v.Lines {
		for _, d := range l.Data {
			do(v.Fields[l.Field], l, d)
		}
	}
}

// name is a figure's name in a finding.
func (v View) name(l Line, d Datum) string {
	what := string(l.Metric)
	if m, ok := measure.Lookup(l.Metric); ok {
		what = m.Short
	}
	if d.Basis != nil {
		if m, ok := measure.Lookup(d.Basis.Value.Metric); ok {
			what = m.Short
		}
	}
	if what == "" {
		what = l.Name
	}
	return strings.TrimSuffix(fmt.Sprintf("%s of %s", what, short(d.Name)), " of ")
}

// mostName is how long a name in a finding may be.
const mostName = 48

func short(name string) string {
	if runes := []rune(name); len(runes) > mostName {
		return string(runes[:mostName-1]) + "…"
	}
	return name
}
