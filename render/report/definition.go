package report

import (
	"fmt"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// computed reports whether any of the records has one of the figures computed
// here: then the registry's definition is its own.
func computed(records []*evidence.Record, ids ...measure.MetricID) bool {
	return slices.ContainsFunc(records, func(r *evidence.Record) bool {
		return slices.ContainsFunc(ids, func(id measure.MetricID) bool {
			v, ok := r.Value(id)
			return ok && !imported(v)
		})
	})
}

// mostDefinitions is how many definitions of sources stand beside a chart.
const mostDefinitions = 3

// definitions are what the figures of a chart mean: the registry's definition
// of each quantity that was computed here, and the sources' own of those that
// were taken over.
func (s *Set) definitions(records []*evidence.Record, ids ...measure.MetricID) []string {
	var own, foreign []string
	for _, id := range ids {
		if d := s.metric(s.metric(id).Base).Definition; computed(records, id) && !slices.Contains(own, d) {
			own = append(own, d)
		}
		for _, r := range records {
			if v, ok := r.Value(id); ok && imported(v) && !slices.Contains(foreign, v.Rule) {
				foreign = append(foreign, v.Rule)
			}
		}
	}
	if more := len(foreign) - mostDefinitions; more > 0 {
		foreign = append(foreign[:mostDefinitions], fmt.Sprintf("%d more definitions of sources: they stand at the figures.", more))
	}
	return append(own, foreign...)
}
