package vllm

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool      = "vLLM bench serve"
	interx    = "InferenceX client"
	versions  = "serve.py at 009e6d4a (2026) and result files since 2024"
	code      = "code: vllm/benchmarks/serve.py calculate_metrics, lib/endpoint_request_func.py"
	linear    = "linear interpolation between ranks (numpy), over requests that succeeded"
	successes = "requests that the tool counts as successes: any stream with a chunk, also one with an error object in it"
	emptyIs0  = "0, which it also writes for an empty list"
	serve     = "from when the first request is scheduled until the last one ends: arrivals and drain are inside, warm-up and the ready check are not"
	usageElse = "the endpoint's usage, else the client's tokenizer on the text, else 1 a request"
	scheduled = "the request function runs, which is after the wait for a free slot under --max-concurrency"
)

// Definitions are what vLLM bench serve and its forks mean by their words.
func (Adapter) Definitions() []adapter.Definition {
	var out []adapter.Definition
	for _, d := range dialects() {
		out = append(out, d.defs...)
	}
	return out
}

func define(toolName, word string, m measure.MetricID, start, end string) adapter.Definition {
	return adapter.Definition{Tool: toolName, Versions: versions, Word: word, Metric: m, Start: start, End: end, Population: successes, Window: serve,
		TokenSource: usageElse, PercentileRule: linear, Missing: emptyIs0, Source: code}
}

func quotient(toolName, word string, m measure.MetricID, what string) adapter.Definition {
	d := define(toolName, word, m, "the first request is scheduled", "the last request ends")
	d.Population, d.PercentileRule = what, "none: a quotient"
	return d
}

// serveDefinitions are the words of a client of this family.
func serveDefinitions(toolName string) []adapter.Definition {
	tpot := define(toolName, "tpot", "tpot", "the first chunk with choices arrives", "the last one arrives, divided by the output tokens less one; requests with one token are left out")
	gaps := define(toolName, "itl", "chunk_gap", "a chunk with choices arrives", "the next one arrives")
	gaps.Population = "all gaps of all successful requests together: a gap between chunks, whatever number of tokens they hold"
	queue := define(toolName, "e2el_including_client_queue", "e2e_due", "the request is scheduled, before the wait for a free slot", "the last chunk with choices arrives")
	queue.Versions = "since pull request 54136"
	return []adapter.Definition{
		define(toolName, "ttft", "ttft", scheduled, "the first chunk with choices arrives, also one with a role only or with empty text"),
		tpot, gaps,
		define(toolName, "e2el", "e2e", scheduled, "the last chunk with choices arrives; the usage chunk and [DONE] are not waited for"),
		queue,
		quotient(toolName, "output_throughput", "output_token_rate", "output tokens of successful requests"),
		quotient(toolName, "total_token_throughput", "total_token_rate", "input and output tokens of successful requests"),
		quotient(toolName, "request_throughput", "request_rate", "successful requests"),
		goodput(toolName),
	}
}

func goodput(toolName string) adapter.Definition {
	d := quotient(toolName, "request_goodput", "goodput", "successful requests within all of the limits that --goodput gave; a request of at most one token counts with a TPOT of 0, which is always within")
	d.Missing = "null where no limit was given"
	return d
}

// throughputDefinitions are the words of the offline benchmark.
func throughputDefinitions() []adapter.Definition {
	def := func(word string, m measure.MetricID, what string) adapter.Definition {
		return adapter.Definition{Tool: "vLLM bench throughput", Versions: "result files since 2024", Word: word, Metric: m, Start: "generation begins", End: "all requests are done",
			Population: what, Window: "the whole batch, offline: there is no endpoint and there are no arrivals", TokenSource: adapter.NotDefined,
			PercentileRule: "none: a quotient", Missing: adapter.NotDefined, Source: "code: vllm/benchmarks/throughput.py; result files"}
	}
	return []adapter.Definition{
		def("tokens_per_second", "total_token_rate", "input and output tokens of all requests, not output tokens alone"),
		def("requests_per_second", "request_rate", "all requests"),
	}
}
