package ingest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchline/ingest"
)

// sample is one of the repository's foreign samples, as text.
func sample(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../testdata/foreign", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTwoLogsOfOneRun: the two logs of LoadGen are one record where they lie
// together, and each of them is one where it lies alone.
func TestTwoLogsOfOneRun(t *testing.T) {
	const run = "mlperf/5.1/closed/ExampleCorp/results/4xExample_2xCPU/llama2-70b-99.9/Server/performance/run_1/"
	p := recordsPlace(t)
	p.write("imports/both/mlperf_log_summary.txt", sample(t, run+"mlperf_log_summary.txt"))
	p.write("imports/both/mlperf_log_detail.txt", sample(t, run+"mlperf_log_detail.txt"))
	if r := p.ingest(); r.Records != 1 || len(r.Refused) != 0 {
		t.Errorf("together: %+v", r)
	}
	if err := os.Remove(filepath.Join(p.dir, "imports/both/mlperf_log_summary.txt")); err != nil {
		t.Fatal(err)
	}
	if r := p.ingest(); r.Records != 1 || len(r.Refused) != 0 {
		t.Errorf("the detail log alone: %+v", r)
	}
}

// TestTableByMapping: a table is refused until import.toml says what its columns
// are, and read again when that changes.
func TestTableByMapping(t *testing.T) {
	p := recordsPlace(t)
	p.write("imports/t/speed.csv", "engine,tok/s\na,10\nb,20\n")
	p.refused(p.ingest(), "imports/t/speed.csv: unknown format")
	mapping := "[table]\nname = [\"engine\"]\n[[table.column]]\ncolumn = \"engine\"\nfield = \"engine\"\n[[table.column]]\ncolumn = \"tok/s\"\nmetric = \"output_token_rate\"\n"
	p.write("imports/t/import.toml", mapping)
	if r := p.ingest(); r.Records != 2 || len(r.Refused) != 0 {
		t.Fatalf("with a mapping: %+v", r)
	}
	amount := func() string {
		records, err := ingest.Records(p.dir)
		if err != nil || len(records) != 2 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		return records[0].Values[0].Amount.Text
	}
	if got := amount(); got != "10, unit not stated" {
		t.Errorf("without a unit: %q", got)
	}
	p.write("imports/t/import.toml", mapping+"unit = \"tokens/s\"\n")
	if r := p.ingest(); r.Records != 2 || r.Read != 1 {
		t.Errorf("with a unit: %+v", r)
	}
	if got := amount(); got != "10 tokens/s" {
		t.Errorf("with a unit: %q", got)
	}
	p.write("imports/t/import.toml", strings.Replace(mapping, "tok/s", "tps", 1))
	p.refused(p.ingest(), "imports/t/speed.csv: the header has no column")
}
