package report

import (
	"fmt"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// CurveTable stands beside load curves: the same figures, and the place of each.
type CurveTable struct {
	Rate   PointCol
	Stats  []PointCol
	Groups []CurveGroup
}

// Span is the number of columns.
func (t CurveTable) Span() int { return 2 + len(t.Stats) }

// CurveGroup is the points of one series of one chart.
type CurveGroup struct {
	Title string
	Rows  []CurveRow
}

// CurveRow is one record.
type CurveRow struct {
	Record string // slug
	Point  Link
	Hot    []string // "void", "client suspect", "claimed"
	Marks  []string // "over 3 runs", "derived"
	Rate   Cell
	Stats  []CurveCell
}

// CurveCell is one statistic of a point and its place.
type CurveCell struct {
	Cell
	Place string // "on the frontier", "dominated by c = 4"; may be empty
}

// curveTable is the table beside the curves of the planes, in one unit a column.
func (s *Set) curveTable(spec CurveSpec, planes []*plane) CurveTable {
	var records []*evidence.Record
	for _, p := range planes {
		records = append(records, p.drawn...)
	}
	scale := func(id measure.MetricID) measure.Scaler {
		var xs []float64
		for _, r := range records {
			if v, ok := r.Value(id); ok && v.Amount.Kind != evidence.Quoted && hasNumber(v) {
				xs = append(xs, v.Amount.X)
			}
		}
		return measure.Scale(id, xs...)
	}
	column := func(id measure.MetricID, sc measure.Scaler) PointCol {
		return s.pointCol(records, id, sc.Unit())
	}
	rate := scale("output_token_rate")
	t := CurveTable{Rate: column("output_token_rate", rate)}
	scales := make([]measure.Scaler, len(spec.Stats))
	for i, st := range spec.Stats {
		id := measure.ID(spec.Latency, st)
		scales[i] = scale(id)
		t.Stats = append(t.Stats, column(id, scales[i]))
	}
	for _, p := range planes {
		for _, name := range p.names {
			g := CurveGroup{Title: name}
			if p.workload != "" {
				g.Title = p.workload + "; " + name
			}
			for _, r := range p.by[name] {
				g.Rows = append(g.Rows, p.row(r, rate, scales))
			}
			t.Groups = append(t.Groups, g)
		}
	}
	return t
}

func (p *plane) row(r *evidence.Record, rate measure.Scaler, scales []measure.Scaler) CurveRow {
	page := p.spec.Root + "records/" + r.Slug + ".html"
	row := CurveRow{Record: r.Slug, Point: Link{Text: pointName(r), Href: page}, Hot: hotWords(r), Rate: p.s.cell(r, p.rate.ID, rate, page)}
	for _, m := range []string{runsWords(r), unmeasuredClass(r)} {
		if m != "" {
			row.Marks = append(row.Marks, m)
		}
	}
	if p.claimed(r) {
		row.Hot = append(row.Hot, "claimed")
	}
	for i, st := range p.spec.Stats {
		id := measure.ID(p.m.ID, st)
		row.Stats = append(row.Stats, CurveCell{Cell: p.s.cell(r, id, scales[i], page), Place: p.places[id][r.Slug].Words()})
	}
	return row
}

// hotWords are the words about a record that stand in the warning colour.
func hotWords(r *evidence.Record) []string {
	var words []string
	if r.Void {
		words = append(words, "void")
	}
	if failed(r) {
		words = append(words, "failed")
	}
	if r.Client != nil && r.Client.Verdict == "suspect" {
		words = append(words, "client suspect")
	}
	return words
}

// unmeasuredClass is the evidence class of figures that nobody measured as such.
func unmeasuredClass(r *evidence.Record) string {
	if r.Class == evidence.DerivedClass {
		return string(r.Class)
	}
	return ""
}

// runsWords says over how many runs a summary is; empty for a single run.
func runsWords(r *evidence.Record) string {
	if r.Kind == evidence.RepeatsRecord {
		return fmt.Sprintf("over %d runs", len(r.Members))
	}
	return ""
}

// cell is a value of a record in a column's unit.
func (s *Set) cell(r *evidence.Record, id measure.MetricID, scale measure.Scaler, page string) Cell {
	v, ok := r.Value(id)
	if !ok {
		return Cell{Text: "not stated", Gap: true}
	}
	f := s.figure(r, v, scale, page)
	return Cell{Fig: &f}
}
