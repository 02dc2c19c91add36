package aiperf

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool     = "AIPerf"
	valid    = "requests of the profiling phase without an error; warm-up is outside"
	window   = "from the first request to the last response of valid requests of the profiling phase"
	byClient = "the client's tokenizer on the text, output and reasoning together; the endpoint's usage only by option"
)

// words are what AIPerf means by its words.
func words() []adapter.Definition {
	d := adapter.Definition{Tool: tool, Versions: "code at db4f639 (2025-10-10) and the metrics reference since", Population: valid, Window: window, TokenSource: byClient,
		PercentileRule: "linear interpolation between ranks (numpy)", Missing: "the metric is null or left out",
		Source: "code: aiperf/metrics/types/*.py; docs: metrics-reference, json-export-schema"}
	rate := func(word string, m measure.MetricID, counted string) adapter.Definition {
		return d.Quotient(word, m, "the first valid request begins", "the last valid response ends", counted)
	}
	const begins = "a worker begins the request"
	return []adapter.Definition{
		d.Latency("time_to_first_token", "ttft", begins, "the first chunk with content arrives, reasoning included"),
		d.Latency("time_to_first_output_token", "ttfa", begins, "the first chunk with content that is no reasoning arrives"),
		d.Latency("inter_token_latency", "tpot", "the first chunk with content arrives", "the last one arrives, divided by the output tokens less one: one value a request; none for one token"),
		d.Latency("request_latency", "e2e", begins, "the last chunk with content arrives; usage and [DONE] are not waited for"),
		d.Latency("inter_chunk_latency", "chunk_gap", "a chunk with content arrives", "the next one arrives").Of("all gaps of valid requests together"),
		rate("output_token_throughput", "output_token_rate", "output and reasoning tokens of valid requests"),
		rate("total_token_throughput", "total_token_rate", "input tokens, and output and reasoning tokens, of valid requests"),
		rate("request_throughput", "request_rate", "valid requests"),
		rate("goodput", "goodput", "valid requests within all of the limits given; one without a metric that a limit is on is not good"),
	}
}
