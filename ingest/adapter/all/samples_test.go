package all_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/all"
)

// claims are the adapters that claim a file.
func claims(t *testing.T, r adapter.Registry, s adapter.Source) []string {
	t.Helper()
	prefix, err := s.Prefix()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range r.All() {
		if a.Sniff(prefix, s.Name).Is {
			names = append(names, a.ID().Name)
		}
	}
	return names
}

// TestOneClaim: no file, of our samples and of the shared ones, is claimed by
// two adapters.
func TestOneClaim(t *testing.T) {
	r, err := all.Registry()
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{"../../../testdata/foreign", "../../../../shared/samples", "../../../../shared/corpus", "../../../../shared/cases"} {
		if _, err := os.Stat(root); err != nil {
			t.Logf("%s is not here", root)
			continue
		}
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			s := adapter.Source{Unit: file, Dir: filepath.Dir(file), Name: d.Name()}
			if names := claims(t, r, s); len(names) > 1 {
				t.Errorf("%s is claimed by %s", file, strings.Join(names, " and "))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestEverySampleIsRead: whatever lies in testdata/foreign is some adapter's,
// but for notes and mappings.
func TestEverySampleIsRead(t *testing.T) {
	r, err := all.Registry()
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir("../../../testdata/foreign", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "README.md" || d.Name() == "import.toml" {
			return err
		}
		s := adapter.Source{Unit: file, Dir: filepath.Dir(file), Name: d.Name()}
		if _, err := r.PickSource(s); err != nil {
			t.Errorf("%s: %.100v", file, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
