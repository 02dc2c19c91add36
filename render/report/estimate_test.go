package report

import (
	"strings"
	"testing"

	"benchline/ingest/evidence"
)

// An estimate stands in the sentence with its assumption, and in a row of its own
// in the table, never in the place of the amount.
func TestEstimateStandsBesideTheAmount(t *testing.T) {
	v := evidence.Value{Metric: "e2e_p90", Amount: evidence.Amount{Kind: evidence.AtLeast, X: 9},
		Numerator: evidence.Derived(evidence.Term{Amount: 108, Unit: "rank", What: "rank"}, "test"), Denominator: evidence.Derived(evidence.Term{Amount: 120, Unit: "requests", What: "requests"}, "test"),
		Bounds:    &evidence.Bounds{Lower: evidence.Amount{Kind: evidence.AtLeast, X: 9}, Upper: evidence.Amount{Kind: evidence.Unbounded}, N: 120, Rule: "r"},
		Completed: &evidence.Conditioned{Amount: evidence.Amount{Kind: evidence.Exact, X: 5.6}, N: 100, Rule: "r"},
		Estimate:  &evidence.Estimate{X: 9.5, N: 120, Rule: "r"}}
	s := &Set{}
	m := s.metric(v.Metric)
	words := func() string {
		spans := sentence(v, m, scalerOf(v))
		return spans.marked()
	}
	said := words()
	if want := "Estimated (Kaplan-Meier): 9.500 s, if being cut off tells nothing about how long a request would have taken."; !strings.Contains(said, want) {
		t.Errorf("the sentence is %q, want in it %q", said, want)
	}
	r := &evidence.Record{Slug: "r", Values: []evidence.Value{v}}
	rows := s.percentiles(r, "e2e").Rows
	last := rows[len(rows)-1]
	if len(rows) != 4 || last.Population != "all, estimated (Kaplan-Meier)" || last.N != "120" || last.Cells[0].Text != "9.500" || last.Cells[0].Fig != nil {
		t.Errorf("the rows are %+v", rows)
	}
	v.Estimate = nil
	r.Values[0] = v
	if rows := s.percentiles(r, "e2e").Rows; len(rows) != 3 || strings.Contains(words(), "Kaplan") {
		t.Errorf("without an estimate the rows are %+v", rows)
	}
}
