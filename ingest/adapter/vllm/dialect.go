package vllm

import (
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/measure"
)

// dialect is one spelling of the same words.
type dialect struct {
	tool    string
	offline bool // bench throughput
	// suffix stands behind the key of a latency, unit is that of the number.
	suffix, unit string
	// labels are the keys of the file by those of the JSON; nil: they are the
	// same.
	labels map[string]string
}

func milliseconds() dialect { return dialect{tool: tool, suffix: "_ms", unit: "ms"} }
func seconds() dialect      { return dialect{tool: interx, unit: "s"} }
func throughput() dialect   { return dialect{tool: offlineTool, offline: true} }

// label is the key that the file has for a key of the JSON.
func (d dialect) label(key string) string {
	if l, ok := d.labels[key]; ok {
		return l
	}
	return key
}

// latencyWords are the tool's words for latencies, as they stand in keys.
func latencyWords() []string {
	return []string{"ttft", "tpot", "itl", "e2el", "e2el_including_client_queue"}
}

// stats are the prefixes of a key and the statistics that they name.
func stats() []foreign.Statistic {
	return []foreign.Statistic{{Stat: measure.Mean, Key: "mean"}, {Stat: measure.P50, Key: "median"}, {Stat: measure.P50, Key: "p50"}, {Stat: measure.P90, Key: "p90"},
		{Stat: measure.P95, Key: "p95"}, {Stat: measure.P99, Key: "p99"}}
}

// which says which dialect an object is of; false: none.
func which(n foreign.Node) (dialect, bool) {
	has := func(keys ...string) bool {
		for _, k := range keys {
			if n.Get(k).Kind == foreign.Absent {
				return false
			}
		}
		return true
	}
	switch {
	case has("total_output_tokens_retokenized") || has("dataset_name", "random_range_ratio"):
		return dialect{}, false // SGLang's
	case has("elapsed_time", "num_requests", "total_num_tokens", "requests_per_second", "tokens_per_second"):
		return throughput(), true
	case !has("num_prompts", "completed", "duration"):
		return dialect{}, false
	}
	for _, s := range stats() {
		for _, w := range latencyWords() {
			if has(s.Key + "_" + w + "_ms") {
				return milliseconds(), true
			}
			if has(s.Key + "_" + w) {
				return seconds(), true
			}
		}
	}
	return milliseconds(), has("output_throughput", "request_throughput")
}
