package measure

import "iter"

// Survival is the product-limit estimate of Kaplan and Meier ("Nonparametric
// Estimation from Incomplete Observations", Journal of the American Statistical
// Association 53, 1958, 457-481). It yields each distinct value in ascending
// order with the estimated share of requests that take longer. At a value that d
// requests have, the share falls by the factor (r − d) ÷ r, where r requests have
// a value or an age that is not below it.
//
// It is an estimate only where being cut off tells nothing about how long a
// request would have taken. The sample cannot show whether that is so: the caller
// has to know. [Sample.Bounds] needs no such assumption.
func (s Sample) Survival() iter.Seq2[float64, float64] {
	return func(yield func(x, longer float64) bool) {
		values, ages := len(s.finished), len(s.open)
		// Between two ages the factors telescope: the share is the one at the last
		// age times requests left ÷ requests then. So no error adds up, and without
		// ages the shares are those of the empirical distribution.
		longer, then, risk := 1.0, 1.0, values+ages
		gone := 0 // ages below the value
		for i := 0; i < values; {
			x := s.finished[i]
			before := gone
			for gone < ages && s.open[gone] < x {
				gone++
			}
			if gone > before {
				then, risk = longer, values-i+ages-gone
			}
			for i < values && s.finished[i] == x {
				i++
			}
			longer = then * float64(values-i+ages-gone) / float64(risk)
			if !yield(x, longer) {
				return
			}
		}
	}
}

// nearlyEqual is the relative difference of two shares that counts as none: above
// what rounding leaves, and far below one request in any run.
const nearlyEqual = 1e-9

// KaplanMeier is the quantile by [Sample.Survival]: the smallest value that at
// most a share of 1 − q is estimated to exceed. Without open requests it is the
// nearest rank. It never lies outside [Sample.Bounds]. It is unbounded where the
// largest ages leave more than that share.
func (s Sample) KaplanMeier(q Q) Quantile {
	n := s.N()
	if n == 0 || !q.IsValid() {
		return NoQuantile()
	}
	most := float64(Max-q) / float64(Max) * (1 + nearlyEqual)
	for x, longer := range s.Survival() {
		if longer <= most {
			return ExactQuantile(x, n)
		}
	}
	return UnboundedQuantile(n)
}
