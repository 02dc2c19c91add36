package consistency

import (
	"fmt"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// sums holds the counts of the ledger against each other as far as they are
// stated. Parts that are not stated may be anything from zero up.
func sums(r evidence.Record) []evidence.Limit {
	o := r.Outcomes
	var faults []string
	check := func(name string, total evidence.Known[int64], parts ...evidence.Known[int64]) {
		t, ok := total.Get()
		if !ok {
			return
		}
		sum, all := int64(0), true
		for _, p := range parts {
			n, known := p.Get()
			sum += n
			all = all && known
		}
		switch {
		case sum > t:
			faults = append(faults, fmt.Sprintf("the parts of %s requests add up to %s, the total is %s", name, measure.FormatCount(sum), measure.FormatCount(t)))
		case all && sum != t:
			faults = append(faults, fmt.Sprintf("%s requests are %s, their parts add up to %s", name, measure.FormatCount(t), measure.FormatCount(sum)))
		}
	}
	check("planned", o.Planned, o.Sent, o.NeverSent)
	check("sent", o.Sent, o.Completed, o.Failed, o.Rejected, o.TimedOut, o.Cancelled, o.Unresolved)
	if _, ok := o.Sent.Get(); !ok {
		check("planned", o.Planned, o.Completed, o.Failed, o.Rejected, o.TimedOut, o.Cancelled, o.Unresolved, o.NeverSent)
	}
	if len(faults) == 0 {
		return nil
	}
	return []evidence.Limit{note(evidence.CountsDoNotAddUp, "record", strings.Join(faults, "; "))}
}

// openTail marks requests whose end nobody saw.
func openTail(r evidence.Record) []evidence.Limit {
	open, _ := r.Outcomes.Unresolved.Get()
	if open < 1 {
		return nil
	}
	of := "an unstated number of"
	if sent, ok := r.Outcomes.Sent.Get(); ok {
		of = measure.FormatCount(sent)
	}
	out := []evidence.Limit{note(evidence.UnresolvedTail, "record", measure.FormatCount(open), of)}
	for _, v := range r.Values {
		out = append(out, note(evidence.UnresolvedTail, string(v.Metric), measure.FormatCount(open), of))
	}
	return out
}

// reachedShare is the share of the planned requests from which on an offered
// rate counts as reached, as for our own runs.
const reachedShare = 0.99

// notReached marks an asked rate of which the counts say that it was not offered.
func notReached(r evidence.Record) []evidence.Limit {
	asked, hasRate := r.Load.Rate.Get()
	planned, hasPlanned := r.Outcomes.Planned.Get()
	sent, hasSent := r.Outcomes.Sent.Get()
	if !hasRate || !hasPlanned || !hasSent || float64(sent) >= reachedShare*float64(planned) {
		return nil
	}
	got := fmt.Sprintf("at most %s of %s planned requests", measure.FormatCount(sent), measure.FormatCount(planned))
	out := []evidence.Limit{note(evidence.OfferedRateNotReached, "record", asked, got)}
	for _, v := range r.Values {
		out = append(out, note(evidence.OfferedRateNotReached, string(v.Metric), asked, got))
	}
	return out
}
