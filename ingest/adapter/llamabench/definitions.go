package llamabench

import "benchline/ingest/adapter"

const tool = "llama-bench"

// words are what llama-bench means by its words. It has no requests and no
// endpoint: it calls the library in a loop.
func words() []adapter.Definition {
	return []adapter.Definition{{Tool: tool, Versions: "builds of 2023 to 2025", Word: "avg_ts", Metric: "output_token_rate",
		Start: "the library is called to generate; loading the model and an untimed warm-up run are before it", End: "the last token of the test is made",
		Population:     "one sequence on an idle program: no requests, no queue, no network, no sampling; of a pp test the tokens are those of the prompt, of a pg test both",
		Window:         "the test by itself, repeated; the mean of the repetitions' rates",
		TokenSource:    "the program's own loop: the number that was asked for",
		PercentileRule: "none: a mean", Missing: "stddev_ts is written as 0 for a single repetition", Source: "llama.cpp, tools/llama-bench/README.md and llama-bench.cpp"}}
}
