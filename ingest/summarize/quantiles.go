package summarize

import (
	"fmt"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

const (
	boundsRule = "nearest rank over values of finished and ages of unfinished requests; for the upper end the unfinished have no value"
	ageless    = "; an unfinished request counts with 0, as nothing is known of it"
	// considered is the population of a figure over finished and unfinished requests.
	considered = "requests of the measured phase that completed or that the client stopped watching (unresolved, timed out, cancelled)"
	// intervalKind says what an interval of one run's quantile is.
	intervalKind = "95 % interval by order statistics, this run's requests taken as independent"
)

// values are all figures of the run, in the registry's order.
func (r *run) values() ([]evidence.Value, error) {
	values, err := r.rates()
	if err != nil {
		return nil, err
	}
	bases := []measure.MetricID{"ttft", "ttfa", "tpot", "e2e"}
	if r.open() {
		bases = append(bases, "ttft_due", "e2e_due")
	}
	for _, base := range bases {
		more, err := r.latencyValues(base, r.sample(base))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", base, err)
		}
		values = append(values, more...)
	}
	for _, f := range []func() ([]evidence.Value, error){r.gapValues, r.lagValues} {
		more, err := f()
		if err != nil {
			return nil, err
		}
		values = append(values, more...)
	}
	evidence.SortValues(values)
	return values, nil
}

// latencyValues are all statistics of one latency.
func (r *run) latencyValues(base measure.MetricID, s latencySample) ([]evidence.Value, error) {
	of, err := measure.NewPopulation(completedRule, int64(len(s.completed.Finished())), s.out...)
	if err != nil {
		return nil, err
	}
	var values []evidence.Value
	for _, stat := range measure.Stats() {
		m, ok := measure.Lookup(measure.ID(base, stat))
		if !ok {
			return nil, fmt.Errorf("the metric registry has no %s of it", stat)
		}
		v := r.emptyValue(m)
		v.Population = evidence.Derived(populationOf(of), countedNote)
		v.Window = r.observed()
		if q, ok := stat.Q(); ok {
			r.fillQuantile(&v, q, base, s)
		} else {
			fillMean(&v, s.completed, r.noValue(base))
		}
		v.Limits = r.latencyLimits(base, v, s)
		values = append(values, v)
	}
	return values, nil
}

// observed is the observation window as a value's window.
func (r *run) observed() evidence.Known[evidence.Window] {
	if !r.windows.observed.IsValid() {
		return evidence.NotApplicable[evidence.Window](r.windows.noObserved)
	}
	return evidence.Derived(windowOf(r.windows.observed), windowNote(measure.ObservationWindow))
}

// noValue is why a latency has no figure when no completed request has one.
func (r *run) noValue(base measure.MetricID) string {
	if r.ledger.Completed == 0 {
		return "no request completed"
	}
	m, _ := measure.Lookup(base)
	return fmt.Sprintf("%s has a value for none of %s completed requests", m.Short, measure.FormatCount(r.ledger.Completed))
}

func fillMean(v *evidence.Value, s measure.Sample, noValue string) {
	v.Interval = evidence.NotApplicable[evidence.Interval]("a mean of one run has none")
	n := int64(len(s.Finished()))
	mean, sum, ok := s.Mean()
	if !ok {
		undefined(v, noValue)
		return
	}
	v.Amount = evidence.Amount{Kind: evidence.Exact, X: mean}
	v.Numerator = evidence.Derived(evidence.Term{Amount: sum, Unit: "s", What: "sum over the requests"}, "added in ascending order")
	v.Denominator = evidence.Derived(evidence.Term{Amount: float64(n), Unit: "requests", What: "requests that completed and have a value"}, countedNote)
}

func undefined(v *evidence.Value, reason string) {
	v.Amount = evidence.Amount{Kind: evidence.Undefined, Reason: reason}
	v.Numerator = evidence.NotApplicable[evidence.Term](reason)
	v.Denominator = evidence.NotApplicable[evidence.Term](reason)
	v.Interval = evidence.NotApplicable[evidence.Interval](reason)
}

// fillQuantile sets the amount. Where every request has a value it is theirs, if
// there are enough of them. Where some are unfinished it is where the quantile
// over all of them can lie, never the completed ones' own, which could be below
// the least that it can be.
func (r *run) fillQuantile(v *evidence.Value, q measure.Q, base measure.MetricID, s latencySample) {
	lower, upper := s.all.Bounds(q)
	v.Bounds = boundsOf(lower, upper, base)
	n := int64(len(s.completed.Finished()))
	if n < s.all.N() {
		fillOverAll(v, q, lower, upper, n, s)
		r.estimate(v, q, base, s)
		return
	}
	x, ok := s.completed.OfFinished(q).X()
	if !ok {
		undefined(v, r.noValue(base))
		return
	}
	rank(v, q, n, "requests that completed and have a value")
	if need := measure.MinN(q); tailed(q) && n < need {
		v.Amount = evidence.Amount{Kind: evidence.TooFew, N: n, Need: need}
		v.Interval = evidence.NotApplicable[evidence.Interval]("too few requests for one")
		return
	}
	v.Amount = evidence.Amount{Kind: evidence.Exact, X: x}
	v.Interval = intervalOf(s.completed.Finished(), q)
}

