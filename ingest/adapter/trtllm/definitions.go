package trtllm

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const tool = "trtllm-bench"

// words are what trtllm-bench means by its words.
func words() []adapter.Definition {
	d := adapter.Definition{Tool: tool, Versions: "throughput reports of 0.16 to 0.20",
		Population: "all requests of the data set; whether any failed is not stated", Window: "Total Latency: from the first request to the end of the last",
		TokenSource: "the engine, called in the same process: no HTTP, no network", PercentileRule: adapter.NotDefined, Missing: "the line is left out",
		Source: "the report itself and TensorRT-LLM's documentation of trtllm-bench (0.16 to 0.20)"}
	const sent = "the request is given to the engine; with an issue rate without limit all are given at once, and waiting is in it"
	rate := func(word string, m measure.MetricID, counted string) adapter.Definition {
		return d.Quotient(word, m, "the first request is issued", "the last request ends", counted)
	}
	return []adapter.Definition{
		rate("Token Throughput (tokens/sec)", "output_token_rate", "output tokens only, in reports that have no line for the total"),
		rate("Total Output Throughput (tokens/sec)", "output_token_rate", "output tokens"),
		rate("Total Token Throughput (tokens/sec)", "total_token_rate", "input and output tokens"),
		rate("Request Throughput (req/sec)", "request_rate", "requests"),
		d.Latency("Latency", "e2e", sent, "the request ends"),
		d.Latency("TTFT", "ttft", sent, "the first token is there"),
		d.Latency("TPOT", "tpot", "the first token is there", "the last token is there, divided by the output tokens less one"),
	}
}
