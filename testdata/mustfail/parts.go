package mustfail

import "benchline/ingest/measure"

func missingParts(n measure.Count[measure.OutputTokens], over measure.Interval, of measure.Population, cache measure.CacheState) {
	_, _ = measure.NewRate(n, over, of)                          // ERROR "not enough arguments"
	_, _ = measure.NewRate(n, of, over, cache)                   // ERROR "cannot use of"
	_, _ = measure.NewRate(n, 24.1, of, cache)                   // ERROR "cannot use 24.1"
	_, _ = measure.NewRate[measure.Requests](n, over, of, cache) // ERROR "cannot use n"
	_, _ = measure.NewRate(int64(2096), over, of, cache)         // ERROR "does not match|cannot infer"
	_, _ = measure.NewRate(n, over, of, measure.CacheCold)       // ERROR "cannot use measure.CacheCold"
	_, _ = measure.NewRate(n, over, "completed requests", cache) // ERROR "cannot use"
	_, _ = measure.NewRate(n, over, of, cache)                   // this is how it is meant
}

func literals() {
	_ = measure.Rate[measure.Requests]{num: 1}       // ERROR "unknown field num|unexported field num"
	_ = measure.Count[measure.Requests]{n: 1}        // ERROR "unknown field n|unexported field n"
	_ = measure.Count[measure.Requests]{{}, 1}       // ERROR "unexported field"
	_ = measure.Interval{from: 0, to: 1}             // ERROR "unknown field|unexported field"
	_ = measure.Interval{0, 1, "observation window"} // ERROR "unexported field"
	_ = measure.Population{rule: "all", n: 1}        // ERROR "unknown field|unexported field"
	_ = measure.CacheState{kind: measure.CacheCold}  // ERROR "unknown field|unexported field"
	_ = measure.Quantile{x: 0.1}                     // ERROR "unknown field|unexported field"
}
