package summarize

import (
	"testing"

	"benchline/runner/reqlog"
)

// BenchmarkRun summarizes 100,000 requests of 16 chunks each.
func BenchmarkRun(b *testing.B) {
	const n = 100_000
	rows := make([]reqlog.Row, n)
	gaps := make([]int64, 16)
	for i := range gaps {
		gaps[i] = int64(19+i%3) * ms
	}
	for i := range rows {
		at := int64(i) * 7919 % 60_000
		rows[i] = done(int64(i), at, at, at+int64(i)*31%400+20, at+int64(i)*17%900+500, 17)
		rows[i].ChunkGapsNS = gaps
	}
	m := manifest(rows, openPoint(2000), 0, 60_000, 62_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fromSpec(stream(rows), m, testSpec(), ""); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
