package inferenceperf

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool       = "inference-perf"
	serverTool = tool + " Prometheus report"
	counted    = "the client's tokenizer on the text, unless use_server_output_tokens was set; the file does not say which"
	code       = "code of kubernetes-sigs/inference-perf at 7de5ef2 (0.6.1): reportgen/base.py, apis/streaming_parser.py, loadgen/load_generator.py"
	serverIs   = "the server's own Prometheus metrics over the tool's scrape window, which is not the client's window"
)

// words are what inference-perf means by its words, in the reports of the client
// and in those of the server's metrics.
func words() []adapter.Definition { return append(clientWords(), serverWords()...) }

func clientWords() []adapter.Definition {
	d := adapter.Definition{Tool: tool, Versions: "to 0.6.1",
		Population:     "requests that the tool counts as successes; a request that is cancelled when a stage ends is in no report at all",
		Window:         "the whole stage, or all stages together in a summary",
		TokenSource:    counted,
		PercentileRule: "linear interpolation between ranks (numpy)", Missing: "null for an empty list", Source: code}
	const sent = "the request is started in the worker, not when it was due: the wait before it is schedule_delay, and in no latency"
	rate := func(word string, m measure.MetricID, counted string) adapter.Definition {
		q := d.Quotient(word, m, "the first start of any request, failed ones too", "the last end of any request, drain included", counted)
		q.Window = "from the first start to the last end of all requests"
		return q
	}
	norm := d.Latency("normalized_time_per_output_token", "tpot", sent, "the request has ended, divided by all output tokens: the wait for the first token is in it")
	norm.Missing = "0.0 for an answer without tokens, which then stands in the distribution as a time"
	achieved := rate("achieved_rate", "sent_rate", "all requests of the load, failed ones too")
	achieved.Window, achieved.End = "send_duration: from the first start to the last start", "the last start of any request"
	return []adapter.Definition{
		d.Latency("request_latency", "e2e", sent, "the client has done with the answer: its own processing is in it"),
		d.Latency("time_to_first_token", "ttft", sent, "the first token with content is there; reasoning is not read").Of(d.Population + "; answers of one token are left out"),
		d.Latency("time_per_output_token", "tpot", "the first token is there", "the last token is there, divided by the tokens less one"),
		d.Latency("inter_token_latency", "chunk_gap", "one token is there", "the next one is; all tokens of a chunk have the chunk's time, so that the gaps inside of a chunk are 0 or nearly so").
			Of("all gaps of successes, pooled"),
		norm,
		d.Latency("schedule_delay", "send_lag", "the request was due", "it was started; a little below 0 where it was started early").Of("all requests of the load, failed ones too"),
		achieved,
		rate("requests_per_sec", "request_rate", "requests that the tool counts as successes"),
		rate("output_tokens_per_sec", "output_token_rate", "output tokens of successes"),
		rate("total_tokens_per_sec", "total_token_rate", "input and output tokens of successes"),
	}
}

// serverWords are what the same words mean in a Prometheus report.
func serverWords() []adapter.Definition {
	d := adapter.Definition{Tool: serverTool, Versions: "to 0.6.1",
		Population: "all requests that the server saw in the scrape window, whoever sent them", Window: serverIs, TokenSource: "the server",
		PercentileRule: "estimated from histogram buckets", Missing: "0 where the metric was not found", Source: code}
	const has = "the server has the request: the network and the client are not in it"
	return []adapter.Definition{
		d.Latency("request_latency", "e2e", has, "the server is done with it"),
		d.Latency("time_to_first_token", "ttft", has, "the server has the first token"),
		d.Latency("time_per_output_token", "tpot", has, "as the server's histogram counts it"),
		d.Latency("rate", "request_rate", has, "requests by the second, by the server's counters"),
		d.Latency("output_len.rate", "output_token_rate", has, "output tokens by the second, by the server's counters"),
	}
}
