package llmd

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool = "llm-d Benchmark Report"
	code = "llm-d/llm-d-benchmark at 8bc9f1d: benchmark_report, schema 0.2.1"
)

// Definitions are what a Benchmark Report means by its words. It is a form into
// which the figures of another tool are put: that tool's definitions hold, and
// the form does not repeat them.
func (Adapter) Definitions() []adapter.Definition {
	def := func(word string, m measure.MetricID) adapter.Definition {
		return adapter.Definition{Tool: tool, Versions: "0.2", Word: word, Metric: m,
			Start: adapter.NotDefined, End: adapter.NotDefined, Population: adapter.NotDefined + " (that of the tool which the report names)",
			Window: adapter.NotDefined, TokenSource: adapter.NotDefined, PercentileRule: adapter.NotDefined, Missing: "the key is left out", Source: code}
	}
	return []adapter.Definition{
		def("request_latency", "e2e"), def("time_to_first_token", "ttft"), def("time_per_output_token", "tpot"),
		def("inter_token_latency", "chunk_gap"), def("output_token_rate", "output_token_rate"),
		def("total_token_rate", "total_token_rate"), def("request_rate", "request_rate"),
	}
}
