package llamabenchy_test

import (
	"testing"

	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/llamabenchy"
)

func suite() foreigntest.Suite {
	return foreigntest.Suite{Format: llamabenchy.New(), Gaps: []string{"outcomes.failed", "outcomes.completed", "subject.hardware", "workload.token_source"},
		Samples: []foreigntest.Case{{File: "llama-benchy/0.2/result.json", Golden: "json"}, {File: "llama-benchy/0.2/result.md", Golden: "markdown"}}}
}

func TestFormat(t *testing.T) { suite().Run(t) }

// TestRealTable: 12 pairs of rows, joined by their order.
func TestRealTable(t *testing.T) {
	records, found := foreigntest.Read(t, llamabenchy.New(), foreigntest.Shared(t, "corpus/djangodevreng--dgx-spark-benchmarks/results/qwen-3.8/qwen-3.8-27b/bf16/05-big-context.md"))
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

func FuzzJSON(f *testing.F) { foreigntest.Fuzz(f, llamabenchy.New(), "x.json", suite().Sources()[0]) }

func FuzzTable(f *testing.F) { foreigntest.Fuzz(f, llamabenchy.New(), "x.md", suite().Sources()[1]) }
