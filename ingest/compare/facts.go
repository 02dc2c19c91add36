package compare

import (
	"cmp"
	"slices"
	"strings"

	"benchline/ingest/evidence"
)

// listed are the facts of host, client and settings which are dimensions of
// every table, whether a record has them or not: those of the run manifest (M21)
// that are no part of subject, workload, load or state.
func listed() []struct {
	group     Group
	key, name string
} {
	return []struct {
		group     Group
		key, name string
	}{
		{Client, keyLocation, "client location"},
		{Environment, "interconnect", "interconnect"},
		{Environment, "host_cpu", "host processor"},
		{Environment, "host_memory", "host memory"},
		{Environment, "driver", "driver"},
		{Environment, "runtime", "runtime"},
		{Environment, "cache_config", "cache settings"},
		{Environment, "decoding", "decoding settings"},
	}
}

// optional is the group of a fact that is a dimension as soon as one side states
// it: not every endpoint says so much of itself.
func optional(key string) (Group, bool) {
	switch key {
	case "client_cpu", "client_cores", "client_cpu_limit", "client_memory", "client_memory_limit", "client_os", "client_kernel":
		return Client, true
	case "quantized", "max_context", "slots", "endpoint_server":
		return Environment, true
	}
	return "", false
}

// covered are facts that stand elsewhere in the table, or that change no
// measurement.
func covered() []string {
	return []string{"model", "model_revision", "model_source", "tokenizer", "tokenizer_revision", "engine", "engine_version", "precision",
		"parallelism", "hardware", "accelerators", "sampling", "cache_policy", "workload_hash", "endpoint_health", "endpoint_owner", "price_note"}
}

// client is who measured, and from where.
func (t *table) client() {
	known(t, Client, "tool", "measuring client", func(r evidence.Record) evidence.Known[string] { return r.Subject.Tool })
	t.listedFacts(Client)
	t.otherFacts(Client)
}

func (t *table) environment() {
	t.listedFacts(Environment)
	t.otherFacts(Environment)
	t.freeFacts()
}

func (t *table) listedFacts(g Group) {
	for _, f := range listed() {
		if f.group == g {
			t.fact(g, f.key, f.name)
		}
	}
}

// otherFacts are the optional facts of a group that a side states, by key.
func (t *table) otherFacts(g Group) {
	var keys []string
	for _, facts := range []map[string]fact{t.factsA, t.factsB} {
		for key, f := range facts {
			if group, ok := optional(key); ok && group == g && f.value != "" && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		t.fact(g, key, cmp.Or(t.factsA[key].label, t.factsB[key].label))
	}
}

// freeFacts are facts that no list names, as a person or another tool wrote
// them down. They count where both sides state one and it differs: what it
// means is not judged. One that a single side has is a remark and no line.
func (t *table) freeFacts() {
	var keys []string
	for key, f := range t.factsA {
		if other := t.factsB[key].value; f.value != "" && other != "" && other != f.value && isFree(key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		t.fact(Environment, key, t.factsA[key].label)
	}
}

func isFree(key string) bool {
	if _, ok := optional(key); ok {
		return false
	}
	for _, f := range listed() {
		if f.key == key {
			return false
		}
	}
	return !slices.Contains(covered(), key) && !slices.Contains(mlperfKeys(), key)
}

// fact is a dimension that a fact of each record states.
func (t *table) fact(g Group, key, name string) {
	known := func(facts map[string]fact) evidence.Known[string] {
		if f, ok := facts[key]; ok {
			return f.known()
		}
		return evidence.NotStated[string]("the record has no such fact")
	}
	put(t, g, factKey(key), name, known(t.factsA), known(t.factsB))
}

// factKey is the key of a fact's line. That of the client's location is asked
// for by name.
func factKey(key string) string {
	if key == keyLocation {
		return key
	}
	return "fact:" + key
}

// fact is what a record states under one key; the value is empty where it is
// not stated.
type fact struct {
	label, value, why string
	state             evidence.KnownState
}

func (f fact) known() evidence.Known[string] {
	switch {
	case f.value != "":
		return evidence.Stated(f.value, "")
	case f.state == evidence.StateNotApplicable:
		return evidence.NotApplicable[string](f.why)
	default:
		return evidence.NotStated[string](f.why)
	}
}

// facts are the facts of a record by key; of several with one key all that are
// stated.
func facts(r evidence.Record) map[string]fact {
	out := make(map[string]fact, len(r.Facts))
	for _, f := range r.Facts {
		key := foldKey(f.Key)
		old := out[key]
		v, ok := f.Value.Get()
		if !ok {
			if old.value == "" {
				out[key] = fact{label: strings.ToLower(cmp.Or(f.Label, f.Key)), why: f.Value.Note(), state: f.Value.State()}
			}
			continue
		}
		if old.value != "" {
			v = old.value + "; " + v
		}
		out[key] = fact{label: strings.ToLower(cmp.Or(f.Label, f.Key)), value: v, state: f.Value.State()}
	}
	return out
}

// foldKey writes a key that a person may have written as a label.
func foldKey(key string) string { return strings.ReplaceAll(strings.ToLower(key), " ", "_") }
