package mapped_test

import (
	"os"
	"strings"
	"testing"

	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/mapped"
	"benchline/ingest/evidence"
)

// shared is a table of the shared corpus, with a mapping.
func shared(t *testing.T, name, mapping string) []evidence.Record {
	t.Helper()
	src := foreigntest.Shared(t, "corpus/"+name)
	b, err := os.ReadFile(src.FilePath())
	if err != nil {
		t.Fatal(err)
	}
	records, found := foreigntest.Read(t, mapped.Adapter{}, beside(t, src.Name, string(b), mapping))
	for _, d := range found {
		t.Logf("%s", d)
	}
	return records
}

// TestCurve: a BOM, and 93 rows.
func TestCurve(t *testing.T) {
	records := shared(t, "dstackai--benchmarks/comparison/h100sxm5_vs_mi300x/csv_data/throughput_latency_curve.csv", `[table]
name = ["gpu", "input_len", "output_len", "batch_size"]
[[table.column]]
column = "gpu"
field = "hardware"
[[table.column]]
column = "tokens_per_second"
metric = "total_token_rate"
unit = "tokens/s"
definition = "input and output tokens of the batch, divided by its latency"
[[table.column]]
column = "end_to_end_latency"
metric = "e2e"
statistic = "max"
unit = "s"
`)
	if len(records) != 93 {
		t.Fatalf("%d rows, want 93", len(records))
	}
	if v := value(t, records[0], "total_token_rate"); v.Original.Number != "122.1203704" || v.Amount.Kind != evidence.Quoted {
		t.Errorf("the first row: %+v", v)
	}
}

// TestPower: blank lines between groups, and a power without a unit, which
// stays a fact.
func TestPower(t *testing.T) {
	records := shared(t, "argonne-lcf--LLM-Inference-Bench/Plots/Fig_16_a/power_results.csv", `[table]
name = ["Hardware", "Model", "Batch Size"]
[[table.column]]
column = "Model"
field = "model"
[[table.column]]
column = "Throughput"
metric = "total_token_rate"
unit = "tokens/s"
[[table.column]]
column = "avg_power"
fact = "average power, unit not stated"
`)
	for _, r := range records {
		if len(r.Values) != 1 || len(r.Facts) != 1 || !strings.Contains(r.Facts[0].Label, "unit not stated") {
			t.Errorf("%s: %+v", r.Title, r.Facts)
		}
	}
	if len(records) < 40 {
		t.Errorf("%d rows", len(records))
	}
}

// TestPage: of a page with many tables the first, in which a dash and an empty
// cell both mean that there is no value.
func TestPage(t *testing.T) {
	records := shared(t, "premAI-io--benchmarks/README.md", `[table]
name = ["Engine"]
[[table.column]]
column = "Engine"
field = "engine"
[[table.column]]
column = "float16"
metric = "output_token_rate"
unit = "tokens/s"
`)
	with, without := 0, 0
	for _, r := range records {
		with += len(r.Values)
		if len(r.Values) == 0 {
			without++
			if len(r.Facts) != 1 || r.Facts[0].Value.State() != evidence.StateNotStated {
				t.Errorf("%s: the gap is not told: %+v", r.Title, r.Facts)
			}
		}
	}
	if with+without != len(records) || with < 8 || without < 3 {
		t.Errorf("%d rows with and %d without a figure, of %d", with, without, len(records))
	}
	if e, _ := records[0].Subject.Engine.Get(); e != "transformers (pytorch)" {
		t.Errorf("the first engine is %q", e)
	}
}

// TestScriptOfOnesOwn: JSON that an author's script wrote, one row a load, in
// seconds, with rates of single requests that are no rate of the endpoint.
func TestScriptOfOnesOwn(t *testing.T) {
	records := shared(t, "backprop-ai--vllm-benchmark/results/3090.json", `[json]
rows = "*"
name = ["concurrency"]
[[json.value]]
key = "concurrency"
field = "concurrency"
[[json.value]]
key = "total_requests"
field = "planned"
[[json.value]]
key = "successful_requests"
field = "completed"
[[json.value]]
key = "total_time"
field = "window_s"
[[json.value]]
key = "requests_per_second"
metric = "request_rate"
unit = "requests/s"
numerator = "successful_requests"
denominator = "total_time"
[[json.value]]
key = "time_to_first_token.p95"
metric = "ttft_p95"
unit = "s"
n = "successful_requests"
[[json.value]]
key = "tokens_per_second.p99"
fact = "tokens/s of a request, 99th percentile of slowness"
`)
	if len(records) != 4 || records[1].Title != "concurrency 10" {
		t.Fatalf("%d records, the second is %q", len(records), records[1].Title)
	}
	v := value(t, records[1], "request_rate")
	if n, ok := v.Numerator.Get(); v.Amount.X != 3.542106996391476 || !ok || n.Amount != 100 || len(v.Limits) != 1 {
		t.Errorf("request rate %+v", v)
	}
	p := value(t, records[1], "ttft_p95")
	if people, ok := p.Population.Get(); !ok || people.N != 100 || p.Amount.X != 0.2474665403366089 {
		t.Errorf("p95 %+v", p)
	}
}

// TestFailedRun: a run that never began is a record of what was planned, with
// its state and no figure, and is not dropped.
func TestFailedRun(t *testing.T) {
	records := shared(t, "hholtmann--llm-consumer-gpu-benchmark/research_results/failed_benchmarks/rtx5070ti_1x/rag/gemma3-12b-nvfp4-rag-8k-c4/metadata.json", `[json]
name = ["benchmark_name", "status"]
[[json.value]]
key = "run_id"
field = "run_id"
[[json.value]]
key = "model"
field = "model"
[[json.value]]
key = "gpu"
field = "hardware"
[[json.value]]
key = "timestamp"
field = "started"
[[json.value]]
key = "status"
fact = "status"
[[json.value]]
key = "aiperf_config.request_count"
field = "planned"
[[json.value]]
key = "aiperf_config.concurrency"
field = "concurrency"
`)
	r := records[0]
	if n, ok := r.Outcomes.Planned.Get(); !ok || n != 500 || len(r.Values) != 0 || r.Facts[0].Value.Note() != "“status” in the file" {
		t.Errorf("planned %d, %d values, facts %v", n, len(r.Values), r.Facts)
	}
	if _, ok := r.Outcomes.Completed.Get(); ok || !strings.HasSuffix(r.Title, "status failed") {
		t.Errorf("%q, completed %v", r.Title, r.Outcomes.Completed)
	}
}
