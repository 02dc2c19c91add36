package evidence

import (
	"fmt"
	"slices"

	"benchline/ingest/measure"
)

func checkLimits(fs *faults, at string, limits []Limit) {
	for i, l := range limits {
		here := fmt.Sprintf("%s[%d]", at, i)
		if _, err := l.Sentence(); err != nil {
			fs.add(here, "%v", err)
		}
		if l.Where != "record" && !isMetric(measure.MetricID(l.Where)) {
			fs.add(here+".where", "%q is neither \"record\" nor a metric", l.Where)
		}
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
	order := measure.Order()
	last := -1
	for i, v := range values {
		at := fmt.Sprintf("values[%d]", i)
		n, ok := order[v.Metric]
		switch {
		case !ok:
			fs.add(at+".metric", "%q is not in the metric registry", v.Metric)
		case isLatency(v.Metric):
			fs.add(at+".metric", "%q is a latency without a statistic", v.Metric)
		case n <= last:
			fs.add(at+".metric", "%q stands twice or not in the registry's order", v.Metric)
		default:
			last = n
		}
		checkValue(fs, at, v)
	}
}

func checkValue(fs *faults, at string, v Value) {
	checkAmount(fs, at+".amount", v.Amount)
	checkCache(fs, at+".cache", v.Cache)
	checkLimits(fs, at+".limits", v.Limits)
	if v.Rule == "" {
		fs.add(at+".rule", "is empty: a figure without its rule can't be read")
	}
	checkPopulation(fs, at+".population", v.Population)
	if iv, ok := v.Interval.Get(); ok && (iv.Low > iv.High || iv.Kind == "" || iv.N < 1) {
		fs.add(at+".interval", "from %v to %v, kind %q, n %d", iv.Low, iv.High, iv.Kind, iv.N)
	}
	if o := v.Original; (v.Amount.Kind == Quoted) && o == nil {
		fs.add(at+".original", "a quoted claim keeps the number, unit and key as found")
	}
	if v.Bounds != nil {
		checkBounds(fs, at+".bounds", *v.Bounds)
	}
	if c := v.Completed; c != nil {
		checkAmount(fs, at+".completed.amount", c.Amount)
		if c.Rule == "" || c.N < 0 {
			fs.add(at+".completed", "needs its rule and a count, got %q and %d", c.Rule, c.N)
		}
	}
	if c := v.Claim; c != nil {
		checkClaim(fs, at+".claim", *c)
	}
}

func checkClaim(fs *faults, at string, c Claim) {
	checkAmount(fs, at+".amount", c.Amount)
	if c.Amount.Kind != Quoted && c.Amount.Kind != Undefined {
		fs.add(at+".amount", "a claim is quoted or undefined, got %q", c.Amount.Kind)
	}
	if c.Rule == "" {
		fs.add(at+".rule", "is empty: a claim without its definition can't be read")
	}
	checkPopulation(fs, at+".population", c.Population)
}

func checkPopulation(fs *faults, at string, known Known[Population]) {
	p, ok := known.Get()
	if !ok {
		return
	}
	if p.Rule == "" || p.N < 0 {
		fs.add(at, "needs its rule and a count, got %q and %d", p.Rule, p.N)
	}
	for _, e := range p.Excluded {
		if e.Reason == "" || e.N < 0 {
			fs.add(at+".excluded", "needs a reason and a count, got %q and %d", e.Reason, e.N)
		}
	}
}

// checkAmount holds that an amount has what its kind needs and nothing else.
func checkAmount(fs *faults, at string, a Amount) {
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
		fs.add(at+".kind", "%q is no kind of amount", a.Kind)
		return
	}
	want.Kind = a.Kind
	if !ok || a != want {
		fs.add(at, "an amount of kind %q does not have x=%v n=%d need=%d reason=%q text=%q", a.Kind, a.X, a.N, a.Need, a.Reason, a.Text)
	}
}

func checkBounds(fs *faults, at string, b Bounds) {
	checkAmount(fs, at+".lower", b.Lower)
	checkAmount(fs, at+".upper", b.Upper)
	if b.Rule == "" || b.N < 0 {
		fs.add(at, "needs its rule and a count, got %q and %d", b.Rule, b.N)
	}
	if b.Lower.Kind == Exact && b.Upper.Kind == Exact && b.Lower.X > b.Upper.X {
		fs.add(at, "lower %v is above upper %v", b.Lower.X, b.Upper.X)
	}
}

func checkDistribution(fs *faults, at string, d Distribution) {
	if !isLatency(d.Metric) {
		fs.add(at+".metric", "%q is not a latency of the metric registry", d.Metric)
	}
	if d.N != d.Finished+d.Open+d.Ended || d.Finished < 0 || d.Open < 0 || d.Ended < 0 {
		fs.add(at+".n", "%d sent requests are not %d finished, %d open and %d ended", d.N, d.Finished, d.Open, d.Ended)
	}
	for i := 1; i < len(d.Steps); i++ {
		if d.Steps[i].X < d.Steps[i-1].X || d.Steps[i].Share < d.Steps[i-1].Share {
			fs.add(fmt.Sprintf("%s.steps[%d]", at, i), "goes down")
		}
	}
	if n := len(d.Steps); n > 0 && (d.Steps[0].Share < 0 || d.Steps[n-1].Share > 1) {
		fs.add(at+".steps", "shares are from 0 to 1")
	}
	if !slices.IsSorted(d.OpenAges) {
		fs.add(at+".open_ages", "are not ascending")
	}
}
