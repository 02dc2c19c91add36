// Package measure holds what a figure is made of: counts with a unit, the
// stretch of time and the requests they were counted over, the cache state
// they were counted in, rates, quantiles with their bounds, and the registry
// that names every metric and writes its numbers.
//
// The types are made so that the usual mistakes do not compile. A [Rate] of
// requests cannot become a rate of tokens, not even by an explicit conversion;
// no rate exists without its interval, its population and its cache state; a
// rate has no arithmetic and is no float64. The files in testdata/mustfail
// hold that.
//
// Quantiles are nearest rank, exact, from whole nanoseconds. Bounds over
// unfinished requests take no assumption but that an unfinished request's
// value is at least its age. Intervals are binomial order-statistic intervals:
// they describe the requests of one run as if they were independent, which
// requests that share an endpoint are not; claims about a system need repeats.
// The Kaplan-Meier estimate is here for where cutting off was administrative; who
// calls it has to know that it was.
package measure
