package sglang

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool     = "SGLang bench_serving"
	versions = "serving.py at 00f9ec47 (2026) and result files since 2024"
	code     = "code: python/sglang/benchmark/serving.py calculate_metrics, async_request_sglang_generate, async_request_openai_completions"
	any200   = "any answer with HTTP 200, also an empty one"
	ok200    = "requests that the tool counts as completed: " + any200
	counted  = "the requested maximum, replaced by the endpoint's usage where one is seen: an answer that ended early without usage keeps the maximum"
	asked    = "the first request to the last"
	andMore  = "the first request until after the last one, the profiler's stop and one more request for server_info"
	whole    = "from " + andMore
	sent     = "the request is sent, after the wait for a free slot under --max-concurrency"
)

// Definitions are what SGLang's bench_serving means by its words.
func (Adapter) Definitions() []adapter.Definition {
	latency := func(word string, m measure.MetricID, start, end string) adapter.Definition {
		return adapter.Definition{Tool: tool, Versions: versions, Word: word, Metric: m, Start: start, End: end, Population: ok200, Window: whole,
			TokenSource: counted, PercentileRule: "linear interpolation between ranks (numpy)", Missing: "0 where no text came, which enters means and percentiles; NaN for an empty list", Source: code}
	}
	quotient := func(word string, m measure.MetricID, what string) adapter.Definition {
		d := latency(word, m, "the first request is scheduled", "all requests have ended")
		d.Population, d.PercentileRule = what, "none: a quotient"
		return d
	}
	itl := latency("itl", "chunk_gap", "a chunk with text arrives", "the next one arrives; on the native path the gap is divided by its new tokens and counted once for each")
	itl.Population = "all gaps of completed requests together"
	return []adapter.Definition{
		latency("ttft", "ttft", sent, "the first chunk with text arrives, reasoning included"),
		latency("tpot", "tpot", "the first chunk with text arrives", "the last line of the stream arrives, divided by the output tokens less one"),
		itl,
		latency("e2e_latency", "e2e", sent, "the last line of the stream arrives, usage and [DONE] included"),
		quotient("output_throughput", "output_token_rate", "output tokens of completed requests"),
		quotient("total_throughput", "total_token_rate", "input and output tokens of completed requests; the input as the client's dataset has it"),
		quotient("request_throughput", "request_rate", "requests that the tool counts as completed: any answer with HTTP 200"),
	}
}

func definition(word string) adapter.Definition {
	for _, d := range (Adapter{}).Definitions() {
		if d.Word == word {
			return d
		}
	}
	return adapter.Definition{}
}
