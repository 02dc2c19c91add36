package evidence

import "strings"

// factLabel is one entry of the table of facts.
type factLabel struct{ key, label string }

// factLabels is the closed table of what a run's manifest may state, in the
// order in which it is shown.
func factLabels() []factLabel {
	return []factLabel{
		{"model", "Model"},
		{"model_revision", "Model revision"},
		{"tokenizer", "Tokenizer"},
		{"tokenizer_revision", "Tokenizer revision"},
		{"engine", "Engine"},
		{"engine_version", "Engine version, commit or image"},
		{"precision", "Precision"},
		{"parallelism", "Parallelism"},
		{"cache_config", "Cache settings"},
		{"decoding", "Decoding settings"},
		{"hardware", "Hardware"},
		{"accelerators", "Accelerators"},
		{"interconnect", "Interconnect"},
		{"host_cpu", "Host processor"},
		{"host_memory", "Host memory"},
		{"driver", "Driver"},
		{"runtime", "Runtime"},
		{"client_location", "Where the client stood"},
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
