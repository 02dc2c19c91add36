package vllm_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/vllm"
	"benchline/ingest/evidence"
)

func suite(t testing.TB) foreigntest.Suite {
	const sglang = "============ Serving Benchmark Result ============\n"
	return foreigntest.Suite{Format: vllm.New(), Gaps: []string{"outcomes.unresolved", "subject.hardware", "outcomes.sent", "subject.precision"},
		Samples: []foreigntest.Case{{File: "vllm/0.26/serve-rate-and-cap.json", Golden: "rate-and-cap"}, {File: "vllm/0.26/serve-detailed.json", Golden: "detailed"},
			{File: "vllm/0.26/serve-appended.json", Golden: "appended"}, {File: "vllm/0.26/serve-all-failed.json", Golden: "all-failed"}, {File: "vllm/sweep/run=0.json", Golden: "sweep"},
			{File: "vllm/inferencex/conc4.json", Golden: "seconds", Gaps: []string{"outcomes.failed"}}, {File: "vllm/throughput/offline.json", Golden: "offline"},
			{File: "vllm/printed/bench.log", Golden: "printed", Gaps: []string{"outcomes.planned"}}},
		Others: []adapter.Source{foreigntest.Text(t, "sglang.log", sglang+"Backend:                                 sglang\n"), foreigntest.Text(t, "cut.log", sglang),
			foreigntest.Text(t, "said.md", "the line ==== Serving Benchmark Result ==== ends\nx: 1\n")}}
}

func TestFormat(t *testing.T) { suite(t).Run(t) }

func FuzzRead(f *testing.F) { suite(f).Fuzz(f, "result.json") }

// The figures of the arrays, by hand: requests start at 0, 0.5, 1, (1.5 failed)
// and 2 s; first chunks after 100, 150, 200 and 250 ms; gaps of 60 ms together,
// none, 100 ms together and 5 s together; 4, 1, 3 and 6 tokens.
func TestArraysAreComputedAnew(t *testing.T) {
	records, _ := foreigntest.Read(t, vllm.New(), foreigntest.Sample("vllm/0.26/serve-detailed.json"))
	r := records[0]
	for id, want := range map[string]float64{
		"output_token_rate": 14 / 7.25, "total_token_rate": (14 + 100 + 110 + 120 + 140) / 7.25, "request_rate": 4 / 7.25,
		"ttft_mean": 0.175, "ttft_p50": 0.150, "ttft_max": 0.250, "tpot_mean": (0.02 + 0.05 + 1) / 3, "tpot_p50": 0.05,
		"e2e_p50": 0.160, "e2e_max": 5.250, "chunk_gap_max": 4.5, "chunk_gap_p50": 0.05,
	} {
		v := foreigntest.Value(t, r, id)
		if v.Amount.Kind != evidence.Exact || math.Abs(v.Amount.X-want) > 1e-9 {
			t.Errorf("%s: got %+v, want %v", id, v.Amount, want)
		}
	}
	ttft := foreigntest.Value(t, r, "ttft_mean")
	if ttft.Claim == nil || ttft.Claim.Original.Key != "mean_ttft_ms" || ttft.Claim.Amount.Kind != evidence.Quoted {
		t.Errorf("the tool's own figure is not beside ours: %+v", ttft.Claim)
	}
	if p99 := foreigntest.Value(t, r, "ttft_p99"); p99.Amount.Kind != evidence.TooFew || p99.Claim == nil || p99.Claim.Original.Number != "248.5" {
		t.Errorf("a p99 of four requests: %+v, claim %+v", p99.Amount, p99.Claim)
	}
	if n, ok := r.Outcomes.Failed.Get(); !ok || n != 1 || r.Errors[0].N != 1 {
		t.Errorf("failed %d %t, %v", n, ok, r.Errors)
	}
	if len(r.Distributions) != 3 || r.Distributions[0].N != 5 || r.Distributions[0].Finished != 4 {
		t.Errorf("distributions %+v", r.Distributions)
	}
}

func TestTextsStayInTheFile(t *testing.T) {
	for _, s := range suite(t).Sources() {
		records, found := foreigntest.Read(t, vllm.New(), s)
		foreigntest.Hidden(t, records, found, "CANARY")
	}
}

