package vllm_test

import (
	"testing"

	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/vllm"
)

func TestDump(t *testing.T) {
	for _, n := range []string{"samples/vllm/bench-serve-0.26-rate-and-cap-monday-peak.json", "samples/vllm/bench-serve-0.26-rate-sweep-1.0.json", "samples/vllm/bench-serve-fork-inferencex-glm5-conc4.json", "cases/c13-not-finite.json", "cases/c14-no-failed-key.json"} {
		r, d := foreigntest.Read(t, vllm.Adapter{}, foreigntest.Shared(t, n))
		t.Log(foreigntest.Describe(t, r, d))
	}
}
