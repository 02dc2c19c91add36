package llmd

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const tool = "llm-d Benchmark Report"

// words are what a Benchmark Report means by its words. It is a form into which
// the figures of another tool are put: that tool's definitions hold, and the form
// does not repeat them.
func words() []adapter.Definition {
	d := adapter.Definition{Tool: tool, Versions: "0.1 and 0.2", Start: adapter.NotDefined, End: adapter.NotDefined,
		Population: adapter.NotDefined + " (that of the tool which the report names)", Window: adapter.NotDefined, TokenSource: adapter.NotDefined,
		PercentileRule: adapter.NotDefined, Missing: "the key is left out", Source: "llm-d/llm-d-benchmark at 8bc9f1d: benchmark_report, schemas 0.1 and 0.2.1"}
	var out []adapter.Definition
	for _, w := range []struct {
		word, versions string
		metric         measure.MetricID
	}{
		{"request_latency", d.Versions, "e2e"}, {"time_to_first_token", d.Versions, "ttft"}, {"time_per_output_token", d.Versions, "tpot"}, {"inter_token_latency", d.Versions, "chunk_gap"},
		{"output_token_rate", "0.2", "output_token_rate"}, {"total_token_rate", "0.2", "total_token_rate"}, {"request_rate", "0.2", "request_rate"},
		{"output_tokens_per_sec", "0.1", "output_token_rate"}, {"total_tokens_per_sec", "0.1", "total_token_rate"}, {"requests_per_sec", "0.1", "request_rate"},
	} {
		def := d.Latency(w.word, w.metric, d.Start, d.End)
		def.Versions = w.versions
		out = append(out, def)
	}
	return out
}
