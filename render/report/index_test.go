package report

import (
	"testing"

	"benchline/ingest/evidence"
)

// A family whose records do not state how many requests had no outcome has no
// count of them; where some state it, the others are named beside it.
func TestFamilyUnresolved(t *testing.T) {
	gap := evidence.NotStated[int64]("the file does not say")
	two := evidence.Stated[int64](2, "the log")
	record := func(slug, family string, n evidence.Known[int64]) evidence.Record {
		r := evidence.Record{Slug: slug, Family: family, Title: slug}
		r.Outcomes.Unresolved = n
		return r
	}
	s, err := NewSet([]evidence.Record{record("a", "none", gap), record("b", "none", gap), record("c", "some", gap), record("d", "some", two), record("e", "all", two)})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Unresolved{"none": {Unstated: 2, Records: 2}, "some": {Count: 2, Unstated: 1, Records: 2}, "all": {Count: 2, Records: 1}}
	for _, e := range s.FamilyEntries("") {
		if got := e.Unresolved; got != want[e.Link.Text] || got.All() != (e.Link.Text == "none") {
			t.Errorf("family %s: got %+v, want %+v", e.Link.Text, got, want[e.Link.Text])
		}
	}
}

// Files of others that lay in one folder are no family that a recipe made.
func TestFamilyThatIsOnlyAFolder(t *testing.T) {
	file := evidence.Record{Class: evidence.Imported, Sources: []evidence.Source{{File: "a.json"}}}
	own, recovered := file, file
	own.Class = evidence.OwnRun
	recovered.Sources = []evidence.Source{{Name: "a report"}}
	for _, c := range []struct {
		name    string
		members []*evidence.Record
		want    bool
	}{
		{"samples/vllm", []*evidence.Record{&file, &file}, true},
		{"ladder", []*evidence.Record{&file, &file}, false}, // somebody named it
		{"samples/vllm", []*evidence.Record{&file, &own}, false},
		{"samples/vllm", []*evidence.Record{&recovered}, false},
	} {
		if got := onlyFolder(c.name, c.members); got != c.want {
			t.Errorf("%s of %d: got %v, want %v", c.name, len(c.members), got, c.want)
		}
	}
}
