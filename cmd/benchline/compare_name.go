package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/runner/plan"
)

// leastDigits is how many digits of an ID name a record.
const leastDigits = 8

// byName are the records that a word names: the one of that slug, or those whose
// ID begins with it.
func byName(records []evidence.Record, word string) []evidence.Record {
	var found []evidence.Record
	for _, r := range records {
		if r.Slug == word {
			return []evidence.Record{r}
		}
		if len(word) >= leastDigits && strings.HasPrefix(r.ID.String(), word) {
			found = append(found, r)
		}
	}
	return found
}

// mostNear is how many names a hint or a message lists.
const mostNear = 3

// nearHint names records whose slugs are like a word.
func nearHint(records []evidence.Record, word string) string {
	type near struct {
		slug string
		far  int
	}
	var list []near
	word = strings.ToLower(word)
	for _, r := range records {
		far := plan.Distance(word, r.Slug)
		if strings.Contains(r.Slug, word) || strings.Contains(word, r.Slug) {
			far = min(far, 1)
		}
		if far <= max(2, len(word)/3) {
			list = append(list, near{r.Slug, far})
		}
	}
	slices.SortFunc(list, func(a, b near) int { return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.slug, b.slug)) })
	if len(list) == 0 {
		if len(records) == 0 {
			return "it has no record yet"
		}
		return fmt.Sprintf("it has %d records, as %s", len(records), slugList(records))
	}
	names := make([]string, min(len(list), mostNear))
	for i := range names {
		names[i] = list[i].slug
	}
	return "did you mean " + strings.Join(names, " or ") + "?"
}

// slugList names records; of many the first.
func slugList(records []evidence.Record) string {
	names := make([]string, 0, mostNear)
	for _, r := range records[:min(len(records), mostNear)] {
		names = append(names, r.Slug)
	}
	if more := len(records) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
