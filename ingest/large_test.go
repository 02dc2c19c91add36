package ingest_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"testing"
)

// large are writers of one file each with the rows of many requests, about as
// many bytes as asked for: numbers as the tools write them, times from a seed.
func large() map[string]func(w io.Writer, size int) {
	return map[string]func(w io.Writer, size int){
		"vllm.json":               largeVLLM,
		"sglang.jsonl":            largeSGLang,
		"guidellm.json":           largeGuideLLM,
		"profile_export.jsonl":    largeAIPerf,
		"individual_replies.json": largeLLMPerf,
	}
}

// writeLarge writes one of them.
func writeLarge(tb testing.TB, name, file string, size int) {
	tb.Helper()
	f, err := os.Create(file)
	if err != nil {
		tb.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	large()[name](w, size)
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
}

const gapsEach = 200 // gaps between chunks of one request

func dice() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// array writes a JSON array of n items.
func array(w io.Writer, n int, item func(i int)) {
	fmt.Fprint(w, "[")
	for i := range n {
		if i > 0 {
			fmt.Fprint(w, ", ")
		}
		item(i)
	}
	fmt.Fprint(w, "]")
}

// gap is a time between two chunks in seconds; one in ten thousand is long.
func gap(r *rand.Rand) float64 {
	if r.IntN(10_000) == 0 {
		return 4 + 2*r.Float64()
	}
	return 0.01 + 0.02*r.ExpFloat64()
}

func largeVLLM(w io.Writer, size int) {
	r, n := dice(), size/(gapsEach*22+400)
	fmt.Fprintf(w, `{"model_id": "example-org/model-7b", "tokenizer_id": "t", "num_prompts": %d, "request_rate": "inf", "max_concurrency": 64, "duration": %d.5, "completed": %d, "failed": 0, "mean_ttft_ms": 200.5, "output_throughput": 50.5, "request_throughput": 1.5, `, n, n, n)
	details(w, r, n)
	fmt.Fprint(w, `, "start_times": `)
	array(w, n, func(i int) { fmt.Fprintf(w, "%v", 100+float64(i)/3) })
	fmt.Fprint(w, "}\n")
}

func largeSGLang(w io.Writer, size int) {
	r, n := dice(), size/(gapsEach*22+400)
	fmt.Fprintf(w, `{"backend": "sglang", "dataset_name": "random", "request_rate": Infinity, "max_concurrency": 8, "total_output_tokens_retokenized": 5, "random_range_ratio": 1.0, "duration": %d.5, "completed": %d, "mean_ttft_ms": 150.5, "median_ttft_ms": 140.5, "output_throughput": 30.5, "request_throughput": 1.5, "mean_e2e_latency_ms": 7800.5, `, n, n)
	details(w, r, n)
	fmt.Fprint(w, "}\n")
}

// details are the arrays that vLLM and SGLang have in common.
func details(w io.Writer, r *rand.Rand, n int) {
	fmt.Fprint(w, `"input_lens": `)
	array(w, n, func(int) { fmt.Fprint(w, 100+r.IntN(100)) })
	fmt.Fprint(w, `, "output_lens": `)
	array(w, n, func(int) { fmt.Fprint(w, gapsEach+1) })
	fmt.Fprint(w, `, "ttfts": `)
	array(w, n, func(int) { fmt.Fprint(w, 0.1+r.Float64()) })
	fmt.Fprint(w, `, "itls": `)
	array(w, n, func(int) { array(w, gapsEach, func(int) { fmt.Fprint(w, gap(r)) }) })
	fmt.Fprint(w, `, "generated_texts": `)
	array(w, n, func(i int) { fmt.Fprintf(w, `"Some answer no. %d, with a few words that are not wanted."`, i) })
	fmt.Fprint(w, `, "errors": `)
	array(w, n, func(int) { fmt.Fprint(w, `""`) })
}

func largeAIPerf(w io.Writer, size int) {
	r := dice()
	for i := range size / (gapsEach*19 + 700) {
		start := 1_772_360_100_000_000_000 + int64(i)*1_000_000
		fmt.Fprintf(w, `{"metadata": {"session_num": %d, "request_start_ns": %d, "request_end_ns": %d, "worker_id": "w", "benchmark_phase": "profiling", "was_cancelled": false}, "metrics": {"output_sequence_length": {"value": %d, "unit": "tokens"}, "input_sequence_length": {"value": 100, "unit": "tokens"}, "time_to_first_token": {"value": %v, "unit": "ms"}, "request_latency": {"value": 9000.5, "unit": "ms"}, "inter_chunk_latency": {"value": `,
			i, start, start+9_000_500_000, gapsEach+1, 100+100*r.Float64())
		array(w, gapsEach, func(int) { fmt.Fprint(w, 1000*gap(r)) })
		fmt.Fprint(w, `, "unit": "ms"}}, "error": null}`+"\n")
	}
}

func largeGuideLLM(w io.Writer, size int) {
	r, n := dice(), size/900
	fmt.Fprintf(w, `{"metadata": {"version": 2, "guidellm_version": "0.6.0"}, "benchmarks": [{"type_": "generative_benchmark", "config": {"strategy": {"type_": "constant", "rate": 5.0}}, "duration": %d.5, "metrics": {"request_totals": {"successful": %d, "errored": 0, "incomplete": 0, "total": %d}}, "requests": {"successful": `, n/5, n, n)
	array(w, n, func(i int) {
		at := 1_772_360_100 + float64(i)/5
		fmt.Fprintf(w, `{"type_": "generative_request_stats", "request_id": "r%d", "request_args": "{\"body\": \"%0200d\"}", "output": "words", "info": {"status": "completed", "timings": {"request_start": %.6f, "first_token_iteration": %.6f, "last_token_iteration": %.6f, "request_iterations": 13, "token_iterations": 11, "request_end": %.6f}}, "request_start_time": %.6f, "prompt_tokens": 50, "output_tokens": 11}`,
			i, i, at, at+0.1+r.Float64(), at+2+r.Float64(), at+4, at)
	})
	fmt.Fprint(w, `, "errored": [], "incomplete": []}}]}`+"\n")
}

func largeLLMPerf(w io.Writer, size int) {
	r := dice()
	array(w, size/330, func(int) {
		first := 0.1 + r.Float64()
		fmt.Fprintf(w, `{"error_code": null, "error_msg": "", "inter_token_latency_s": %v, "ttft_s": %v, "end_to_end_latency_s": %v, "request_output_throughput_token_per_s": %v, "number_total_tokens": 650, "number_output_tokens": 150, "number_input_tokens": 500}`,
			gap(r), first, first+3*r.Float64(), 20+r.Float64())
	})
}
