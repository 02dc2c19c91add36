package genaibench

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool    = "genai-bench"
	counted = "the endpoint's usage, else the client's tokenizer; the file does not say which"
)

// words are what genai-bench means by its words.
func words() []adapter.Definition {
	d := adapter.Definition{Tool: tool, Versions: "to 7fd04d8",
		Population:     "requests without an error code; with a warm-up or cool-down ratio the first and last completed ones are dropped, and the file does not say which ratio",
		Window:         "the whole run",
		TokenSource:    counted,
		PercentileRule: "linear interpolation between ranks (numpy)", Missing: "null",
		Source: "code of sgl-project/genai-bench at 7fd04d8: metrics/request_metrics_collector.py, metrics/aggregated_metrics_collector.py"}
	const sent = "the request is begun in the client"
	rate := func(word string, m measure.MetricID, counted string) adapter.Definition {
		q := d.Quotient(word, m, "the run begins", "the run ends", counted)
		q.Window = "the whole run, also where a warm-up or cool-down ratio drops requests from the numerator"
		return q
	}
	return []adapter.Definition{
		d.Latency("ttft", "ttft", sent, "the first chunk with content or reasoning is there"),
		d.Latency("e2e_latency", "e2e", sent, "the answer has ended"),
		d.Latency("tpot", "tpot", "the first token is there", "the answer has ended, divided by the output tokens less one").
			Of(d.Population + "; none for answers of one token or of an output time below 1 ms"),
		rate("mean_output_throughput_tokens_per_s", "output_token_rate", "output tokens of requests without an error code"),
		rate("mean_total_tokens_throughput_tokens_per_s", "total_token_rate", "input and output tokens of requests without an error code"),
		rate("requests_per_minute", "request_rate", "completed requests"),
	}
}
