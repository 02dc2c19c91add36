package report

import (
	"cmp"
	"math"
	"slices"

	"benchline/ingest/evidence"
)

// Range is where a figure can lie, in its base unit. Both ends are the same
// where the figure is known; High is +Inf where nothing bounds it from above.
// Neither end is NaN.
type Range struct{ Low, High float64 }

// RangeOf is where a value can lie: between the ends of its interval where it
// has one; between a lower bound and what is known of the upper one; else at
// its number. It reports whether the value has a number at all. A quoted claim
// has none here: it is held against nothing.
func RangeOf(v evidence.Value) (Range, bool) {
	x := v.Amount.X
	switch v.Amount.Kind {
	case evidence.Exact:
		if iv, ok := v.Interval.Get(); ok {
			return Range{iv.Low, iv.High}, true
		}
		return Range{x, x}, true
	case evidence.AtLeast:
		if v.Bounds != nil && v.Bounds.Upper.Kind == evidence.Exact {
			return Range{x, max(x, v.Bounds.Upper.X)}, true
		}
		return Range{x, math.Inf(1)}, true
	case evidence.Unbounded, evidence.TooFew, evidence.Undefined, evidence.Quoted:
	}
	return Range{}, false
}

// Contender is a measured point that may lie on a frontier: of its rate more is
// better, of its latency less.
type Contender struct {
	// Name tells contenders apart whatever their order, e.g. a record's slug.
	Name          string
	Rate, Latency Range
}

// Place is where a contender stands.
type Place string

// The places.
const (
	// OnFrontier: whatever the figures are within their ranges, no comparable
	// contender is as good in both and better in one.
	OnFrontier Place = "on the frontier"
	// Dominated: whatever the figures are within their ranges, some comparable
	// contender is as good in both and better in one.
	Dominated Place = "dominated"
	// Undecided: it depends on where within their ranges the figures lie.
	Undecided Place = "undecided"
	// NotCompared: it may be compared with no other contender.
	NotCompared Place = "not compared"
)

// Standing is a contender's place. By is the index of the contender that
// dominates it, or may; -1 where there is none.
type Standing struct {
	Place Place
	By    int
}

// Frontier finds the place of each contender among those with which it may be
// compared. May is asked for the indices of two different contenders; it must be
// symmetric, and need not be transitive. Contenders that may not be compared
// never touch each other's place, so what is comparable decides, not the drawing.
//
// A contender dominates another when its rate is no lower, its latency no
// higher, and one of the two is better: two contenders with the same figures do
// not dominate each other. No place is found by joining or smoothing points.
// The result does not depend on the order of the contenders: By is the one with
// the highest rate, then the lowest latency, then the first name.
func Frontier(contenders []Contender, may func(i, j int) bool) []Standing {
	out := make([]Standing, len(contenders))
	order := strongestFirst(contenders)
	for i := range contenders {
		out[i] = standing(contenders, order, i, may)
	}
	return out
}

func standing(cs []Contender, order []int, i int, may func(i, j int) bool) Standing {
	s := Standing{Place: NotCompared, By: -1}
	for _, j := range order {
		if j == i {
			continue
		}
		surely, maybe := dominates(cs[j], cs[i])
		if !maybe && s.Place != NotCompared {
			continue // it can change nothing: spare the question
		}
		switch {
		case !may(i, j):
		case surely:
			return Standing{Place: Dominated, By: j}
		case maybe && s.Place != Undecided:
			s = Standing{Place: Undecided, By: j}
		case s.Place == NotCompared:
			s.Place = OnFrontier
		}
	}
	return s
}

// strongestFirst are the indices in an order that does not hang on that of the
// contenders.
func strongestFirst(cs []Contender) []int {
	order := make([]int, len(cs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := cs[i], cs[j]
		return cmp.Or(cmp.Compare(b.Rate.Low, a.Rate.Low), cmp.Compare(a.Latency.High, b.Latency.High),
			cmp.Compare(b.Rate.High, a.Rate.High), cmp.Compare(a.Latency.Low, b.Latency.Low), cmp.Compare(a.Name, b.Name))
	})
	return order
}

// dominates reports whether a dominates b wherever in their ranges the figures
// lie, and whether it does anywhere.
func dominates(a, b Contender) (surely, maybe bool) {
	surely = a.Rate.Low >= b.Rate.High && a.Latency.High <= b.Latency.Low &&
		(a.Rate.Low > b.Rate.High || a.Latency.High < b.Latency.Low)
	maybe = a.Rate.High >= b.Rate.Low && a.Latency.Low <= b.Latency.High &&
		(a.Rate.High > b.Rate.Low || a.Latency.Low < b.Latency.High)
	return surely, maybe
}
