package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"benchline/render/report"
)

// Grid is the table beside a chart: the same values in the same units, for
// readers who cannot or do not want to read a drawing.
type Grid struct {
	Columns []Column
	Rows    [][]Cell // each as long as Columns
	// Left out is how many points have no row: long staircases and time lines
	// are thinned. Points out of the ordinary always have one.
	LeftOut int
}

// Column is the head of a column. The unit is the one of the chart's axis.
type Column struct {
	Label  string
	Unit   string
	Number bool
}

// Head is the column's label with its unit.
func (c Column) Head() string { return withUnit(c.Label, c.Unit) }

// Cell is one cell. Text is for people and in the column's unit; Exact is the
// shortest decimal of the value in its base unit, empty where there is none.
type Cell struct {
	Text  string
	Exact string
	Href  string
	// Gap is set where there is no value; Text then says "no data" and why.
	Gap bool
}

const (
	fullRows = 40 // a series with more points is thinned
	thinRows = 20 // to about so many
)

// Table is the table of a chart. A chart that cannot be drawn has no table
// either.
func Table(c report.Chart) (Grid, error) {
	if err := check(c); err != nil {
		return Grid{}, fmt.Errorf("make the table of chart %q: %w", c.ID, err)
	}
	x, y := xValues(c).all(), yValues(c).all()
	t := tabler{chart: c, x: scalingFor(c.X, x), y: scalingFor(c.Y, y)}
	return t.grid(), nil
}

// tabler knows which columns a chart needs.
type tabler struct {
	chart                     report.Chart
	x, y                      scaling
	series, label, note, band bool
}

func (t *tabler) grid() Grid {
	for _, s := range t.chart.Series {
		t.series = t.series || s.Name != ""
		t.band = t.band || len(s.Band) > 0
		for _, p := range s.Points {
			t.label = t.label || p.Label != ""
			t.note = t.note || note(p) != ""
		}
	}
	t.label = t.label || len(t.chart.Unplaced) > 0
	g := Grid{Columns: t.columns()}
	for _, s := range t.chart.Series {
		keep := kept(s)
		for i, p := range s.Points {
			if !keep[i] {
				g.LeftOut++
				continue
			}
			g.Rows = append(g.Rows, t.row(s, p))
		}
	}
	for _, u := range t.chart.Unplaced {
		g.Rows = append(g.Rows, t.off(u))
	}
	return g
}

// off is the row of a point that has no place on the axes.
func (t *tabler) off(u report.Unplaced) []Cell {
	row := make([]Cell, 0, len(t.columns()))
	if t.series {
		row = append(row, Cell{})
	}
	if t.label {
		row = append(row, Cell{Text: u.Label, Href: u.Href})
	}
	none := Cell{Text: "no place" + because(u.Reason), Gap: true}
	row = append(row, none, none)
	if t.band {
		row = append(row, Cell{Text: "–", Gap: true}, Cell{Text: "–", Gap: true})
	}
	if t.note {
		row = append(row, Cell{Text: string(u.State)})
	}
	return row
}

func (t *tabler) columns() []Column {
	var cols []Column
	if t.series {
		cols = append(cols, Column{Label: "Series"})
	}
	if t.label {
		cols = append(cols, Column{Label: "Point"})
	}
	cols = append(cols, Column{t.chart.X.Label, t.x.unit, true}, Column{t.chart.Y.Label, t.y.unit, true})
	if t.band {
		cols = append(cols, Column{"At least", t.y.unit, true}, Column{"At most", t.y.unit, true})
	}
	if t.note {
		cols = append(cols, Column{Label: "Note"})
	}
	return cols
}

func (t *tabler) row(s report.Series, p report.Point) []Cell {
	var row []Cell
	if t.series {
		row = append(row, Cell{Text: s.Name})
	}
	if t.label {
		row = append(row, Cell{Text: p.Label, Href: p.Href})
	}
	x := Cell{Text: sign(p.XLeast) + t.x.text(p.X), Exact: exact(p.X)}
	if !t.label {
		x.Href = p.Href
	}
	row = append(row, x, t.value(p))
	if t.band {
		row = append(row, t.bounds(s, p.X)...)
	}
	if t.note {
		row = append(row, Cell{Text: note(p)})
	}
	return row
}

func (t *tabler) value(p report.Point) Cell {
	if p.Y == nil {
		return Cell{Text: "no data" + because(p.Reason), Gap: true}
	}
	return Cell{Text: sign(p.YLeast) + t.y.text(*p.Y), Exact: exact(*p.Y)}
}

func sign(least bool) string {
	if least {
		return "≥ "
	}
	return ""
}

// bounds are the ends of the band at x: of its last step at or before x.
func (t *tabler) bounds(s report.Series, x float64) []Cell {
	found := -1
	for i, b := range s.Band {
		if b.X <= x {
			found = i
		}
	}
	if found < 0 {
		return []Cell{{Text: "–", Gap: true}, {Text: "–", Gap: true}}
	}
	b := s.Band[found]
	return []Cell{{Text: t.y.text(b.Low), Exact: exact(b.Low)}, {Text: t.y.text(b.High), Exact: exact(b.High)}}
}

// note is what is out of the ordinary about a point: what it is, that it is a
// bound, and where it stands.
func note(p report.Point) string {
	parts := []string{kindWords(p)}
	if p.XLeast || p.YLeast {
		parts = append(parts, "at least")
	}
	parts = append(parts, report.PlaceOf{Place: p.Place, By: p.By}.Words())
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// kindWords is what a point is, where it is no plain figure.
func kindWords(p report.Point) string {
	switch p.State {
	case report.PointSuspect, report.PointVoid, report.PointDerived, report.PointClaimed, report.PointFailed:
		if p.Y == nil || p.Reason == "" {
			return string(p.State)
		}
		return string(p.State) + because(p.Reason)
	case report.PointOK, report.PointNoData:
	}
	return ""
}

// kept says which points have a row: all of a short series; of a long one the
// first, the last, those out of the ordinary and evenly spaced others. Of an
// ECDF the spacing is in shares, as its readers ask for shares.
func kept(s report.Series) []bool {
	keep := make([]bool, len(s.Points))
	next := 0.0
	for i, p := range s.Points {
		plain := ordinary(p) && p.Y != nil
		keep[i] = len(s.Points) <= fullRows || !plain || i == 0 || i == len(s.Points)-1
		at := float64(i) / float64(len(s.Points)) * thinRows
		if s.Step && p.Y != nil && *p.Y >= 0 && *p.Y <= 1 {
			at = *p.Y * thinRows
		}
		if at >= next {
			keep[i] = true
			next = math.Floor(at) + 1
		}
	}
	return keep
}
