package llmperf_test

import (
	"testing"

	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/llmperf"
	"benchline/ingest/evidence"
)

func suite() foreigntest.Suite {
	return foreigntest.Suite{Format: llmperf.New(), Gaps: []string{"outcomes.sent", "outcomes.unresolved", "subject.hardware", "state.window"},
		Samples: []foreigntest.Case{{File: "llmperf/2023-08-31/example_7b_summary.json", Golden: "summary"}, {File: "llmperf/2023-08-31/by_concurrency.json", Golden: "keyed"},
			{File: "llmperf/2023-08-31/example_7b_individual_responses.json", Golden: "rows"}}}
}

func TestFormat(t *testing.T) { suite().Run(t) }

// TestFailedRowsAreInNoFigure: the zeros that a failed row has for its
// durations must not pull anything down. A 429 was rejected.
func TestFailedRowsAreInNoFigure(t *testing.T) {
	records, _ := foreigntest.Read(t, llmperf.New(), foreigntest.Shared(t, "corpus/ray-project--llmperf-leaderboard/raw_data/individual/perplexity_70b.json"))
	r := records[0]
	done, _ := r.Outcomes.Completed.Get()
	failed, _ := r.Outcomes.Failed.Get()
	rejected, _ := r.Outcomes.Rejected.Get()
	if done != 148 || failed != 0 || rejected != 2 || len(r.Errors) != 1 || r.Errors[0].Class != "error code 429" || r.Errors[0].Outcome != "rejected" {
		t.Errorf("got %d completed, %d failed, %d rejected, %+v", done, failed, rejected, r.Errors)
	}
	if s, _ := r.Workload.OutputTokens.Get(); s.N != 148 || s.Min < 2 {
		t.Errorf("output tokens: %+v", s)
	}
	for _, v := range r.Values {
		p, _ := v.Population.Get()
		if p.N != 148 || v.Amount.Kind == evidence.Exact && v.Amount.X <= 0 {
			t.Errorf("%s: %+v over %d", v.Metric, v.Amount, p.N)
		}
	}
}

func FuzzRead(f *testing.F) { suite().Fuzz(f, "x.json") }
