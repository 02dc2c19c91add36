package llamabenchy

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool = "llama-benchy"
	code = "documentation of eugr/llama-benchy at ae09cab"
)

// Definitions are what llama-benchy means by its words.
func (Adapter) Definitions() []adapter.Definition {
	def := func(word string, m measure.MetricID, start, end string) adapter.Definition {
		return adapter.Definition{Tool: tool, Versions: "0.2 to 0.4", Word: word, Metric: m, Start: start, End: end,
			Population: "requests of all repetitions at one concurrency; how many failed is not stated", Window: "one batch of as many requests as the concurrency, repeated",
			TokenSource: adapter.NotDefined, PercentileRule: "none: mean and standard deviation over the repetitions' values", Missing: "null", Source: code}
	}
	return []adapter.Definition{
		def("e2e_ttft", "ttft", "the request is sent", "the first chunk with content is there"),
		def("ttfr", "ttft", "the request is sent", "the first chunk of any kind is there, also without content"),
		def("tg_throughput", "output_token_rate", "the first token of the batch", "the last token of the batch: the time of the prompts is not in it"),
	}
}
