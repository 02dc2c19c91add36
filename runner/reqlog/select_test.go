package reqlog

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSelect holds the selection against a sort, on values with and without
// many equals.
func TestSelect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 3), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 0}))
		v := rapid.SliceOfN(value, 1, 3000).Draw(t, "values")
		q := rapid.SliceOfN(rapid.IntRange(1, 1000), 0, 5).Draw(t, "per mille")
		sorted := slices.Sorted(slices.Values(v))
		got := nearestRanks(v, q)
		for i, p := range q {
			if want := sorted[(len(sorted)*p+999)/1000-1]; got[i] != want {
				t.Fatalf("q %d of %d: got %d, want %d", p, len(v), got[i], want)
			}
		}
		if !slices.Equal(slices.Sorted(slices.Values(v)), sorted) {
			t.Fatal("the values are not the same afterwards")
		}
	})
}

func TestSelectOrders(t *testing.T) {
	const n = 100_000
	shapes := map[string]func(i int) int64{
		"rising":    func(i int) int64 { return int64(i) },
		"falling":   func(i int) int64 { return int64(-i) },
		"equal":     func(int) int64 { return 7 },
		"two":       func(i int) int64 { return int64(i % 2) },
		"organ":     func(i int) int64 { return int64(min(i, n-i)) },
		"sawtooth":  func(i int) int64 { return int64(i % 1000) },
		"alternate": func(i int) int64 { return int64(i * (1 - 2*(i%2))) },
	}
	for name, at := range shapes {
		t.Run(name, func(t *testing.T) {
			v := make([]int64, n)
			for i := range v {
				v[i] = at(i)
			}
			sorted := slices.Sorted(slices.Values(v))
			got := nearestRanks(v, []int{500, 950, 990, 1000, 1})
			want := []int64{sorted[n/2-1], sorted[n*95/100-1], sorted[n*99/100-1], sorted[n-1], sorted[n/1000-1]}
			if !slices.Equal(got, want) {
				t.Errorf("got %d, want %d", got, want)
			}
		})
	}
}
