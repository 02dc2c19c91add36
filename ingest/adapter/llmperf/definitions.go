package llmperf

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool    = "llmperf"
	counted = "the Llama tokenizer on the text, whatever the model is"
)

// words are what llmperf means by its words.
func words() []adapter.Definition {
	d := adapter.Definition{Tool: tool, Versions: "result files of version 2023-08-31",
		Population:     "requests without an error code; those beyond the asked number, which the last round of clients may add, are dropped or counted by version",
		Window:         "the whole run, closed loop, without a warm-up",
		TokenSource:    counted,
		PercentileRule: "linear interpolation between ranks (pandas)",
		Missing:        "0 in the rows of requests that failed; their token count is written as 1",
		Source:         "code of ray-project/llmperf at f1d6bed: token_benchmark_ray.py, ray_clients/openai_chat_completions_client.py"}
	const sent = "the HTTP request is begun in the client"
	rate := func(word string, m measure.MetricID, counted string) adapter.Definition {
		q := d.Quotient(word, m, "the run begins", "the last answer is there", counted)
		q.Window = "from the start of the run to its end, which the file does not give"
		return q
	}
	return []adapter.Definition{
		d.Latency("ttft_s", "ttft", sent, "the first chunk with content is there"),
		d.Latency("end_to_end_latency_s", "e2e", sent, "the stream is closed"),
		d.Latency("inter_token_latency_s", "tpot", sent, "the last token is there, divided by the tokens: the wait for the first token is in it"),
		rate("mean_output_throughput_token_per_s", "output_token_rate", "output tokens of requests without an error code"),
		rate("num_completed_requests_per_min", "request_rate", "completed requests"),
	}
}
