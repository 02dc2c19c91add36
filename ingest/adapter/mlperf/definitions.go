package mlperf

import (
	"benchline/ingest/adapter"
	"benchline/ingest/measure"
)

const tool = "MLPerf LoadGen"

// words are what LoadGen means by its words.
func words() []adapter.Definition {
	d := adapter.Definition{Tool: tool, Versions: "LoadGen 4 and 5",
		Population: "all queries: a run in which one is not resolved is an error", Window: "the performance run, at least 600 s; it ends when all queries have",
		TokenSource:    "the system under test reports its own tokens",
		PercentileRule: "sorted[int(n × p)], no interpolation; whether n is large enough is what early stopping decides", Missing: "the line is left out",
		Source: "code of mlcommons/inference at b66003e: loadgen/results.cc"}
	const due = "the query was scheduled; in Offline all are scheduled at the start, so that this is time in one long queue"
	tpot := d.Latency("Time to Output Token", "tpot", "the first token is there", "the query is complete, divided by the output tokens less one")
	tpot.Missing = "an answer of one token is logged as an error"
	rate := func(word string, m measure.MetricID, counted string) adapter.Definition {
		return d.Quotient(word, m, "the run begins", "the last query is complete", counted)
	}
	return []adapter.Definition{
		d.Latency("latency", "e2e_due", due, "the query is complete"),
		d.Latency("First Token latency", "ttft_due", due, "the system under test reports the first token"),
		tpot,
		rate("Completed samples per second", "request_rate", "completed samples less one"),
		rate("Samples per second", "request_rate", "all samples"),
		rate("Completed tokens per second", "output_token_rate", "output tokens of completed samples"),
		rate("Tokens per second", "output_token_rate", "output tokens of all samples"),
	}
}
