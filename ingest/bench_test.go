package ingest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"benchline/ingest"
	"benchline/ingest/adapter/all"
	"benchline/ingest/adapter/own/owntest"
)

// benchRuns is how many runs the benchmarks' site has.
const benchRuns = 200

func benchSite(b *testing.B) (string, ingest.Options) {
	b.Helper()
	dir := b.TempDir()
	for i := range benchRuns {
		owntest.Write(b, filepath.Join(dir, "logs"), owntest.Run{ID: fmt.Sprintf("r-%d", i), Completed: 80})
	}
	r, err := all.Registry()
	if err != nil {
		b.Fatal(err)
	}
	return dir, ingest.Options{Registry: r, CacheDir: filepath.Join(dir, ".cache")}
}

func site(b *testing.B, dir string, o ingest.Options) {
	b.Helper()
	if r, err := ingest.Site(b.Context(), dir, nil, o); err != nil || r.Records != benchRuns {
		b.Fatal(r, err)
	}
}

func BenchmarkIngestAll(b *testing.B) {
	dir, o := benchSite(b)
	for b.Loop() {
		b.StopTimer()
		if err := os.RemoveAll(filepath.Join(dir, "evidence")); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		site(b, dir, o)
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/benchRuns, "ms/run")
}

func BenchmarkIngestUnchanged(b *testing.B) {
	dir, o := benchSite(b)
	site(b, dir, o)
	b.ResetTimer()
	for b.Loop() {
		site(b, dir, o)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/benchRuns, "µs/run")
}

func BenchmarkRecords(b *testing.B) {
	dir, o := benchSite(b)
	site(b, dir, o)
	b.ResetTimer()
	for b.Loop() {
		if _, err := ingest.Records(dir); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/benchRuns, "µs/record")
}