// A zero that the tool writes where nothing was measured is no measurement; the
// rate of a run in which all failed is zero.
func TestZerosOfARunThatFailed(t *testing.T) {
	records, found := foreigntest.Read(t, vllm.New(), foreigntest.Sample("vllm/0.26/serve-all-failed.json"))
	for _, v := range records[0].Values {
		switch m := string(v.Metric); {
		case strings.HasSuffix(m, "_rate"):
			if v.Amount.Kind != evidence.Quoted {
				t.Errorf("%s: %+v", m, v.Amount)
			}
		case v.Amount.Kind != evidence.Undefined || !strings.Contains(v.Amount.Reason, "not stated"):
			t.Errorf("%s: %+v, want not stated", m, v.Amount)
		}
	}
	var notes []string
	for _, d := range found {
		notes = append(notes, d.String())
	}
	for _, want := range []string{"2 lines that are no JSON", "p99_ttft_ms is NaN", "p99_e2el_ms is 1e999"} {
		if !strings.Contains(strings.Join(notes, "\n"), want) {
			t.Errorf("no note has %q: %q", want, notes)
		}
	}
}

func TestASummaryOfRunsAddsNothing(t *testing.T) {
	records, _, err := foreigntest.Try(t, vllm.New(), foreigntest.Sample("vllm/sweep/summary.json"))
	if err == nil || !strings.Contains(err.Error(), "summary of the 2 runs beside it") || len(records) > 0 {
		t.Errorf("got %d records, %v", len(records), err)
	}
	b, err := os.ReadFile(foreigntest.Sample("vllm/sweep/summary.json").FilePath())
	if err != nil {
		t.Fatal(err)
	}
	if records, _ := foreigntest.Read(t, vllm.New(), foreigntest.Text(t, "summary.json", string(b))); len(records) != 2 {
		t.Errorf("without the runs it gives %d records, want 2", len(records))
	}
}

