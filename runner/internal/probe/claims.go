package probe

import (
	"fmt"
	"net/http"
	"strings"

	"benchline/runner/reqlog"
)

// endpointClaims is what the pages of the endpoint state.
func endpointClaims(answers map[string]answer, model string) []claim {
	all := modelClaims(answers["/v1/models"], model)
	all = append(all, claim{"engine_version", text(answers["/version"].doc, "version"), byVer})
	all = append(all, propsClaims(answers["/props"].doc)...)
	all = append(all, infoClaims(answers["/server_info"].doc)...)
	if h := answers["/health"]; h.status == http.StatusOK {
		all = append(all, claim{"endpoint_health", "ok", byHealth})
	} else if h.reached && h.status != http.StatusNotFound {
		all = append(all, claim{"endpoint_health", h.err, byHealth})
	}
	for _, page := range pages() {
		if s := answers[page].server; s != "" {
			all = append(all, claim{"endpoint_server", s, byHeader}, claim{"engine", engineOf(s), byHeader})
			break
		}
	}
	return all
}

// models returns the entries of an OpenAI model list.
func models(a answer) []map[string]any {
	list, _ := a.doc["data"].([]any)
	var out []map[string]any
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// modelClaims is what /v1/models says of the model that the plan asks for.
// llama-server adds a meta object, vLLM root and max_model_len.
func modelClaims(a answer, model string) []claim {
	for _, m := range models(a) {
		if text(m, "id") != model {
			continue
		}
		owner := text(m, "owned_by")
		all := []claim{
			{"model", model, byModels},
			{"endpoint_owner", owner, byModels},
			{"engine", engineOf(owner), byModels},
			{"model_source", text(m, "root"), byModels},
			{"max_context", text(m, "max_model_len"), byModels},
			{"precision", text(m, "meta", "ftype"), byModels},
		}
		if text(m, "max_model_len") == "" {
			all = append(all, claim{"max_context", text(m, "meta", "n_ctx"), byModels})
		}
		return all
	}
	return nil
}

// engineOf is the engine that names itself in a model's owner or in the Server
// header; other texts name no engine that is known here.
func engineOf(s string) string {
	for _, e := range []struct{ prefix, name string }{
		{"vllm", "vLLM"}, {"sglang", "SGLang"}, {"llamacpp", "llama.cpp"}, {"llama.cpp", "llama.cpp"},
		{simulatedOwner, simulatedOwner}, {simulatedServer, simulatedOwner},
	} {
		if strings.HasPrefix(s, e.prefix) {
			return e.name
		}
	}
	return ""
}

// propsClaims reads llama-server's /props.
func propsClaims(doc map[string]any) []claim {
	return []claim{
		{"model", text(doc, "model_alias"), byProps},
		{"model_source", text(doc, "model_path"), byProps},
		{"engine_version", text(doc, "build_info"), byProps},
		{"slots", text(doc, "total_slots"), byProps},
		{"max_context", text(doc, "default_generation_settings", "n_ctx"), byProps},
	}
}

// infoClaims reads SGLang's /server_info, which is its settings, flat.
func infoClaims(doc map[string]any) []claim {
	return []claim{
		{"model", text(doc, "served_model_name"), byInfo},
		{"model_source", text(doc, "model_path"), byInfo},
		{"model_revision", text(doc, "revision"), byInfo},
		{"tokenizer", text(doc, "tokenizer_path"), byInfo},
		{"engine_version", text(doc, "version"), byInfo},
		{"max_context", text(doc, "context_length"), byInfo},
		{"slots", text(doc, "max_running_requests"), byInfo},
		{"precision", named(doc, "dtype", "quantization", "kv_cache_dtype"), byInfo},
		{"parallelism", named(doc, "tp_size", "dp_size", "pp_size", "ep_size"), byInfo},
		{"cache_config", named(doc, "disable_radix_cache", "mem_fraction_static", "chunked_prefill_size"), byInfo},
		{"decoding", named(doc, "speculative_algorithm", "speculative_num_steps", "speculative_num_draft_tokens"), byInfo},
	}
}

// named writes the fields that are there as "name value, name value".
func named(doc map[string]any, fields ...string) string {
	var parts []string
	for _, f := range fields {
		if v := text(doc, f); v != "" {
			parts = append(parts, f+" "+v)
		}
	}
	return strings.Join(parts, ", ")
}

// noteModel says on the model's fact when the endpoint lists models, and the
// one that is asked for is not among them.
func noteModel(facts []reqlog.Fact, a answer, model, key string) {
	listed := models(a)
	if len(listed) == 0 {
		return
	}
	for _, m := range listed {
		if text(m, "id") == model {
			return
		}
	}
	note := fmt.Sprintf("%s does not list %q; it lists %d, the first being %q",
		byModels, clean(model, key), len(listed), clean(text(listed[0], "id"), key))
	for i := range facts {
		if facts[i].Key != "model" {
			continue
		}
		if facts[i].Note != "" {
			note = facts[i].Note + "; " + note
		}
		facts[i].Note = note
	}
}
