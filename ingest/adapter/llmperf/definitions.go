package llmperf

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool = "llmperf"
	code = "code of ray-project/llmperf at f1d6bed: token_benchmark_ray.py, ray_clients/openai_chat_completions_client.py"
)

// Definitions are what llmperf means by its words.
func (Adapter) Definitions() []adapter.Definition {
	def := func(word string, m measure.MetricID, start, end string) adapter.Definition {
		return adapter.Definition{Tool: tool, Versions: "result files of version 2023-08-31", Word: word, Metric: m, Start: start, End: end,
			Population:     "requests without an error code; those beyond the asked number, which the last round of clients may add, are dropped or counted by version",
			Window:         "the whole run, closed loop, without a warm-up",
			TokenSource:    "the Llama tokenizer on the text, whatever the model is",
			PercentileRule: "linear interpolation between ranks (pandas)",
			Missing:        "0 in the rows of requests that failed; their token count is written as 1", Source: code}
	}
	const sent = "the HTTP request is begun in the client"
	itl := def("inter_token_latency_s", "tpot", sent, "the last token is there, divided by the tokens: the wait for the first token is in it")
	rate := func(word string, m measure.MetricID, what string) adapter.Definition {
		d := def(word, m, "the run begins", "the last answer is there")
		d.Window = "from the start of the run to its end, which the file does not give"
		d.Population, d.PercentileRule = what, "none: a quotient"
		return d
	}
	return []adapter.Definition{
		def("ttft_s", "ttft", sent, "the first chunk with content is there"),
		def("end_to_end_latency_s", "e2e", sent, "the stream is closed"),
		itl,
		rate("mean_output_throughput_token_per_s", "output_token_rate", "output tokens of requests without an error code"),
		rate("num_completed_requests_per_min", "request_rate", "completed requests"),
	}
}

// define is the definition of a word.
func (a Adapter) define(word string) adapter.Definition {
	for _, d := range a.Definitions() {
		if d.Word == word {
			return d
		}
	}
	return adapter.Definition{Tool: tool, Word: word}
}
