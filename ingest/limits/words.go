package limits

import (
	"strings"

	"benchline/ingest/measure"
)

// span is a range of counts: "84", "50 to 61".
func span(low, high int64) string {
	if low == high {
		return measure.FormatCount(low)
	}
	return measure.FormatCount(low) + " to " + measure.FormatCount(high)
}

// list joins words: "a", "a and b", "a, b and c".
func list(words []string) string {
	n := len(words)
	if n < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
}
