package trtllm_test

import (
	"errors"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/trtllm"
)

func suite(t testing.TB) foreigntest.Suite {
	return foreigntest.Suite{Format: trtllm.New(), Gaps: []string{"outcomes.failed", "outcomes.completed", "subject.hardware"},
		Samples: []foreigntest.Case{{File: "trtllm-bench/0.16/throughput_128_128.txt", Golden: "old"}, {File: "trtllm-bench/0.20/throughput_1024_256.txt", Golden: "new"}},
		Others:  []adapter.Source{foreigntest.Text(t, "log.txt", "[TensorRT-LLM][INFO] MPI size: 1\n")}}
}

func TestFormat(t *testing.T) { suite(t).Run(t) }

// TestRealLog: in the real file output tokens ÷ time is the printed rate, so
// that it is an output rate and not one of all tokens.
func TestRealLog(t *testing.T) {
	records, _ := foreigntest.Read(t, trtllm.New(), foreigntest.Shared(t, "corpus/shaamil101-etched--trtllm-benchmarks/results/result_128_128_30000.txt"))
	v := records[0].Values[0]
	w, _ := v.Window.Get()
	if v.Metric != "output_token_rate" || v.Original.Number != "14389.7989" || w.Seconds != 266.85571 {
		t.Errorf("got %s %+v over %v s", v.Metric, v.Original, w.Seconds)
	}
	if got := 30000 * 128 / w.Seconds; got < v.Amount.X*0.9999 || got > v.Amount.X*1.0001 {
		t.Errorf("output tokens ÷ time is %v, the file has %v", got, v.Amount.X)
	}
	if _, ok := records[0].Load.Rate.Get(); ok {
		t.Error("an issue rate of 2.9766E+13 is taken for a rate")
	}
}

func TestLogWithoutReport(t *testing.T) {
	src := foreigntest.Text(t, "log.txt", "[TensorRT-LLM] TensorRT-LLM version: 0.16.0\n[05/01/2026-10:00:00] [TRT-LLM] [I] Preparing to run throughput benchmark...\n")
	_, _, err := foreigntest.Try(t, trtllm.New(), src)
	if refused, ok := errors.AsType[*adapter.RefusedError](err); !ok || !strings.Contains(refused.Why, "did not end") {
		t.Errorf("got %v", err)
	}
}

func FuzzRead(f *testing.F) { suite(f).Fuzz(f, "x.txt") }
