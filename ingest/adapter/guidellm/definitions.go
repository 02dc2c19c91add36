package guidellm

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const (
	tool     = "GuideLLM"
	versions = "0.6 to 0.8 (report versions 1 and 2)"
	code     = "code at ee7a774 (v0.7.3) and result files of 0.6.0 and 0.8.0.dev18"
	okay     = "requests that ended with success within the measured window; errored and incomplete ones are kept apart"
	window   = "the measured window: warm-up and cool-down, where asked for, are outside; what is in flight at its end is cancelled and counted as incomplete"
	tokenSrc = "the endpoint's usage, else the number of stream iterations with a token"
	stepCDF  = "step of the weighted distribution, without interpolation"
	zero     = "0.0 in every statistic, with a count of 0"
)

// Definitions are what GuideLLM means by its words.
func (Adapter) Definitions() []adapter.Definition {
	latency := func(word string, m measure.MetricID, start, end string) adapter.Definition {
		return adapter.Definition{Tool: tool, Versions: versions, Word: word, Metric: m, Start: start, End: end, Population: okay, Window: window,
			TokenSource: tokenSrc, PercentileRule: stepCDF, Missing: zero, Source: code}
	}
	const begins = "a worker begins the request"
	itl := latency("inter_token_latency_ms", "tpot", "the first iteration that the tool takes for a token arrives", "the last one arrives, divided by the output tokens less one: one value a request")
	itl.Population += "; each weighs as many times as it has tokens less one"
	tpot := latency("time_per_output_token_ms", "tpot", begins, "the last iteration that the tool takes for a token arrives, divided by the output tokens: the wait for the first token is in it")
	tpot.Population += "; each weighs as many times as it has tokens"
	rate := func(word string, m measure.MetricID, what string) adapter.Definition {
		d := latency(word, m, "the measured window begins", "the measured window ends")
		d.Population = what + ", as the mean over time of a rate that is taken between neighbouring events: no sum divided by the window, and far above it where tokens are put to few moments"
		return d
	}
	return []adapter.Definition{
		latency("time_to_first_token_ms", "ttft", begins, "the first iteration that the tool takes for a token arrives: until 0.6 reasoning is none, since pull request 760 it is"),
		latency("time_to_first_output_token_ms", "ttfa", begins, "the first iteration with a token that is no reasoning arrives"),
		itl, tpot,
		latency("request_latency", "e2e", begins, "the stream is closed"),
		rate("output_tokens_per_second", "output_token_rate", "output tokens of successful requests"),
		rate("tokens_per_second", "total_token_rate", "input and output tokens of successful requests"),
		rate("requests_per_second", "request_rate", "successful requests"),
	}
}

func definition(word string) adapter.Definition {
	for _, d := range (Adapter{}).Definitions() {
		if d.Word == word {
			return d
		}
	}
	return adapter.Definition{}
}
