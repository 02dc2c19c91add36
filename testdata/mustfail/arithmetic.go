package mustfail

import "benchline/ingest/measure"

func arithmetic(a, b measure.Rate[measure.OutputTokens], n, m measure.Count[measure.OutputTokens]) {
	_ = a + b // ERROR "operator \\+ not defined"
	_ = a / b // ERROR "operator / not defined"
	_ = a * 2 // ERROR "cannot convert 2|mismatched types|operator \\* not defined"
	_ = a < b // ERROR "cannot compare|cannot order|operator < not defined"
	_ = n + m // ERROR "operator \\+ not defined"
	_ = a.num // ERROR "a.num undefined"
	_ = a == b
}

func floats(r measure.Rate[measure.OutputTokens], n measure.Count[measure.OutputTokens]) {
	var x float64 = r // ERROR "cannot use r"
	x = n             // ERROR "cannot use n"
	x = float64(r)    // ERROR "cannot convert r"
	x = r.PerSecond()
	_ = x
}

func quantiles(q measure.Quantile) {
	var x float64 = q // ERROR "cannot use q"
	x, _ = q.X()
	_ = x + q                      // ERROR "mismatched types|cannot convert"
	_ = measure.AtLeastQuantile(q) // ERROR "not enough arguments|cannot use q"
}
