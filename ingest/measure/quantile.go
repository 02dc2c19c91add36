package measure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
)

// Q is which quantile, in thousandths, so that ranks are exact in integers:
// 0.95 × N in floating point is not.
type Q int64

// The quantiles of the registry.
const (
	Q50  Q = 500
	Q90  Q = 900
	Q95  Q = 950
	Q99  Q = 990
	Q999 Q = 999
	Max  Q = 1000
)

// IsValid reports whether q lies in (0, 1].
func (q Q) IsValid() bool { return q > 0 && q <= 1000 }

// Share is q between 0 and 1.
func (q Q) Share() float64 { return float64(q) / 1000 }

// String is q as people write it: "p95", "p99.9", "maximum".
func (q Q) String() string {
	switch {
	case q == Max:
		return "maximum"
	case q%10 == 0:
		return fmt.Sprintf("p%d", q/10)
	default:
		return fmt.Sprintf("p%d.%d", q/10, q%10)
	}
}

// Rank is the nearest rank ⌈qN⌉ of n values, from 1; 0 when there are none.
func (q Q) Rank(n int64) int64 {
	// Split so that q × n cannot overflow.
	return n/1000*int64(q) + (n%1000*int64(q)+999)/1000
}

// NearestRank is the ⌈qN⌉-th smallest of ascending values, and whether there
// is one.
func NearestRank[T cmp.Ordered](ascending []T, q Q) (T, bool) {
	if len(ascending) == 0 || !q.IsValid() {
		var zero T
		return zero, false
	}
	return ascending[q.Rank(int64(len(ascending)))-1], true
}

// QuantileKind is what is known about a quantile, from 1.
type QuantileKind uint8

// The kinds.
const (
	// IsExact: the quantile is a value.
	IsExact QuantileKind = iota + 1
	// IsAtLeast: the quantile is this value or more, how much is not known.
	IsAtLeast
	// IsUnbounded: nothing bounds the quantile from above.
	IsUnbounded
	// IsTooFew: there are fewer values than an interval for it needs.
	IsTooFew
	// IsNone: there are no values at all.
	IsNone
)

// Quantile is what is known about one quantile: a value, "at least" a value,
// unbounded, or too few values to say. It is comparable. The zero Quantile is
// invalid.
type Quantile struct {
	kind QuantileKind
	x    float64
	n    int64
	need int64
}

// ExactQuantile is the value x of n values.
func ExactQuantile(x float64, n int64) Quantile { return Quantile{kind: IsExact, x: x, n: n} }

// AtLeastQuantile is x or more, of n values.
func AtLeastQuantile(x float64, n int64) Quantile { return Quantile{kind: IsAtLeast, x: x, n: n} }

// UnboundedQuantile has no upper end, of n values.
func UnboundedQuantile(n int64) Quantile { return Quantile{kind: IsUnbounded, n: n} }

// TooFewQuantile has n of the needed values.
func TooFewQuantile(n, need int64) Quantile { return Quantile{kind: IsTooFew, n: n, need: need} }

// NoQuantile is that of no values.
func NoQuantile() Quantile { return Quantile{kind: IsNone} }

// Kind says what is known; 0 for the invalid zero Quantile.
func (v Quantile) Kind() QuantileKind { return v.kind }

// X is the value or its lower end, and whether there is one.
func (v Quantile) X() (float64, bool) { return v.x, v.kind == IsExact || v.kind == IsAtLeast }

// N is how many values there are.
func (v Quantile) N() int64 { return v.n }

// Need is how many would be needed; 0 unless there are too few.
func (v Quantile) Need() int64 { return v.need }

// Sample is the values of one quantity over the requests that a quantile is
// about: finished ones have a value, open ones only an age, which their value
// will not be below. Seconds. It is not changed after [NewSample].
type Sample struct {
	finished []float64
	open     []float64
}

// NewSample sorts both slices in place and keeps them.
func NewSample(finished, open []float64) Sample {
	slices.Sort(finished)
	slices.Sort(open)
	return Sample{finished: finished, open: open}
}

// N is the number of finished and open requests together.
func (s Sample) N() int64 { return int64(len(s.finished) + len(s.open)) }

// Finished are the values, ascending. The slice must not be changed.
func (s Sample) Finished() []float64 { return s.finished }

// Open are the ages of the open requests, ascending. The slice must not be changed.
func (s Sample) Open() []float64 { return s.open }

// Mean is the arithmetic mean of the finished values, their sum, and whether
// there are any. The sum is Neumaier's, in ascending order, so that neither the
// order of the rows nor their number shows in its last digits.
func (s Sample) Mean() (mean, sum float64, ok bool) {
	if len(s.finished) == 0 {
		return 0, 0, false
	}
	var lost float64
	for _, x := range s.finished {
		t := sum + x
		if math.Abs(sum) >= math.Abs(x) {
			lost += (sum - t) + x
		} else {
			lost += (x - t) + sum
		}
		sum = t
	}
	sum += lost
	return sum / float64(len(s.finished)), sum, true
}

// OfFinished is the quantile of the finished requests alone. It is conditioned
// on completion: it gets better as more long requests stay open.
func (s Sample) OfFinished(q Q) Quantile {
	x, ok := NearestRank(s.finished, q)
	if !ok {
		return NoQuantile()
	}
	return ExactQuantile(x, int64(len(s.finished)))
}

// Bounds is where the quantile of finished and open requests together can lie.
// The lower end is the ⌈qN⌉-th smallest of values and ages: "at least" where
// that rank falls on an age. The upper end is the same with every open
// request's value infinite: unbounded where the rank falls on one.
func (s Sample) Bounds(q Q) (lower, upper Quantile) {
	n := s.N()
	if n == 0 || !q.IsValid() {
		return NoQuantile(), NoQuantile()
	}
	rank := int(q.Rank(n))
	x, isAge := s.merged(rank)
	lower = ExactQuantile(x, n)
	if isAge {
		lower = AtLeastQuantile(x, n)
	}
	if rank > len(s.finished) {
		return lower, UnboundedQuantile(n)
	}
	return lower, ExactQuantile(s.finished[rank-1], n)
}

// merged is the rank-th smallest of values and ages, from 1, and whether it is
// an age. Of equal ones the values come first: an age is a lower end, so the
// value is what is known.
func (s Sample) merged(rank int) (x float64, isAge bool) {
	// Taken is how many of the rank smallest are values: the largest i for
	// which the i-th value is not above the (rank−i+1)-th age.
	lo, hi := max(0, rank-len(s.open)), min(rank, len(s.finished))
	taken := lo + sort.Search(hi-lo, func(k int) bool {
		i := lo + k + 1 // are i values too many?
		age := rank - i // ages taken beside them; the next age is open[age]
		return age < len(s.open) && s.finished[i-1] > s.open[age]
	})
	ages := rank - taken
	if taken == 0 || (ages > 0 && s.open[ages-1] >= s.finished[taken-1]) {
		return s.open[ages-1], true
	}
	return s.finished[taken-1], false
}
