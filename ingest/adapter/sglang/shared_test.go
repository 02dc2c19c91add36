package sglang_test

import (
	"testing"

	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/sglang"
)

func TestDump(t *testing.T) {
	for _, n := range []string{"samples/sglang/llama_3_3_70b_offline_output.jsonl", "corpus/datacrunch-research--h200-benchmarks/sglang/outputs/llama_405b_online_output.jsonl"} {
		r, d := foreigntest.Read(t, sglang.Adapter{}, foreigntest.Shared(t, n))
		t.Log(foreigntest.Describe(t, r, d))
	}
}
