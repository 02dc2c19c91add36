package aiperf_test

import (
	"testing"

	"benchline/ingest/adapter/aiperf"
	"benchline/ingest/adapter/foreign/foreigntest"
)

func TestDump(t *testing.T) {
	for _, n := range []string{"samples/aiperf/profile_export_aiperf-qwen-c4.json", "samples/aiperf/profile_export_aiperf-lora-c64-error-without-summary.json", "samples/aiperf/profile_export-qwen-c4.jsonl"} {
		r, d := foreigntest.Read(t, aiperf.Adapter{}, foreigntest.Shared(t, n))
		t.Log(foreigntest.Describe(t, r, d))
	}
}
