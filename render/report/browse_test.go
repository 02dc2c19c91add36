package report_test

import (
	"fmt"
	"strings"
	"testing"

	"benchline/ingest/evidence"
	"benchline/render/report"
)

// small makes n records of little that differ in what the lists go by. They are
// not sealed: the lists do not look.
func small(t *testing.T, n int, change func(i int, r *evidence.Record)) *report.Set {
	t.Helper()
	records := make([]evidence.Record, n)
	for i := range records {
		slug := fmt.Sprintf("record-%04d", i)
		records[i] = evidence.Record{Slug: slug, Title: "Title of " + slug, Class: evidence.OwnRun, Kind: evidence.RunRecord, Family: "f"}
		change(i, &records[i])
	}
	s, err := report.NewSet(records)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFacetsCountEachRecordOnce(t *testing.T) {
	models := []string{"m-2", "m-10", "", "M \x01 odd / name"}
	s := small(t, 8, func(i int, r *evidence.Record) {
		r.Subject.Model = evidence.NotStated[string]("the source does not say")
		if m := models[i%4]; m != "" {
			r.Subject.Model = evidence.Stated(m, "here")
		}
		r.Subject.Started = evidence.Stated([]string{"2026-11-29T17:23:00Z", "last Monday"}[i%2], "here")
	})
	facets, err := s.Facets()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facets {
		sum := 0
		stems := map[string]bool{}
		for _, n := range f.Names {
			sum += n.Records
			if stems[n.Stem] {
				t.Errorf("%s: two names have the page %s", f.Kind, n.Stem)
			}
			stems[n.Stem] = true
			if !n.Gap && !evidence.IsSlug(n.Stem) {
				t.Errorf("%s: %q is no address", f.Kind, n.Stem)
			}
		}
		if sum != s.Len() {
			t.Errorf("%s: its names have %d records, the set %d", f.Kind, sum, s.Len())
		}
	}
	model := facets[0]
	if len(model.Names) != 4 || model.Names[1].Name != "m-2" && model.Names[0].Name != "m-2" || !model.Names[3].Gap || model.Names[3].Records != 2 {
		t.Errorf("models: got %+v", model.Names)
	}
	date := facets[3]
	if len(date.Names) != 2 || date.Names[0].Name != "2026-11" || !date.Names[1].Gap {
		t.Errorf("a date that is no moment must not become a month: got %+v", date.Names)
	}
}

func TestFacetPages(t *testing.T) {
	n := report.FacetRows + 3
	s := small(t, n, func(int, *evidence.Record) {})
	facets, err := s.Facets()
	if err != nil {
		t.Fatal(err)
	}
	class := facets[4].Names[0]
	if class.Pages() != 2 || len(s.FacetEntries(class, 0).Entries) != report.FacetRows || len(s.FacetEntries(class, 1).Entries) != 3 || len(s.FacetIDs(class, 1)) != 3 {
		t.Errorf("got %d pages with %d and %d records", class.Pages(), len(s.FacetEntries(class, 0).Entries), len(s.FacetEntries(class, 1).Entries))
	}
	s = small(t, report.GapRows+3, func(int, *evidence.Record) {})
	if s.GapPages() != 2 || len(s.GapPage(1)) != 3 || len(s.ListedIn(1, report.GapRows)) != 3 {
		t.Errorf("the list of gaps: got %d pages, the last with %d", s.GapPages(), len(s.GapPage(1)))
	}
}

// What the page of gaps counts is what the pages of the records list, no more
// and no less.
func TestUnknownsAgreeWithTheRecords(t *testing.T) {
	s := small(t, 30, func(i int, r *evidence.Record) {
		if i%3 == 0 {
			r.Subject.ModelRevision = evidence.NotStated[string](fmt.Sprintf("reason %d", i))
		} else {
			r.Subject.ModelRevision = evidence.Stated("r1", "here")
		}
	})
	want := map[string]int{}
	for _, slug := range s.Slugs() {
		r, err := s.Record(slug)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range r.Gaps {
			want[g.Label]++
		}
	}
	got := s.Unknowns()
	if len(got) != len(want) {
		t.Errorf("got %d gaps, want %d", len(got), len(want))
	}
	for _, u := range got {
		if u.Records != want[u.Label] || u.Records != len(u.Some)+u.Rest {
			t.Errorf("%s: got %d records (%d linked, %d not), want %d", u.Label, u.Records, len(u.Some), u.Rest, want[u.Label])
		}
		if u.Label == "model revision" && (u.Records != 10 || len(u.Reasons)+u.More != 10 || u.More == 0) {
			t.Errorf("model revision: got %+v", u)
		}
	}
	rows := s.GapPage(0)
	for _, row := range rows {
		if row.N == 0 && row.Labels != "" || row.N > 0 && strings.Count(row.Labels, " · ")+1 != row.N {
			t.Errorf("%s: %d gaps, but %q", row.Link.Text, row.N, row.Labels)
		}
	}
}

func TestRegister(t *testing.T) {
	source := func(name, supports string) evidence.Source {
		return evidence.Source{Name: name, Supports: supports, Published: evidence.NotStated[string]("no date in it"),
			Reviewed: evidence.Stated("2026-11-29", "here"), Licence: evidence.NotStated[string]("none named"), Adapter: "test/1"}
	}
	s := small(t, 20, func(i int, r *evidence.Record) {
		r.Sources = []evidence.Source{source("report 10", fmt.Sprintf("part; %d", i%2)), source("report 10", "another part"), source("report 9", "")}
	})
	got := s.Register()
	if len(got) != 2 || got[0].Source.Name != "report 9" {
		t.Fatalf("got %+v", got)
	}
	e := got[1]
	if e.Records != 20 || len(e.Some)+e.Rest != 20 || e.Source.Supports != "part; 0; another part; part; 1" {
		t.Errorf("got %d records (%d linked, %d not) and %q", e.Records, len(e.Some), e.Rest, e.Source.Supports)
	}
}
