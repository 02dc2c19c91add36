package summarize

import (
	"fmt"
	"math"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// repeatsKind names the interval of a median over runs.
const repeatsKind = "95 % interval of the median by order statistics over runs"

// values are the medians of the figures that every valid run has.
func (g group) values(cache evidence.Cache) []evidence.Value {
	values := []evidence.Value{}
	if len(g.valid) == 0 {
		return values
	}
	for _, first := range g.valid[0].Values {
		var of []evidence.Value
		for _, r := range g.valid {
			if v, ok := r.Value(first.Metric); ok {
				of = append(of, v)
			}
		}
		if len(of) == len(g.valid) {
			values = append(values, g.median(of, cache))
		}
	}
	return values
}

// median is one figure over runs.
func (g group) median(of []evidence.Value, cache evidence.Cache) evidence.Value {
	first := of[0]
	v := evidence.Value{Metric: first.Metric, Cache: cache, Window: middleWindow(of),
		Rule: "Median of the runs' own figures; nothing is pooled over requests. Each run: " + first.Rule}
	amounts := make([]evidence.Amount, len(of))
	for i, w := range of {
		amounts[i] = w.Amount
	}
	v.Limits = g.valueLimits(of)
	if a, ok := noMedian(amounts); ok {
		v.Amount = a
		why := "no median: " + a.Reason
		if a.Kind == evidence.TooFew {
			why = "too few requests in every run"
		}
		v.Numerator, v.Denominator = evidence.NotApplicable[evidence.Term](why), evidence.NotApplicable[evidence.Term](why)
		v.Interval = evidence.NotApplicable[evidence.Interval](why)
		v.Population = runsPopulation(len(of), "of one point", g)
		return v
	}
	fillMedian(&v, amounts)
	v.Population = runsPopulation(len(of), "of one point: "+list(v.Metric, lowers(amounts)), g)
	v.Limits = append(v.Limits, limits.FewRepeats(int64(len(of))).At(string(v.Metric))...)
	return v
}

func runsPopulation(n int, words string, g group) evidence.Known[evidence.Population] {
	p := evidence.Population{Rule: "runs " + words, N: int64(n), Excluded: []evidence.Excluded{}}
	if void := len(g.all) - len(g.valid); void > 0 {
		p.Excluded = append(p.Excluded, evidence.Excluded{Reason: "void", N: int64(void)})
	}
	return evidence.Derived(p, "the members of this record")
}

// noMedian is the answer where one of the runs has no figure at all: too few
// where all have too few requests, else undefined with the reason.
func noMedian(amounts []evidence.Amount) (evidence.Amount, bool) {
	var few, none int
	var most evidence.Amount
	reason := ""
	for _, a := range amounts {
		switch a.Kind {
		case evidence.TooFew:
			few++
			if most.Kind == "" || a.N > most.N {
				most = a
			}
		case evidence.Undefined, evidence.Quoted:
			none++
			reason = a.Reason
		case evidence.Exact, evidence.AtLeast, evidence.Unbounded:
		}
	}
	switch {
	case few == len(amounts):
		return most, true
	case few+none == 0:
		return evidence.Amount{}, false
	case none == 0:
		reason = "too few requests"
	}
	return evidence.Amount{Kind: evidence.Undefined, Reason: fmt.Sprintf("%s in %d of %s", reason, few+none, runWords(len(amounts)))}, true
}

// lowers are the least that the runs' figures can be, ascending.
func lowers(amounts []evidence.Amount) []float64 {
	xs := make([]float64, len(amounts))
	for i, a := range amounts {
		xs[i] = a.X
	}
	slices.Sort(xs)
	return xs
}

// middle is the median of ascending numbers: the middle one, or the mean of
// the two middle ones.
func middle(ascending []float64) float64 {
	n := len(ascending)
	if n%2 == 1 {
		return ascending[n/2]
	}
	return (ascending[n/2-1] + ascending[n/2]) / 2
}

// fillMedian sets amount, terms and interval. A run that only says "at least"
// counts from its lower end up to no end at all: if that leaves the median
// without an upper end, it is "at least" too.
func fillMedian(v *evidence.Value, amounts []evidence.Amount) {
	low := lowers(amounts)
	high := make([]float64, len(amounts))
	for i, a := range amounts {
		high[i] = a.X
		if a.Kind != evidence.Exact {
			high[i] = math.Inf(1)
		}
	}
	slices.Sort(high)
	n := len(low)
	m := middle(low)
	v.Amount = evidence.Amount{Kind: evidence.Exact, X: m}
	if middle(high) != m {
		v.Amount.Kind = evidence.AtLeast
		if m <= 0 {
			v.Amount = evidence.Amount{Kind: evidence.Unbounded}
		}
	}
	medianTerms(v, low)
	r := measure.IntervalRanks(measure.Q50, int64(n))
	switch {
	case v.Amount.Kind != evidence.Exact:
		v.Interval = evidence.NotApplicable[evidence.Interval]("the median has no upper end")
	case !r.Finite:
		v.Interval = evidence.NotApplicable[evidence.Interval](fmt.Sprintf("needs %s, there are %d", runWords(int(measure.MinN(measure.Q50))), n))
	default:
		from, to := low[r.Low-1], high[r.High-1]
		if math.IsInf(to, 1) {
			v.Interval = evidence.NotApplicable[evidence.Interval]("its upper end falls on a run without one")
			return
		}
		v.Interval = evidence.Derived(evidence.Interval{Low: from, High: to, Kind: repeatsKind, N: int64(n)},
			fmt.Sprintf("binomial distribution: ranks %d and %d of %d", r.Low, r.High, n))
	}
}

// medianTerms says what was taken: the middle run, or the mean of two.
func medianTerms(v *evidence.Value, low []float64) {
	n := len(low)
	if n%2 == 1 {
		v.Numerator = evidence.Derived(evidence.Term{Amount: float64(n/2 + 1), Unit: "rank", What: "middle of " + runWords(n)}, "median over runs")
		v.Denominator = evidence.Derived(evidence.Term{Amount: float64(n), Unit: "runs", What: "runs"}, "the members of this record")
		return
	}
	m, _ := measure.Lookup(v.Metric)
	v.Numerator = evidence.Derived(evidence.Term{Amount: low[n/2-1] + low[n/2], Unit: m.Unit(), What: m.Unit() + ", sum of the two middle runs of " + fmt.Sprint(n)}, "median over runs")
	v.Denominator = evidence.Derived(evidence.Term{Amount: 2, Unit: "runs", What: "runs in the middle of " + fmt.Sprint(n)}, "the members of this record")
}

// middleWindow is the windows' rule with their middle length, where all runs
// have the rule.
func middleWindow(of []evidence.Value) evidence.Known[evidence.Window] {
	first, ok := of[0].Window.Get()
	if !ok {
		return of[0].Window
	}
	lengths := make([]float64, len(of))
	for i, v := range of {
		w, ok := v.Window.Get()
		if !ok || w.Rule != first.Rule {
			return evidence.NotStated[evidence.Window]("the runs' windows are not all known")
		}
		lengths[i] = w.Seconds
	}
	slices.Sort(lengths)
	return evidence.Derived(evidence.Window{Rule: first.Rule, Seconds: middle(lengths)},
		fmt.Sprintf("middle of the windows of %s, %s to %s", runWords(len(of)), measure.FormatSeconds(lengths[0]), measure.FormatSeconds(lengths[len(lengths)-1])))
}
