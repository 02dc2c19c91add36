package limits

import (
	"math"
	"strconv"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// written is a figure as its source writes it: the digits, and half of the last
// one in the figure's base unit. Without an original it is the shortest decimal.
func written(v evidence.Value) (text string, half float64) {
	text = strconv.FormatFloat(v.Amount.X, 'f', -1, 64)
	scale := 1.0
	if v.Original != nil {
		plain := strings.ReplaceAll(v.Original.Number, ",", "")
		if x, err := strconv.ParseFloat(plain, 64); err == nil && x > 0 {
			text, scale = plain, v.Amount.X/x
		}
	}
	_, fraction, _ := strings.Cut(text, ".")
	return text, 0.5 * math.Pow10(-len(fraction)) * scale
}

// shown is a number for people: whole with separators, others with the given
// number of decimals.
func shown(x float64, decimals int) string {
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return measure.FormatCount(int64(x))
	}
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	whole, fraction, ok := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if !ok || err != nil {
		return text
	}
	return measure.FormatCount(n) + "." + fraction
}

// leastDigits is how many digits a written rate must have before agreeing in
// all of them says anything.
const leastDigits = 4

// sameDigits reports whether a number, rounded to the decimals of a text,
// reads as that text.
func sameDigits(x float64, text string) bool {
	n := 0
	for _, c := range text {
		if c >= '0' && c <= '9' {
			n++
		}
	}
	return n >= leastDigits && strconv.FormatFloat(x, 'f', decimals(text), 64) == text
}

func decimals(text string) int {
	for i := range len(text) {
		if text[i] == '.' {
			return len(text) - i - 1
		}
	}
	return 0
}
