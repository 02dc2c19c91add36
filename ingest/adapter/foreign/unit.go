package foreign

import (
	"math"
	"strconv"
	"strings"

	"benchline/ingest/measure"
)

// unit is a word that tools write for a unit. The base unit is the number with
// ten to the exponent, times factor.
type unit struct {
	words    []string
	quantity []measure.Quantity
	exponent int
	factor   float64
}

func units() []unit {
	times := []measure.Quantity{measure.Time}
	tokens := []measure.Quantity{measure.OutputTokenRate, measure.TotalTokenRate}
	requests := []measure.Quantity{measure.RequestRate, measure.GoodRate}
	return []unit{
		{[]string{"s", "sec", "secs", "second", "seconds"}, times, 0, 1},
		{[]string{"ms", "msec", "millisecond", "milliseconds"}, times, -3, 1},
		{[]string{"us", "µs", "μs", "usec", "microsecond", "microseconds"}, times, -6, 1},
		{[]string{"ns", "nsec", "nanosecond", "nanoseconds"}, times, -9, 1},
		{[]string{"min", "minute", "minutes"}, times, 0, 60},
		{[]string{"h", "hour", "hours"}, times, 0, 3600},
		{[]string{"tokens/s", "tokens/sec", "tokens/second", "tok/s", "token/s", "tokens per second", "t/s", "tps"}, tokens, 0, 1},
		{[]string{"output tokens/s"}, tokens[:1], 0, 1},
		{[]string{"input + output tokens/s", "total tokens/s"}, tokens[1:], 0, 1},
		{[]string{"requests/s", "requests/sec", "requests/second", "request/s", "req/s", "requests per second", "qps", "rps", "queries/s", "samples/s"}, requests, 0, 1},
		{[]string{"requests/min", "requests per minute"}, requests, 0, 1.0 / 60},
	}
}

// Convert is a number, as a file writes it, in the metric's base unit; false
// where the unit is not known to be one of the metric's, or the number is none.
// Powers of ten are applied to the decimal, so that 265 ms, 0.265 s and
// 265000 µs are the same float.
func Convert(number, unitWord string, id measure.MetricID) (float64, bool) {
	quantity, _, ok := measure.Kind(id)
	if !ok || !plainNumber(number) {
		return 0, false
	}
	word := strings.ToLower(strings.TrimSpace(unitWord))
	for _, u := range units() {
		for _, w := range u.words {
			if w != word {
				continue
			}
			for _, q := range u.quantity {
				if q == quantity {
					return shifted(number, u)
				}
			}
		}
	}
	return 0, false
}

func shifted(number string, u unit) (float64, bool) {
	mantissa, exponent := number, u.exponent
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		e, err := strconv.Atoi(number[i+1:])
		if err != nil {
			return 0, false
		}
		mantissa, exponent = number[:i], exponent+e
	}
	x, err := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(exponent), 64)
	x *= u.factor
	return x, err == nil && !math.IsInf(x, 0)
}
