package evidence

import (
	"fmt"
	"slices"

	"benchline/ingest/measure"
)

func checkLimits(fs *faults, limits []Limit) {
	for i, l := range limits {
		fs.item("limits", i, func() {
			if _, err := l.info(); err != nil {
				fs.add("", "%v", err)
			}
			if l.Where != "record" && !isMetric(measure.MetricID(l.Where)) {
				fs.add("where", "%q is neither \"record\" nor a metric", l.Where)
			}
		})
	}
}

func isMetric(id measure.MetricID) bool {
	_, _, ok := measure.Kind(id)
	return ok
}

// isLatency reports whether the metric is a latency as such, of which there is
// a distribution but no figure without a statistic.
func isLatency(id measure.MetricID) bool {
	q, stat, ok := measure.Kind(id)
	return ok && q == measure.Time && stat == measure.NoStat
}

func checkValues(fs *faults, values []Value) {
	last := -1
	for i, v := range values {
		fs.item("values", i, func() {
			n, ok := measure.Place(v.Metric)
			switch {
			case !ok:
				fs.add("metric", "%q is not in the metric registry", v.Metric)
			case isLatency(v.Metric):
				fs.add("metric", "%q is a latency without a statistic", v.Metric)
			case n <= last:
				fs.add("metric", "%q stands twice or not in the registry's order", v.Metric)
			default:
				last = n
			}
			checkValue(fs, v)
		})
	}
}

func checkValue(fs *faults, v Value) {
	fs.in("amount", func() { checkAmount(fs, v.Amount) })
	fs.in("cache", func() { checkCache(fs, v.Cache) })
	checkLimits(fs, v.Limits)
	if v.Rule == "" {
		fs.add("rule", "is empty: a figure without its rule can't be read")
	}
	fs.in("population", func() { checkPopulation(fs, v.Population) })
	if iv, ok := v.Interval.Get(); ok && (iv.Low > iv.High || iv.Kind == "" || iv.N < 1) {
		fs.add("interval", "from %v to %v, kind %q, n %d", iv.Low, iv.High, iv.Kind, iv.N)
	}
	if o := v.Original; (v.Amount.Kind == Quoted) && o == nil {
		fs.add("original", "a quoted claim keeps the number, unit and key as found")
	}
	if v.Bounds != nil {
		fs.in("bounds", func() { checkBounds(fs, *v.Bounds) })
	}
	if c := v.Completed; c != nil {
		fs.in("completed.amount", func() { checkAmount(fs, c.Amount) })
		if c.Rule == "" || c.N < 0 {
			fs.add("completed", "needs its rule and a count, got %q and %d", c.Rule, c.N)
		}
	}
	if e := v.Estimate; e != nil && (e.Rule == "" || e.N < 1 || v.Bounds == nil || e.X < v.Bounds.Lower.X) {
		fs.add("estimate", "needs its rule, a count, and bounds within which it lies, got %q, %d and %v", e.Rule, e.N, e.X)
	}
	if c := v.Claim; c != nil {
		fs.in("claim", func() { checkClaim(fs, *c) })
	}
}

func checkClaim(fs *faults, c Claim) {
	fs.in("amount", func() { checkAmount(fs, c.Amount) })
	if c.Amount.Kind != Quoted && c.Amount.Kind != Undefined {
		fs.add("amount", "a claim is quoted or undefined, got %q", c.Amount.Kind)
	}
	if c.Rule == "" {
		fs.add("rule", "is empty: a claim without its definition can't be read")
	}
	fs.in("population", func() { checkPopulation(fs, c.Population) })
}

func checkPopulation(fs *faults, known Known[Population]) {
	p, ok := known.Get()
	if !ok {
		return
	}
	if p.Rule == "" || p.N < 0 {
		fs.add("", "needs its rule and a count, got %q and %d", p.Rule, p.N)
	}
	for _, e := range p.Excluded {
		if e.Reason == "" || e.N < 0 {
			fs.add("excluded", "needs a reason and a count, got %q and %d", e.Reason, e.N)
		}
	}
}

// checkAmount holds that an amount has what its kind needs and nothing else.
func checkAmount(fs *faults, a Amount) {
	var want Amount
	ok := true
	switch a.Kind {
	case Exact, AtLeast:
		want = Amount{X: a.X}
	case Unbounded:
		want = Amount{}
	case TooFew:
		want, ok = Amount{N: a.N, Need: a.Need}, a.N >= 0 && a.N < a.Need
	case Undefined:
		want, ok = Amount{Reason: a.Reason}, a.Reason != ""
	case Quoted:
		want, ok = Amount{X: a.X, Text: a.Text}, a.Text != ""
	default:
		fs.add("kind", "%q is no kind of amount", a.Kind)
		return
	}
	want.Kind = a.Kind
	if !ok || a != want {
		fs.add("", "an amount of kind %q does not have x=%v n=%d need=%d reason=%q text=%q", a.Kind, a.X, a.N, a.Need, a.Reason, a.Text)
	}
}

func checkBounds(fs *faults, b Bounds) {
	fs.in("lower", func() { checkAmount(fs, b.Lower) })
	fs.in("upper", func() { checkAmount(fs, b.Upper) })
	if b.Rule == "" || b.N < 0 {
		fs.add("", "needs its rule and a count, got %q and %d", b.Rule, b.N)
	}
	if b.Lower.Kind == Exact && b.Upper.Kind == Exact && b.Lower.X > b.Upper.X {
		fs.add("", "lower %v is above upper %v", b.Lower.X, b.Upper.X)
	}
}

func checkDistribution(fs *faults, d Distribution) {
	if !isLatency(d.Metric) {
		fs.add("metric", "%q is not a latency of the metric registry", d.Metric)
	}
	if d.N != d.Finished+d.Open+d.Ended || d.Finished < 0 || d.Open < 0 || d.Ended < 0 {
		fs.add("n", "%d sent requests are not %d finished, %d open and %d ended", d.N, d.Finished, d.Open, d.Ended)
	}
	for i := 1; i < len(d.Steps); i++ {
		if d.Steps[i].X < d.Steps[i-1].X || d.Steps[i].Share < d.Steps[i-1].Share {
			fs.add(fmt.Sprintf("steps[%d]", i), "goes down")
		}
	}
	if n := len(d.Steps); n > 0 && (d.Steps[0].Share < 0 || d.Steps[n-1].Share > 1) {
		fs.add("steps", "shares are from 0 to 1")
	}
	if !slices.IsSorted(d.OpenAges) {
		fs.add("open_ages", "are not ascending")
	}
}
