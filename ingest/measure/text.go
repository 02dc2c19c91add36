package measure

import (
	"math"
	"strconv"
	"strings"
)

// Scaler writes the numbers of one block or column in one unit with one number
// of decimals, so that they compare by eye. Make it with [Scale]. Scaling is
// the last thing that is done to a number: evidence holds base units.
type Scaler struct {
	unit     string
	factor   float64
	decimals int
	time     bool
}

// Scale chooses unit and decimals for the numbers of one block or column of a
// metric, in its base unit. Durations take s, ms, µs or ns by the largest and
// three to four significant digits; rates have two decimals below 1,000,000
// and none above. Numbers that are not finite are left aside.
func Scale(id MetricID, xs ...float64) Scaler {
	q, _, ok := Kind(id)
	if !ok {
		return Scaler{factor: 1, decimals: 3}
	}
	if q == Time {
		return scaleTime(xs)
	}
	s := scaleRate(xs)
	s.unit = q.Unit()
	return s
}

// ScaleList chooses the unit of a list whose numbers may lie decades apart:
// durations are in ms as soon as one of them is below a second. Each number of
// the list is then written with the digits of its own, by [Scaler.For].
func ScaleList(id MetricID, xs ...float64) Scaler {
	s := Scale(id, xs...)
	if least, most := ends(xs); s.time && least < 1 && most > 0 {
		s.unit, s.factor = "ms", 1e3
	}
	return s
}

// For is the scaler with the decimals that show x by itself.
func (s Scaler) For(x float64) Scaler {
	if !s.time {
		s.decimals = scaleRate([]float64{x}).decimals
		return s
	}
	s.decimals = min(3, decimalsFor(x*s.factor, mostDigits))
	return s
}

// ScaleSeconds is [Scale] for durations that are no metric: windows, limits, ages.
func ScaleSeconds(xs ...float64) Scaler { return scaleTime(xs) }

// Unit is the unit that stands beside the numbers.
func (s Scaler) Unit() string { return s.unit }

// Text is the number in the scaler's unit, without it, with thousands
// separators. A number that would show as zero without being zero gets as many
// decimals as show it. A number that is not finite is "undefined".
func (s Scaler) Text(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "undefined"
	}
	y := x * s.factor
	decimals := s.decimals
	if least := decimalsFor(y, 2); y != 0 && math.Abs(y) < math.Pow10(-decimals) && least > decimals {
		decimals = least
	}
	return separate(strconv.FormatFloat(y, 'f', decimals, 64))
}

// Within is the scaler without the decimals that an interval of this width, in
// the base unit, does not support: the last digit is the second one of the
// width. Digits before the point are never rounded away, and a width that is
// not above 0 takes none.
func (s Scaler) Within(width float64) Scaler {
	if width > 0 && !math.IsInf(width, 1) {
		s.decimals = min(s.decimals, decimalsFor(width*s.factor, 2))
	}
	return s
}

// TextUnit is [Scaler.Text] with the unit.
func (s Scaler) TextUnit(x float64) string {
	if s.unit == "" {
		return s.Text(x)
	}
	return s.Text(x) + " " + s.unit
}

// FormatSeconds is one duration with its unit: "24.12 s", "87.40 ms".
func FormatSeconds(s float64) string { return scaleTime([]float64{s}).TextUnit(s) }

// FormatCount is a whole number with thousands separators.
func FormatCount(n int64) string { return separate(strconv.FormatInt(n, 10)) }

// Counted is a number with its noun: "1 request", "2,000 requests", "1 family",
// "3 families". A plural that is not the noun with an s is given.
func Counted[N int | int64](n N, noun string, plural ...string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case len(plural) > 0:
		return FormatCount(int64(n)) + " " + plural[0]
	}
	return FormatCount(int64(n)) + " " + noun + "s"
}

// FormatShare is a share between 0 and 1 in percent. A share that is not 0 or 1
// never shows as "0 %" or "100 %".
func FormatShare(x float64) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "undefined"
	case x > 0 && x < 0.0005:
		return "< 0.1 %"
	case x < 1 && x >= 0.9995:
		return "> 99.9 %"
	case x == 0 || x == 1:
		return strconv.FormatFloat(x*100, 'f', 0, 64) + " %"
	default:
		return strconv.FormatFloat(x*100, 'f', 1, 64) + " %"
	}
}

const (
	mostDigits  = 4 // of the largest number of a block of durations
	leastDigits = 3 // of the smallest
)

func scaleTime(xs []float64) Scaler {
	least, most := ends(xs)
	s := Scaler{unit: "s", factor: 1, time: true}
	// The comparison is on the number as it will be printed: 0.99999 s prints
	// as 1.000 s and so is no 1,000 ms.
	if printed := round(most, mostDigits); most > 0 {
		switch {
		case printed >= 1:
		case printed >= 1e-3:
			s.unit, s.factor = "ms", 1e3
		case printed >= 1e-6:
			s.unit, s.factor = "µs", 1e6
		default:
			s.unit, s.factor = "ns", 1e9
		}
	}
	s.decimals = min(3, max(decimalsFor(most*s.factor, mostDigits), decimalsFor(least*s.factor, leastDigits)))
	return s
}

func scaleRate(xs []float64) Scaler {
	least, most := ends(xs)
	const manyFrom = 1e6
	switch {
	case math.Round(most*100)/100 >= manyFrom:
		return Scaler{factor: 1}
	case least < 1 && least > 0:
		return Scaler{factor: 1, decimals: min(6, max(2, decimalsFor(least, leastDigits)))}
	default:
		return Scaler{factor: 1, decimals: 2}
	}
}

// ends are the smallest and largest size of the finite numbers other than 0;
// both 0 where there is none.
func ends(xs []float64) (least, most float64) {
	for _, x := range xs {
		x = math.Abs(x)
		if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		if least == 0 || x < least {
			least = x
		}
		most = max(most, x)
	}
	return least, most
}

// round is x to so many significant digits, by the decimal rounding that
// printing uses.
func round(x float64, digits int) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	if err != nil {
		return x // x was not finite
	}
	return y
}

// decimalsFor is how many decimals show x with so many significant digits.
func decimalsFor(x float64, digits int) int {
	if x == 0 {
		return 0
	}
	text := strconv.FormatFloat(math.Abs(x), 'e', digits-1, 64)
	exponent, err := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	if err != nil {
		return 0 // x was not finite
	}
	return max(0, digits-1-exponent)
}

// separate puts a comma between each three digits before the decimal point,
// and a minus sign in place of a hyphen.
func separate(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "−", s[1:]
	}
	whole, fraction, point := strings.Cut(s, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i, digit := range []byte(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digit)
	}
	if point {
		b.WriteString("." + fraction)
	}
	return b.String()
}
