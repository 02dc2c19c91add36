package measure_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/measure"
)

// bruteQuantile is the definition itself: the least value x of the sample such
// that at least q·n of the values are ≤ x, in rational arithmetic.
func bruteQuantile(values []int64, q measure.Q) int64 {
	least := int64(math.MaxInt64)
	for _, x := range values {
		var below int64
		for _, y := range values {
			if y <= x {
				below++
			}
		}
		share := big.NewRat(below, int64(len(values)))
		if share.Cmp(big.NewRat(int64(q), 1000)) >= 0 && x < least {
			least = x
		}
	}
	return least
}

func TestNearestRankAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(0, 50), 1, 120).Draw(t, "values")
		q := measure.Q(rapid.Int64Range(1, 1000).Draw(t, "q"))
		ascending := slices.Sorted(slices.Values(values))
		got, ok := measure.NearestRank(ascending, q)
		if want := bruteQuantile(values, q); !ok || got != want {
			t.Fatalf("%v of %v: got %d, %v, want %d", q, ascending, got, ok, want)
		}
	})
}

func TestRankIsExact(t *testing.T) {
	tests := []struct {
		q    measure.Q
		n    int64
		want int64
	}{
		{measure.Q95, 100, 95}, {measure.Q95, 101, 96}, {measure.Q95, 20, 19}, {measure.Q95, 1, 1},
		{70, 100, 7}, // 0.07 × 100 is 7.000000000000001 in floating point
		{measure.Q99, 100, 99}, {measure.Q999, 1000, 999}, {measure.Q999, 1001, 1000},
		{measure.Q50, 1, 1}, {measure.Q50, 2, 1}, {measure.Q50, 3, 2}, {measure.Max, 7, 7},
		{measure.Q90, 10, 9}, {measure.Q50, 10, 5}, {measure.Q95, 0, 0},
		{measure.Q99, math.MaxInt64, 9131138316486228049},
	}
	for _, test := range tests {
		if got := test.q.Rank(test.n); got != test.want {
			t.Errorf("rank of %v of %d: got %d, want %d", test.q, test.n, got, test.want)
		}
	}
}

func TestNearestRankOfNothing(t *testing.T) {
	if x, ok := measure.NearestRank([]float64(nil), measure.Q50); ok {
		t.Errorf("got %v of no values", x)
	}
	if x, ok := measure.NearestRank([]float64{1}, 0); ok {
		t.Errorf("got %v for the quantile 0", x)
	}
	if got := measure.NewSample(nil, nil).OfFinished(measure.Q95).Kind(); got != measure.IsNone {
		t.Errorf("got kind %v, want none", got)
	}
	lower, upper := measure.NewSample(nil, nil).Bounds(measure.Q95)
	if lower.Kind() != measure.IsNone || upper.Kind() != measure.IsNone {
		t.Errorf("got bounds %v and %v of nothing", lower, upper)
	}
}

func TestQName(t *testing.T) {
	for q, want := range map[measure.Q]string{measure.Q50: "p50", measure.Q999: "p99.9", measure.Max: "maximum", 70: "p7"} {
		if got := q.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func drawSample(t *rapid.T) (finished, open []float64) {
	value := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(0, 20).Draw(t, "x")) })
	return rapid.SliceOfN(value, 0, 40).Draw(t, "finished"), rapid.SliceOfN(value, 0, 40).Draw(t, "open")
}

// number is a bound as a number on the extended line.
func number(q measure.Quantile) float64 {
	if x, ok := q.X(); ok {
		return x
	}
	return math.Inf(1)
}

func TestBoundsAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		finished, open := drawSample(t)
		q := measure.Q(rapid.Int64Range(1, 1000).Draw(t, "q"))
		n := len(finished) + len(open)
		if n == 0 {
			t.Skip("nothing drawn")
		}
		low := append(slices.Clone(finished), open...)
		high := slices.Clone(finished)
		for range open {
			high = append(high, math.Inf(1))
		}
		slices.Sort(low)
		slices.Sort(high)
		rank := q.Rank(int64(n))
		lower, upper := measure.NewSample(finished, open).Bounds(q)
		if got, want := number(lower), low[rank-1]; got != want {
			t.Fatalf("lower %v: got %v, want %v", q, got, want)
		}
		if got, want := number(upper), high[rank-1]; got != want {
			t.Fatalf("upper %v: got %v, want %v", q, got, want)
		}
		if number(lower) > number(upper) {
			t.Fatalf("bounds cross: %v above %v", number(lower), number(upper))
		}
		if lower.Kind() == measure.IsAtLeast && !slices.Contains(open, number(lower)) {
			t.Fatalf("lower end %v is no age of %v", number(lower), open)
		}
		if lower.Kind() == measure.IsExact && !slices.Contains(finished, number(lower)) {
			t.Fatalf("lower end %v is no value of %v", number(lower), finished)
		}
	})
}

func TestUnresolvedNeverImproves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		finished, open := drawSample(t)
		q := measure.Q(rapid.Int64Range(1, 1000).Draw(t, "q"))
		more := append(slices.Clone(open), float64(rapid.IntRange(0, 20).Draw(t, "age")))
		_, before := measure.NewSample(slices.Clone(finished), open).Bounds(q)
		_, after := measure.NewSample(finished, more).Bounds(q)
		if before.Kind() == measure.IsNone {
			return
		}
		if number(after) < number(before) {
			t.Fatalf("one more unfinished request lowered the upper end of %v from %v to %v", q, number(before), number(after))
		}
	})
}

func TestFinishingKeepsInsideBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		finished, open := drawSample(t)
		q := measure.Q(rapid.Int64Range(1, 1000).Draw(t, "q"))
		if len(finished)+len(open) == 0 {
			t.Skip("nothing drawn")
		}
		all := slices.Clone(finished)
		for _, age := range open {
			all = append(all, age+float64(rapid.IntRange(0, 30).Draw(t, "more")))
		}
		lower, upper := measure.NewSample(finished, open).Bounds(q)
		truth, _ := measure.NewSample(all, nil).OfFinished(q).X()
		if truth < number(lower) || truth > number(upper) {
			t.Fatalf("%v of all is %v, outside %v to %v", q, truth, number(lower), number(upper))
		}
	})
}

func TestUnboundedShare(t *testing.T) {
	// With an unfinished share u the quantile is unbounded exactly if u > 1 − q.
	finished := make([]float64, 95)
	_, upper := measure.NewSample(finished, make([]float64, 5)).Bounds(measure.Q95)
	if upper.Kind() != measure.IsExact {
		t.Errorf("5 of 100 unfinished: got kind %v, want exact", upper.Kind())
	}
	_, upper = measure.NewSample(finished[:94], make([]float64, 6)).Bounds(measure.Q95)
	if upper.Kind() != measure.IsUnbounded {
		t.Errorf("6 of 100 unfinished: got kind %v, want unbounded", upper.Kind())
	}
}

func TestMeanIsOrderFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(0, 1e3), 1, 30).Draw(t, "xs")
		ys := rapid.Permutation(xs).Draw(t, "ys")
		a, _, _ := measure.NewSample(slices.Clone(xs), nil).Mean()
		b, _, _ := measure.NewSample(ys, nil).Mean()
		if a != b {
			t.Fatalf("got %v and %v for two orders", a, b)
		}
	})
	if _, _, ok := measure.NewSample(nil, []float64{1}).Mean(); ok {
		t.Error("got a mean of no values")
	}
}

func TestMeanKeepsDigits(t *testing.T) {
	mean, sum, _ := measure.NewSample([]float64{0.2, 1.1, 2.0, 2.9}, nil).Mean()
	if mean != 1.55 || sum != 6.2 {
		t.Errorf("got mean %v, sum %v, want 1.55, 6.2", mean, sum)
	}
	many := slices.Repeat([]float64{0.1}, 1_000_000)
	if mean, _, _ := measure.NewSample(many, nil).Mean(); mean != 0.1 {
		t.Errorf("got mean %v of a million times 0.1", mean)
	}
}

func TestAgeEqualToAValue(t *testing.T) {
	// The value is known to be 1; the age 1 may end as anything from 1 up.
	s := measure.NewSample([]float64{1}, []float64{1})
	lower, _ := s.Bounds(measure.Q50)
	if lower != measure.ExactQuantile(1, 2) {
		t.Errorf("got %+v, want exactly 1 of 2", lower)
	}
	lower, upper := s.Bounds(measure.Max)
	if lower != measure.AtLeastQuantile(1, 2) || upper != measure.UnboundedQuantile(2) {
		t.Errorf("got %+v and %+v, want at least 1 of 2, unbounded", lower, upper)
	}
}

func TestQuantileSaysWhatItHas(t *testing.T) {
	few := measure.TooFewQuantile(71, 72)
	if _, ok := few.X(); ok || few.N() != 71 || few.Need() != 72 || few.Kind() != measure.IsTooFew {
		t.Errorf("got %+v", few)
	}
	if x, ok := measure.AtLeastQuantile(3, 9).X(); !ok || x != 3 {
		t.Errorf("got %v, %v", x, ok)
	}
	if _, ok := measure.UnboundedQuantile(9).X(); ok {
		t.Error("an unbounded quantile has a value")
	}
}

// The interval of a share holds it, gets narrower with n, and is the rule of three
// where nothing was seen.
func TestShareInterval(t *testing.T) {
	for _, c := range []struct {
		k, n      int64
		low, high float64
	}{
		{0, 0, 0, 1}, {0, 10, 0, 0.3085}, {10, 10, 0.6915, 1}, {1, 10, 0.0025, 0.4450}, {5, 10, 0.1871, 0.8129}, {0, 200, 0, 0.0183}, {-1, 10, 0, 1}, {11, 10, 0, 1},
	} {
		low, high := measure.ShareInterval(c.k, c.n)
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%d of %d: got %.4f to %.4f, want %.4f to %.4f", c.k, c.n, low, high, c.low, c.high)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.Int64Range(1, 100_000).Draw(rt, "n")
		k := rapid.Int64Range(0, n).Draw(rt, "k")
		low, high := measure.ShareInterval(k, n)
		share := float64(k) / float64(n)
		if !(0 <= low && low <= share && share <= high && high <= 1) {
			rt.Fatalf("%d of %d: got %v to %v", k, n, low, high)
		}
		low2, high2 := measure.ShareInterval(2*k, 2*n)
		if high2-low2 >= high-low {
			rt.Fatalf("%d of %d: twice the requests, and the interval is no narrower", k, n)
		}
	})
}
