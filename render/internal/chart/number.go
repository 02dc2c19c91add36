package chart

import (
	"math"
	"strconv"
	"strings"
)

// scaling is a display unit: a value in the base unit divided by factor is the
// number shown. Ticks and axis label always use the same one.
type scaling struct {
	factor float64
	unit   string
}

// scalingFor picks the display unit for values up to max in size.
func scalingFor(unit string, share bool, max float64) scaling {
	if share {
		return scaling{0.01, "%"}
	}
	switch {
	case unit == "s" && max > 0 && max < 1e-3:
		return scaling{1e-6, "µs"}
	case unit == "s" && max > 0 && max < 1:
		return scaling{1e-3, "ms"}
	case unit == "s" && max < 1e6:
		return scaling{1, "s"}
	case max >= 1e15:
		return scaling{1, unit} // written with an exponent
	case max >= 1e9:
		return scaling{1e9, strings.TrimSpace("billion " + unit)}
	case max >= 1e6:
		return scaling{1e6, strings.TrimSpace("million " + unit)}
	case max >= 1e5:
		return scaling{1e3, strings.TrimSpace("thousand " + unit)}
	}
	return scaling{1, unit}
}

// with appends the unit to a number.
func (s scaling) with(number string) string {
	if s.unit == "" {
		return number
	}
	return number + "\u00a0" + s.unit
}

// fixed writes x with the given number of decimals and with separators between
// thousands; very large and very small numbers get an exponent.
func fixed(x float64, decimals int) string {
	if x == 0 {
		return "0" // never "-0"
	}
	if a := math.Abs(x); a >= 1e15 || a < 1e-6 {
		return minus(strconv.FormatFloat(x, 'g', 4, 64))
	}
	s := strconv.FormatFloat(x, 'f', min(decimals, 9), 64)
	if strings.Trim(s, "-0.") == "" {
		return "0"
	}
	return minus(thousands(s))
}

// significant writes x with four significant digits, without trailing zeros
// after the point, and never rounds away digits before the point.
func significant(x float64) string {
	if x == 0 {
		return "0"
	}
	digits := 3 - int(math.Floor(math.Log10(math.Abs(x))))
	s := fixed(x, max(0, digits))
	if strings.Contains(s, ".") && !strings.Contains(s, "e") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// exact is the shortest decimal that reads back as the same float64.
func exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// thousands puts commas between groups of three digits before the point.
func thousands(s string) string {
	sign, digits := "", s
	if strings.HasPrefix(s, "-") {
		sign, digits = "-", s[1:]
	}
	whole, rest, point := strings.Cut(digits, ".")
	var b strings.Builder
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	if point {
		return sign + b.String() + "." + rest
	}
	return sign + b.String()
}

// minus replaces the hyphen of a negative number by a minus sign.
func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }

// coordinate writes a length in the drawing with at most two decimals.
func coordinate(x float64) string {
	r := math.Round(x*100) / 100
	if r == 0 {
		return "0"
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}
