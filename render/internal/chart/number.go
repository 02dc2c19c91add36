package chart

import (
	"math"
	"strconv"
	"strings"

	"benchline/ingest/measure"
	"benchline/render/report"
)

// scaling is a display unit: a value in the base unit divided by factor is the
// number shown. Ticks, axis label, tooltips and table always use the same one.
type scaling struct {
	factor float64
	unit   string
	// text writes a value in the base unit without its unit; the metric
	// registry's way where it has one, so that a figure reads alike everywhere.
	text func(float64) string
}

// scalingFor picks the display unit of an axis that holds these values.
func scalingFor(a report.Axis, values []float64) scaling {
	plain := func(factor float64) func(float64) string {
		return func(x float64) string { return significant(x / factor) }
	}
	switch {
	case a.Share:
		return scaling{0.01, "%", plain(0.01)}
	case a.Unit == "s":
		s := measure.ScaleSeconds(values...)
		factor := map[string]float64{"ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[s.Unit()]
		if factor == 0 {
			factor = 1
		}
		return scaling{factor, s.Unit(), s.Text}
	case a.Metric != "":
		return scaling{1, a.Unit, measure.Scale(a.Metric, values...).Text}
	}
	return scaling{1, a.Unit, plain(1)}
}

// with writes a value with its unit.
func (s scaling) with(x float64) string {
	if s.unit == "" {
		return s.text(x)
	}
	return s.text(x) + "\u00a0" + s.unit
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

// coordinate writes a length in the drawing with at most one decimal. It is
// the most frequent thing a drawing does, so it counts in tenths.
func coordinate(x float64) string {
	tenths := int64(math.Round(x * 10))
	sign := ""
	if tenths < 0 {
		sign, tenths = "-", -tenths
	}
	s := sign + strconv.FormatInt(tenths/10, 10)
	if d := tenths % 10; d != 0 {
		s += "." + string(rune('0'+d))
	}
	return s
}
