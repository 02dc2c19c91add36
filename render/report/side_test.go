package report

import (
	"slices"
	"strings"
	"testing"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// sideSet has two records of one family, one of another class, and one whose
// figure was made by another rule.
func sideSet(t *testing.T) *Set {
	t.Helper()
	value := func(x float64, rule string, limits ...evidence.Limit) evidence.Value {
		return evidence.Value{Metric: "ttft_p50", Amount: evidence.Amount{Kind: evidence.Exact, X: x}, Rule: rule, Limits: limits}
	}
	record := func(slug, family string, class evidence.Class, v evidence.Value, limits ...evidence.Limit) evidence.Record {
		return evidence.Record{Slug: slug, Title: slug, Family: family, Class: class, Kind: evidence.RunRecord, Values: []evidence.Value{v}, Limits: limits}
	}
	s, err := NewSet([]evidence.Record{
		record("a", "f", evidence.OwnRun, value(0.1, "r", evidence.Limit{Code: evidence.DurationNotStated})),
		record("b", "f", evidence.OwnRun, value(0.2, "r", evidence.Limit{Code: evidence.DurationNotStated}), evidence.Limit{Code: evidence.SimulatedEndpoint, Where: "record"}),
		record("c", "g", evidence.DerivedClass, value(12, "r")),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSide(t *testing.T) {
	s := sideSet(t)
	table, err := s.Side([]string{"a", "b", "c"}, []measure.MetricID{"ttft_p50"}, "../../")
	if err != nil {
		t.Fatal(err)
	}
	var cells []string
	for _, r := range table.Rows {
		c := r.Cells[0]
		if c.Apart {
			cells = append(cells, c.Text)
			continue
		}
		cells = append(cells, c.Fig.Text+" "+c.Fig.Href)
	}
	want := []string{"0.100 ../../records/a.html#fig-ttft-p50", "0.200 ../../records/b.html#fig-ttft-p50", "not beside a: evidence class"}
	if !slices.Equal(cells, want) {
		t.Errorf("got %q, want %q", cells, want)
	}
	says := strings.Join(table.Says, "\n")
	for _, want := range []string{"More than one thing differs between records of the family f here, or is not stated", "a and c: Not comparable: the evidence class differs."} {
		if !strings.Contains(says, want) {
			t.Errorf("got %q, want it to say %q", says, want)
		}
	}
	if got := table.Refs(); !slices.Equal(got, []Ref{{"a", "ttft_p50"}, {"b", "ttft_p50"}}) {
		t.Errorf("got %v: what is not shown has no notes", got)
	}
}

// TestFootnotes: one number a code over all records of a page, the strongest
// first; each note names the figures that it is about.
func TestFootnotes(t *testing.T) {
	s := sideSet(t)
	a, b := Ref{"a", "ttft_p50"}, Ref{"b", "ttft_p50"}
	f, err := s.Footnotes([]Ref{a, b, a, {"nobody", "ttft_p50"}, {"c", "goodput"}}, "../")
	if err != nil {
		t.Fatal(err)
	}
	numbers := func(ref Ref) []int {
		var out []int
		for _, m := range f.Marks(ref) {
			if !strings.HasPrefix(m.Href, "#note.") {
				t.Errorf("mark leads to %q", m.Href)
			}
			out = append(out, m.N)
		}
		return out
	}
	var ids, about []string
	severity := evidence.Codes()[0].Severity
	for _, g := range f.Groups() {
		for _, n := range g.Notes {
			if n.Severity < severity {
				t.Errorf("%s stands behind a weaker note", n.Code)
			}
			severity = n.Severity
			ids = append(ids, n.ID)
			for _, says := range n.Says {
				for _, target := range says.About {
					about = append(about, string(n.Code)+" "+target.Label+" "+target.Href)
				}
			}
		}
	}
	if !slices.Equal(ids, []string{"note.1", "note.2"}) {
		t.Errorf("got notes %q", ids)
	}
	if len(numbers(a)) != 1 || len(numbers(b)) != 2 || !slices.Contains(numbers(b), numbers(a)[0]) {
		t.Errorf("got marks %v and %v", numbers(a), numbers(b))
	}
	slices.Sort(about)
	want := []string{"duration-not-stated a, TTFT p50 ../records/a.html#fig-ttft-p50", "duration-not-stated b, TTFT p50 ../records/b.html#fig-ttft-p50", "simulated b, TTFT p50 ../records/b.html#fig-ttft-p50"}
	if !slices.Equal(about, want) {
		t.Errorf("got %q, want %q", about, want)
	}
	if got := f.Marks(Ref{"nobody", "ttft_p50"}); len(got) > 0 {
		t.Errorf("a figure that is not there has marks %v", got)
	}
}
