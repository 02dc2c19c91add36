package pack

import "benchline/render/report"

// TableID is the name of the table of options among the charts and tables of its
// page.
const TableID = "options"

// TableSays stands between the heading of the table of options and the table: what
// a row is, and how the second column judges.
func (d *Document) TableSays() string {
	return "Each row is a serving profile of its own, measured at the conditions below, or it has no number. " +
		"The second column judges a percentile by its bounds over all requests that completed or were still open."
}

// Sheets are the tables of figures of the document as the rules for charts and
// tables see them: the options, and the places on the curve.
func (d *Document) Sheets() []report.Sheet {
	out := []report.Sheet{d.table()}
	if d.Curve != nil {
		c := d.Curve
		out = append(out, c.Table.Sheet(report.CurveSet{ID: c.Chart.ID, Title: c.Chart.Title, Notes: c.Notes}))
	}
	return out
}

// table is the table of options. Rows without figures are rows: what they say
// stands in the place of each figure.
func (d *Document) table() report.Sheet {
	c := d.Columns
	s := report.Sheet{ID: TableID, Title: "The options", Ranked: true, Shown: report.Shown{What: "options", Drawn: len(d.Options), Of: len(d.Options)}, Words: []string{d.TableSays()}}
	for _, l := range d.Conditions {
		s.Words = append(s.Words, l.Label+": "+l.Text)
	}
	for _, col := range []Column{c.TTFT50, c.TTFT95, c.TPOT50, c.Rate, c.Goodput} {
		s.Columns = append(s.Columns, report.SheetColumn{Metric: col.Metric, Label: col.Label, Unit: col.Unit})
	}
	var g report.SheetGroup
	for _, o := range d.Options {
		row := report.SheetRow{Label: o.Name, Marks: o.marks()}
		if r := o.Row; r != nil {
			row.Record = r.Slug
			row.Cells = []report.Cell{r.TTFT50, r.TTFT95, r.TPOT50, r.Rate, r.Goodput}
		} else {
			for range s.Columns {
				row.Cells = append(row.Cells, report.Cell{Text: o.Gap, Gap: true})
			}
		}
		g.Rows = append(g.Rows, row)
	}
	s.Groups = []report.SheetGroup{g}
	return s
}

// marks are the words beside an option's name.
func (s *OptionSays) marks() []string {
	marks := []string{string(s.Target), "profile " + s.Profile}
	for _, m := range []string{s.Title, s.Precision.Text, s.Gap} {
		if m != "" {
			marks = append(marks, m)
		}
	}
	if s.Screen != "" {
		marks = append(marks, "screened out: "+s.Screen)
	}
	if s.Simulated {
		marks = append(marks, "simulated endpoint")
	}
	if s.Row != nil {
		if s.Row.Repeats != "" {
			marks = append(marks, s.Row.Repeats)
		}
		marks = append(marks, s.Row.Notes...)
	}
	return marks
}
