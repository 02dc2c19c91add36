package llamabenchy_test

import (
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/adaptertest"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/llamabenchy"
)

func samples() []adapter.Source {
	return []adapter.Source{foreigntest.Sample("llama-benchy/0.2/result.json"), foreigntest.Sample("llama-benchy/0.2/result.md")}
}

func TestConformance(t *testing.T) {
	s := adaptertest.Suite{Adapter: llamabenchy.Adapter{}, Others: []adapter.Source{foreigntest.Sample("llama-bench/6800/result.json"), foreigntest.Sample("llama-bench/6800/result.md")}}
	for _, src := range samples() {
		s.Samples = append(s.Samples, adaptertest.Sample{Source: src, Gaps: []string{"outcomes.failed", "outcomes.completed", "subject.hardware", "workload.token_source"}})
	}
	adaptertest.Run(t, s)
}

func TestGolden(t *testing.T) {
	foreigntest.Golden(t, llamabenchy.Adapter{}, samples()[0], "json")
	foreigntest.Golden(t, llamabenchy.Adapter{}, samples()[1], "markdown")
}

// TestRealTable: 12 pairs of rows, joined by their order.
func TestRealTable(t *testing.T) {
	records, found := foreigntest.Read(t, llamabenchy.Adapter{}, foreigntest.Shared(t, "corpus/djangodevreng--dgx-spark-benchmarks/results/qwen-3.8/qwen-3.8-27b/bf16/05-big-context.md"))
	if len(records) != 12 || len(found) != 0 {
		t.Fatalf("%d records, %v", len(records), found)
	}
	last := records[11]
	in, _ := last.Workload.InputTokensAsked.Get()
	at, _ := last.Load.Concurrency.Get()
	if in != 25000 || at != 10 || len(last.Values) != 2 || last.Values[0].Amount.X != 9.82 || last.Values[1].Amount.X != 119.42292 {
		t.Errorf("the last pair: %d tokens, %d at once, %+v", in, at, last.Values)
	}
}

func FuzzJSON(f *testing.F) { foreigntest.Fuzz(f, llamabenchy.Adapter{}, "x.json", samples()[0]) }

func FuzzTable(f *testing.F) { foreigntest.Fuzz(f, llamabenchy.Adapter{}, "x.md", samples()[1]) }
