package main

import (
	"fmt"
	"strings"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
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

// mostListed is how many records a message names.
const mostListed = 3

// nearHint names records whose slugs are like a word.
func nearHint(records []evidence.Record, word string) string {
	slugs := make([]string, len(records))
	for i, r := range records {
		slugs[i] = r.Slug
	}
	if near := compare.Near(word, slugs); len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	if len(records) == 0 {
		return "it has no record yet"
	}
	return fmt.Sprintf("it has %d records, as %s", len(records), slugList(records))
}

// slugList names records; of many the first.
func slugList(records []evidence.Record) string {
	names := make([]string, 0, mostListed)
	for _, r := range records[:min(len(records), mostListed)] {
		names = append(names, r.Slug)
	}
	if more := len(records) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
