package plan

import "slices"

// schema lists every key of a plan file by table; "" is the top of the file.
// A key that is not here is refused.
func schema() map[string][]string {
	return map[string][]string{
		"":         {"name", "family", "title", "description", "repeats"},
		"endpoint": {"url", "api", "model", "key_env", "connections", "metrics"},
		"profile": {
			"name", "description", "model", "model_revision", "tokenizer", "tokenizer_revision", "engine", "engine_version",
			"precision", "quantized", "parallelism", "hardware", "accelerators", "host_cpu", "host_memory", "interconnect",
			"driver", "runtime", "cache_config", "decoding", "client_location", "price_note", "more",
		},
		"workload": {
			"input_tokens", "output_tokens", "seed", "ignore_eos", "temperature", "words", "word_list", "keep_text",
		},
		"load":       {"mode", "concurrency", "rates", "arrivals", "max_in_flight"},
		"stop":       {"requests", "duration"},
		"warmup":     {"requests", "duration"},
		"drain":      {"grace"},
		"timeouts":   {"connect", "first_byte", "idle", "total"},
		"cache":      {"policy", "share", "pool"},
		"objectives": {"ttft", "end_to_end"},
		"quality":    {"check", "result"},
	}
}

// sectionNames are the tables of a plan file, in the order of the example.
func sectionNames() []string {
	return []string{
		"endpoint", "profile", "workload", "load", "stop", "warmup", "drain", "timeouts", "cache", "objectives", "quality",
	}
}

// sectionOf returns the table that has a key of this name, if exactly one does.
func sectionOf(key string) string {
	found, known := "", schema()
	for _, s := range sectionNames() {
		if !slices.Contains(known[s], key) {
			continue
		}
		if found != "" {
			return ""
		}
		found = s
	}
	return found
}
