package evidence

import "strings"

// factLabel is one entry of the table of facts.
type factLabel struct{ key, label string }

// factLabels is the closed table of what a run's manifest may state, in the
// order in which it is shown. The probe that asks for these facts has the same
// keys and labels; a test of the program holds the two equal.
func factLabels() []factLabel {
	return []factLabel{
		{"model", "Model"},
		{"model_revision", "Model revision"},
		{"model_source", "Where the endpoint took the model from"},
		{"tokenizer", "Tokenizer"},
		{"tokenizer_revision", "Tokenizer revision"},
		{"engine", "Engine"},
		{"engine_version", "Engine version, commit or image"},
		{"precision", "Precision"},
		{"quantized", "Quantised"},
		{"parallelism", "Parallelism"},
		{"cache_policy", "Cache policy of the prompts"},
		{"cache_config", "Cache settings"},
		{"decoding", "Decoding settings"},
		{"sampling", "Sampling that was asked for"},
		{"max_context", "Longest context, tokens"},
		{"slots", "Requests served at once"},
		{"hardware", "Hardware"},
		{"accelerators", "Accelerators"},
		{"interconnect", "Interconnect"},
		{"host_cpu", "Host processor"},
		{"host_memory", "Host memory"},
		{"driver", "Driver"},
		{"runtime", "Runtime"},
		{"price_note", "Price note"},
		{"workload_hash", "Workload hash"},
		{"endpoint_owner", "Owner that the endpoint names"},
		{"endpoint_server", "Server that the endpoint names"},
		{"endpoint_health", "Health before the run"},
		{"client_location", "Where the client stood"},
		{"client_cpu", "Client processor"},
		{"client_cores", "Client cores online"},
		{"client_cpu_limit", "Client processor limit"},
		{"client_memory", "Client memory"},
		{"client_memory_limit", "Client memory limit"},
		{"client_os", "Client system"},
		{"client_kernel", "Client kernel"},
	}
}

// FactKeys lists the keys of the manifest's facts in the order of showing.
func FactKeys() []string {
	var keys []string
	for _, f := range factLabels() {
		keys = append(keys, f.key)
	}
	return keys
}

// FactLabel is the name of a fact for people. A key that is not in the table,
// from a log of another version, is shown as its words.
func FactLabel(key string) string {
	for _, f := range factLabels() {
		if f.key == key {
			return f.label
		}
	}
	return strings.ReplaceAll(key, "_", " ")
}
