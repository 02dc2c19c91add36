package guidellm_test

import (
	"testing"

	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/guidellm"
)

func TestDump(t *testing.T) {
	for _, n := range []string{"samples/guidellm/benchmarks-0.6.0-reasoning-sync-1req.json", "samples/guidellm/benchmarks-0.6.0-reasoning-sync-1req.csv", "samples/guidellm/guidellm-report-v2-0.8dev.json"} {
		r, d := foreigntest.Read(t, guidellm.Adapter{}, foreigntest.Shared(t, n))
		t.Log(foreigntest.Describe(t, r, d))
	}
}
