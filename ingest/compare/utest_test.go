package compare

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// twoSided is the p of the U test by the definition: the share of all ways to
// deal the values to the two sides whose smaller U, doubled for the other tail,
// is no larger than the one seen. It is an oracle of its own: it counts and
// knows no recurrence.
func twoSided(a, b []float64) float64 {
	all := slices.Concat(a, b)
	seen := min(u(a, b), u(b, a))
	if u(a, b) == u(b, a) {
		return 1
	}
	low, ways := 0, 0
	for set := range uint(1) << len(all) {
		if bits.OnesCount(set) != len(a) {
			continue
		}
		var x, y []float64
		for i, v := range all {
			if set>>i&1 == 1 {
				x = append(x, v)
			} else {
				y = append(y, v)
			}
		}
		ways++
		// The tail on the side that was seen, as benchmath counts it.
		if first := u(a, b) < u(b, a); first && u(x, y) <= seen || !first && u(y, x) <= seen {
			low++
		}
	}
	return min(1, 2*float64(low)/float64(ways))
}

// u is how many pairs have the first value above the second, ties as half.
func u(a, b []float64) float64 {
	n := 0.0
	for _, x := range a {
		for _, y := range b {
			switch {
			case x > y:
				n++
			case x == y:
				n += 0.5
			}
		}
	}
	return n
}

func TestUTestAgainstCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(0, 12).Draw(t, "x")) }) // many ties
		if rapid.Bool().Draw(t, "fine") {
			value = rapid.Float64Range(0, 1)
		}
		a := rapid.SliceOfN(value, 1, 6).Draw(t, "a")
		b := rapid.SliceOfN(value, 1, 6).Draw(t, "b")
		got := uTest(a, b)
		if want := twoSided(a, b); math.Abs(got.P-want) > 1e-12 && !allEqual(a, b) {
			t.Fatalf("got p = %v, by counting %v", got.P, want)
		}
		if got.Evidence != (got.P <= Alpha) || got.N1 != len(a) || got.N2 != len(b) {
			t.Fatalf("got %+v", got)
		}
	})
}

func allEqual(a, b []float64) bool {
	all := slices.Concat(a, b)
	return slices.Min(all) == slices.Max(all)
}

// TestTiesWithUnequalSizes are cases in which the library alone is wrong.
func TestTiesWithUnequalSizes(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		p    float64
	}{
		{[]float64{1, 1}, []float64{0.5}, 2.0 / 3},
		{[]float64{3}, []float64{0, 0, 0}, 0.5},
		{[]float64{2, 2, 3, 3, 2, 4}, []float64{2, 4, 1, 3, 1, 1, 0}, 292.0 / 1716},
	} {
		for _, got := range []*Test{uTest(c.a, c.b), uTest(c.b, c.a)} {
			if math.Abs(got.P-c.p) > 1e-12 || math.Abs(twoSided(c.a, c.b)-c.p) > 1e-12 {
				t.Errorf("%v and %v: got %v, by counting %v, want %v", c.a, c.b, got.P, twoSided(c.a, c.b), c.p)
			}
		}
	}
}

func TestUTestOfEqualValues(t *testing.T) {
	a := []float64{3, 3, 3, 3, 3, 3}
	if got := uTest(a, a); got.Evidence || got.P != 1 {
		t.Errorf("got %+v", got)
	}
	if a[0] != 3 || len(a) != 6 {
		t.Error("the values were changed")
	}
}

// TestUTestLeavesItsValues: samples keep their order.
func TestUTestLeavesItsValues(t *testing.T) {
	a, b := []float64{3, 1, 2}, []float64{9, 7, 8}
	uTest(a, b)
	if !slices.Equal(a, []float64{3, 1, 2}) || !slices.Equal(b, []float64{9, 7, 8}) {
		t.Errorf("got %v and %v", a, b)
	}
}

// TestRanksAgainstTheTable: the published critical values of U at 5 %, two-sided
// (Mann and Whitney 1947; Auble 1953): the largest U at which a test sees evidence.
func TestRanksAgainstTheTable(t *testing.T) {
	var r tester
	for n, row := range map[int][]int{
		4:  {0, 1, 2, 3, 4, 4, 5}, // against 4, 5, …
		5:  {2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 17, 18, 19, 20},
		6:  {5, 6, 8, 10, 11, 13, 14, 16, 17, 19, 21, 22, 24, 25, 27},
		7:  {8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34},
		8:  {13, 15, 17, 19, 22, 24, 26, 29, 31, 34, 36, 38, 41},
		10: {23, 26, 29, 33, 36, 39, 42, 45, 48, 52, 55},
		15: {64, 70, 75, 80, 85, 90},
		20: {127},
	} {
		for i, want := range row {
			if got := r.rank(n+i, n); got != want {
				t.Errorf("%d and %d runs: got %d, the table has %d", n, n+i, got, want)
			}
		}
	}
	for _, few := range [][2]int{{1, 1}, {2, 2}, {3, 3}, {1, 20}, {2, 7}} {
		if got := r.rank(few[0], few[1]); got != -1 {
			t.Errorf("%v: got %d", few, got)
		}
	}
}

// TestLargeRanks: the normal approximation goes on where the distribution is no
// longer computed.
func TestLargeRanks(t *testing.T) {
	var r tester
	exact, near := r.rank(50, 50), r.rank(50, 51)
	if near < exact || near > exact+30 {
		t.Errorf("got %d for 50 and 50, %d for 50 and 51", exact, near)
	}
}

// TestIntervalBelongsToTheTest: without ties the interval leaves out 0 exactly
// where there is evidence; and it moves with the values.
func TestIntervalBelongsToTheTest(t *testing.T) {
	var r tester
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(MinRuns, 9)
		distinct := map[float64]bool{}
		sample := func(name string, n int) []float64 {
			return rapid.SliceOfN(rapid.Float64Range(1, 2).Filter(func(x float64) bool {
				fresh := !distinct[x]
				distinct[x] = true
				return fresh
			}), n, n).Draw(t, name)
		}
		a, b := sample("a", size.Draw(t, "n")), sample("b", size.Draw(t, "m"))
		if all := slices.Concat(a, b); len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
			t.Skip("ties")
		}
		low, high, ok := r.shift(a, b)
		if !ok || low > high {
			t.Fatalf("got %v to %v, %t", low, high, ok)
		}
		if test := uTest(a, b); test.Evidence != (low > 0 || high < 0) {
			t.Fatalf("p = %v, interval %v to %v", test.P, low, high)
		}
		back, forth, _ := r.shift(b, a)
		if back != -high || forth != -low {
			t.Fatalf("turned round: %v to %v, was %v to %v", back, forth, low, high)
		}
	})
}

func TestShiftByHand(t *testing.T) {
	// Differences 10−x for x of a, each of the same b: −4…; k = 5 of 36.
	a, b := []float64{1, 2, 3, 4, 5, 6}, []float64{11, 12, 13, 14, 15, 16}
	low, high, ok := new(tester).shift(a, b)
	// Sorted differences: 5, 6 6, 7 7 7, 8 …: the 6th is 7; from above 15, 14 14, 13 13 13.
	if !ok || low != 7 || high != 13 {
		t.Errorf("got %v to %v, %t", low, high, ok)
	}
}

func TestFormatP(t *testing.T) {
	for p, want := range map[float64]string{1: "1.000", 0.0021645: "0.002", 0.00099: "< 0.001", 0.05: "0.050", 1.2: "1.000"} {
		if got := FormatP(p); got != want {
			t.Errorf("%v: got %q, want %q", p, got, want)
		}
	}
}
