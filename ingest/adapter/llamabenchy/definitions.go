package llamabenchy

import "benchline/ingest/adapter"

const tool = "llama-benchy"

// words are what llama-benchy means by its words.
func words() []adapter.Definition {
	d := adapter.Definition{Tool: tool, Versions: "0.2 to 0.4",
		Population: "requests of all repetitions at one concurrency; how many failed is not stated", Window: "one batch of as many requests as the concurrency, repeated",
		TokenSource: adapter.NotDefined, PercentileRule: "none: mean and standard deviation over the repetitions' values", Missing: "null",
		Source: "documentation of eugr/llama-benchy at ae09cab"}
	return []adapter.Definition{
		d.Latency("e2e_ttft", "ttft", "the request is sent", "the first chunk with content is there"),
		d.Latency("ttfr", "ttft", "the request is sent", "the first chunk of any kind is there, also without content"),
		d.Latency("tg_throughput", "output_token_rate", "the first token of the batch", "the last token of the batch: the time of the prompts is not in it"),
	}
}
