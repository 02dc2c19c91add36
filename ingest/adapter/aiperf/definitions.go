package aiperf

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool     = "AIPerf"
	versions = "code at db4f639 (2025-10-10) and the metrics reference since"
	code     = "code: aiperf/metrics/types/*.py; docs: metrics-reference, json-export-schema"
	valid    = "requests of the profiling phase without an error; warm-up is outside"
	window   = "from the first request to the last response of valid requests of the profiling phase"
	byClient = "the client's tokenizer on the text, output and reasoning together; the endpoint's usage only by option"
)

// Definitions are what AIPerf means by its words.
func (Adapter) Definitions() []adapter.Definition {
	latency := func(word string, m measure.MetricID, start, end string) adapter.Definition {
		return adapter.Definition{Tool: tool, Versions: versions, Word: word, Metric: m, Start: start, End: end, Population: valid, Window: window,
			TokenSource: byClient, PercentileRule: "linear interpolation between ranks (numpy)", Missing: "the metric is null or left out", Source: code}
	}
	quotient := func(word string, m measure.MetricID, what string) adapter.Definition {
		d := latency(word, m, "the first valid request begins", "the last valid response ends")
		d.Population, d.PercentileRule = what, "none: a quotient"
		return d
	}
	const begins = "a worker begins the request"
	gaps := latency("inter_chunk_latency", "chunk_gap", "a chunk with content arrives", "the next one arrives")
	gaps.Population = "all gaps of valid requests together"
	return []adapter.Definition{
		latency("time_to_first_token", "ttft", begins, "the first chunk with content arrives, reasoning included"),
		latency("time_to_first_output_token", "ttfa", begins, "the first chunk with content that is no reasoning arrives"),
		latency("inter_token_latency", "tpot", "the first chunk with content arrives", "the last one arrives, divided by the output tokens less one: one value a request; none for one token"),
		latency("request_latency", "e2e", begins, "the last chunk with content arrives; usage and [DONE] are not waited for"),
		gaps,
		quotient("output_token_throughput", "output_token_rate", "output and reasoning tokens of valid requests"),
		quotient("request_throughput", "request_rate", "valid requests"),
		quotient("goodput", "goodput", "valid requests within all of the limits given; one without a metric that a limit is on is not good"),
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
