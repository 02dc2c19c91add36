package report

import (
	"strings"

	"benchline/ingest/measure"
)

// Sheet is a table of figures as the rules for charts and tables see it.
type Sheet struct {
	ID, Title string
	// Ranked: its rows stand to be compared, or can be put in the order of a
	// column. A list in which each row says what it is, is not.
	Ranked  bool
	Columns []SheetColumn
	Groups  []SheetGroup
	Shown   Shown
	Words   []string // what stands beside it in words
}

// SheetColumn is a column of figures, in one unit.
type SheetColumn struct {
	Metric      measure.MetricID
	Label, Unit string
}

// SheetGroup is rows that stand below each other.
type SheetGroup struct {
	Title string
	Rows  []SheetRow
}

// SheetRow is a row: its cells are those of the columns in order.
type SheetRow struct {
	Label  string
	Record string   // slug; empty where the row is no record
	Marks  []string // words beside the row's name: "void", "over 6 runs"
	// Bounded: rows of the same table say where the figures can lie.
	Bounded bool
	Cells   []Cell
}

// Sheet is the table of all points as the rules see it.
func (t PointTable) Sheet(f *Family) Sheet {
	out := Sheet{ID: "points", Title: "Every point", Ranked: true, Shown: Shown{What: OfRecords, Of: f.Points}}
	for _, c := range t.Cols {
		out.Columns = append(out.Columns, SheetColumn{Metric: c.Metric, Label: c.Label, Unit: c.Unit})
	}
	for _, g := range t.Groups {
		group := SheetGroup{Title: g.Title}
		for _, r := range g.Rows {
			row := SheetRow{Label: r.Load, Record: r.Record, Marks: r.Marks(), Cells: r.Cells}
			group.Rows = append(group.Rows, row)
			out.Shown.Drawn++
		}
		out.Groups = append(out.Groups, group)
	}
	for _, r := range f.Residue {
		out.Words = append(out.Words, r.Label+": "+strings.Join(r.Values, " · "))
	}
	return out
}

// Marks are the words beside a row's name.
func (r PointRow) Marks() []string {
	marks := append([]string{}, r.Hot...)
	for _, m := range []string{r.Kind, r.Class} {
		if m != "" {
			marks = append(marks, m)
		}
	}
	return marks
}

// Sheet is the table beside load curves as the rules see it.
func (t CurveTable) Sheet(c CurveSet) Sheet {
	out := Sheet{ID: c.ID + "-places", Title: c.Title + ": places", Ranked: true, Shown: Shown{What: OfRecords}, Words: c.Notes}
	for _, col := range append([]PointCol{t.Rate}, t.Stats...) {
		out.Columns = append(out.Columns, SheetColumn{Metric: col.Metric, Label: col.Label, Unit: col.Unit})
	}
	for _, g := range t.Groups {
		group := SheetGroup{Title: g.Title}
		for _, r := range g.Rows {
			row := SheetRow{Label: r.Point.Text, Record: r.Record, Marks: append(r.Hot[:len(r.Hot):len(r.Hot)], r.Marks...), Cells: []Cell{r.Rate}}
			for _, st := range r.Stats {
				row.Cells = append(row.Cells, st.Cell)
			}
			group.Rows = append(group.Rows, row)
			out.Shown.Drawn++
		}
		out.Groups = append(out.Groups, group)
	}
	out.Shown.Of = out.Shown.Drawn
	return out
}

// Sheet is the table of percentiles of one latency as the rules see it. Figures
// of the completed requests have their bounds below them.
func (t PercentileTable) Sheet(l Latency) Sheet {
	out := Sheet{ID: "percentiles-" + l.ID, Title: "Percentiles: " + t.Of, Shown: Shown{What: "percentiles", Drawn: len(t.Cols), Of: len(t.Cols)}}
	for _, c := range t.Cols {
		id := measure.ID(measure.MetricID(l.ID), measure.Stat(c))
		m, _ := measure.Lookup(id) // its label is what the rule asks for
		out.Columns = append(out.Columns, SheetColumn{Metric: id, Label: m.Label, Unit: t.Unit})
	}
	for i, r := range t.Rows {
		row := SheetRow{Label: r.Population, Bounded: i == 0 && len(t.Rows) > 1, Cells: r.Cells}
		if t.Runs {
			row.Marks = []string{r.N}
		}
		out.Groups = append(out.Groups, SheetGroup{Title: r.Population, Rows: []SheetRow{row}})
	}
	return out
}

// Sheet is a list of records as the rules see it. Left is what the list does
// not have, e.g. the records on its other pages.
func (l EntryList) Sheet(left ...Left) Sheet {
	out := Sheet{ID: "entries", Title: "Records", Columns: []SheetColumn{l.Rate.sheet(), l.TTFT.sheet()},
		Shown: Shown{What: OfRecords, Drawn: len(l.Entries), Of: len(l.Entries), Left: left}}
	for _, x := range left {
		out.Shown.Of += x.N
	}
	var g SheetGroup
	for _, e := range l.Entries {
		g.Rows = append(g.Rows, SheetRow{Label: e.Link.Text, Record: e.Record, Marks: e.Marks(), Cells: []Cell{e.Rate, e.TTFT}})
	}
	out.Groups = []SheetGroup{g}
	return out
}

// Marks are the words beside a record's name in a list.
func (e Entry) Marks() []string {
	marks := []string{string(e.Class)}
	if e.Void {
		marks = append(marks, "void")
	}
	if e.Runs != "" {
		marks = append(marks, e.Runs)
	}
	return marks
}
