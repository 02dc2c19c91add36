// Package consistency holds a record against itself: a rate against the time
// and the tokens that are stated beside it, two rates against the lengths,
// throughput and latency against the number of requests outstanding, parts
// against sums, points of a series against each other.
//
// What does not fit is a limitation note, never a correction: a record keeps
// what its source says. What cannot be checked because something is not stated
// is passed over, or is itself the note (no duration, no definition).
//
// Which facts make a note, with all thresholds, is decided in package limits.
// Here is what gathers the facts of a record for it. All functions are pure. They
// look at what a record states and at nothing else, so they serve recovered
// reports and other tools' files alike.
//
// # Limits
//
// That two figures fit does not make either of them true, and a bound that is
// computed from medians is plausibility only. Nothing here turns a rate into a
// count that a record then states.
package consistency

import (
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Apply adds the notes of [Record] to a record: those about a figure to the
// figure, the others to the record. A note that is there already is not
// repeated. The record must not be sealed yet.
func Apply(r evidence.Record) evidence.Record {
	r.Limits = slices.Clone(r.Limits)
	r.Values = slices.Clone(r.Values)
	for _, l := range Record(r) {
		i := slices.IndexFunc(r.Values, func(v evidence.Value) bool { return string(v.Metric) == l.Where })
		if i < 0 {
			r.Limits = with(r.Limits, l)
			continue
		}
		r.Values[i].Limits = with(slices.Clone(r.Values[i].Limits), l)
	}
	return r
}

func with(limits []evidence.Limit, l evidence.Limit) []evidence.Limit {
	same := func(o evidence.Limit) bool {
		return o.Code == l.Code && o.Where == l.Where && slices.Equal(o.Args, l.Args)
	}
	if slices.ContainsFunc(limits, same) {
		return limits
	}
	return append(limits, l)
}

// Record returns the notes on one record, in the order of the checks; Where
// names the figure, or is "record".
func Record(r evidence.Record) []evidence.Limit {
	var out []evidence.Limit
	for _, check := range []func(evidence.Record) []evidence.Limit{
		outcomes, durations, derivedValues, meansForPercentiles, completedOnly, rates,
		ratesAgainstLengths, inFlight, cache, tuple,
	} {
		out = append(out, check(r)...)
	}
	return out
}

// exact is the number of a figure, measured or claimed. A claim whose unit is not
// known has none.
func exact(v evidence.Value) (float64, bool) { return v.Amount.Number() }

// number finds the number of a metric.
func number(r evidence.Record, id measure.MetricID) (float64, bool) {
	v, ok := r.Value(id)
	if !ok {
		return 0, false
	}
	return exact(v)
}

func isRate(v evidence.Value) bool {
	q, _, ok := measure.Kind(v.Metric)
	return ok && q != measure.Time
}

func isLatency(v evidence.Value) bool {
	q, _, ok := measure.Kind(v.Metric)
	return ok && q == measure.Time
}
