package guidellm_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/guidellm"
	"benchline/ingest/evidence"
)

func suite() foreigntest.Suite {
	return foreigntest.Suite{Format: guidellm.New(), Gaps: []string{"outcomes.rejected", "outcomes.never_sent", "subject.hardware", "subject.precision"},
		Samples: []foreigntest.Case{{File: "guidellm/0.6/reasoning.json", Golden: "reasoning"}, {File: "guidellm/0.6/reasoning.csv", Golden: "csv"},
			{File: "guidellm/0.8/two-rates.json", Golden: "two-rates"}}}
}

func TestFormat(t *testing.T) { suite().Run(t) }

func FuzzRead(f *testing.F) { suite().Fuzz(f, "benchmarks.json") }

func TestTextsAndKeysStayInTheFile(t *testing.T) {
	for _, s := range suite().Sources() {
		records, found := foreigntest.Read(t, guidellm.New(), s)
		foreigntest.Hidden(t, records, found, "CANARY")
	}
}

// figure compares a figure that was computed, and the claim beside it.
func figure(t *testing.T, r evidence.Record, id string, want float64, claim string) {
	t.Helper()
	v := foreigntest.Value(t, r, id)
	if v.Amount.Kind != evidence.Exact || math.Abs(v.Amount.X-want) > 1e-6 {
		t.Errorf("%s: got %+v, want %v", id, v.Amount, want)
	}
	switch {
	case v.Claim == nil:
		t.Errorf("%s: the tool's figure is not beside it", id)
	case v.Claim.Amount.Text != claim:
		t.Errorf("%s: the tool's figure is %q, want %q", id, v.Claim.Amount.Text, claim)
	}
}

// By hand: the stream begins after 0.5 s and ends after 10.5 s with 101 tokens;
// the tool took the iteration after 8.5 s for the first token.
func TestReasoningIsCountedFromItsFirstToken(t *testing.T) {
	records, _ := foreigntest.Read(t, guidellm.New(), suite().Sources()[0])
	r := records[0]
	figure(t, r, "ttft_mean", 0.5, "8500.0 ms")
	figure(t, r, "tpot_mean", 0.1, "20.0 ms")
	figure(t, r, "e2e_mean", 10.5, "10.75 s")
	figure(t, r, "output_token_rate", 101/10.5, "50.5 tokens/s")
	if rule := foreigntest.Value(t, r, "ttft_mean").Rule; !strings.Contains(rule, "left out iterations of the stream that hold tokens") {
		t.Errorf("the rule does not say what stands for the first token: %s", rule)
	}
}

// By hand: two requests of 11 and 21 tokens, first tokens after 0.125 and 0.25 s,
// last ones 1 and 2 s later; one failed, one was cut off 2 s after its start.
func TestRequestsOfAReport(t *testing.T) {
	records, _ := foreigntest.Read(t, guidellm.New(), suite().Sources()[2])
	if len(records) != 2 {
		t.Fatalf("two rates give %d records", len(records))
	}
	r := records[0]
	figure(t, r, "ttft_mean", 0.1875, "187.5 ms")
	figure(t, r, "tpot_mean", 0.1, "100.0 ms")
	figure(t, r, "output_token_rate", 32/2.75, "9.5 tokens/s")
	failed, _ := r.Outcomes.Failed.Get()
	open, _ := r.Outcomes.Unresolved.Get()
	sent, _ := r.Outcomes.Sent.Get()
	if failed != 1 || open != 1 || sent != 4 {
		t.Errorf("failed %d, unresolved %d, sent %d", failed, open, sent)
	}
	// One of three requests has no end: nobody knows the 95th percentile.
	if v := foreigntest.Value(t, r, "e2e_p95"); v.Amount.Kind != evidence.AtLeast || math.Abs(v.Amount.X-2.25) > 1e-6 {
		t.Errorf("e2e_p95 is %+v", v.Amount)
	}
	if _, ok := r.Workload.InputTokensAsked.Get(); ok {
		t.Error("a length that was drawn is one number")
	}
	for _, v := range records[1].Values {
		if v.Amount.Kind != evidence.Undefined || !strings.Contains(v.Amount.Reason, "count is 0") {
			t.Errorf("%s of a benchmark without successes is %+v", v.Metric, v.Amount)
		}
	}
}

