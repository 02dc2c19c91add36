package all

import (
	"cmp"
	"slices"

	"benchline/ingest/adapter"
)

// Definitions lists what each tool means by its words, sorted by metric, tool,
// versions and word: what the page "same word, different definition" is made of.
func Definitions() ([]adapter.Definition, error) {
	r, err := Registry()
	if err != nil {
		return nil, err
	}
	var out []adapter.Definition
	for _, a := range r.All() {
		if d, ok := a.(adapter.Definer); ok {
			out = append(out, d.Definitions()...)
		}
	}
	slices.SortStableFunc(out, func(a, b adapter.Definition) int {
		return cmp.Or(cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Versions, b.Versions), cmp.Compare(a.Word, b.Word))
	})
	return out, nil
}
