package compare_test

import (
	"slices"
	"testing"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
)

func TestNear(t *testing.T) {
	slugs := []string{"p1-c128", "p1-c64", "p1-c16", "raw-c128", "e16-short-c16-run1"}
	for word, want := range map[string][]string{
		"p1-c129": {"p1-c128", "p1-c16"}, "C128": {"p1-c128", "raw-c128"}, "e16-short-c16-run9": {"e16-short-c16-run1"}, "something": {}, "": {},
	} {
		if got := compare.Near(word, slugs); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", word, got, want)
		}
	}
}

// TestMetricWords: what is said of two figures names all that sets them apart.
func TestMetricWords(t *testing.T) {
	quoted := func(v *evidence.Value) { v.Amount = evidence.Amount{Kind: evidence.Quoted, Text: "100"} }
	tests := []struct {
		name   string
		change func(*evidence.Record)
		want   string
	}{
		{"nothing", func(*evidence.Record) {}, "alike"},
		{"a window", figure(0, func(v *evidence.Value) { v.Window = said(evidence.Window{Rule: "another", Seconds: 10}) }), "not alike: the window differs"},
		{"window and numerator", figure(0, func(v *evidence.Value) {
			v.Window = said(evidence.Window{Rule: "another", Seconds: 10})
			v.Numerator = said(evidence.Term{Amount: 1, Unit: "input tokens"})
		}), "not alike: numerator and window differ"},
		{"a gap", figure(0, func(v *evidence.Value) { v.Population = evidence.NotStated[evidence.Population]("lost") }), "alike in what is stated; not stated: population"},
		{"a claim", figure(0, quoted), "not alike: a side is a quoted claim"},
		{"a claim with another window", figure(0, func(v *evidence.Value) { quoted(v); v.Window = said(evidence.Window{Rule: "another", Seconds: 10}) }),
			"not alike: a side is a quoted claim, and the window differs"},
		{"missing", func(r *evidence.Record) { r.Values = r.Values[1:] }, "missing on b"},
	}
	for _, tt := range tests {
		v := compare.Compare(record("a"), record("b", tt.change))
		if got := v.Figures[0].Words(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestRepeatsOfUnequalNumber: the median of an odd number of runs is one of them,
// that of an even number lies between two. They are medians all the same.
func TestRepeatsOfUnequalNumber(t *testing.T) {
	summary := func(numerator evidence.Term, n int64) func(*evidence.Record) {
		return func(r *evidence.Record) {
			r.Kind = evidence.RepeatsRecord
			figure(0, func(v *evidence.Value) {
				v.Numerator = said(numerator)
				v.Population = said(evidence.Population{Rule: "runs of one point", N: n})
			})(r)
		}
	}
	a := record("a", summary(evidence.Term{Amount: 3, Unit: "rank", What: "middle of 5 runs"}, 5))
	b := record("b", summary(evidence.Term{Amount: 200, Unit: "output tokens/s", What: "sum of the two middle runs"}, 6))
	if v := compare.Compare(a, b); !v.Figures[0].Comparable() {
		t.Errorf("got %q", v.Figures[0].Words())
	}
}
