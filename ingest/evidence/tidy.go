package evidence

// tidy returns the record with every list that must be there as an empty list
// rather than none, and with lists that may be left out as none when empty, so
// that equal records have equal bytes. What it changes is copied first.
func tidy(r Record) Record {
	r.Values = mapped(r.Values, tidyValue)
	r.Distributions = mapped(r.Distributions, tidyDistribution)
	r.Errors = orEmpty(r.Errors)
	r.Limits = tidyLimits(r.Limits)
	r.Facts = orEmpty(r.Facts)
	r.Sources = orEmpty(r.Sources)
	r.Files = orEmpty(r.Files)
	if len(r.Members) == 0 {
		r.Members = nil
	}
	if r.Timeline != nil {
		t := *r.Timeline
		t.InFlight, t.Due, t.Ended = orEmpty(t.InFlight), orEmpty(t.Due), orEmpty(t.Ended)
		r.Timeline = &t
	}
	if r.Client != nil {
		c := *r.Client
		c.Reasons, c.Facts = orEmpty(c.Reasons), orEmpty(c.Facts)
		r.Client = &c
	}
	return r
}

func tidyValue(v Value) Value {
	v.Limits = tidyLimits(v.Limits)
	v.Population = tidyPopulation(v.Population)
	if v.Claim != nil {
		c := *v.Claim
		c.Population = tidyPopulation(c.Population)
		v.Claim = &c
	}
	return v
}

func tidyPopulation(known Known[Population]) Known[Population] {
	if p, ok := known.Get(); ok {
		p.Excluded = orEmpty(p.Excluded)
		known.value = p
	}
	return known
}

func tidyDistribution(d Distribution) Distribution {
	d.Steps, d.OpenAges = orEmpty(d.Steps), orEmpty(d.OpenAges)
	return d
}

func tidyLimits(ls []Limit) []Limit {
	return mapped(ls, func(l Limit) Limit {
		if len(l.Args) == 0 {
			l.Args = nil
		}
		return l
	})
}

func orEmpty[T any](xs []T) []T {
	if xs == nil {
		return []T{}
	}
	return xs
}

func mapped[T any](xs []T, f func(T) T) []T {
	out := make([]T, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}
