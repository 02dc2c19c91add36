package genaibench_test

import (
	"os"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/genaibench"
	"benchline/ingest/evidence"
)

func suite() foreigntest.Suite {
	return foreigntest.Suite{Format: genaibench.New(), Samples: []foreigntest.Case{{File: "genai-bench/0.1/D100_100_concurrency_4.json", Golden: "all",
		Gaps: []string{"outcomes.sent", "outcomes.unresolved", "subject.model", "workload.token_source", "state.window"}}}}
}

func TestFormat(t *testing.T) { suite().Run(t) }

// value finds a figure of the first record.
func value(t *testing.T, s adapter.Source, metric string) evidence.Value {
	t.Helper()
	records, _ := foreigntest.Read(t, genaibench.New(), s)
	for _, v := range records[0].Values {
		if string(v.Metric) == metric {
			return v
		}
	}
	t.Fatalf("there is no %s", metric)
	return evidence.Value{}
}

func TestUnitOfTime(t *testing.T) {
	b, err := os.ReadFile(suite().Sources()[0].FilePath())
	if err != nil {
		t.Fatal(err)
	}
	ms := strings.Replace(string(b), `"_time_unit": "s"`, `"_time_unit": "ms"`, 1)
	if v := value(t, foreigntest.Text(t, "ms.json", ms), "tpot_p50"); v.Claim == nil || v.Claim.Original.Unit != "ms" || v.Amount.X > 1e-4 {
		t.Errorf("in ms: %+v, %+v", v.Amount, v.Claim)
	}
	parsecs := strings.Replace(string(b), `"_time_unit": "s"`, `"_time_unit": "parsecs"`, 1)
	if v := value(t, foreigntest.Text(t, "pc.json", parsecs), "tpot_p50"); v.Amount.Kind != evidence.Quoted || v.Amount.X != 0 || !strings.Contains(v.Amount.Text, "unit not stated") {
		t.Errorf("of an unknown unit: %+v", v.Amount)
	}
}

// TestFewRows: the upstream sample keeps two rows of 32 requests, and nothing
// may be computed from them.
func TestFewRows(t *testing.T) {
	s := foreigntest.Shared(t, "samples/genai-bench/mock_run_data.json")
	if v := value(t, s, "ttft_p50"); v.Amount.Kind != evidence.Quoted || v.Original.Number != "0.03240828774869442" {
		t.Errorf("%+v from %+v", v.Amount, v.Original)
	}
	_, found := foreigntest.Read(t, genaibench.New(), s)
	if len(found) != 1 || !strings.Contains(found[0].Msg, "rows of 2 requests") {
		t.Errorf("diagnostics: %v", found)
	}
}

func FuzzRead(f *testing.F) { suite().Fuzz(f, "x.json") }
