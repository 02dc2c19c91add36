package table_test

import (
	"os"
	"strings"
	"testing"

	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/table"
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
	records, found := foreigntest.Read(t, table.Adapter{}, mapped(t, src.Name, string(b), mapping))
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
