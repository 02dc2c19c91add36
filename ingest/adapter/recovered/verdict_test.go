package recovered_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"benchline/ingest/compare"
)

// TestVerdictsOnTheArchive holds what may be said of pairs that its source warns
// about: no number across recipes, a ratio of systems across profiles.
func TestVerdictsOnTheArchive(t *testing.T) {
	records := archive(t)
	for _, c := range []struct {
		a, b     string
		kind     compare.Kind
		sentence string
		needs    string // among them
	}{
		{"e16-short-c16-run1", "b0-short-c16", compare.SystemsRatio, compare.RatioSentence + " Not stated on a side: ", "State for both: "},
		{"p1-c128", "p1-c64", compare.Confounded, "Confounded: request count and concurrency differ. Not stated on a side: ", "Run p1-c64 with 512 requests."},
		{"p1-c128", "raw-c128", compare.NotComparable, "Not comparable: the evidence class differs.", "Find the records from which p1-c128 was worked out, or run both again under one plan."},
		{"b0-cold-8k", "b0-cold-24k", compare.Confounded, "Confounded: ", "State for both: "},
		{"soak-131k", "long-input-65k", compare.NotComparable, "Not comparable: there is no metric whose two figures were made alike (definition).", "Measure both with one client"},
		{"long-input-65k", "b0-cold-8k", compare.NotComparable, "Not comparable: ", ""},
		{"e16-short-c16-run1", "e16-short-c16-run2", compare.Confounded, "Confounded: nothing that is stated differs. Not stated on a side: ", "State for both: "},
	} {
		for _, turned := range []bool{false, true} {
			a, b := records[c.a], records[c.b]
			if turned {
				a, b = b, a
			}
			v := compare.Compare(a, b)
			needs := strings.Join(v.Needs, "\n")
			if v.Kind != c.kind || !strings.Contains(v.Sentence, c.sentence) || !strings.Contains(needs, c.needs) {
				t.Errorf("%s and %s: %s\n%s", c.a, c.b, v.Sentence, needs)
			}
			if n := compare.NumbersOf(v, a, b, nil); (len(n) > 0) != (c.kind == compare.SystemsRatio) {
				t.Errorf("%s and %s: numbers %+v", c.a, c.b, n)
			}
		}
	}
}

// TestTheArchivesRatio: 2.04 to the source's own mean, and to its first run.
func TestTheArchivesRatio(t *testing.T) {
	records := archive(t)
	a, b := records["e16-short-c16-run1"], records["b0-short-c16"]
	v := compare.Compare(a, b)
	for _, gap := range []string{"duration", "numerator", "population", "request count", "cache state"} {
		if !slices.Contains(v.NotStated, gap) {
			t.Errorf("that the %s is not stated is not named: %q", gap, v.NotStated)
		}
	}
	n := compare.NumbersOf(v, a, b, nil)
	if len(n) != 1 || n[0].Metric != "output_token_rate" || n[0].Ratio == nil || math.Abs(*n[0].Ratio-2.0365) > 1e-4 {
		t.Errorf("got %+v", n)
	}
}
