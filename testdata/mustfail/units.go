// Package mustfail holds misuse of the measure package. Each line that is
// marked must be refused by the type checker with an error that matches; no
// other line may be. A test in ingest/measure holds that.
package mustfail

import "benchline/ingest/measure"

func mixedUnits(tokens measure.Count[measure.OutputTokens], requests measure.Count[measure.Requests]) {
	_, _ = measure.Sum(tokens, requests) // ERROR "does not match|cannot use"
	_ = tokens == requests               // ERROR "mismatched types"
	tokens = requests                    // ERROR "cannot use requests"
}

func convertedUnits(requests measure.Count[measure.Requests], served measure.Rate[measure.Requests]) {
	_ = measure.Count[measure.OutputTokens](requests) // ERROR "cannot convert requests"
	_ = measure.Rate[measure.OutputTokens](served)    // ERROR "cannot convert served"
	_ = measure.Rate[measure.GoodRequests](served)    // ERROR "cannot convert served"
	_ = measure.Count[measure.OutputTokens](7)        // ERROR "cannot convert 7"
}

func wantsTokens(measure.Rate[measure.OutputTokens]) {}

func mixedRates(all measure.Rate[measure.AllTokens]) {
	wantsTokens(all) // ERROR "cannot use all"
}

type ownUnit struct{}

func inventedUnit() {
	var _ measure.Count[ownUnit] // ERROR "does not satisfy|does not implement"
	var _ measure.Rate[float64]  // ERROR "does not satisfy|does not implement"
}
