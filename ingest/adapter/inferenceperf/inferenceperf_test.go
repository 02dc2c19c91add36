package inferenceperf_test

import (
	"math"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/inferenceperf"
	"benchline/ingest/evidence"
)

func suite() foreigntest.Suite {
	client := []string{"outcomes.unresolved", "workload.token_source"}
	list := append([]string{"outcomes.sent", "load.rate", "subject.started"}, client...)
	return foreigntest.Suite{Format: inferenceperf.New(), Gaps: []string{"subject.model", "subject.hardware"},
		Samples: []foreigntest.Case{{File: "inference-perf/0.1/stage_0_lifecycle_metrics.json", Golden: "stage0", Gaps: client},
			{File: "inference-perf/0.1/stage_6_lifecycle_metrics.json", Golden: "stage6", Gaps: client}, {File: "inference-perf/0.1/summary_lifecycle_metrics.json", Golden: "summary", Gaps: client},
			{File: "inference-perf/0.1/summary_prometheus_metrics.json", Golden: "prometheus", Gaps: []string{"outcomes.completed", "outcomes.failed", "outcomes.sent"}},
			{File: "inference-perf/0.6/stage_1_lifecycle_metrics.json", Golden: "new", Gaps: client},
			{File: "inference-perf/0.1/per_request_lifecycle_metrics.json", Golden: "requests", Gaps: list}, {File: "inference-perf/0.6/per_request_lifecycle_metrics.json", Golden: "requests-new", Gaps: list}}}
}

func TestFormat(t *testing.T) { suite().Run(t) }

func FuzzRead(f *testing.F) {
	suite().Fuzz(f, "stage_0_lifecycle_metrics.json")
}

// By hand: requests start at 1000, 1000.5 and 1001 s; the first tokens come after
// 0.25 and 0.5 s, the last after 1.25 and 2.5 s, the third failed; 5 and 2 tokens.
func TestListIsComputedAnew(t *testing.T) {
	records, _ := foreigntest.Read(t, inferenceperf.New(), foreigntest.Sample("inference-perf/0.1/per_request_lifecycle_metrics.json"))
	r := records[0]
	for id, want := range map[string]float64{"ttft_mean": 0.375, "ttft_max": 0.5, "tpot_max": 2, "tpot_mean": (0.25 + 2) / 2, "e2e_max": 2.5, "output_token_rate": 7.0 / 3, "request_rate": 2.0 / 3} {
		if v := foreigntest.Value(t, r, id); v.Amount.Kind != evidence.Exact || math.Abs(v.Amount.X-want) > 1e-9 {
			t.Errorf("%s: got %+v, want %v", id, v.Amount, want)
		}
	}
	if n, ok := r.Outcomes.Failed.Get(); !ok || n != 1 || len(r.Errors) != 1 || r.Errors[0].Class != "ClientTimeout" {
		t.Errorf("failed %d %t, %v", n, ok, r.Errors)
	}
}

// TestTextsStayInTheFile also where a prompt is longer than what is sniffed.
func TestTextsStayInTheFile(t *testing.T) {
	for _, s := range suite().Sources()[5:] {
		records, found := foreigntest.Read(t, inferenceperf.New(), s)
		foreigntest.Hidden(t, records, found, "CANARY")
	}
	long := `[{"start_time": 1.0, "end_time": 2.5, "request": "` + strings.Repeat("CANARY ", 20_000) + `", "response": "", "info": {"input_tokens": 9, "output_tokens": 2, "output_token_times": [1.5, 2.0]}, "error": null}]`
	if m := inferenceperf.New().Sniff([]byte(long[:adapter.SniffLen]), "x"); !m.Is {
		t.Error("a long prompt hides the list")
	}
	records, found := foreigntest.Read(t, inferenceperf.New(), foreigntest.Text(t, "per_request.json", long))
	foreigntest.Hidden(t, records, found, "CANARY")
	if v := foreigntest.Value(t, records[0], "ttft_mean"); v.Amount.X != 0.5 {
		t.Errorf("%+v", v.Amount)
	}
}
