package adapter_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"benchline/ingest/adapter"
)

// picky is chosen for sources of a name, or fails.
type picky struct {
	fake
	name string
	err  error
}

func (p picky) Chosen(s adapter.Source) (bool, error) { return s.Name == p.name, p.err }

func TestPickSource(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.csv", "b.csv", "c.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x,y\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	source := func(name string) adapter.Source { return adapter.Source{Unit: name, Dir: dir, Name: name} }
	claims := fake{"claims", "x"}
	r, err := adapter.NewRegistry(claims, picky{fake{"table", "?"}, "a.csv", nil}, picky{fake{"other", "?"}, "c.csv", nil}, picky{fake{"third", "?"}, "c.csv", nil})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := r.PickSource(source("a.csv")); err != nil || a.ID().Name != "table" {
		t.Errorf("a chosen one: got %v, %v", a, err)
	}
	if a, err := r.PickSource(source("b.csv")); err != nil || a.ID().Name != "claims" {
		t.Errorf("by content: got %v, %v", a, err)
	}
	if _, err := r.PickSource(source("c.csv")); err == nil || err.Error() != "the format is ambiguous: other and third both claim it" {
		t.Errorf("two that are chosen: got %v", err)
	}
	if _, err := r.PickSource(source("missing.csv")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: got %v", err)
	}
	broken := errors.New("broken")
	r, err = adapter.NewRegistry(claims, picky{fake{"table", "?"}, "a.csv", broken})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.PickSource(source("b.csv")); !errors.Is(err, broken) {
		t.Errorf("words that can't be read: got %v", err)
	}
}
