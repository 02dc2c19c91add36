package llmperf_test

import (
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/adaptertest"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/llmperf"
	"benchline/ingest/evidence"
)

func samples() []adapter.Source {
	var out []adapter.Source
	for _, name := range []string{"example_7b_summary.json", "by_concurrency.json", "example_7b_individual_responses.json"} {
		out = append(out, foreigntest.Sample("llmperf/2023-08-31/"+name))
	}
	return out
}

func TestConformance(t *testing.T) {
	s := adaptertest.Suite{Adapter: llmperf.Adapter{}, Others: []adapter.Source{foreigntest.Sample("genai-bench/0.1/D100_100_concurrency_4.json"), foreigntest.Sample("llama-bench/6800/result.json")}}
	for _, src := range samples() {
		s.Samples = append(s.Samples, adaptertest.Sample{Source: src, Gaps: []string{"outcomes.sent", "outcomes.unresolved", "subject.hardware", "state.window"}})
	}
	adaptertest.Run(t, s)
}

func TestGolden(t *testing.T) {
	for i, name := range []string{"summary", "keyed", "rows"} {
		t.Run(name, func(t *testing.T) { foreigntest.Golden(t, llmperf.Adapter{}, samples()[i], name) })
	}
}

// TestFailedRowsAreInNoFigure: the zeros that a failed row has for its
// durations must not pull anything down.
func TestFailedRowsAreInNoFigure(t *testing.T) {
	records, _ := foreigntest.Read(t, llmperf.Adapter{}, foreigntest.Shared(t, "corpus/ray-project--llmperf-leaderboard/raw_data/individual/perplexity_70b.json"))
	r := records[0]
	done, _ := r.Outcomes.Completed.Get()
	failed, _ := r.Outcomes.Failed.Get()
	if done != 148 || failed != 2 || len(r.Errors) != 1 || r.Errors[0].Class != "error code 429" {
		t.Errorf("got %d completed, %d failed, %+v", done, failed, r.Errors)
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

func FuzzRead(f *testing.F) { foreigntest.Fuzz(f, llmperf.Adapter{}, "x.json", samples()...) }
