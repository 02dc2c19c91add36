package limits

import (
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// UnboundedPercentile applies to a quantile whose rank falls on an unfinished
// request, so that it has no upper end.
func UnboundedPercentile(v evidence.Value) Finding {
	open := v.Amount.Kind == evidence.AtLeast || v.Amount.Kind == evidence.Unbounded
	if v.Bounds != nil && v.Bounds.Upper.Kind == evidence.Exact {
		open = false
	}
	_, stat, _ := measure.Kind(v.Metric)
	_, isQuantile := stat.Q()
	least := "it can be anything"
	if v.Amount.X > 0 {
		least = "at least " + measure.Scale(v.Metric, v.Amount.X).TextUnit(v.Amount.X)
	}
	return when(open && isQuantile, evidence.UnboundedPercentile, least)
}

// CompletionConditioned applies to a latency of completed requests alone where
// requests are known to be unfinished, and to one over all where the figure of
// the completed ones stands beside it. Completed is how many completed ones have
// a value, unfinished how many of the others the figure leaves out.
func CompletionConditioned(completed, unfinished int64) Finding {
	return when(unfinished > 0, evidence.CompletionConditioned, measure.Counted(completed, "completed request"))
}

// TooFewRequests applies to a quantile above the median and below the maximum
// over fewer requests than a finite upper end of its 95 % interval needs.
func TooFewRequests(s measure.Stat, n int64) Finding {
	q, ok := s.Q()
	need := int64(0)
	if ok && q > measure.Q50 && q < measure.Max {
		need = measure.MinN(q)
	}
	return when(n < need, evidence.TooFewRequests, measure.FormatCount(need), measure.FormatCount(n))
}

// FewRepeats applies to a median over fewer runs than a finite interval of it
// needs: six.
func FewRepeats(runs int64) Finding {
	return when(runs < measure.MinN(measure.Q50), evidence.FewRepeats, measure.FormatCount(runs))
}

// MeanNotPercentile applies to the mean of a latency of which the record has no
// percentile: that is where a reader would take it for one.
func MeanNotPercentile(s measure.Stat, hasPercentile bool) Finding {
	return when(s == measure.Mean && !hasPercentile, evidence.MeanNotPercentile)
}
