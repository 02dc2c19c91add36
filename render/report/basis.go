package report

import (
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Basis is the value of a record on which a shown figure rests. The rules for
// charts and tables hold what is shown against it.
type Basis struct {
	Record *evidence.Record
	Value  *evidence.Value
	across []evidence.Limit // notes on the record that only its family shows
}

// Has reports whether a limitation code stands at the value or at its record.
func (b *Basis) Has(codes ...evidence.Code) bool {
	is := func(l evidence.Limit) bool { return slices.Contains(codes, l.Code) }
	return slices.ContainsFunc(b.Record.Limits, is) || slices.ContainsFunc(b.Value.Limits, is) || slices.ContainsFunc(b.across, is)
}

// basis is what a record's value rests on; nil where it has no such value.
func (s *Set) basis(r *evidence.Record, id measure.MetricID) *Basis {
	i := slices.IndexFunc(r.Values, func(v evidence.Value) bool { return v.Metric == id })
	if i < 0 {
		return nil
	}
	return &Basis{Record: r, Value: &r.Values[i], across: s.seen[r.Slug]}
}
