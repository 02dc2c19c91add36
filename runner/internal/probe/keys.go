// Package probe asks what the endpoint, the plan and the client's own machine
// say of themselves, for the manifest that goes with every run.
//
// Each fact of a closed list ([Keys]) comes out exactly once: stated, with who
// stated it, or not stated, with who was asked and what came back. What a plan
// states besides, under [profile.more], follows. Nothing is inferred: an address on loopback does not make the client's processor the
// server's. Where the plan and the endpoint disagree, the plan's word stands
// and the note has the endpoint's beside it.
//
// What an endpoint says is a stranger's text. It is bounded in time and size,
// clipped, freed of control characters, and the key is taken out of it.
package probe

import "slices"

// Key is one kind of fact.
type Key struct {
	ID    string // as in reqlog.Fact.Key
	Label string // for people
}

// rule is a key and where its fact may come from.
type rule struct {
	Key
	asked []string // who may state it, in the order of trust
}

// Who is asked. The endpoint's pages are named by their paths.
const (
	byPlan   = "plan"
	byModels = "endpoint /v1/models"
	byVer    = "endpoint /version"
	byHealth = "endpoint /health"
	byProps  = "endpoint /props"
	byInfo   = "endpoint /server_info"
	byHeader = "endpoint Server header"
	byClient = "client host"
)

// serving lists the facts of the served system that [Facts] gives.
func serving() []rule {
	return []rule{
		{Key{"model", "Model"}, []string{byPlan, byModels, byInfo, byProps}},
		{Key{"model_revision", "Model revision"}, []string{byPlan, byInfo}},
		{Key{"model_source", "Where the endpoint took the model from"}, []string{byModels, byInfo, byProps}},
		{Key{"tokenizer", "Tokenizer"}, []string{byPlan, byInfo}},
		{Key{"tokenizer_revision", "Tokenizer revision"}, []string{byPlan}},
		{Key{"engine", "Engine"}, []string{byPlan, byModels, byHeader}},
		{Key{"engine_version", "Engine version, commit or image"}, []string{byPlan, byVer, byInfo, byProps}},
		{Key{"precision", "Precision"}, []string{byPlan, byInfo, byModels}},
		{Key{"quantized", "Quantised"}, []string{byPlan}},
		{Key{"parallelism", "Parallelism"}, []string{byPlan, byInfo}},
		{Key{"cache_policy", "Cache policy of the prompts"}, []string{byPlan}},
		{Key{"cache_config", "Cache settings"}, []string{byPlan, byInfo}},
		{Key{"decoding", "Decoding settings"}, []string{byPlan, byInfo}},
		{Key{"sampling", "Sampling that was asked for"}, []string{byPlan}},
		{Key{"max_context", "Longest context, tokens"}, []string{byModels, byInfo, byProps}},
		{Key{"slots", "Requests served at once"}, []string{byInfo, byProps}},
		{Key{"hardware", "Hardware"}, []string{byPlan}},
		{Key{"accelerators", "Accelerators"}, []string{byPlan}},
		{Key{"interconnect", "Interconnect"}, []string{byPlan}},
		{Key{"host_cpu", "Host processor"}, []string{byPlan}},
		{Key{"host_memory", "Host memory"}, []string{byPlan}},
		{Key{"driver", "Driver"}, []string{byPlan}},
		{Key{"runtime", "Runtime"}, []string{byPlan}},
		{Key{"price_note", "Price note"}, []string{byPlan}},
		{Key{"workload_hash", "Workload hash"}, []string{byPlan}},
		{Key{"endpoint_owner", "Owner that the endpoint names"}, []string{byModels}},
		{Key{"endpoint_server", "Server that the endpoint names"}, []string{byHeader}},
		{Key{"endpoint_health", "Health before the run"}, []string{byHealth}},
		{Key{"client_location", "Where the client stood"}, []string{byPlan}},
	}
}

// client lists the facts of the client's machine that [Host] gives.
func client() []rule {
	asked := []string{byClient}
	return []rule{
		{Key{"client_cpu", "Client processor"}, asked},
		{Key{"client_cores", "Client cores online"}, asked},
		{Key{"client_cpu_limit", "Client processor limit"}, asked},
		{Key{"client_memory", "Client memory"}, asked},
		{Key{"client_memory_limit", "Client memory limit"}, asked},
		{Key{"client_os", "Client system"}, asked},
		{Key{"client_kernel", "Client kernel"}, asked},
	}
}

// Keys returns the closed list of facts in the order in which they are shown:
// first those of [Facts], then those of [Host].
func Keys() []Key {
	var keys []Key
	for _, r := range slices.Concat(serving(), client()) {
		keys = append(keys, r.Key)
	}
	return keys
}
