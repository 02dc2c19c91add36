package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"

	"benchline/ingest/measure"
)

// MinRuns is the least number of valid runs on each side for a test and for an
// interval: from so many the order-statistic interval of a median is finite.
const MinRuns = 6

// Alpha is the level of the U test.
const Alpha = 1 - measure.Confidence

// Test is the result of a Mann-Whitney U test.
type Test struct {
	// P is the two-sided probability of runs at least so far apart if both sides
	// were one recipe. It is exact up to 50 runs on a side, up to 25 where
	// figures are tied, and else a normal approximation.
	P float64 `json:"p"`
	// N1 and N2 are the runs of A and of B.
	N1 int `json:"n1"`
	N2 int `json:"n2"`
	// Evidence reports whether P is at most [Alpha].
	Evidence bool `json:"evidence"`
}

// tester compares samples, and remembers what depends on their sizes alone.
type tester struct{ ranks map[[2]int]int }

// test compares the runs of both sides, which are at hand and enough.
func (n *Number) test(t *tester) {
	n.Test = uTest(n.A.runs, n.B.runs)
	if d := n.Difference; d != nil {
		if low, high, ok := t.shift(n.A.runs, n.B.runs); ok {
			d.Interval = &Bounds{Low: low, High: high, Rule: "95 % interval of the shift by order statistics of all pairwise differences (Moses), which belongs to the U test"}
			if n.Test.Evidence && (d.X < low || d.X > high) {
				n.Mark, n.Says = NoMeaning, "The runs of the two sides differ in more than their middle: no single difference describes them."
				return
			}
		}
	}
	if !n.Test.Evidence {
		n.Mark = NoEvidence
		n.Says = fmt.Sprintf("No evidence of a difference (p = %s over %d and %d runs). That is no proof that there is none.", FormatP(n.Test.P), n.Test.N1, n.Test.N2)
		return
	}
	n.Says = fmt.Sprintf("Evidence of a difference (p = %s over %d and %d runs).", FormatP(n.Test.P), n.Test.N1, n.Test.N2)
}

// FormatP writes a probability with three decimals; one that would be 0 as less
// than the smallest.
func FormatP(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3f", min(p, 1))
}

// uTest is the Mann-Whitney U test of two samples, two-sided: twice the tail on
// the side that was seen, at most 1. Where all values are equal there is no
// evidence of anything.
//
// The sample with the smaller U stands first. The library takes the lower tail
// of the first sample's distribution, whichever U is the smaller; with ties and
// unequal sizes that distribution is not symmetric, and the other order gives a
// wrong p, above 1 or 0 even (go-moremath f10218a, found by counting).
func uTest(a, b []float64) *Test {
	x, y := slices.Clone(a), slices.Clone(b)
	if pairsAbove(x, y) > pairsAbove(y, x) {
		x, y = y, x
	}
	thresholds := benchmath.Thresholds{CompareAlpha: Alpha}
	c := benchmath.AssumeNothing.Compare(benchmath.NewSample(x, &thresholds), benchmath.NewSample(y, &thresholds))
	p := min(c.P, 1)
	return &Test{P: p, N1: len(a), N2: len(b), Evidence: p <= Alpha}
}

// pairsAbove is U without the ties, of which both orders have equally many.
func pairsAbove(a, b []float64) int {
	n := 0
	for _, x := range a {
		for _, y := range b {
			if x > y {
				n++
			}
		}
	}
	return n
}

// shift is the distribution-free 95 % interval of the shift from a to b (Moses
// 1953; Hodges and Lehmann 1963): of the sorted differences of every value of b
// to every value of a, the (k+1)-th smallest and the (k+1)-th largest, where k is
// the largest number with P(U ≤ k) ≤ 2.5 % for samples of these sizes. Without
// ties it leaves out 0 exactly where the U test sees evidence. It reports false
// where there is no such k.
func (t *tester) shift(a, b []float64) (low, high float64, ok bool) {
	k := t.rank(len(a), len(b))
	if k < 0 {
		return 0, 0, false
	}
	d := make([]float64, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			d = append(d, y-x)
		}
	}
	slices.Sort(d)
	return d[k], d[len(d)-1-k], true
}

// rank is the largest k with P(U ≤ k) ≤ 2.5 %; −1 where there is none.
func (t *tester) rank(n, m int) int {
	sizes := [2]int{min(n, m), max(n, m)}
	if k, known := t.ranks[sizes]; known {
		return k
	}
	if t.ranks == nil {
		t.ranks = map[[2]int]int{}
	}
	k := largestRank(n, m)
	t.ranks[sizes] = k
	return k
}

// exactMost is the largest sample for which the distribution of U is computed;
// larger ones take the normal approximation, as the test does.
const exactMost = 50

func largestRank(n, m int) int {
	const tail = Alpha / 2
	if max(n, m) > exactMost {
		mean, sd := float64(n*m)/2, math.Sqrt(float64(n)*float64(m)*float64(n+m+1)/12)
		return int(math.Floor(mean - 0.5 + stats.StdNormal.InvCDF(tail)*sd))
	}
	u := stats.UDist{N1: n, N2: m}
	low, high := -1, n*m/2
	for low < high { // P(U ≤ k) grows with k
		mid := (low + high + 1) / 2
		if u.CDF(float64(mid)) <= tail {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}
