package guidellm

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool     = "GuideLLM"
	okay     = "requests that ended with success within the measured window; errored and incomplete ones are kept apart"
	window   = "the measured window: warm-up and cool-down, where asked for, are outside; what is in flight at its end is cancelled and counted as incomplete"
	tokenSrc = "the endpoint's usage, else the number of stream iterations with a token"
)

// words are what GuideLLM means by its words.
func words() []adapter.Definition {
	d := adapter.Definition{Tool: tool, Versions: "0.6 to 0.8 (report versions 1 and 2)", Population: okay, Window: window, TokenSource: tokenSrc,
		PercentileRule: "step of the weighted distribution, without interpolation", Missing: "0.0 in every statistic, with a count of 0",
		Source: "code at ee7a774 (v0.7.3) and result files of 0.6.0 and 0.8.0.dev18"}
	const begins = "a worker begins the request"
	rate := func(word string, m measure.MetricID, counted string) adapter.Definition {
		return d.Latency(word, m, "the measured window begins", "the measured window ends").
			Of(counted + ", as the mean over time of a rate that is taken between neighbouring events: no sum divided by the window, and far above it where tokens are put to few moments")
	}
	return []adapter.Definition{
		d.Latency("time_to_first_token_ms", "ttft", begins, "the first iteration that the tool takes for a token arrives: until 0.6 reasoning is none, since pull request 760 it is"),
		d.Latency("time_to_first_output_token_ms", "ttfa", begins, "the first iteration with a token that is no reasoning arrives"),
		d.Latency("inter_token_latency_ms", "tpot", "the first iteration that the tool takes for a token arrives", "the last one arrives, divided by the output tokens less one: one value a request").
			Of(okay + "; each weighs as many times as it has tokens less one"),
		d.Latency("time_per_output_token_ms", "tpot", begins, "the last iteration that the tool takes for a token arrives, divided by the output tokens: the wait for the first token is in it").
			Of(okay + "; each weighs as many times as it has tokens"),
		d.Latency("request_latency", "e2e", begins, "the stream is closed"),
		rate("output_tokens_per_second", "output_token_rate", "output tokens of successful requests"),
		rate("tokens_per_second", "total_token_rate", "input and output tokens of successful requests"),
		rate("requests_per_second", "request_rate", "successful requests"),
	}
}
