package report

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Side is a table of chosen records and metrics on an authored page. Where two
// records cannot stand side by side, the later one has the names of what
// differs in place of its numbers.
type Side struct {
	Label string
	Cols  []PointCol
	Rows  []SideRow
	Says  []string // what may be read from it
}

// SideRow is one record.
type SideRow struct {
	Record   string // slug
	Link     Link
	About    string // workload, load and condition
	Class    string
	Hot      []string
	Outcomes Outcomes
	Cells    []SideCell
}

// SideCell is one figure of a record, or what keeps it from standing there.
type SideCell struct {
	Cell
	Apart bool // the text names what differs
	ref   Ref
}

// Side makes the table for a page from which root leads to the site's root. A
// record or a metric that is not there is an error.
func (s *Set) Side(records []string, metrics []measure.MetricID, root string) (*Side, error) {
	t := &Side{Label: "Figures of " + strings.Join(records, ", ")}
	var rs []*evidence.Record
	for _, slug := range records {
		r, err := s.find(slug)
		if err != nil {
			return nil, err
		}
		rs = append(rs, r)
	}
	scales := make([]measure.Scaler, len(metrics))
	for k, id := range metrics {
		if _, ok := s.metrics[id]; !ok {
			return nil, fmt.Errorf("the metric registry has no %q", id)
		}
		var xs []float64
		found := false
		for _, r := range rs {
			if v, ok := r.Value(id); ok {
				xs, found = append(xs, numbersOf(v)...), true
			}
		}
		if !found {
			return nil, fmt.Errorf("none of the records states %s", id)
		}
		scales[k] = measure.Scale(id, xs...)
		t.Cols = append(t.Cols, s.pointCol(rs, id, scales[k].Unit()))
	}
	for i, r := range rs {
		row := SideRow{Record: r.Slug, Link: Link{Text: r.Title, Href: root + "records/" + r.Slug + ".html"}, About: workloadShort(r) + "; " + loadShort(r) + "; " + condition(r),
			Class: string(r.Class), Hot: hotWords(r), Outcomes: outcomesOf(r)}
		for k, id := range metrics {
			c := SideCell{ref: Ref{Record: r.Slug, Metric: id}}
			if why := s.apart(t, rs[:i], r, id); why != "" {
				c.Cell, c.Apart = Cell{Text: why}, true
			} else {
				c.Cell = s.cell(r, id, scales[k], row.Link.Href)
			}
			row.Cells = append(row.Cells, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// apart says what keeps a figure from standing beside the same metric of the
// records above it; empty if nothing does. Sentences that go with what may
// stand there are added to the table.
func (s *Set) apart(t *Side, above []*evidence.Record, r *evidence.Record, id measure.MetricID) string {
	if _, ok := r.Value(id); !ok {
		return ""
	}
	say := func(sentence string) {
		if !slices.Contains(t.Says, sentence) {
			t.Says = append(t.Says, sentence)
		}
	}
	for _, other := range above {
		if _, ok := other.Value(id); !ok || other.Slug == r.Slug {
			continue
		}
		v := compare.Compare(*other, *r)
		pair := other.Slug + " and " + r.Slug + ": "
		switch {
		case v.Numbers() && slices.Contains(v.Metrics, id):
			if v.Kind == compare.SystemsRatio {
				say(pair + v.Sentence)
			}
		case v.Numbers():
			return "not beside " + other.Slug + ": another rule, window or population"
		case other.Family != "" && other.Family == r.Family && v.Kind == compare.Confounded:
			say("More than one thing differs between records of the family " + r.Family + " here, or is not stated: a difference between them has no single cause.")
		default:
			say(pair + v.Sentence)
			return "not beside " + other.Slug + ": " + few(v.Why)
		}
	}
	return ""
}

// few lists the first of many names.
func few(names []string) string {
	const most = 4
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// Refs are the figures that the table shows.
func (t *Side) Refs() []Ref {
	var refs []Ref
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			if c.Fig != nil {
				refs = append(refs, c.ref)
			}
		}
	}
	return refs
}

// Mark puts footnote marks at the figures.
func (t *Side) Mark(f *Footnotes) {
	for _, row := range t.Rows {
		for i := range row.Cells {
			if row.Cells[i].Fig != nil {
				row.Cells[i].Marks = f.Marks(row.Cells[i].ref)
			}
		}
	}
}

// Sheet is the table as the rules for charts and tables see it.
func (t *Side) Sheet() Sheet {
	out := Sheet{ID: "side", Title: t.Label, Ranked: true, Shown: Shown{What: OfRecords, Drawn: len(t.Rows), Of: len(t.Rows)}, Words: t.Says}
	for _, c := range t.Cols {
		out.Columns = append(out.Columns, SheetColumn{Metric: c.Metric, Label: c.Label, Unit: c.Unit})
	}
	var g SheetGroup
	for _, r := range t.Rows {
		row := SheetRow{Label: r.Link.Text, Record: r.Record, Marks: append([]string{r.Class, r.About}, r.Hot...)}
		for _, c := range r.Cells {
			row.Cells = append(row.Cells, c.Cell)
		}
		g.Rows = append(g.Rows, row)
	}
	out.Groups = []SheetGroup{g}
	return out
}
