package all_test

import (
	"io/fs"
	"path/filepath"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/all"
	"benchline/ingest/evidence"
)

// BenchmarkForeign reads each of our small samples once an iteration: picking,
// reading, sealing and encoding.
func BenchmarkForeign(b *testing.B) {
	r, err := all.Registry()
	if err != nil {
		b.Fatal(err)
	}
	err = filepath.WalkDir("../../../testdata/foreign", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "README.md" || d.Name() == "import.toml" {
			return err
		}
		s := adapter.Source{Unit: "imports/" + d.Name(), Dir: filepath.Dir(file), Name: d.Name()}
		rel, err := filepath.Rel("../../../testdata/foreign", file)
		if err != nil {
			return err
		}
		b.Run(rel, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a, err := r.PickSource(s)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := a.Read(b.Context(), s, func(evidence.Sealed) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
