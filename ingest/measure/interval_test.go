package measure_test

import (
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/measure"
)

func TestInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, length := rapid.Int64Range(-1e15, 1e15).Draw(t, "from"), rapid.Int64Range(1, 1e15).Draw(t, "length")
		rule := rapid.SampledFrom(measure.WindowRules()).Draw(t, "rule")
		i, err := measure.NewInterval(from, from+length, rule)
		if err != nil {
			t.Fatal(err)
		}
		if i.FromNS() != from || i.ToNS() != from+length || i.Rule() != rule || !i.IsValid() {
			t.Fatalf("got %v", i)
		}
		if got, want := i.Seconds(), float64(length)/1e9; got != want {
			t.Fatalf("got %v s, want %v", got, want)
		}
		at := rapid.Int64Range(from-10, from+length+10).Draw(t, "at")
		if got, want := i.Contains(at), at >= from && at <= from+length; got != want {
			t.Fatalf("%v contains %d: got %v", i, at, got)
		}
	})
}

func TestIntervalText(t *testing.T) {
	i, err := measure.NewInterval(1_000_000_000, 25_118_000_000, measure.SteadyWindow)
	if err != nil {
		t.Fatal(err)
	}
	if got := i.String(); got != "24.12 s (steady window)" {
		t.Errorf("got %q", got)
	}
}

// TestUnits: every unit has its own words, so that no two rates read alike.
func TestUnits(t *testing.T) {
	words := []string{
		measure.Count[measure.OutputTokens]{}.Unit(), measure.Count[measure.InputTokens]{}.Unit(), measure.Count[measure.AllTokens]{}.Unit(),
		measure.Count[measure.Requests]{}.Unit(), measure.Count[measure.GoodRequests]{}.Unit(),
	}
	seen := map[string]bool{}
	for _, w := range words {
		if w == "" || seen[w] {
			t.Errorf("unit %q stands twice or is empty", w)
		}
		seen[w] = true
	}
}