// The cells of the CSV that hold JSON say which version wrote it and what ended
// the run; its second row is without them.
func TestCellsOfTheCSV(t *testing.T) {
	records, found := foreigntest.Read(t, guidellm.New(), suite().Sources()[1])
	for i, want := range []struct {
		tool    string
		planned int64
		drain   bool
		sum     float64
	}{{"GuideLLM 0.6.0", 1, true, 101}, {"GuideLLM", 0, false, 101}} {
		r := records[i]
		planned, _ := r.Outcomes.Planned.Get()
		_, drain := r.State.Drain.Get()
		sum, _ := foreigntest.Value(t, r, "output_token_rate").Numerator.Get()
		if tool, _ := r.Subject.Tool.Get(); tool != want.tool || planned != want.planned || drain != want.drain || sum.Amount != want.sum {
			t.Errorf("row %d: %q, %d planned, drain stated %t, %v tokens; want %+v", i+1, tool, planned, drain, sum.Amount, want)
		}
	}
	foreigntest.Hidden(t, records, found, "CANARY")
}

// The real run with reasoning: as printed, and from its rows.
func TestSharedReasoningRun(t *testing.T) {
	src := foreigntest.Shared(t, "samples/guidellm/benchmarks-0.6.0-reasoning-sync-1req.json")
	records, _ := foreigntest.Read(t, guidellm.New(), src)
	r := records[0]
	figure(t, r, "ttft_mean", 0.507156372, "50247.94960021973 ms")
	figure(t, r, "tpot_mean", (63.526926279-0.507156372)/3749, "3.5420049823548325 ms")
	figure(t, r, "output_token_rate", 3750/63.526926279, "282.40127915679506 tokens/s")
	if tool, _ := r.Subject.Tool.Get(); tool != "GuideLLM 0.6.0" {
		t.Errorf("tool %q", tool)
	}
	b, err := os.ReadFile(src.FilePath())
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Benchmarks []struct {
			Requests struct {
				Successful []struct{ Output string }
			}
		}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	foreigntest.Hidden(t, records, nil, file.Benchmarks[0].Requests.Successful[0].Output[:40])
}

// The CSV of the same run says the same, as far as it goes.
func TestSharedCSV(t *testing.T) {
	whole, _ := foreigntest.Read(t, guidellm.New(), foreigntest.Shared(t, "samples/guidellm/benchmarks-0.6.0-reasoning-sync-1req.json"))
	table, _ := foreigntest.Read(t, guidellm.New(), foreigntest.Shared(t, "samples/guidellm/benchmarks-0.6.0-reasoning-sync-1req.csv"))
	if len(table[0].Values) < 15 {
		t.Errorf("the CSV gives %d figures", len(table[0].Values))
	}
	for _, v := range table[0].Values {
		other := foreigntest.Value(t, whole[0], string(v.Metric))
		if other.Claim == nil || other.Claim.Amount != v.Amount {
			t.Errorf("%s: the CSV has %+v, the JSON %+v", v.Metric, v.Amount, other.Claim)
		}
	}
	gemma, _ := foreigntest.Read(t, guidellm.New(), foreigntest.Shared(t, "corpus/thesteve0--local-llm-benchmark/results/gemma4-31b-dense.csv"))
	if x := foreigntest.Value(t, gemma[0], "output_token_rate"); !strings.HasPrefix(x.Amount.Text, "18.917") {
		t.Errorf("got %+v", x.Amount)
	}
}

func TestSharedReportOfVersion2(t *testing.T) {
	records, _ := foreigntest.Read(t, guidellm.New(), foreigntest.Shared(t, "samples/guidellm/guidellm-report-v2-0.8dev.json"))
	if len(records) != 2 {
		t.Fatalf("got %d records", len(records))
	}
	for i, rate := range []float64{2, 4} {
		r := records[i]
		if x, _ := r.Load.RatePerSec.Get(); x != rate {
			t.Errorf("asked rate %v, want %v", x, rate)
		}
		if v := foreigntest.Value(t, r, "ttft_mean"); v.Amount.Kind != evidence.Quoted || v.Claim != nil {
			t.Errorf("without requests ttft_mean is %+v", v.Amount)
		}
	}
	if v := foreigntest.Value(t, records[0], "ttft_mean"); v.Amount.Text != "11.481165885925293 ms" {
		t.Errorf("got %+v", v.Amount)
	}
}
