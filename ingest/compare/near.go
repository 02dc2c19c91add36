package compare

import (
	"cmp"
	"slices"
	"strings"

	"benchline/runner/plan"
)

// mostNear is how many names are suggested for one that there is not.
const mostNear = 3

// Near are the names that are most like a word which names none of them, the
// nearest first: a few letters away, or one holds the other. Those whose
// distance is more than a third of the word are no suggestion.
func Near(word string, slugs []string) []string {
	type near struct {
		slug string
		far  int
	}
	var list []near
	word = strings.ToLower(word)
	for _, slug := range slugs {
		far := plan.Distance(word, slug)
		if word != "" && (strings.Contains(slug, word) || strings.Contains(word, slug)) {
			far = min(far, 1)
		}
		if far <= max(2, len(word)/3) {
			list = append(list, near{slug, far})
		}
	}
	slices.SortFunc(list, func(a, b near) int { return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.slug, b.slug)) })
	names := make([]string, min(len(list), mostNear))
	for i := range names {
		names[i] = list[i].slug
	}
	return names
}
