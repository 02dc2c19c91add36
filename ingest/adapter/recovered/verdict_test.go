package recovered_test

import (
	"slices"
	"testing"

	"benchline/ingest/compare"
)

// TestVerdictsOnTheArchive holds what may be said of pairs that its source warns
// about: no number across recipes, a ratio of systems across profiles.
func TestVerdictsOnTheArchive(t *testing.T) {
	records := archive(t)
	for _, c := range []struct {
		a, b    string
		kind    compare.Kind
		numbers bool
		why     []string // among the reasons
	}{
		{"b0-short-c16", "e16-short-c16-run1", compare.SystemsRatio, true, []string{"profile"}},
		{"p1-c64", "p1-c128", compare.Confounded, false, []string{"request count", "concurrency"}},
		{"p1-c128", "raw-c128", compare.NotComparable, false, []string{"evidence class"}},
		{"b0-cold-8k", "b0-cold-24k", compare.Confounded, false, []string{"input tokens asked"}},
		{"soak-131k", "long-input-65k", compare.Confounded, false, []string{"profile"}},
		{"long-input-65k", "b0-cold-8k", compare.Confounded, false, nil},
	} {
		v := compare.Compare(records[c.a], records[c.b])
		if v.Numbers() != c.numbers || c.numbers && v.Kind != c.kind {
			t.Errorf("%s and %s: %s", c.a, c.b, v.Sentence)
		}
		for _, why := range c.why {
			if v.Kind == c.kind && !slices.Contains(v.Why, why) {
				t.Errorf("%s and %s: %s; want %s among %v", c.a, c.b, v.Sentence, why, v.Why)
			}
		}
		t.Logf("%s and %s: %s", c.a, c.b, v.Sentence)
	}
}
