package reqlog

import (
	"cmp"
	"math"
	"slices"
)

// nearestRanks returns, for each q of perMille, the ⌈q·n/1000⌉-th smallest of
// the n > 0 values, which it reorders. The ranks are taken in rising order, so that each search is confined to what
// the one before has left above it.
func nearestRanks(values []int64, perMille []int) []int64 {
	order := make([]int, len(perMille))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(perMille[a], perMille[b]) })
	out := make([]int64, len(perMille))
	low := 0
	for _, i := range order {
		k := (len(values)*perMille[i]+999)/1000 - 1
		if k >= low {
			selectNth(values[low:], k-low)
			low = k + 1
		}
		out[i] = values[k]
	}
	return out
}

// selectNth reorders v so that v[k] is what it would be if v were sorted, with
// nothing greater before it and nothing smaller after it. It is quickselect;
// when the pivots turn out badly it sorts, so the worst case is that of a sort.
func selectNth(v []int64, k int) {
	for bad := 0; len(v) > 32 && bad < 16; {
		n := len(v)
		p := pivot(v)
		below := partition(v, p-1)
		if below == 0 || p == math.MinInt64 {
			// p is the smallest: put its equals aside, which also ends the
			// search among many equal values.
			if below = partition(v, p); k < below {
				return
			}
		}
		if k < below {
			v = v[:below]
		} else {
			v, k = v[below:], k-below
		}
		if len(v) > n-n/8 {
			bad++
		}
	}
	slices.Sort(v)
}

// pivot is the median of three medians of three.
func pivot(v []int64) int64 {
	n := len(v)
	step := n / 9
	m := func(i int) int64 { return median(v[i], v[i+step], v[i+2*step]) }
	return median(m(0), m(3*step), m(6*step))
}

func median(a, b, c int64) int64 {
	return max(min(a, b), min(max(a, b), c))
}

// partition puts the values up to p first and returns how many there are.
func partition(v []int64, p int64) int {
	n := 0
	for i, x := range v {
		// Without a branch on the data, which the processor could not
		// foresee: the swap always happens, the border moves only if x ≤ p.
		v[i], v[n] = v[n], x
		n += upTo(x, p)
	}
	return n
}

// upTo is 1 if a ≤ b, else 0.
func upTo(a, b int64) int {
	if a <= b {
		return 1
	}
	return 0
}