// tailed reports whether a quantile needs a least number of requests before it
// is shown: those above the median do; the maximum is what was seen.
func tailed(q measure.Q) bool { return q > measure.Q50 && q < measure.Max }

// fillOverAll sets the amount over finished and unfinished requests. A quantile
// without an upper end is "at least", which comes before too few requests; one
// between two ends is "at least" the lower, with the upper in the bounds.
func fillOverAll(v *evidence.Value, q measure.Q, lower, upper measure.Quantile, completed int64, s latencySample) {
	n := s.all.N()
	why := "the quantile has no upper end"
	x, _ := lower.X()
	y, bounded := upper.X()
	bounded = bounded && upper.Kind() != measure.IsUnbounded
	need := measure.MinN(q)
	switch {
	case bounded && tailed(q) && n < need:
		v.Amount = evidence.Amount{Kind: evidence.TooFew, N: n, Need: need}
		why = "too few requests for one"
	case bounded && x == y:
		v.Amount = evidence.Amount{Kind: evidence.Exact, X: x}
		why = "unfinished requests are among those ranked"
	case x <= 0:
		v.Amount = evidence.Amount{Kind: evidence.Unbounded}
	default:
		v.Amount = evidence.Amount{Kind: evidence.AtLeast, X: x}
		if bounded {
			why = "the quantile lies between two bounds"
		}
	}
	v.Rule += " Here the rank is taken over unfinished requests as well, each with its age as the least that its time can be."
	v.Population = evidence.Derived(evidence.Population{Rule: considered, N: n, Excluded: outside(v.Population)}, countedNote)
	rank(v, q, n, "requests that completed or that the client stopped watching")
	v.Interval = evidence.NotApplicable[evidence.Interval](why)
	v.Completed = completedAlone(q, completed, s)
}

// completedAlone is the same quantile of the completed requests, for the
// comparison with what others print.
func completedAlone(q measure.Q, n int64, s latencySample) *evidence.Conditioned {
	c := &evidence.Conditioned{N: n, Rule: completedRule + ", alone"}
	x, ok := s.completed.OfFinished(q).X()
	switch need := measure.MinN(q); {
	case !ok:
		c.Amount = evidence.Amount{Kind: evidence.Undefined, Reason: "no completed request has a value"}
	case tailed(q) && n < need:
		c.Amount = evidence.Amount{Kind: evidence.TooFew, N: n, Need: need}
	default:
		c.Amount = evidence.Amount{Kind: evidence.Exact, X: x}
	}
	return c
}

// outside is what a population of completed requests leaves out, without those
// that the wider population takes in.
func outside(p evidence.Known[evidence.Population]) []evidence.Excluded {
	of, _ := p.Get()
	out := []evidence.Excluded{}
	for _, x := range of.Excluded {
		switch x.Reason {
		case measure.WasUnresolved.String(), measure.WasTimedOut.String(), measure.WasCancelled.String():
		default:
			out = append(out, x)
		}
	}
	return out
}

func rank(v *evidence.Value, q measure.Q, n int64, what string) {
	rule := fmt.Sprintf("nearest rank, ⌈%g × %d⌉", q.Share(), n)
	v.Numerator = evidence.Derived(evidence.Term{Amount: float64(q.Rank(n)), Unit: "rank", What: "rank in ascending order"}, rule)
	v.Denominator = evidence.Derived(evidence.Term{Amount: float64(n), Unit: "requests", What: what}, countedNote)
}

func boundsOf(lower, upper measure.Quantile, base measure.MetricID) *evidence.Bounds {
	if lower.Kind() == measure.IsNone {
		return nil
	}
	b := &evidence.Bounds{Lower: amountOf(lower), Upper: amountOf(upper), N: lower.N(), Rule: boundsRule}
	if base == "tpot" {
		b.Rule += ageless
	}
	return b
}

func amountOf(q measure.Quantile) evidence.Amount {
	x, _ := q.X()
	switch q.Kind() {
	case measure.IsExact:
		return evidence.Amount{Kind: evidence.Exact, X: x}
	case measure.IsAtLeast:
		return evidence.Amount{Kind: evidence.AtLeast, X: x}
	case measure.IsTooFew:
		return evidence.Amount{Kind: evidence.TooFew, N: q.N(), Need: q.Need()}
	case measure.IsUnbounded:
		return evidence.Amount{Kind: evidence.Unbounded}
	case measure.IsNone:
	}
	return evidence.Amount{Kind: evidence.Undefined, Reason: "no values"}
}

func intervalOf(ascending []float64, q measure.Q) evidence.Known[evidence.Interval] {
	n := int64(len(ascending))
	if q == measure.Max {
		return evidence.NotApplicable[evidence.Interval]("a maximum has none")
	}
	low, high, ok := measure.QuantileInterval(ascending, q)
	if !ok {
		return evidence.NotApplicable[evidence.Interval](fmt.Sprintf("needs %s requests, there are %s", measure.FormatCount(measure.MinN(q)), measure.FormatCount(n)))
	}
	r := measure.IntervalRanks(q, n)
	return evidence.Derived(evidence.Interval{Low: low, High: high, Kind: intervalKind, N: n},
		fmt.Sprintf("binomial distribution: ranks %d and %d of %d", r.Low, r.High, n))
}
