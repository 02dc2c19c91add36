package foreigntest

import (
	"os"
	"path/filepath"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// Fuzz feeds an adapter whatever the fuzzer thinks of, beginning with the
// samples: it must not panic, and what it yields must be a valid record that is
// the same at a second reading.
func Fuzz(f *testing.F, a adapter.Adapter, name string, samples ...adapter.Source) {
	FuzzBeside(f, a, name, nil, samples...)
}

// FuzzBeside is [Fuzz] with other files beside the one that changes.
func FuzzBeside(f *testing.F, a adapter.Adapter, name string, beside map[string][]byte, samples ...adapter.Source) {
	for _, s := range samples {
		b, err := os.ReadFile(s.FilePath())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	dir := f.TempDir()
	for other, b := range beside {
		if err := os.WriteFile(filepath.Join(dir, other), b, 0o644); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if a.Sniff(b[:min(len(b), adapter.SniffLen)], name).Want == "" {
			t.Error("it does not say what it looks for")
		}
		s := adapter.Source{Unit: "imports/" + name, Dir: dir, Name: name}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
		twice(t, a, s)
	})
}

// twice reads a source two times.
func twice(t *testing.T, a adapter.Adapter, s adapter.Source) {
	t.Helper()
	first, _, err := Try(t, a, s)
	if err != nil {
		return
	}
	second, _, err := Try(t, a, s)
	if err != nil || len(second) != len(first) {
		t.Fatalf("the second reading gives %d records, %v; the first gave %d", len(second), err, len(first))
	}
	for i, r := range first {
		if err := evidence.Validate(r); err != nil {
			t.Error(err)
		}
		if second[i].ID != r.ID {
			t.Errorf("record %s changes from reading to reading", r.Slug)
		}
	}
}
