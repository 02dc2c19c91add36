package all_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/all"
	"benchline/ingest/evidence"
)

// TestDressedSamples: a byte order mark, line ends of Windows and log lines in
// front change nothing of what is read. Each sample, of every format, is tried.
func TestDressedSamples(t *testing.T) {
	r, err := all.Registry()
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir("../../../testdata/foreign", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "README.md" || d.Name() == "import.toml" {
			return err
		}
		plain, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		want, _ := figures(t, r, file, plain)
		if want == "" { // refused as a summary beside runs, or a log that is read with another
			return nil
		}
		dresses := map[string][]byte{
			"BOM":   append([]byte("\ufeff"), bytes.TrimPrefix(plain, []byte("\ufeff"))...),
			"CR LF": bytes.ReplaceAll(bytes.ReplaceAll(plain, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n")),
		}
		if strings.Contains(d.Name(), ".json") {
			dresses["log lines"] = append([]byte("INFO 05-01 10:00:00 starting\n[2026-05-01 10:00:01] ready\n"), bytes.TrimPrefix(plain, []byte("\ufeff"))...)
		}
		for name, b := range dresses {
			if got, err := figures(t, r, file, b); err != nil || got != want {
				t.Errorf("%s with %s: %v, or other figures", file, name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// figures reads some bytes as if they were a sample's file, and returns its
// outcomes and values as JSON, without the lines where they stand.
func figures(t *testing.T, r adapter.Registry, file string, b []byte) (string, error) {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Base(file)
	beside, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range beside {
		if other, err := os.ReadFile(filepath.Join(filepath.Dir(file), e.Name())); err == nil {
			if err := os.WriteFile(filepath.Join(dir, e.Name()), other, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
		t.Fatal(err)
	}
	s := adapter.Source{Unit: "imports/" + name, Dir: dir, Name: name}
	a, err := r.PickSource(s)
	if err != nil {
		return "", err
	}
	var out []string
	_, err = a.Read(t.Context(), s, func(sealed evidence.Sealed) error {
		rec := sealed.Record()
		values, err := json.Marshal(rec.Values)
		if err != nil {
			return err
		}
		outcomes, err := json.Marshal(rec.Outcomes)
		out = append(out, string(values)+string(outcomes))
		return err
	})
	if err != nil {
		return "", err
	}
	slices.Sort(out)
	return strings.Join(out, "\n"), nil
}