func TestArraysThatDoNotFitAreNotUsed(t *testing.T) {
	const head = `{"num_prompts":2,"completed":2,"duration":2.0,"mean_ttft_ms":5.5,`
	for name, c := range map[string]struct{ rest, want string }{
		"lengths":    {`"ttfts":[0.1,0.2],"output_lens":[3],"itls":[[0.1],[0.1]]}`, "different lengths"},
		"no end":     {`"ttfts":[0.1,0.2],"output_lens":[3,3]}`, "no request has an end"},
		"who failed": {`"ttfts":[0.1,0.2,0],"output_lens":[3,3,0],"itls":[[0.1],[0.1],[]]}`, "which of the requests failed"},
	} {
		records, found := foreigntest.Read(t, vllm.New(), foreigntest.Text(t, "r.json", head+c.rest))
		if len(found) != 1 || !strings.Contains(found[0].Msg, c.want) {
			t.Errorf("%s: notes %v, want %q", name, found, c.want)
		}
		if v := foreigntest.Value(t, records[0], "ttft_mean"); v.Amount.Kind != evidence.Quoted || v.Claim != nil {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// Every figure of the real files is as another parser reads it.
func TestSharedFiles(t *testing.T) {
	for _, c := range []struct {
		file   string
		perSec float64
		suffix string
		scale  float64
		failed bool
	}{
		{"samples/vllm/bench-serve-0.26-rate-and-cap-monday-peak.json", 1.5, "_ms", 1e-3, true},
		{"samples/vllm/bench-serve-0.26-rate-sweep-1.0.json", 1, "_ms", 1e-3, true},
		{"samples/vllm/bench-serve-fork-inferencex-glm5-conc4.json", 0, "", 1, false},
		{"corpus/djangodevreng--dgx-spark-benchmarks/results/qwen-3.6/qwen-3.6-27b/fp8/07-office-baseline.json", 0.3, "_ms", 1e-3, true},
		{"corpus/dstackai--benchmarks/comparison/pd_ratio/raw_data/1p3d_conc128_in128_out2048_20250914_020816.json", 0, "_ms", 1e-3, false},
		{"corpus/SemiAnalysisAI--InferenceX/experimental/token_position_decode_slo/minimax-m2.5/results/minimax_m25_vllm_tep8_isl16384_osl128_conc32.json", 0, "", 1, false},
	} {
		t.Run(c.file, func(t *testing.T) {
			src := foreigntest.Shared(t, c.file)
			b, err := os.ReadFile(src.FilePath())
			if err != nil {
				t.Fatal(err)
			}
			var file map[string]any
			if err := json.Unmarshal(b, &file); err != nil {
				t.Fatal(err)
			}
			records, _ := foreigntest.Read(t, vllm.New(), src)
			r := records[0]
			same(t, r, file, c.suffix, c.scale)
			if x, ok := r.Load.RatePerSec.Get(); ok != (c.perSec > 0) || x != c.perSec {
				t.Errorf("asked rate %v %t, want %v", x, ok, c.perSec)
			}
			if n, ok := r.Outcomes.Completed.Get(); !ok || float64(n) != file["completed"] {
				t.Errorf("completed %d %t", n, ok)
			}
			if n, ok := r.Outcomes.Failed.Get(); ok != c.failed || n != 0 {
				t.Errorf("failed %d, stated %t", n, ok)
			}
			if model, _ := r.Subject.Model.Get(); model != file["model_id"] {
				t.Errorf("model %q", model)
			}
		})
	}
}

// same compares a record's figures with the keys of its file, and counts them.
func same(t *testing.T, r evidence.Record, file map[string]any, suffix string, scale float64) {
	t.Helper()
	n := 0
	check := func(id, key string, factor float64) {
		x, ok := file[key].(float64)
		if !ok {
			return
		}
		n++
		v := foreigntest.Value(t, r, id)
		if got, ok := v.Amount.Number(); !ok || math.Abs(got-x*factor) > 1e-12*math.Abs(x) || v.Original.Key != key {
			t.Errorf("%s: got %+v by %s, the file has %s = %v", id, v.Amount, v.Original.Key, key, x)
		}
	}
	check("output_token_rate", "output_throughput", 1)
	check("total_token_rate", "total_token_throughput", 1)
	check("request_rate", "request_throughput", 1)
	for word, base := range map[string]string{"ttft": "ttft", "tpot": "tpot", "itl": "chunk_gap", "e2el": "e2e"} {
		for prefix, stat := range map[string]string{"mean": "mean", "median": "p50", "p90": "p90", "p95": "p95", "p99": "p99"} {
			check(base+"_"+stat, prefix+"_"+word+suffix, scale)
		}
	}
	if n != len(r.Values) || n < 6 {
		t.Errorf("the file has %d figures, the record %d", n, len(r.Values))
	}
}

func TestCases(t *testing.T) {
	records, _ := foreigntest.Read(t, vllm.New(), foreigntest.Shared(t, "cases/c14-no-failed-key.json"))
	r := records[0]
	if _, ok := r.Outcomes.Failed.Get(); ok || !strings.Contains(r.Summary, "898 of 1,000") || !strings.Contains(r.Summary, "102 not completed, reason not stated in the source file") {
		t.Errorf("C14: failed stated %t, %q", ok, r.Summary)
	}
	if p, ok := foreigntest.Value(t, r, "ttft_p99").Population.Get(); !ok || p.N != 898 {
		t.Errorf("C14: p99 of %+v", p)
	}
	records, found := foreigntest.Read(t, vllm.New(), foreigntest.Shared(t, "cases/c13-not-finite.json"))
	r = records[0]
	done, _ := r.Outcomes.Completed.Get()
	failed, _ := r.Outcomes.Failed.Get()
	if len(found) != 5 || done != 0 || failed != 10 || !strings.Contains(r.Load.RatePerSec.Note(), "no rate limit") {
		t.Errorf("C13: %d notes %v, completed %d, failed %d, %q", len(found), found, done, failed, r.Load.RatePerSec.Note())
	}
}

// TestPrintedBlocks holds that each of the 23 results of a real log is a record,
// with the figures that stand in it.
func TestPrintedBlocks(t *testing.T) {
	src := foreigntest.Shared(t, "corpus/dstackai--benchmarks/amd/tgi_vs_vllm/raw_data/vllm_raw.txt")
	b, err := os.ReadFile(src.FilePath())
	if err != nil {
		t.Fatal(err)
	}
	records, found := foreigntest.Read(t, vllm.New(), src)
	blocks := strings.Split(string(b), "Serving Benchmark Result")[1:]
	if len(records) != len(blocks) || len(blocks) != 23 || len(found) != 1 || !strings.Contains(found[0].Msg, "6 lines outside") {
		t.Fatalf("%d records of %d blocks, %v", len(records), len(blocks), found)
	}
	for i, r := range records {
		n := 0
		for line := range strings.Lines(blocks[i]) {
			label, value, ok := strings.Cut(line, ":")
			value = strings.TrimSpace(value)
			if !ok || !strings.HasSuffix(label, "(ms)") && !strings.HasSuffix(label, "/s)") {
				continue
			}
			n++
			for _, v := range r.Values {
				if v.Original.Key == label && v.Original.Number != value {
					t.Errorf("block %d: %s is %s, the log has %s", i+1, label, v.Original.Number, value)
				}
			}
		}
		done, ok := r.Outcomes.Completed.Get()
		if w, _ := r.State.Window.Get(); n != 12 || len(r.Values) != n || !ok || done < 1 || w.Seconds <= 0 {
			t.Errorf("block %d: %d figures of %d, %d completed over %g s", i+1, len(r.Values), n, done, w.Seconds)
		}
		if _, ok := r.Outcomes.Planned.Get(); ok {
			t.Errorf("block %d: a number that was asked for is stated", i+1)
		}
	}
}
