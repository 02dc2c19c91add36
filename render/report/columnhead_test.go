package report

import (
	"testing"

	"benchline/ingest/evidence"
)

// A unit in a column's head is that of its numbers. Where quotations stand in
// the column, the head says that it is not theirs.
func TestHeadOfAColumnWithQuotations(t *testing.T) {
	record := func(slug string, a evidence.Amount) evidence.Record {
		v := evidence.UnstatedValue("ttft_p50", a, "rule", "nobody said")
		return evidence.Record{Slug: slug, Family: "f", Title: slug, Values: []evidence.Value{v}}
	}
	number := record("a", evidence.Amount{Kind: evidence.Exact, X: 0.25})
	quoted := record("b", evidence.Amount{Kind: evidence.Quoted, Text: "13.417 s"})
	few := record("c", evidence.Amount{Kind: evidence.TooFew, N: 1, Need: 20})
	for _, c := range []struct {
		name        string
		records     []evidence.Record
		label, want string
	}{
		{"numbers", []evidence.Record{number, few}, "TTFT", "ms"},
		{"numbers and a quotation", []evidence.Record{number, quoted}, "TTFT", "ms, or as quoted"},
		{"quotations and a gap", []evidence.Record{quoted, few}, "TTFT", "as quoted"},
		{"the label is the unit", []evidence.Record{number}, "MS", ""},
		{"the label is the unit, and a quotation", []evidence.Record{number, quoted}, "MS", "or as quoted"},
	} {
		var rs []*evidence.Record
		for i := range c.records {
			rs = append(rs, &c.records[i])
		}
		if got := headUnit(rs, "ttft_p50", c.label, "ms"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	s, err := NewSet([]evidence.Record{number, quoted})
	if err != nil {
		t.Fatal(err)
	}
	l := s.ListPage(0)
	if got, want := l.TTFT.Head(), l.TTFT.Label+", ms, or as quoted"; got != want {
		t.Errorf("list: got %q, want %q", got, want)
	}
	table, err := s.pointTable(s.members(s.families[0]))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := table.Cols[0].Head(), table.Cols[0].Label+", ms, or as quoted"; got != want {
		t.Errorf("points: got %q, want %q", got, want)
	}
}
