package sglang

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool    = "SGLang bench_serving"
	any200  = "any answer with HTTP 200, also an empty one"
	ok200   = "requests that the tool counts as completed: " + any200
	counted = "the requested maximum, replaced by the endpoint's usage where one is seen: an answer that ended early without usage keeps the maximum"
	asked   = "the first request to the last"
	andMore = "the first request until after the last one, the profiler's stop and one more request for server_info"
	whole   = "from " + andMore + "; in files without accept_length or server_info, until after the last one and the profiler's stop"
	early   = "from the first request until after the last one and the profiler's stop"
	sent    = "the request is sent, after the wait for a free slot under --max-concurrency"
)

// words are what SGLang's bench_serving means by its words.
func words() []adapter.Definition {
	d := adapter.Definition{Tool: tool, Versions: "serving.py at 00f9ec47 (2026) and result files since 2024", Population: ok200, Window: whole, TokenSource: counted,
		PercentileRule: "linear interpolation between ranks (numpy)", Missing: "0 where no text came, which enters means and percentiles; NaN for an empty list",
		Source: "code: python/sglang/benchmark/serving.py calculate_metrics, async_request_sglang_generate, async_request_openai_completions"}
	rate := func(word string, m measure.MetricID, counted string) adapter.Definition {
		return d.Quotient(word, m, "the first request is scheduled", "all requests have ended", counted)
	}
	return []adapter.Definition{
		d.Latency("ttft", "ttft", sent, "the first chunk with text arrives, reasoning included"),
		d.Latency("tpot", "tpot", "the first chunk with text arrives", "the last line of the stream arrives, divided by the output tokens less one"),
		d.Latency("itl", "chunk_gap", "a chunk with text arrives", "the next one arrives; on the native path the gap is divided by its new tokens and counted once for each").
			Of("all gaps of completed requests together"),
		d.Latency("e2e_latency", "e2e", sent, "the last line of the stream arrives, usage and [DONE] included"),
		rate("output_throughput", "output_token_rate", "output tokens of completed requests"),
		rate("total_throughput", "total_token_rate", "input and output tokens of completed requests; the input as the client's dataset has it"),
		rate("request_throughput", "request_rate", "requests that the tool counts as completed: any answer with HTTP 200"),
	}
}
