package sglang_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/sglang"
	"benchline/ingest/evidence"
)

func suite() foreigntest.Suite {
	return foreigntest.Suite{Format: sglang.New(), Gaps: []string{"outcomes.failed", "outcomes.planned", "outcomes.unresolved", "subject.hardware", "workload.input_tokens"},
		Samples: []foreigntest.Case{{File: "sglang/2024/online.jsonl", Golden: "online", Gaps: []string{"subject.model", "workload.input_tokens_asked"}},
			{File: "sglang/2026/details.jsonl", Golden: "details"}}}
}

func TestFormat(t *testing.T) { suite().Run(t) }

func FuzzRead(f *testing.F) { suite().Fuzz(f, "result.jsonl") }

func TestABrokenLineStopsNothing(t *testing.T) {
	records, found := foreigntest.Read(t, sglang.New(), suite().Sources()[0])
	if len(records) != 3 {
		t.Errorf("got %d records of three whole lines", len(records))
	}
	var notes []string
	for _, d := range found {
		notes = append(notes, d.String())
	}
	for _, want := range []string{"online.jsonl:2: request_rate is Infinity", "what begins on line 3 is left out"} {
		if !strings.Contains(strings.Join(notes, "\n"), want) {
			t.Errorf("no note has %q: %q", want, notes)
		}
	}
}

// By hand: first text after 100, 150 and 200 ms, then 19 gaps of 10, 20 and 30
// ms; the fourth request failed. No time per token: its counts may be the
// maximum that was asked for.
func TestArraysAreComputedAnew(t *testing.T) {
	records, found := foreigntest.Read(t, sglang.New(), suite().Sources()[1])
	r := records[0]
	for id, want := range map[string]float64{"ttft_mean": 0.15, "ttft_p50": 0.15, "ttft_max": 0.2, "e2e_p50": 0.53, "e2e_max": 0.77, "e2e_mean": (0.29 + 0.53 + 0.77) / 3} {
		if v := foreigntest.Value(t, r, id); v.Amount.Kind != evidence.Exact || math.Abs(v.Amount.X-want) > 1e-9 {
			t.Errorf("%s: got %+v, want %v", id, v.Amount, want)
		}
	}
	for _, id := range []string{"tpot_mean", "chunk_gap_mean", "output_token_rate"} {
		if v := foreigntest.Value(t, r, id); v.Amount.Kind != evidence.Quoted {
			t.Errorf("%s: got %+v, want the tool's claim alone", id, v.Amount)
		}
	}
	if c, ok := r.State.Cache.Measured.Get(); !ok || c.CachedTokens != 60 || c.PromptTokens != 300 {
		t.Errorf("cache %+v", c)
	}
	foreigntest.Hidden(t, records, found, "CANARY")
}

// Versions that write accept_length or server_info ask the server once more
// within the timed window; the files of before do not.
func TestOnlyLaterVersionsTimeOneMoreRequest(t *testing.T) {
	for i, want := range []bool{false, true} {
		records, _ := foreigntest.Read(t, sglang.New(), suite().Sources()[i])
		got := false
		for _, l := range foreigntest.Value(t, records[0], "output_token_rate").Limits {
			got = got || l.Code == evidence.WindowMismatch
		}
		if got != want {
			t.Errorf("%s: window mismatch %t, want %t", suite().Samples[i].File, got, want)
		}
	}
}

// Every figure of the real files is as another parser reads it.
func TestSharedFiles(t *testing.T) {
	for _, name := range []string{"samples/sglang/llama_3_3_70b_online_output.jsonl", "samples/sglang/llama_3_3_70b_offline_output.jsonl",
		"corpus/datacrunch-research--h200-benchmarks/sglang/outputs/llama_405b_online_output.jsonl"} {
		t.Run(name, func(t *testing.T) {
			src := foreigntest.Shared(t, name)
			b, err := os.ReadFile(src.FilePath())
			if err != nil {
				t.Fatal(err)
			}
			records, _ := foreigntest.Read(t, sglang.New(), src)
			n := 0
			for lines := bufio.NewScanner(bytes.NewReader(b)); lines.Scan(); n++ {
				var file map[string]any
				line := strings.ReplaceAll(lines.Text(), ": Infinity", ": null")
				if err := json.Unmarshal([]byte(line), &file); err != nil {
					n--
					continue
				}
				if n >= len(records) {
					t.Fatalf("line %d has no record", n+1)
				}
				same(t, records[n], file)
			}
			if n != len(records) {
				t.Errorf("%d lines give %d records", n, len(records))
			}
		})
	}
}

func same(t *testing.T, r evidence.Record, file map[string]any) {
	t.Helper()
	for id, key := range map[string]string{"output_token_rate": "output_throughput", "ttft_p50": "median_ttft_ms", "e2e_mean": "mean_e2e_latency_ms", "e2e_p50": "median_e2e_latency_ms", "chunk_gap_p50": "median_itl_ms"} {
		want, _ := file[key].(float64)
		if strings.HasSuffix(key, "_ms") {
			want /= 1e3
		}
		v := foreigntest.Value(t, r, id)
		if x, ok := v.Amount.Number(); !ok || math.Abs(x-want) > 1e-12*want {
			t.Errorf("%s: got %+v, the file has %s = %v", id, v.Amount, key, file[key])
		}
	}
	if len(r.Values) != 5 {
		t.Errorf("got %d values, the line has 5", len(r.Values))
	}
	if x, ok := r.Load.RatePerSec.Get(); ok != (file["request_rate"] != nil) || ok && x != file["request_rate"] {
		t.Errorf("asked rate %v %t, the file has %v", x, ok, file["request_rate"])
	}
	if n, ok := r.Outcomes.Completed.Get(); !ok || float64(n) != file["completed"] {
		t.Errorf("completed %d %t", n, ok)
	}
	if _, ok := r.Outcomes.Failed.Get(); ok {
		t.Error("failures are stated")
	}
}
