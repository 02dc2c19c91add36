package inferenceperf

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool     = "inference-perf"
	code     = "code of kubernetes-sigs/inference-perf at 7de5ef2 (0.6.1): reportgen/base.py, apis/streaming_parser.py, loadgen/load_generator.py"
	serverIs = "the server's own Prometheus metrics over the tool's scrape window, which is not the client's window"
)

// Definitions are what inference-perf means by its words.
func (Adapter) Definitions() []adapter.Definition {
	def := func(word string, m measure.MetricID, start, end string) adapter.Definition {
		return adapter.Definition{Tool: tool, Versions: "to 0.6.1", Word: word, Metric: m, Start: start, End: end,
			Population:     "requests that the tool counts as successes; a request that is cancelled when a stage ends is in no report at all",
			Window:         "the whole stage, or all stages together in a summary",
			TokenSource:    "the client's tokenizer on the text, unless use_server_output_tokens was set; the file does not say which",
			PercentileRule: "linear interpolation between ranks (numpy)", Missing: "null for an empty list", Source: code}
	}
	sent := "the request is started in the worker, not when it was due: the wait before it is schedule_delay, and in no latency"
	rate := func(word string, m measure.MetricID, what string) adapter.Definition {
		d := def(word, m, "the first start of any request, failed ones too", "the last end of any request, drain included")
		d.Window = "from the first start to the last end of all requests"
		d.Population = what
		d.PercentileRule = "none: a quotient"
		return d
	}
	first := def("time_to_first_token", "ttft", sent, "the first token with content is there; reasoning is not read")
	first.Population += "; answers of one token are left out"
	tpot := def("time_per_output_token", "tpot", "the first token is there", "the last token is there, divided by the tokens less one")
	gap := def("inter_token_latency", "chunk_gap", "one token is there", "the next one is; all tokens of a chunk have the chunk's time, so that the gaps inside of a chunk are 0 or nearly so")
	gap.Population = "all gaps of successes, pooled"
	norm := def("normalized_time_per_output_token", "tpot", sent, "the request has ended, divided by all output tokens: the wait for the first token is in it")
	norm.Missing = "0.0 for an answer without tokens, which then stands in the distribution as a time"
	lag := def("schedule_delay", "send_lag", "the request was due", "it was started; a little below 0 where it was started early")
	lag.Population = "all requests of the load, failed ones too"
	achieved := rate("achieved_rate", "sent_rate", "all requests that were started")
	achieved.Population = "all requests of the load, failed ones too"
	achieved.Window, achieved.End = "send_duration: from the first start to the last start", "the last start of any request"
	return []adapter.Definition{
		def("request_latency", "e2e", sent, "the client has done with the answer: its own processing is in it"),
		first, tpot, gap, norm, lag, achieved,
		rate("requests_per_sec", "request_rate", "requests that the tool counts as successes"),
		rate("output_tokens_per_sec", "output_token_rate", "output tokens of successes"),
		rate("total_tokens_per_sec", "total_token_rate", "input and output tokens of successes"),
	}
}

// define is the definition of a word of a stage or summary.
func (a Adapter) define(word string) adapter.Definition {
	for _, d := range a.Definitions() {
		if d.Word == word {
			return d
		}
	}
	return adapter.Definition{Tool: tool, Word: word}
}

// serverDefinitions are what the same words mean in a Prometheus report.
func serverDefinitions() []adapter.Definition {
	def := func(word string, m measure.MetricID, end string) adapter.Definition {
		return adapter.Definition{Tool: tool + ", Prometheus report", Versions: "to 0.6.1", Word: word, Metric: m,
			Start: "the server has the request: the network and the client are not in it", End: end,
			Population: "all requests that the server saw in the scrape window, whoever sent them", Window: serverIs, TokenSource: "the server",
			PercentileRule: "estimated from histogram buckets", Missing: "0 where the metric was not found", Source: code}
	}
	return []adapter.Definition{
		def("request_latency", "e2e", "the server is done with it"),
		def("time_to_first_token", "ttft", "the server has the first token"),
		def("time_per_output_token", "tpot", "as the server's histogram counts it"),
		def("rate", "request_rate", "requests by the second, by the server's counters"),
	}
}
