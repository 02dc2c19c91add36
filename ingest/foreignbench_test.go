//go:build unix

package ingest_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"benchline/ingest"
	"benchline/ingest/adapter/all"
)

// BenchmarkIngestForeign takes a folder of mixed files into an empty site, and
// then looks again at what has not changed. Processor time is the measure: it
// holds on a machine that has other work too.
func BenchmarkIngestForeign(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 50_000} {
		b.Run(fmt.Sprintf("files=%d", n), func(b *testing.B) {
			given := filepath.Join(b.TempDir(), "given")
			files := many(b, given, n)
			r, err := all.Registry()
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				dir := filepath.Join(b.TempDir(), "site")
				if err := os.MkdirAll(dir, 0o755); err != nil {
					b.Fatal(err)
				}
				o := ingest.Options{Registry: r, CacheDir: filepath.Join(dir, ".cache")}
				b.StartTimer()
				again(b, "first", files, dir, []string{given}, o)
				again(b, "again", files, dir, nil, o)
			}
		})
	}
}

// BenchmarkIngestLarge takes one file of 500 MB with the rows of many requests
// into an empty site.
func BenchmarkIngestLarge(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(large())) {
		b.Run(name, func(b *testing.B) {
			const size = 500 << 20
			given := filepath.Join(b.TempDir(), name)
			writeLarge(b, name, given, size)
			r, err := all.Registry()
			if err != nil {
				b.Fatal(err)
			}
			runtime.GC()
			for b.Loop() {
				dir := b.TempDir()
				again(b, "whole", 1, dir, []string{given}, ingest.Options{Registry: r})
			}
		})
	}
}

// again ingests and reports processor time, time passed, and the most memory
// that was in use.
func again(b *testing.B, name string, files int, dir string, paths []string, o ingest.Options) {
	b.Helper()
	debug.SetGCPercent(400) // as the command does
	debug.SetMemoryLimit(512 << 20)
	forgetPeak()
	cpu, from := processorTime(b), time.Now()
	report, err := ingest.Site(b.Context(), dir, paths, o)
	if err != nil {
		b.Fatal(err)
	}
	per := float64(files) * 1000
	b.ReportMetric(float64(processorTime(b)-cpu)/per, "cpu-µs/file-"+name)
	b.ReportMetric(float64(time.Since(from))/per, "µs/file-"+name)
	b.ReportMetric(peakMiB(b), "peak-MiB-"+name)
	b.Logf("%s: %d files: %d read, %d unchanged, %d refused, %d notes, %d records", name, files, report.Read, report.Unchanged, len(report.Refused), len(report.Notes), report.Records)
	for _, r := range report.Refused[:min(3, len(report.Refused))] {
		b.Log(r)
	}
	for _, r := range report.Notes[:min(3, len(report.Notes))] {
		b.Log(r)
	}
}

// processorTime is what the process has used, of all cores and of the kernel.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMiB is the most memory that the process has had since forgetPeak; where the
// system does not say, what the Go runtime has taken in all.
func peakMiB(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		for line := range strings.Lines(string(status)) {
			var kib float64
			if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kib); n == 1 {
				return kib / 1024
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.Sys) / (1 << 20)
}

// forgetPeak has the system begin anew; where it can't, peaks are of the whole
// process.
func forgetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // best effort
}
