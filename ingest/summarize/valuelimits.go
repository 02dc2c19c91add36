package summarize

import (
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// rateLimits are the limits of the run that change how a rate is read, and those
// of the rate itself.
func (r *run) rateLimits(p rateParts) []evidence.Limit {
	codes := []evidence.Code{evidence.OfferedRateNotReached, evidence.ConcurrencyNotReached}
	if p.id == "sent_rate" { // it counts requests whatever became of them
		return r.found.at(p.id, codes...)
	}
	codes = append(codes, evidence.UnresolvedTail, evidence.FailuresExcluded, evidence.WarmupInWindow)
	if p.over.Rule() == measure.ObservationWindow {
		codes = append(codes, evidence.DrainDominates)
	}
	if q, _, _ := measure.Kind(p.id); q == measure.OutputTokenRate || q == measure.TotalTokenRate {
		codes = append(codes, evidence.UsageMissing)
	}
	own := []evidence.Limit{}
	if p.over.Rule() == measure.SteadyWindow && p.undef == "" {
		own = limits.SteadyCutsRequests(p.of, r.openAt(p.over.ToNS())).At(string(p.id))
	}
	return append(own, r.found.at(p.id, codes...)...)
}

// openAt is how many requests were in flight at a moment.
func (r *run) openAt(at int64) int64 {
	var n int64
	for i := range r.entries {
		if e := &r.entries[i]; e.sent != none && e.sent < at && (e.end == none || e.end > at) {
			n++
		}
	}
	return n
}

func (r *run) latencyLimits(base measure.MetricID, v evidence.Value, s latencySample) []evidence.Limit {
	codes := []evidence.Code{evidence.UnresolvedTail, evidence.QueueGrows, evidence.ClientSuspect, evidence.OfferedRateNotReached,
		evidence.ConcurrencyNotReached, evidence.FailuresExcluded, evidence.WarmupInWindow, evidence.PromptsRepeated, evidence.SentAgain}
	switch base {
	case "tpot":
		codes = append(codes, evidence.UsageMissing, evidence.OneTokenOutputs, evidence.StreamBundled)
	case "ttft", "ttft_due":
		codes = append(codes, evidence.FirstTokenReasoning, evidence.StreamBundled)
	}
	own := []evidence.Limit{}
	n := int64(len(s.completed.Finished()))
	if v.Completed == nil && v.Amount.Kind == evidence.Exact || v.Completed != nil && v.Completed.Amount.Kind == evidence.Exact {
		own = append(own, limits.CompletionConditioned(n, s.all.N()-n).At(string(v.Metric))...)
	}
	unbounded := limits.UnboundedPercentile(v)
	own = append(own, unbounded.At(string(v.Metric))...)
	if v.Amount.Kind == evidence.TooFew {
		own = append(own, tooFew(v.Metric, v.Amount.N)...)
	} else if unbounded.Applies() {
		own = append(own, tooFew(v.Metric, s.all.N())...)
	}
	return append(own, r.found.at(v.Metric, codes...)...)
}

func (r *run) gapLimits(id measure.MetricID) []evidence.Limit {
	return r.found.at(id, evidence.ChunkNotToken, evidence.StreamBundled, evidence.ClientSuspect, evidence.UnresolvedTail, evidence.FailuresExcluded)
}

// tooFew is the limit of a quantile over n requests or gaps, if they are too few.
func tooFew(id measure.MetricID, n int64) []evidence.Limit {
	_, stat, _ := measure.Kind(id)
	return limits.TooFewRequests(stat, n).At(string(id))
}
