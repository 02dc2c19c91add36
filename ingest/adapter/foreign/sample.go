package foreign

import (
	"fmt"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// Sample is one latency of each request of a file's rows, in seconds.
type Sample struct {
	Metric measure.MetricID // the latency, without a statistic
	Values []float64        // of the requests that have one, in any order
	// Who are the requests that have one; Excluded those that have none.
	Who      string
	Excluded []evidence.Excluded
	// Rule says of what the values are made: the tool's own start and end.
	Rule string
}

// FromRows computes the statistics of a sample under benchline's rules (nearest
// rank, a least number of requests for a tail) and puts them into the record,
// each beside what the tool printed itself.
func (d *Draft) FromRows(s Sample) {
	sorted := slices.Sorted(slices.Values(s.Values))
	n := int64(len(sorted))
	if n == 0 {
		return
	}
	out := slices.DeleteFunc(slices.Clone(s.Excluded), func(x evidence.Excluded) bool { return x.N == 0 })
	people := evidence.Derived(evidence.Population{Rule: s.Who, N: n, Excluded: out}, "counted in the file's rows")
	for _, stat := range measure.Stats() {
		v := evidence.UnstatedValue(measure.ID(s.Metric, stat), evidence.Amount{}, s.Rule, d.missing)
		v.Population, v.Limits = people, limits.TooFewRequests(stat, n).At(string(v.Metric))
		v.Denominator = evidence.Derived(evidence.Term{Amount: float64(n), Unit: "requests", What: s.Who}, "counted in the file's rows")
		q, isQuantile := stat.Q()
		if isQuantile {
			v.Rule += " Of the rows, by nearest rank."
			fromRank(&v, sorted, q)
		} else {
			v.Rule += " Of the rows, their arithmetic mean."
			mean, sum, _ := measure.NewSample(sorted, nil).Mean()
			v.Amount = evidence.Amount{Kind: evidence.Exact, X: mean}
			v.Numerator = evidence.Derived(evidence.Term{Amount: sum, Unit: "s", What: "sum over the requests"}, "added in ascending order")
			v.Interval = evidence.NotApplicable[evidence.Interval]("a mean of one run has none")
		}
		d.Recomputed(v)
	}
}

// fromRank is a quantile of ascending values.
func fromRank(v *evidence.Value, sorted []float64, q measure.Q) {
	n := int64(len(sorted))
	v.Numerator = evidence.Derived(evidence.Term{Amount: float64(q.Rank(n)), Unit: "rank", What: "rank in ascending order"}, fmt.Sprintf("nearest rank, ⌈%g × %d⌉", q.Share(), n))
	need := measure.MinN(q)
	if q > measure.Q50 && q < measure.Max && n < need {
		v.Amount = evidence.Amount{Kind: evidence.TooFew, N: n, Need: need}
		v.Interval = evidence.NotApplicable[evidence.Interval]("too few requests for one")
		return
	}
	x, _ := measure.NearestRank(sorted, q)
	v.Amount = evidence.Amount{Kind: evidence.Exact, X: x}
	low, high, ok := measure.QuantileInterval(sorted, q)
	switch {
	case q == measure.Max:
		v.Interval = evidence.NotApplicable[evidence.Interval]("a maximum has none")
	case !ok:
		v.Interval = evidence.NotApplicable[evidence.Interval](fmt.Sprintf("needs %s requests, there are %s", measure.FormatCount(need), measure.FormatCount(n)))
	default:
		v.Interval = evidence.Derived(evidence.Interval{Low: low, High: high, Kind: "order statistics, 95 %", N: n}, "binomial distribution")
	}
}

// SpreadOf is the spread of counts that rows have.
func SpreadOf(counts []int64, rule string) (evidence.Known[evidence.Spread], bool) {
	if len(counts) == 0 {
		return evidence.Known[evidence.Spread]{}, false
	}
	sorted := slices.Sorted(slices.Values(counts))
	s := evidence.Spread{Min: sorted[0], Max: sorted[len(sorted)-1], N: int64(len(sorted))}
	s.Median, _ = measure.NearestRank(sorted, measure.Q50)
	for _, c := range sorted {
		s.Sum += c
	}
	return evidence.Derived(s, rule), true
}
