package aiperf_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"benchline/ingest/adapter/aiperf"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/evidence"
)

func suite() foreigntest.Suite {
	return foreigntest.Suite{Format: aiperf.New(), Gaps: []string{"outcomes.unresolved", "outcomes.sent", "subject.accelerators", "subject.precision"},
		Samples: []foreigntest.Case{{File: "aiperf/2025-11/profile_export_aiperf.json", Golden: "aggregate"},
			{File: "aiperf/2025-11/profile_export.jsonl", Golden: "requests", Gaps: []string{"outcomes.planned", "subject.model", "subject.hardware"}},
			{File: "aiperf/2025-11/profile_export_aiperf.csv", Golden: "csv", Gaps: []string{"outcomes.failed", "subject.model", "subject.hardware"}}, {File: "aiperf/2026/profile_export_aiperf.json", Golden: "new", Gaps: []string{"subject.hardware"}}}}
}

func TestFormat(t *testing.T) { suite().Run(t) }

func FuzzRead(f *testing.F) {
	suite().Fuzz(f, "profile_export.jsonl")
}

func TestKeysAndAddressesStayInTheFile(t *testing.T) {
	for _, s := range suite().Sources() {
		records, found := foreigntest.Read(t, aiperf.New(), s)
		foreigntest.Hidden(t, records, found, "CANARY")
	}
}

// By hand: of the profiling phase three requests begin at 1, 1.5 and 2 s, have
// their first chunk after 100, 200 and 150 ms, and end after 500, 1100 and 150 ms
// with 5, 10 and 1 tokens; one failed. The warm-up is in no figure.
func TestRecordsOfRequestsAreComputedAnew(t *testing.T) {
	records, _ := foreigntest.Read(t, aiperf.New(), foreigntest.Sample("aiperf/2025-11/profile_export.jsonl"))
	r := records[0]
	for id, want := range map[string]float64{"ttft_mean": 0.15, "ttft_p50": 0.15, "ttft_max": 0.2, "ttfa_max": 0.4, "e2e_p50": 0.5, "e2e_max": 1.1,
		"tpot_mean": (0.1 + 0.1) / 2, "output_token_rate": 16 / 1.6, "request_rate": 3 / 1.6, "chunk_gap_max": 0.1} {
		if v := foreigntest.Value(t, r, id); v.Amount.Kind != evidence.Exact || math.Abs(v.Amount.X-want) > 1e-9 {
			t.Errorf("%s: got %+v, want %v", id, v.Amount, want)
		}
	}
	failed, _ := r.Outcomes.Failed.Get()
	warm, _ := r.Outcomes.WarmupSent.Get()
	if failed != 1 || warm != 1 || r.Errors[0].Class != "ServerDisconnectedError" {
		t.Errorf("failed %d, warm-up %d, %v", failed, warm, r.Errors)
	}
	if c, ok := r.State.Cache.Measured.Get(); !ok || c.CachedTokens != 40 || c.Requests != 1 || c.Of != 3 {
		t.Errorf("cache %+v", c)
	}
}

func TestCountsThatContradictEachOther(t *testing.T) {
	records, found := foreigntest.Read(t, aiperf.New(), foreigntest.Sample("aiperf/2025-11/profile_export_aiperf.json"))
	if len(found) != 1 || !strings.Contains(found[0].Msg, "error_request_count is 1, but error_summary names 0") {
		t.Errorf("notes %v", found)
	}
	if n, ok := records[0].Outcomes.Failed.Get(); !ok || n != 1 {
		t.Errorf("failed %d %t", n, ok)
	}
}

// Every figure of the real aggregates is as another parser reads it.
func TestSharedAggregates(t *testing.T) {
	for name, failed := range map[string]int64{
		"samples/aiperf/profile_export_aiperf-qwen-c4.json":                                                                                                       -1,
		"samples/aiperf/profile_export_aiperf-gpt-oss-20b-c64-reasoning.json":                                                                                     -1,
		"samples/aiperf/profile_export_aiperf-lora-c64-error-without-summary.json":                                                                                1,
		"samples/aiperf/profile_export_aiperf-c64-one-disconnect.json":                                                                                            1,
		"corpus/hholtmann--llm-consumer-gpu-benchmark/research_results/performance_benchmarks/rtx5090_1x/api/gemma3-12b-nvfp4-api-c32/profile_export_aiperf.json": -1,
	} {
		t.Run(name, func(t *testing.T) {
			src := foreigntest.Shared(t, name)
			b, err := os.ReadFile(src.FilePath())
			if err != nil {
				t.Fatal(err)
			}
			var file map[string]map[string]any
			var raw map[string]json.RawMessage
			if err := json.Unmarshal(b, &raw); err != nil {
				t.Fatal(err)
			}
			file = map[string]map[string]any{}
			for k, v := range raw {
				var m map[string]any
				if json.Unmarshal(v, &m) == nil && m["unit"] != nil {
					file[k] = m
				}
			}
			records, _ := foreigntest.Read(t, aiperf.New(), src)
			same(t, records[0], file)
			n, ok := records[0].Outcomes.Failed.Get()
			if ok != (failed >= 0) || ok && n != failed {
				t.Errorf("failed %d, stated %t; want %d", n, ok, failed)
			}
		})
	}
}

