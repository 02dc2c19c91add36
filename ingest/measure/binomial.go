package measure

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence of all intervals here: two-sided, each tail at most half of the rest.
const (
	Confidence = 0.95
	tail       = (1 - Confidence) / 2
)

// MinN is the least number of values for which a two-sided 95 % interval of
// the quantile has a finite upper end, by the binomial distribution of how
// many values lie below the quantile. 0 for the maximum, which has no interval.
func MinN(q Q) int64 {
	if !q.IsValid() || q == Max {
		return 0
	}
	// The chance that all n values lie below the quantile falls with n.
	const most = 1 << 20
	return int64(sort.Search(most, func(n int) bool {
		if n == 0 {
			return false
		}
		all := distuv.Binomial{N: float64(n), P: q.Share()}
		return math.Exp(all.LogProb(float64(n))) <= tail
	}))
}

// Ranks are the ranks, from 1, of the two order statistics which hold a
// quantile of n independent values with 95 % confidence. Finite is false where
// one of them does not exist.
type Ranks struct {
	Low, High int64
	Finite    bool
}

// IntervalRanks computes the ranks from the binomial distribution: Low is the
// largest rank with at most 2.5 % below it, High the smallest with at most
// 2.5 % above.
func IntervalRanks(q Q, n int64) Ranks {
	if n <= 0 || !q.IsValid() || q == Max {
		return Ranks{}
	}
	b := distuv.Binomial{N: float64(n), P: q.Share()}
	// P(B ≤ k) grows with k. The value of rank r lies above the quantile
	// exactly if B ≤ r−1.
	low := int64(sort.Search(int(n), func(k int) bool { return b.CDF(float64(k)) > tail }))
	high := int64(sort.Search(int(n), func(k int) bool { return b.CDF(float64(k)) >= 1-tail })) + 1
	return Ranks{Low: low, High: high, Finite: low >= 1 && high <= n}
}

// QuantileInterval is the 95 % order-statistic interval of a quantile of ascending
// values, and whether both of its ends exist.
func QuantileInterval(ascending []float64, q Q) (low, high float64, ok bool) {
	r := IntervalRanks(q, int64(len(ascending)))
	if !r.Finite {
		return 0, 0, false
	}
	return ascending[r.Low-1], ascending[r.High-1], true
}

// ShareInterval is the two-sided 95 % interval of a share of which k of n were
// seen, by Clopper and Pearson: exact for independent trials, never narrower than
// it says. For n of 0 it is 0 to 1.
func ShareInterval(k, n int64) (low, high float64) {
	if n <= 0 || k < 0 || k > n {
		return 0, 1
	}
	high = 1
	if k > 0 {
		low = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(tail)
	}
	if k < n {
		high = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(1 - tail)
	}
	return low, high
}
