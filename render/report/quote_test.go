package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchline/ingest/evidence"
)

// The sentence of every figure of the fixtures holds value, unit, numerator,
// denominator, window, population, cache, outcomes, class and content ID; its
// notes are the figure's limits.
func TestQuoteLeavesNothingOut(t *testing.T) {
	names, err := filepath.Glob("../../testdata/evidence/*.jsonl")
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	var records []evidence.Record
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range evidence.Decode(name, bytes.NewReader(b)) {
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, r)
		}
	}
	s, err := NewSet(records)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.records {
		r := &s.records[i]
		n, err := s.notesOf(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range r.Values {
			h := s.headline(r, v, n, outcomesOf(r))
			q := h.Quote.Sentence
			must := []string{h.Label, h.Text, h.Cache.Text, h.Outcomes.Completed.Text, h.Outcomes.Unresolved.Text, string(r.Class), r.Slug, r.ID.String()}
			if h.Value != "" {
				must = append(must, h.Unit)
			}
			for _, x := range h.Sentence {
				if x.Part != "" {
					must = append(must, x.Text)
				}
			}
			for _, want := range must {
				if !strings.Contains(q, want) {
					t.Errorf("%s, %s: no %q in %q", r.Slug, v.Metric, want, q)
				}
			}
			if r.Class == evidence.Simulated && !strings.Contains(q, "describes no real system") {
				t.Errorf("%s, %s: does not say simulated: %q", r.Slug, v.Metric, q)
			}
			if len(h.Quote.Notes) < len(v.Limits) {
				t.Errorf("%s, %s: %d notes for %d limits", r.Slug, v.Metric, len(h.Quote.Notes), len(v.Limits))
			}
			if want := "records/" + r.Slug + ".html#" + Anchor(v.Metric); h.Quote.Place != want {
				t.Errorf("got %q, want %q", h.Quote.Place, want)
			}
		}
	}
}

// A limit that the figure and its record both have is said once; the same code
// with another sentence is another limit.
func TestQuoteSaysALimitOnce(t *testing.T) {
	limit := func(what string) evidence.Limit {
		return evidence.Limit{Code: evidence.OutcomesNotStated, Args: []string{what}, Where: "record"}
	}
	v := evidence.Value{Limits: []evidence.Limit{limit("failed")}}
	notes := (&Set{}).quotedNotes(&evidence.Record{Limits: []evidence.Limit{limit("failed"), limit("timed out")}}, v)
	if len(notes) != 2 || !strings.Contains(notes[0], "failed") || !strings.Contains(notes[1], "timed out") {
		t.Errorf("got %q, want each once", notes)
	}
}
