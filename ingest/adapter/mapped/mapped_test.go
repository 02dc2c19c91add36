package mapped_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/adaptertest"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/mapped"
	"benchline/ingest/evidence"
)

func names() []string {
	return []string{"curve.csv", "heads.csv", "small.tsv", "page.md", "results.json", "keyed.json", "lines.jsonl"}
}

func sample(name string) adapter.Source { return foreigntest.Sample("mapped/1/" + name) }

func TestConformance(t *testing.T) {
	s := adaptertest.Suite{Adapter: mapped.Adapter{}, Others: []adapter.Source{sample("README.md"), foreigntest.Text(t, "a.csv", "a,b\n1,2\n"), foreigntest.Sample("llama-bench/6800/result.csv")}}
	for _, name := range names() {
		s.Samples = append(s.Samples, adaptertest.Sample{Source: sample(name), Gaps: []string{"subject.model_revision", "subject.precision", "state.warmup"}})
	}
	adaptertest.Run(t, s)
}

func TestGolden(t *testing.T) {
	for _, name := range names() {
		foreigntest.Golden(t, mapped.Adapter{}, sample(name), name)
	}
}

// beside is a table that a test makes up, with its mapping.
func beside(t *testing.T, name, text, mapping string) adapter.Source {
	t.Helper()
	src := foreigntest.Text(t, name, text)
	if err := os.WriteFile(filepath.Join(src.Dir, "import.toml"), []byte(mapping), 0o644); err != nil {
		t.Fatal(err)
	}
	return src
}

func value(t *testing.T, r evidence.Record, metric string) evidence.Value {
	t.Helper()
	for _, v := range r.Values {
		if string(v.Metric) == metric {
			return v
		}
	}
	t.Fatalf("%s has no %s", r.Title, metric)
	return evidence.Value{}
}

// TestUnits: 265 ms, 0.265 s and 265000 µs are one time; without a unit there
// is a number that nothing is computed with.
func TestUnits(t *testing.T) {
	small, _ := foreigntest.Read(t, mapped.Adapter{}, sample("small.tsv"))
	heads, _ := foreigntest.Read(t, mapped.Adapter{}, sample("heads.csv"))
	for _, v := range []evidence.Value{value(t, small[0], "ttft_p50"), value(t, small[0], "ttft_mean"), value(t, heads[0], "ttft_p50")} {
		if v.Amount.X != 0.265 {
			t.Errorf("%s is %v, want 0.265 s", v.Original.Key, v.Amount.X)
		}
	}
	if v := value(t, heads[0], "ttft_p99"); v.Amount.X != 0 || v.Amount.Text != "412, unit not stated" {
		t.Errorf("without a unit: %+v", v.Amount)
	}
}

// TestFormulas: what a spreadsheet would run stays the text that it is.
func TestFormulas(t *testing.T) {
	src := foreigntest.Shared(t, "cases/c29-names.csv")
	b, err := os.ReadFile(src.FilePath())
	if err != nil {
		t.Fatal(err)
	}
	records, found := foreigntest.Read(t, mapped.Adapter{}, beside(t, "names.csv", string(b), `[table]
name = ["model"]
[[table.column]]
column = "model"
field = "model"
[[table.column]]
column = "output_tok_s"
metric = "output_token_rate"
unit = "tokens/s"
[[table.column]]
column = "delay_s"
metric = "send_lag"
statistic = "mean"
unit = "s"
`))
	var models []string
	for _, r := range records {
		m, _ := r.Subject.Model.Get()
		models = append(models, m)
	}
	if got := strings.Join(models, " "); got != `=HYPERLINK("http://x.invalid","m") +1-2 @SUM(A1) -2+3 TAB` {
		t.Errorf("models: %s", got)
	}
	if v := value(t, records[0], "send_lag_mean"); v.Amount.X != -0.0011 || v.Original.Number != "-0.0011" || len(found) != 0 {
		t.Errorf("a negative number: %+v, %v", v.Amount, found)
	}
}

