package render_test

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"benchline/ingest/evidence"
	"benchline/render"
)

// many makes n records from the complete fixtures: other slugs, other families
// of 30 points, other files.
func many(b *testing.B, n int) []evidence.Record {
	b.Helper()
	var base []evidence.Record
	for _, r := range fixtures(b) {
		if r.Family == "ladder" && !r.Void {
			base = append(base, r)
		}
	}
	out := make([]evidence.Record, 0, n)
	for i := range n {
		r := base[i%len(base)]
		r.Slug = fmt.Sprintf("synthetic-%05d", i)
		r.Family = fmt.Sprintf("family-%03d", i/30)
		r.Title = fmt.Sprintf("Synthetic record %d", i)
		r.Files = nil
		sealed, err := evidence.Seal(r)
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, sealed)
	}
	return out
}

// asTheCommand sets the collector as benchline build does.
func asTheCommand(b *testing.B) {
	percent, limit := debug.SetGCPercent(400), debug.SetMemoryLimit(512<<20)
	b.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}

// The target: 1,000 records from nothing in under 10 s.
func BenchmarkSiteCold1000(b *testing.B) {
	asTheCommand(b)
	records := many(b, 1000)
	in := input(b, nil)
	in.Records = records
	for b.Loop() {
		in.CacheDir = b.TempDir()
		r, err := render.Site(b.Context(), in, b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.Files), "files")
	}
}

// The target: one new record among 1,000 in under 1 s.
func BenchmarkSiteOneNew1000(b *testing.B) {
	asTheCommand(b)
	records := many(b, 1000+64)
	in := input(b, nil)
	in.Records = records[:1000]
	in.CacheDir = b.TempDir()
	out := b.TempDir()
	if _, err := render.Site(b.Context(), in, out); err != nil {
		b.Fatal(err)
	}
	n := 1000
	for b.Loop() {
		n++
		if n > len(records) {
			b.Skip("no more new records")
		}
		in.Records = records[:n]
		r, err := render.Site(b.Context(), in, out)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.Written), "files-written")
	}
}

// A page with an error class of 100,000 requests and five thousand records in a
// list stay small (case C39).
func TestLargeInputsStaySmall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a large site")
	}
	records := fixtures(t)
	var big evidence.Record
	for _, r := range records {
		if r.Family == "refused" {
			big = r
		}
	}
	big.Slug, big.Files = "big", nil
	big.Errors = nil
	for i := range 20 {
		big.Errors = append(big.Errors, evidence.ErrorClass{Outcome: "failed", Class: fmt.Sprintf("class %d", i), N: 5000, Example: strings.Repeat("x", 500)})
	}
	sealed, err := evidence.Seal(big)
	if err != nil {
		t.Fatal(err)
	}
	in := input(t, nil)
	in.Records = []evidence.Record{sealed}
	out := t.TempDir()
	site(t, in, out)
	if got, want := len(tree(t, out)["records/big.html"]), 1<<20; got > want {
		t.Errorf("got a page of %d bytes, want at most %d", got, want)
	}
}
