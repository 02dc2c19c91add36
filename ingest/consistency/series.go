package consistency

import (
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// Series returns the notes that only the other records of a family show, by
// slug: points of one series (one profile, one workload, one kind of load, one
// cache state) that were taken with different numbers of requests. Records of
// several families may be given; each is held against its own.
func Series(records []evidence.Record) map[string][]evidence.Limit {
	type group struct {
		slugs  []string
		counts []int64
	}
	groups := map[string]*group{}
	for _, r := range records {
		n, ok := r.Workload.Requests.Get()
		if !ok || r.Workload.Requests.State() == evidence.StateDerived || r.Kind != evidence.RunRecord {
			continue // a count that follows from a duration, or sums repeats, varies by design
		}
		key := seriesKey(r)
		g := groups[key]
		if g == nil {
			g = &group{}
			groups[key] = g
		}
		g.slugs = append(g.slugs, r.Slug)
		g.counts = append(g.counts, n)
	}
	out := map[string][]evidence.Limit{}
	for _, g := range groups {
		if note := limits.RequestsVaryInSeries(g.counts); note.Applies() {
			for _, slug := range g.slugs {
				out[slug] = note.Record()
			}
		}
	}
	return out
}

// seriesKey is equal for records that would be joined by one line: all but the
// load's size is the same.
func seriesKey(r evidence.Record) string {
	word := func(n evidence.Known[int64]) string {
		if x, ok := n.Get(); ok {
			return measure.FormatCount(x)
		}
		return n.State().String() + " " + n.Note()
	}
	mode, _ := r.Load.Mode.Get()
	return strings.Join([]string{r.Family, string(r.Class), r.Subject.Profile, word(r.Workload.InputTokensAsked), word(r.Workload.OutputTokensAsked),
		mode, r.State.Cache.Kind.String(), measure.FormatShare(r.State.Cache.Share)}, "\x00")
}
