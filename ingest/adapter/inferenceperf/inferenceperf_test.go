package inferenceperf_test

import (
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/adaptertest"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/inferenceperf"
)

func samples() []adapter.Source {
	var out []adapter.Source
	for _, name := range []string{"0.1/stage_0_lifecycle_metrics.json", "0.1/stage_6_lifecycle_metrics.json", "0.1/summary_lifecycle_metrics.json", "0.1/summary_prometheus_metrics.json", "0.6/stage_1_lifecycle_metrics.json"} {
		out = append(out, foreigntest.Sample("inference-perf/"+name))
	}
	return out
}

func TestConformance(t *testing.T) {
	s := adaptertest.Suite{Adapter: inferenceperf.Adapter{}, Others: []adapter.Source{foreigntest.Sample("genai-bench/0.1/D100_100_concurrency_4.json")}}
	for _, src := range samples() {
		s.Samples = append(s.Samples, adaptertest.Sample{Source: src, Gaps: []string{"outcomes.unresolved", "subject.model", "subject.hardware", "workload.token_source"}})
	}
	s.Samples[3].Gaps = []string{"outcomes.completed", "outcomes.failed", "outcomes.sent"}
	adaptertest.Run(t, s)
}

func TestGolden(t *testing.T) {
	for i, name := range []string{"stage0", "stage6", "summary", "prometheus", "new"} {
		t.Run(name, func(t *testing.T) { foreigntest.Golden(t, inferenceperf.Adapter{}, samples()[i], name) })
	}
}

func FuzzRead(f *testing.F) {
	foreigntest.Fuzz(f, inferenceperf.Adapter{}, "stage_0_lifecycle_metrics.json", samples()...)
}
