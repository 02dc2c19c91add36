package summarize

import (
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// estimateRule names the estimate and the assumption that makes it one.
const estimateRule = "product-limit estimate of Kaplan and Meier over values and ages; it assumes that being cut off tells nothing about how long a request would have taken"

// totalTimeout is the class of a request that the client gave up after the same
// time for all, whatever had come of it by then.
const totalTimeout = "total_timeout"

// administrative reports whether the run itself, and not what a request did,
// decided when the client stopped watching: at the end of the drain grace, or after
// a time that was the same for all. Then an age tells nothing but that the value is
// above it. An error is another end and no cut; a queue that grows makes the late
// requests, which have the shortest ages, the slow ones; a connection, a first byte
// or a silence that lasted too long is slowness itself.
func (r *run) administrative() bool {
	l := r.ledger
	ownRun := r.open() || r.m.Point.Concurrency > 0 // why a foreign row has no end is not known
	if !ownRun || r.m.State != reqlog.Complete || l.Failed+l.Rejected+l.Cancelled > 0 {
		return false
	}
	if r.found.has(evidence.QueueGrows) || r.open() && !r.seen.quarters {
		return false
	}
	for key := range r.errors {
		if key.outcome == reqlog.TimedOut && key.class != totalTimeout {
			return false
		}
	}
	return true
}

// estimate adds to a quantile over finished and unfinished requests what it is by
// the Kaplan-Meier estimate, where that may be made: for a quantile with enough
// requests whose bounds differ, and which the ages let the estimate reach.
func (r *run) estimate(v *evidence.Value, q measure.Q, base measure.MetricID, s latencySample) {
	open := v.Amount.Kind == evidence.AtLeast || v.Amount.Kind == evidence.Unbounded
	n := s.all.N()
	if !open || base == "tpot" || q == measure.Max || n < measure.MinN(q) || !r.administrative() {
		return
	}
	if x, ok := s.all.KaplanMeier(q).X(); ok {
		v.Estimate = &evidence.Estimate{X: x, N: n, Rule: estimateRule}
	}
}