func same(t *testing.T, r evidence.Record, file map[string]map[string]any) {
	t.Helper()
	n := 0
	check := func(id, tag, key string, factor float64) {
		x, ok := file[tag][key].(float64)
		if !ok {
			return
		}
		n++
		if got, ok := foreigntest.Value(t, r, id).Amount.Number(); !ok || math.Abs(got-x*factor) > 1e-12*math.Abs(x) {
			t.Errorf("%s: got %v, the file has %s.%s = %v", id, got, tag, key, x)
		}
	}
	check("output_token_rate", "output_token_throughput", "avg", 1)
	check("request_rate", "request_throughput", "avg", 1)
	for tag, base := range map[string]string{"time_to_first_token": "ttft", "time_to_first_output_token": "ttfa", "inter_token_latency": "tpot", "request_latency": "e2e", "inter_chunk_latency": "chunk_gap"} {
		for key, stat := range map[string]string{"avg": "mean", "p50": "p50", "p90": "p90", "p95": "p95", "p99": "p99", "max": "max"} {
			check(base+"_"+stat, tag, key, 1e-3)
		}
	}
	if n != len(r.Values) || n < 30 {
		t.Errorf("the file has %d figures, the record %d", n, len(r.Values))
	}
	if done, ok := r.Outcomes.Completed.Get(); !ok || float64(done) != file["request_count"]["avg"] {
		t.Errorf("completed %d %t", done, ok)
	}
	if s, ok := r.Workload.OutputTokens.Get(); !ok || float64(s.Sum) != file["total_osl"]["avg"] {
		t.Errorf("output tokens %+v %t, the file has %v", s, ok, file["total_osl"])
	}
}

// The tool's own value of each request gives the same mean.
func TestSharedRecordsOfRequests(t *testing.T) {
	src := foreigntest.Shared(t, "samples/aiperf/profile_export-qwen-c4.jsonl")
	b, err := os.ReadFile(src.FilePath())
	if err != nil {
		t.Fatal(err)
	}
	type metric struct{ Value any }
	sums, n := map[string]float64{}, 0.0
	for line := range strings.Lines(string(b)) {
		var rec struct{ Metrics map[string]metric }
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			t.Fatal(err)
		}
		n++
		for k, m := range rec.Metrics {
			if x, ok := m.Value.(float64); ok {
				sums[k] += x
			}
		}
	}
	records, _ := foreigntest.Read(t, aiperf.New(), src)
	for id, tag := range map[string]string{"ttft_mean": "time_to_first_token", "e2e_mean": "request_latency", "tpot_mean": "inter_token_latency"} {
		want := sums[tag] / n / 1e3
		if v := foreigntest.Value(t, records[0], id); math.Abs(v.Amount.X-want) > 2e-9 {
			t.Errorf("%s: got %v, the tool's values give %v", id, v.Amount.X, want)
		}
	}
}

// A number of a session that no record has shows that the file is not whole.
func TestRecordsThatAreMissingShow(t *testing.T) {
	whole := suite().Sources()[1]
	b, err := os.ReadFile(whole.FilePath())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(b), "\n")
	for i, line := range lines {
		if strings.Contains(line, `"session_num": 2,`) {
			lines[i] = ""
		}
	}
	for text, want := range map[string]string{string(b): "Whether these are all of the run's is not in the file.", strings.Join(lines, ""): "By their numbers at least 1 more were made."} {
		records, _ := foreigntest.Read(t, aiperf.New(), foreigntest.Text(t, "profile_export.jsonl", text))
		if got := records[0].Summary; !strings.HasSuffix(got, want) {
			t.Errorf("got %q, want it to end with %q", got, want)
		}
	}
}
