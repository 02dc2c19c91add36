package vllm

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool        = "vLLM bench serve"
	interx      = "InferenceX client"
	offlineTool = "vLLM bench throughput"
	anyChunk    = "any stream with a chunk, also one with an error object in it"
	successes   = "requests that the tool counts as successes: " + anyChunk
	serve       = "from when the first request is scheduled until the last one ends: arrivals and drain are inside, warm-up and the ready check are not"
	usageElse   = "the endpoint's usage, else the client's tokenizer on the text, else 1 a request"
	scheduled   = "the request function runs, which is after the wait for a free slot under --max-concurrency"
)

// words are what vLLM's benchmarks and forks of them mean by their words.
func words() []adapter.Definition {
	out := append(serveWords(tool), serveWords(interx)...)
	d := adapter.Definition{Tool: offlineTool, Versions: "result files since 2024", Window: "the whole batch, offline: there is no endpoint and there are no arrivals",
		TokenSource: adapter.NotDefined, Missing: adapter.NotDefined, Source: "code: vllm/benchmarks/throughput.py; result files"}
	for _, w := range []struct {
		word    string
		metric  measure.MetricID
		counted string
	}{{"tokens_per_second", "total_token_rate", "input and output tokens of all requests, not output tokens alone"}, {"requests_per_second", "request_rate", "all requests"}} {
		out = append(out, d.Quotient(w.word, w.metric, "generation begins", "all requests are done", w.counted))
	}
	return out
}

// serveWords are the words of a client of this family.
func serveWords(toolName string) []adapter.Definition {
	d := adapter.Definition{Tool: toolName, Versions: "serve.py at 009e6d4a (2026) and result files since 2024", Population: successes, Window: serve, TokenSource: usageElse,
		PercentileRule: "linear interpolation between ranks (numpy), over requests that succeeded", Missing: "0, which it also writes for an empty list",
		Source: "code: vllm/benchmarks/serve.py calculate_metrics, lib/endpoint_request_func.py"}
	rate := func(word string, m measure.MetricID, counted string) adapter.Definition {
		return d.Quotient(word, m, "the first request is scheduled", "the last request ends", counted)
	}
	queue := d.Latency("e2el_including_client_queue", "e2e_due", "the request is scheduled, before the wait for a free slot", "the last chunk with choices arrives")
	queue.Versions = "since pull request 54136"
	good := rate("request_goodput", "goodput", "successful requests within all of the limits that --goodput gave; a request of at most one token counts with a TPOT of 0, which is always within")
	good.Missing = "null where no limit was given"
	return []adapter.Definition{
		d.Latency("ttft", "ttft", scheduled, "the first chunk with choices arrives, also one with a role only or with empty text"),
		d.Latency("tpot", "tpot", "the first chunk with choices arrives", "the last one arrives, divided by the output tokens less one; requests with one token are left out"),
		d.Latency("itl", "chunk_gap", "a chunk with choices arrives", "the next one arrives").
			Of("all gaps of all successful requests together: a gap between chunks, whatever number of tokens they hold"),
		d.Latency("e2el", "e2e", scheduled, "the last chunk with choices arrives; the usage chunk and [DONE] are not waited for"),
		queue,
		rate("output_throughput", "output_token_rate", "output tokens of successful requests"),
		rate("total_token_throughput", "total_token_rate", "input and output tokens of successful requests"),
		rate("request_throughput", "request_rate", "successful requests"),
		good,
	}
}
