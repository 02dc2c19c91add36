package compare

import (
	"fmt"
	"slices"
	"strings"
)

func say(k Kind, why []string, format string, args ...any) Verdict {
	return Verdict{Kind: k, Why: why, Sentence: strings.TrimSpace(fmt.Sprintf(format, args...))}
}

func names(dims []Dimension) []string {
	out := make([]string, len(dims))
	for i, d := range dims {
		out[i] = d.Name
	}
	return out
}

// appendNew appends the words that are not there yet.
func appendNew(to []string, words ...string) []string {
	for _, w := range words {
		if !slices.Contains(to, w) {
			to = append(to, w)
		}
	}
	return to
}

func isMissing(aspect string) bool { return strings.HasPrefix(aspect, missingOn) }

func differWords(names []string) string {
	switch len(names) {
	case 0:
		return "nothing that is stated differs"
	case 1:
		return "the " + names[0] + " differs"
	default:
		return some(names) + " differ"
	}
}

func gapWords(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " Not stated on a side: " + some(names) + "."
}

// mostNamed is how many names a sentence holds; the others stand in the table.
const mostNamed = 8

// some joins names; of many the first.
func some(names []string) string {
	if more := len(names) - mostNamed; more > 1 {
		return strings.Join(names[:mostNamed], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return list(names)
}

func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
