package vllm

import (
	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/measure"
)

// dialect is one spelling of the same words.
type dialect struct {
	tool string
	// suffix stands behind the key of a latency, unit is that of the number.
	suffix, unit string
	defs         []adapter.Definition
}

// dialects lists the spellings: milliseconds with "_ms", and seconds without.
func dialects() []dialect {
	return []dialect{
		{tool: tool, suffix: "_ms", unit: "ms", defs: serveDefinitions(tool)},
		{tool: interx, unit: "s", defs: serveDefinitions(interx)},
		{tool: "vLLM bench throughput", defs: throughputDefinitions()},
	}
}

func (d dialect) of(word string) adapter.Definition {
	for _, x := range d.defs {
		if x.Word == word {
			return x
		}
	}
	return adapter.Definition{}
}

// latencyWords are the tool's words for latencies, as they stand in keys.
func latencyWords() []string {
	return []string{"ttft", "tpot", "itl", "e2el", "e2el_including_client_queue"}
}

// stat is a prefix of a key and the statistic that it names.
type stat struct {
	prefix string
	stat   measure.Stat
}

func stats() []stat {
	return []stat{{"mean", measure.Mean}, {"median", measure.P50}, {"p50", measure.P50}, {"p90", measure.P90}, {"p95", measure.P95}, {"p99", measure.P99}}
}

// which says which dialect an object is of; false: none.
func which(n foreign.Node) (dialect, bool) {
	ds := dialects()
	has := func(keys ...string) bool {
		for _, k := range keys {
			if n.Get(k).Kind == foreign.Absent {
				return false
			}
		}
		return true
	}
	switch {
	case n.Get("total_output_tokens_retokenized").Kind != foreign.Absent || has("dataset_name", "random_range_ratio"):
		return dialect{}, false // SGLang's
	case has("elapsed_time", "num_requests", "total_num_tokens", "requests_per_second", "tokens_per_second"):
		return ds[2], true
	case !has("num_prompts", "completed", "duration"):
		return dialect{}, false
	}
	for _, s := range stats() {
		for _, w := range latencyWords() {
			if has(s.prefix + "_" + w + "_ms") {
				return ds[0], true
			}
			if has(s.prefix + "_" + w) {
				return ds[1], true
			}
		}
	}
	if has("output_throughput", "request_throughput") {
		return ds[0], true
	}
	return dialect{}, false
}