// TestWideTable reads the table of the printing case: 60 rows, counts "499 of 500".
func TestWideTable(t *testing.T) {
	src := foreigntest.Shared(t, "cases/c37-wide-table.md")
	b, err := os.ReadFile(src.FilePath())
	if err != nil {
		t.Fatal(err)
	}
	records, found := foreigntest.Read(t, mapped.Adapter{}, beside(t, "wide.md", string(b), `[table]
name = ["run"]
[[table.column]]
column = "completed"
field = "completed"
[[table.column]]
column = "unresolved"
field = "unresolved"
[[table.column]]
column = "TTFT p99 ms"
metric = "ttft_p99"
unit = "ms"
`))
	if len(records) != 60 || len(found) != 60 || !strings.Contains(found[0].Msg, "no count") {
		t.Fatalf("%d records, %d diagnostics", len(records), len(found))
	}
	last := records[59]
	if _, ok := last.Outcomes.Completed.Get(); ok || value(t, last, "ttft_p99").Amount.X < 0.4 {
		t.Errorf("“… of 500” became a count, or %+v", last.Values)
	}
}

func TestMappingsThatAreRefused(t *testing.T) {
	const column = "[[table.column]]\ncolumn = \"a\"\n"
	for name, c := range map[string]struct{ mapping, why string }{
		"no column":       {"[table]\n", "from 1 to"},
		"unknown key":     {"[table]\nheaders = 1\n" + column + "fact = \"x\"\n", "unknown keys: headers"},
		"unknown metric":  {column + "metric = \"speed\"\n", "not in the metric registry"},
		"no statistic":    {column + "metric = \"ttft\"\nunit = \"ms\"\n", "needs its statistic"},
		"two statistics":  {column + "metric = \"ttft_p50\"\nstatistic = \"p50\"\n", "has it in its name"},
		"unknown field":   {column + "field = \"colour\"\n", "field \"colour\" is none of"},
		"metric and fact": {column + "field = \"model\"\nfact = \"x\"\n", "one of metric, field and fact"},
		"other column":    {strings.Replace(column, "\"a\"", "\"z\"", 1) + "fact = \"x\"\n", "no column [\"z\"]"},
		"metric twice":    {column + "metric = \"request_rate\"\n" + strings.Replace(column, "\"a\"", "\"b\"", 1) + "metric = \"request_rate\"\n", "are both request_rate"},
		"closed and open": {column + "field = \"concurrency\"\n" + strings.Replace(column, "\"a\"", "\"b\"", 1) + "field = \"rate_per_s\"\n", "closed (concurrency) or open"},
		"separator":       {"[table]\nseparator = \"--\"\n" + column + "fact = \"x\"\n", "none of , ; | tab"},
		"header rows":     {"[table]\nheader_rows = 9\n" + column + "fact = \"x\"\n", "from 1 to 3"},
	} {
		_, _, err := foreigntest.Try(t, mapped.Adapter{}, beside(t, "a.csv", "a,b\n1,2\n", c.mapping))
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: got %v, want %q", name, err, c.why)
		}
	}
	if _, _, err := foreigntest.Try(t, mapped.Adapter{}, foreigntest.Text(t, "a.csv", "a\n1\n")); err == nil || !strings.Contains(err.Error(), "no mapping") {
		t.Errorf("without a mapping: %v", err)
	}
	if _, err := (mapped.Adapter{}).Chosen(beside(t, "a.csv", "a\n", "= broken")); err == nil {
		t.Error("a broken import.toml chooses")
	}
}

func FuzzCSV(f *testing.F) { fuzz(f, "curve.csv") }

func FuzzMarkdown(f *testing.F) { fuzz(f, "page.md") }

// fuzz lays the mapping beside what the fuzzer writes.
func fuzz(f *testing.F, name string) {
	imp, err := os.ReadFile(filepath.Join(sample(name).Dir, "import.toml"))
	if err != nil {
		f.Fatal(err)
	}
	foreigntest.FuzzBeside(f, mapped.Adapter{}, name, map[string][]byte{"import.toml": imp}, sample(name))
}
