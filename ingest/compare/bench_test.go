package compare_test

import (
	"testing"

	"benchline/ingest/compare"
)

// BenchmarkCompare is one verdict: a load curve asks for one a pair.
func BenchmarkCompare(b *testing.B) {
	x, y := record("a"), record("b", wide)
	b.ReportAllocs()
	for b.Loop() {
		if v := compare.Compare(x, y); v.Kind != compare.Controlled {
			b.Fatal(v.Sentence)
		}
	}
}
