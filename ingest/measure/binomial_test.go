package measure_test

import (
	"math"
	"math/big"
	"testing"

	"benchline/ingest/measure"
)

func TestMinN(t *testing.T) {
	for q, want := range map[measure.Q]int64{measure.Q50: 6, measure.Q90: 36, measure.Q95: 72, measure.Q99: 368, measure.Q999: 3688, measure.Max: 0, 0: 0} {
		if got := measure.MinN(q); got != want {
			t.Errorf("least n for %v: got %d, want %d", q, got, want)
		}
	}
}

// exactTail is P(B ≤ k) for B ~ Binomial(n, q/1000), exactly: whole numbers
// over 1000^n.
func exactTail(n, k int64, q measure.Q) *big.Rat {
	power := func(base, exponent int64) *big.Int {
		return new(big.Int).Exp(big.NewInt(base), big.NewInt(exponent), nil)
	}
	sum := new(big.Int)
	for i := int64(0); i <= k; i++ {
		term := new(big.Int).Binomial(n, i)
		term.Mul(term, power(int64(q), i))
		sum.Add(sum, term.Mul(term, power(1000-int64(q), n-i)))
	}
	return new(big.Rat).SetFrac(sum, power(1000, n))
}

func TestIntervalRanksAgainstExactBinomial(t *testing.T) {
	low, high := big.NewRat(25, 1000), big.NewRat(975, 1000)
	for _, q := range []measure.Q{measure.Q50, measure.Q90, measure.Q95} {
		for n := int64(1); n <= 90; n += 7 {
			got := measure.IntervalRanks(q, n)
			// Each rank must be the tightest which still holds.
			if got.Low > 0 && exactTail(n, got.Low-1, q).Cmp(low) > 0 {
				t.Errorf("%v of %d: low rank %d leaves more than 2.5 %% below", q, n, got.Low)
			}
			if got.Low < n && exactTail(n, got.Low, q).Cmp(low) <= 0 {
				t.Errorf("%v of %d: low rank %d is not the largest", q, n, got.Low)
			}
			if got.High <= n && exactTail(n, got.High-1, q).Cmp(high) < 0 {
				t.Errorf("%v of %d: high rank %d leaves more than 2.5 %% above", q, n, got.High)
			}
			if got.High > 1 && exactTail(n, got.High-2, q).Cmp(high) >= 0 {
				t.Errorf("%v of %d: high rank %d is not the smallest", q, n, got.High)
			}
			if finite := got.Low >= 1 && got.High <= n; finite != got.Finite {
				t.Errorf("%v of %d: ranks %d to %d, finite %v", q, n, got.Low, got.High, got.Finite)
			}
		}
	}
}

func TestMedianIntervalFiniteFromSix(t *testing.T) {
	for n := int64(0); n <= 12; n++ {
		if got, want := measure.IntervalRanks(measure.Q50, n).Finite, n >= 6; got != want {
			t.Errorf("median of %d: finite %v, want %v", n, got, want)
		}
	}
}

func TestMinNIsWhereTheUpperEndBegins(t *testing.T) {
	for _, q := range []measure.Q{measure.Q50, measure.Q90, measure.Q95, measure.Q99, measure.Q999} {
		need := measure.MinN(q)
		if r := measure.IntervalRanks(q, need); r.High > need {
			t.Errorf("%v of %d: high rank %d does not exist", q, need, r.High)
		}
		if r := measure.IntervalRanks(q, need-1); r.High <= need-1 {
			t.Errorf("%v of %d: high rank %d exists already", q, need-1, r.High)
		}
	}
}

func TestQuantileInterval(t *testing.T) {
	xs := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	low, high, ok := measure.QuantileInterval(xs, measure.Q50)
	if !ok || low != 1 || high != 8 {
		t.Errorf("got %v to %v, %v, want 1 to 8", low, high, ok)
	}
	if low, high, ok := measure.QuantileInterval(xs[:5], measure.Q50); ok {
		t.Errorf("got %v to %v of five values", low, high)
	}
	if _, _, ok := measure.QuantileInterval(nil, measure.Q50); ok {
		t.Error("got an interval of no values")
	}
}

func TestIntervalOfMany(t *testing.T) {
	r := measure.IntervalRanks(measure.Q99, 1_000_000)
	// The normal approximation is good here: 990,000 ± 1.96 × 99.5.
	if math.Abs(float64(r.Low)-989_805) > 3 || math.Abs(float64(r.High)-990_195) > 4 || !r.Finite {
		t.Errorf("got %+v", r)
	}
}
