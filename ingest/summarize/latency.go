package summarize

import (
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// span is a latency of one request in nanoseconds (a fraction for TPOT), or
// why there is none.
type span struct {
	ns   float64
	open bool           // ns is an age: the value will not be below it
	out  measure.Reason // not 0: no value, for this reason
}

// outReason is why an outcome stands outside completed requests; 0 for completed.
func outReason(o reqlog.Outcome) measure.Reason {
	switch o {
	case reqlog.Completed:
		return 0
	case reqlog.Failed:
		return measure.WasFailed
	case reqlog.Rejected:
		return measure.WasRejected
	case reqlog.TimedOut:
		return measure.WasTimedOut
	case reqlog.Cancelled:
		return measure.WasCancelled
	case reqlog.Unresolved:
		return measure.WasUnresolved
	case reqlog.NeverSent:
		return measure.WasNeverSent
	default:
		return measure.TimesOutOfOrder
	}
}

// stopped reports whether the client stopped watching a request before it had
// an outcome of its own: what is known of its latencies is an age.
func stopped(o reqlog.Outcome) bool {
	return o == reqlog.Unresolved || o == reqlog.TimedOut || o == reqlog.Cancelled
}

// spanOf is a latency of one request.
func (r *run) spanOf(base measure.MetricID, e *entry) span {
	if e.outcome != reqlog.Completed && !stopped(e.outcome) {
		return span{out: outReason(e.outcome)}
	}
	switch base {
	case "ttft":
		return r.between(e, e.sent, e.first, measure.NoToken)
	case "ttft_due":
		return r.between(e, e.due, e.first, measure.NoToken)
	case "ttfa":
		return r.between(e, e.sent, e.answer, measure.NoAnswerToken)
	case "e2e":
		return r.between(e, e.sent, r.completion(e), measure.NoToken)
	case "e2e_due":
		return r.between(e, e.due, r.completion(e), measure.NoToken)
	case "tpot":
		return r.tpot(e)
	default:
		return span{out: measure.NoToken}
	}
}

// completion is the last token of a completed request: of another one it is
// only the last so far.
func (r *run) completion(e *entry) int64 {
	if e.outcome != reqlog.Completed {
		return none
	}
	return e.last
}

// between is to − from. Where to did not happen, a request that the client
// stopped watching has its age, and a completed one the reason.
func (r *run) between(e *entry, from, to int64, missing measure.Reason) span {
	if from == none {
		from = e.due // a request whose connection was never made still waits
	}
	switch {
	case to != none && to < from:
		return span{out: measure.TimesOutOfOrder}
	case to != none:
		return span{ns: float64(to - from)}
	case stopped(e.outcome):
		return span{ns: float64(max(0, r.stoppedAt(e)-from)), open: true}
	default:
		return span{out: missing}
	}
}

// stoppedAt is when the client stopped watching the request.
func (r *run) stoppedAt(e *entry) int64 {
	if e.end != none {
		return e.end
	}
	return r.m.Windows.ObservedToNS
}

// tpot is the time per output token. Nothing is known of that of a request
// which the client stopped watching: it is open from 0 up.
func (r *run) tpot(e *entry) span {
	switch {
	case e.outcome != reqlog.Completed:
		return span{open: true}
	case !r.counted(e):
		return span{out: measure.NoTokenCount}
	case e.out < 2:
		return span{out: measure.FewerThanTwoTokens}
	case e.first == none || e.last == none:
		return span{out: measure.NoToken}
	case e.last < e.first:
		return span{out: measure.TimesOutOfOrder}
	case e.last == e.first:
		return span{out: measure.OneTokenTime}
	default:
		return span{ns: float64(e.last-e.first) / float64(e.out-1)}
	}
}

// latencySample is one latency over the requests of a run.
type latencySample struct {
	completed measure.Sample // values of completed requests alone
	all       measure.Sample // values and ages, of those that completed or were stopped watching
	out       []measure.Exclusion
}

// sample is one latency over the requests; made once, used for the figures and
// for the distribution.
func (r *run) sample(base measure.MetricID) latencySample {
	if s, ok := r.samples[base]; ok {
		return s
	}
	completed, finished := make([]float64, 0, r.ledger.Completed), make([]float64, 0, r.ledger.Completed)
	var open []float64
	var out [256]int64
	var s latencySample
	for i := range r.entries {
		e := &r.entries[i]
		v := r.spanOf(base, e)
		switch {
		case v.out != 0:
			out[v.out]++
		case v.open:
			open = append(open, v.ns/1e9)
			out[outReason(e.outcome)]++
		default:
			finished = append(finished, v.ns/1e9)
			if e.outcome == reqlog.Completed {
				completed = append(completed, v.ns/1e9)
			} else {
				out[outReason(e.outcome)]++
			}
		}
	}
	for _, reason := range measure.Reasons() {
		if out[reason] > 0 {
			s.out = append(s.out, measure.Exclusion{Reason: reason, N: out[reason]})
		}
	}
	s.completed = measure.NewSample(completed, nil)
	s.all = measure.NewSample(finished, open)
	r.samples[base] = s
	return s
}
