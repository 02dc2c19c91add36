package foreign_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
)

// sealed makes a record of a file beside an import.toml.
func sealed(t *testing.T, text string, change func(*foreign.Draft)) (evidence.Record, []adapter.Diagnostic, error) {
	t.Helper()
	dir := t.TempDir()
	for name, b := range map[string]string{"f.json": "{}", foreign.ImportName: text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := foreign.Open(adapter.Source{Unit: "imports/x/f.json", Dir: dir, Name: "f.json"})
	if err != nil {
		return evidence.Record{}, nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	d := foreign.NewDraft(f, "tool")
	change(d)
	if err := f.Finish(); err != nil {
		t.Fatal(err)
	}
	r, err := d.Seal(f, adapter.ID{Name: "tool", Version: 1}, "", "A title")
	return r.Record(), d.Diagnostics, err
}

func TestImportFillsGapsAndNothingElse(t *testing.T) {
	r, notes, err := sealed(t, `
who = "a lab"
class = "independent"
family = "lab"
publish = true
[source]
name = "A report"
licence = "CC0"
[subject]
model = "other model"
hardware = "one card"
accelerators = 2
[state]
cache = "cold"
[[fact]]
label = "power"
value = "300 W"
[files."f.json".subject]
hardware = "two cards"
`, func(d *foreign.Draft) { d.Record.Subject.Model = evidence.Stated("model", "file") })
	if err != nil {
		t.Fatal(err)
	}
	model, _ := r.Subject.Model.Get()
	hardware, _ := r.Subject.Hardware.Get()
	n, _ := r.Subject.Accelerators.Get()
	if model != "model" || hardware != "two cards" || n != 2 || r.Class != evidence.Independent || r.Family != "lab" || !r.State.Cache.Declared {
		t.Errorf("got %q, %q, %d, %s, %s, %+v", model, hardware, n, r.Class, r.Family, r.State.Cache)
	}
	if len(notes) != 1 || !strings.Contains(notes[0].Msg, "the file has model, import.toml says other model") {
		t.Errorf("the contradiction is not noted: %v", notes)
	}
	if s := r.Sources[0]; s.Name != "A report, run by a lab" || s.File != "f.json" || len(r.Files) != 1 || len(r.Facts) != 1 {
		t.Errorf("source %+v, files %v, facts %v", s, r.Files, r.Facts)
	}
}

func TestWithoutImportNothingIsSaid(t *testing.T) {
	r, notes, err := sealed(t, "", func(*foreign.Draft) {})
	if err != nil || len(notes) > 0 {
		t.Fatalf("%v, %v", notes, err)
	}
	if r.Class != evidence.Imported || r.Family != "x" || len(r.Files) > 0 || r.Sources[0].Licence.State() != evidence.StateNotStated {
		t.Errorf("got class %q, family %q, files %v", r.Class, r.Family, r.Files)
	}
}

func TestFaultyImportsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"who = 1":                             "line 1",
		"whom = \"x\"":                        "unknown keys: whom",
		"class = \"vendor-stated\"":           "a class needs who",
		"who = \"x\"\nclass = \"best\"":       "is none of",
		"[state]\ncache = \"hot\"":            "none of cold, warm",
		"[state]\ncache_share = 0.5":          "none of cold, warm",
		"[subject]\naccelerators = -1":        "less than zero",
		"[files.a.files.b]\nwho = \"x\"":      "do not stand within one another",
		"[files.a]\nclass = \"re-run\"":       `files."a": a class needs who`,
		"x = " + strings.Repeat("[", 100_000): "can't be used",
	} {
		if _, _, err := sealed(t, text, func(*foreign.Draft) {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %.200v, want %q", text, err, want)
		}
	}
}
