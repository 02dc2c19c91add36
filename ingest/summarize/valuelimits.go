package summarize

import (
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// atValue are those limits of the run that change how one figure is read, so
// that the figure keeps them wherever it stands.
func (s seen) atValue(id measure.MetricID, codes ...evidence.Code) []evidence.Limit {
	limits := []evidence.Limit{}
	for _, t := range triggers() {
		for _, code := range codes {
			if t.code != code {
				continue
			}
			if args, hit := t.when(s); hit {
				limits = append(limits, evidence.Limit{Code: code, Args: args, Where: string(id)})
			}
		}
	}
	return limits
}

func (r *run) rateLimits(p rateParts) []evidence.Limit {
	codes := []evidence.Code{evidence.OfferedRateNotReached, evidence.ConcurrencyNotReached}
	if p.id == "sent_rate" { // it counts requests whatever became of them
		return r.seen.atValue(p.id, codes...)
	}
	codes = append(codes, evidence.UnresolvedTail, evidence.FailuresExcluded)
	if p.over.Rule() == measure.ObservationWindow {
		codes = append(codes, evidence.DrainDominates)
	}
	if q, _, _ := measure.Kind(p.id); q == measure.OutputTokenRate || q == measure.TotalTokenRate {
		codes = append(codes, evidence.UsageMissing)
	}
	return r.seen.atValue(p.id, codes...)
}

func (r *run) latencyLimits(base measure.MetricID, v evidence.Value, s latencySample) []evidence.Limit {
	codes := []evidence.Code{evidence.UnresolvedTail, evidence.QueueGrows, evidence.ClientSuspect, evidence.OfferedRateNotReached, evidence.ConcurrencyNotReached, evidence.FailuresExcluded}
	if base == "tpot" {
		codes = append(codes, evidence.UsageMissing, evidence.OneTokenOutputs)
	}
	own := []evidence.Limit{}
	alone := v.Completed != nil && v.Completed.Amount.Kind == evidence.Exact
	if n := int64(len(s.completed.Finished())); alone || n < s.all.N() && v.Completed == nil && v.Amount.Kind == evidence.Exact {
		own = append(own, completionConditioned(v.Metric, n))
	}
	switch v.Amount.Kind {
	case evidence.AtLeast, evidence.Unbounded:
		if v.Bounds != nil && v.Bounds.Upper.Kind == evidence.Exact {
			break
		}
		own = append(own, unboundedPercentile(v))
		if q, ok := statOf(v.Metric).Q(); ok && tailed(q) {
			if n, need := s.all.N(), measure.MinN(q); n < need {
				own = append(own, tooFew(v.Metric, need, n))
			}
		}
	case evidence.TooFew:
		own = append(own, tooFew(v.Metric, v.Amount.Need, v.Amount.N))
	case evidence.Exact, evidence.Undefined, evidence.Quoted:
	}
	return append(own, r.seen.atValue(v.Metric, codes...)...)
}

func (r *run) gapLimits(id measure.MetricID) []evidence.Limit {
	return r.seen.atValue(id, evidence.ChunkNotToken, evidence.ClientSuspect, evidence.UnresolvedTail, evidence.FailuresExcluded)
}

func statOf(id measure.MetricID) measure.Stat {
	_, stat, _ := measure.Kind(id)
	return stat
}

func tooFew(id measure.MetricID, need, n int64) evidence.Limit {
	return evidence.Limit{Code: evidence.TooFewRequests, Args: counts(need, n), Where: string(id)}
}

func completionConditioned(id measure.MetricID, n int64) evidence.Limit {
	return evidence.Limit{Code: evidence.CompletionConditioned, Args: counts(n), Where: string(id)}
}

// unboundedPercentile names the lower end in the figure's own unit.
func unboundedPercentile(v evidence.Value) evidence.Limit {
	text := measure.Scale(v.Metric, v.Amount.X).TextUnit(v.Amount.X)
	return evidence.Limit{Code: evidence.UnboundedPercentile, Args: []string{text}, Where: string(v.Metric)}
}
