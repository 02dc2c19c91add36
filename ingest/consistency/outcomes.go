package consistency

import (
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
)

// outcomes holds the counts of the ledger against each other, and marks requests
// whose end nobody saw or of which nobody says what became.
func outcomes(r evidence.Record) []evidence.Limit {
	o := r.Outcomes
	out := limits.CountsDoNotAddUp(o).Record()
	if len(r.Values) > 0 {
		out = append(out, limits.OutcomesNotStated(o).Record()...)
	}
	tail := limits.UnresolvedTail(o.Unresolved, o.Sent)
	out = append(out, tail.Record()...)
	for _, v := range r.Values {
		out = append(out, tail.At(string(v.Metric))...)
	}
	return append(out, notReached(r)...)
}

// notReached marks an asked rate of which the counts say that it was not offered.
func notReached(r evidence.Record) []evidence.Limit {
	asked, hasRate := r.Load.Rate.Get()
	planned, hasPlanned := r.Outcomes.Planned.Get()
	sent, hasSent := r.Outcomes.Sent.Get()
	if !hasRate || !hasPlanned || !hasSent {
		return nil
	}
	found := limits.SentBelowPlanned(asked, sent, planned)
	out := found.Record()
	for _, v := range r.Values {
		out = append(out, found.At(string(v.Metric))...)
	}
	return out
}
