package foreign

import (
	"math"
	"strconv"
	"strings"

	"benchline/ingest/measure"
)

// unit is how a base unit comes of a number: the number with ten to the
// exponent, times factor.
type unit struct {
	exponent int
	factor   float64
}

// unitOf is the unit that a word of a tool means for a quantity. It is a switch
// and no table because it is asked for each number of a file.
func unitOf(word string, q measure.Quantity) (unit, bool) {
	switch q {
	case measure.Time:
		return timeUnit(word)
	case measure.OutputTokenRate, measure.TotalTokenRate:
		return unit{0, 1}, isTokenRate(word, q)
	case measure.RequestRate, measure.GoodRate:
		return requestUnit(word)
	}
	return unit{}, false
}

func timeUnit(word string) (unit, bool) {
	switch word {
	case "s", "sec", "secs", "second", "seconds":
		return unit{0, 1}, true
	case "ms", "msec", "millisecond", "milliseconds":
		return unit{-3, 1}, true
	case "us", "µs", "μs", "usec", "microsecond", "microseconds":
		return unit{-6, 1}, true
	case "ns", "nsec", "nanosecond", "nanoseconds":
		return unit{-9, 1}, true
	case "min", "minute", "minutes":
		return unit{0, 60}, true
	case "h", "hour", "hours":
		return unit{0, 3600}, true
	}
	return unit{}, false
}

func isTokenRate(word string, q measure.Quantity) bool {
	switch word {
	case "tokens/s", "tokens/sec", "tokens/second", "tok/s", "token/s", "tokens per second", "t/s", "tps":
		return true
	case "output tokens/s":
		return q == measure.OutputTokenRate
	case "input + output tokens/s", "total tokens/s":
		return q == measure.TotalTokenRate
	}
	return false
}

func requestUnit(word string) (unit, bool) {
	switch word {
	case "requests/s", "requests/sec", "requests/second", "request/s", "req/s", "requests per second", "qps", "rps", "queries/s", "samples/s":
		return unit{0, 1}, true
	case "requests/min", "requests per minute":
		return unit{0, 1.0 / 60}, true
	}
	return unit{}, false
}

// Nanoseconds is how many nanoseconds one of a time unit is; false: the word is
// no unit of time. It is for lists of many times, each of which is then one
// multiplication.
func Nanoseconds(unitWord string) (float64, bool) {
	u, ok := timeUnit(strings.ToLower(strings.TrimSpace(unitWord)))
	return u.factor * math.Pow10(9+u.exponent), ok
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
	u, ok := unitOf(strings.ToLower(strings.TrimSpace(unitWord)), quantity)
	if !ok {
		return 0, false
	}
	return shifted(number, u)
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
