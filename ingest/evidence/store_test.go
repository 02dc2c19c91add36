package evidence_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"benchline/ingest/evidence"
)

func unitOf(name string, rs ...evidence.Record) evidence.Unit {
	u := evidence.Unit{Name: name, Reader: "own 1", Inputs: []evidence.Input{{Name: "manifest.json", Bytes: 3, SHA256: strings.Repeat("cd", 32)}}}
	for _, r := range rs {
		u.Records = append(u.Records, evidence.Entry{ID: r.ID, Slug: r.Slug})
	}
	return u
}

func named(t *testing.T, family, slug string) evidence.Record {
	t.Helper()
	r := sample()
	r.Family, r.Slug = family, slug
	return seal(t, r)
}

func put(t *testing.T, s evidence.Store, u evidence.Unit, rs ...evidence.Record) string {
	t.Helper()
	name, err := s.Put(u, sealed(t, rs...))
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func sealed(t *testing.T, rs ...evidence.Record) []evidence.Sealed {
	t.Helper()
	var out []evidence.Sealed
	for _, r := range rs {
		s, err := evidence.SealLine(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func TestStoreKeepsWhatWasPut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "evidence")
	s := evidence.NewStore(dir)
	if units, damage, err := s.Units(); err != nil || units != nil || damage != nil {
		t.Errorf("a store that is not there has %v, %v, %v", units, damage, err)
	}
	b1, a2, a1 := named(t, "b", "x-1"), named(t, "a", "x-3"), named(t, "a", "x-2")
	u := unitOf("logs/b", b1)
	u.Diagnostics = []evidence.Diagnostic{{File: "f", Row: 3, Msg: "odd"}}
	name := put(t, s, u, b1)
	put(t, s, unitOf("logs/a", a2, a1), a2, a1)
	if again := put(t, s, u, b1); again != name {
		t.Errorf("the same unit got another name: %s, then %s", name, again)
	}
	got, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	if want := []evidence.Record{a1, a2, b1}; !reflect.DeepEqual(got, want) {
		t.Errorf("loaded %d records, not the three put, sorted", len(got))
	}
	units, damage, err := s.Units()
	if err != nil || len(damage) > 0 || len(units) != 2 {
		t.Fatalf("units %v, damage %v, %v", units, damage, err)
	}
	if units[0].Name != "logs/a" || !units[1].SameSource(u) || units[1].File != name || !reflect.DeepEqual(units[1].Diagnostics, u.Diagnostics) {
		t.Errorf("the units read back are %+v", units)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("the folder has %d entries (%v), want 2", len(entries), err)
	}
}

func TestStoreNoticesTouchedFiles(t *testing.T) {
	dir := t.TempDir()
	s := evidence.NewStore(dir)
	r := named(t, "a", "x")
	name := filepath.Join(dir, put(t, s, unitOf("logs/x", r), r))
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{"number": strings.Replace(string(b), `"x":144`, `"x":145`, 1), "cut": string(b[:len(b)-20])} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Load(); err == nil || !strings.Contains(err.Error(), "was changed") {
			t.Errorf("%s: got %v, want it to say that the file was changed", what, err)
		}
	}
	if err := os.WriteFile(name, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, damage, err := s.Units(); err != nil || len(damage) != 1 || damage[0].File != filepath.Base(name) {
		t.Errorf("damage %v, %v", damage, err)
	}
}

func TestStoreSetsAside(t *testing.T) {
	s := evidence.NewStore(t.TempDir())
	r := named(t, "a", "x")
	put(t, s, unitOf("logs/x", r), r)
	find := func(aside bool) evidence.Stored {
		t.Helper()
		units, _, err := s.Units()
		if err != nil || len(units) != 1 || units[0].Aside != aside {
			t.Fatalf("units %+v, %v, want one with aside = %t", units, err, aside)
		}
		return units[0]
	}
	if _, err := s.SetAside(find(false)); err != nil {
		t.Fatal(err)
	}
	u := find(true)
	if got, err := s.Load(); err != nil || len(got) != 0 {
		t.Errorf("what was set aside was loaded: %v, %v", got, err)
	}
	if _, err := s.Restore(u); err != nil {
		t.Fatal(err)
	}
	u = find(false)
	if got, err := s.Load(); err != nil || len(got) != 1 {
		t.Errorf("what was restored was not loaded: %v, %v", got, err)
	}
	if err := s.Remove(u.File); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Load(); err != nil || len(got) != 0 {
		t.Errorf("what was removed was loaded: %v, %v", got, err)
	}
}

func TestStoreRefuses(t *testing.T) {
	s := evidence.NewStore(t.TempDir())
	r := named(t, "a", "x")
	other := named(t, "a", "y")
	unsealed := sample()
	for name, c := range map[string]struct {
		unit    evidence.Unit
		records []evidence.Sealed
	}{
		"no name":      {evidence.Unit{Reader: "own 1", Records: unitOf("u", r).Records, Inputs: unitOf("u").Inputs}, sealed(t, r)},
		"no inputs":    {evidence.Unit{Name: "u", Reader: "own 1", Records: unitOf("u", r).Records}, sealed(t, r)},
		"other record": {unitOf("u", other), sealed(t, r)},
		"fewer":        {unitOf("u", r, other), sealed(t, r)},
		"not sealed":   {unitOf("u", unsealed), make([]evidence.Sealed, 1)},
	} {
		if _, err := s.Put(c.unit, c.records); err == nil {
			t.Errorf("%s: stored", name)
		}
	}
	put(t, s, unitOf("logs/x", r), r)
	put(t, s, unitOf("logs/y", r), r)
	if _, err := s.Load(); err == nil || !strings.Contains(err.Error(), "named x") {
		t.Errorf("two records with one slug: %v", err)
	}
}

func TestDiagnosticString(t *testing.T) {
	for _, c := range []struct {
		d    evidence.Diagnostic
		want string
	}{
		{evidence.Diagnostic{File: "f", Line: 12, Msg: "odd", Hint: "look"}, "f:12: odd (look)"},
		{evidence.Diagnostic{File: "f", Row: 3, Msg: "odd"}, "f, row 3: odd"},
		{evidence.Diagnostic{File: "f", Msg: "odd"}, "f: odd"},
	} {
		if got := c.d.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
