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
