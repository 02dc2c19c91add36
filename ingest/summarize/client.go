package summarize

import (
	"cmp"
	"fmt"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// client is the load generator's observation of itself.
func (r *run) client() *evidence.Client {
	h := r.m.Health
	c := &evidence.Client{Verdict: string(h.Verdict), Reasons: append([]string{}, h.Reasons...)}
	add := func(key, label, value string) {
		c.Facts = append(c.Facts, evidence.Fact{Key: key, Label: label, Value: evidence.Stated(value, byManifest)})
	}
	secs := func(ns int64) string { return measure.FormatSeconds(measure.Seconds(ns)) }
	add("send_lag_p50", "Send lag, median", secs(h.SendLagP50NS))
	add("send_lag_p99", "Send lag, 99th percentile", secs(h.SendLagP99NS))
	add("send_lag_max", "Send lag, maximum", secs(h.SendLagMaxNS))
	add("sched_lag_p99", "Lateness of a 10 ms ticker, 99th percentile", secs(h.SchedLagP99NS))
	add("sched_lag_max", "Lateness of a 10 ms ticker, maximum", secs(h.SchedLagMaxNS))
	add("cpu_seconds", "Processor time", measure.FormatSeconds(h.CPUSeconds))
	add("cpu_share", fmt.Sprintf("Processor share of %d cores", h.Cores), measure.FormatShare(h.CPUShare))
	add("gc_pauses", "Garbage collection pauses", measure.FormatCount(h.GCPauses))
	add("gc_pause_max", "Longest of them", secs(h.GCPauseMaxNS))
	add("max_in_flight", "Most requests in flight", measure.FormatCount(h.MaxInFlight))
	add("open_file_limit", "Open-file limit", measure.FormatCount(h.OpenFileLimit))
	add("wall_step", "Wall clock moved against the monotonic clock by", secs(h.WallStepNS))
	gap := evidence.NotApplicable[string]("no gaps between chunks")
	if h.SubMSGapShare != nil {
		gap = evidence.Stated(measure.FormatShare(*h.SubMSGapShare), byManifest)
	}
	c.Facts = append(c.Facts,
		evidence.Fact{Key: "sub_ms_gap_share", Label: "Chunk gaps under 1 ms", Value: gap},
		evidence.Fact{Key: "sent_again", Label: "Requests sent again on a fresh connection", Value: evidence.Derived(measure.FormatCount(r.seen.resent), countedNote)})
	return c
}

// facts are the manifest's facts, stated and not stated, in its order.
func (r *run) facts() []evidence.Fact {
	facts := make([]evidence.Fact, 0, len(r.m.Facts))
	for _, f := range r.m.Facts {
		known := evidence.NotStated[string](whyNot(f))
		if f.Value != nil {
			known = evidence.Stated(*f.Value, cmp.Or(f.By, byManifest))
		}
		facts = append(facts, evidence.Fact{Key: f.Key, Label: factLabel(f.Key), Value: known})
	}
	return facts
}

// factLabel is the label of a fact's key. The log has keys only; those whose
// words need more than their letters are here, any other is made from its key.
func factLabel(key string) string {
	labels := map[string]string{
		"model_source": "Where the endpoint took the model from", "engine_version": "Engine version, commit or image",
		"quantized": "Quantised", "cache_policy": "Cache policy of the prompts", "cache_config": "Cache settings",
		"decoding": "Decoding settings", "sampling": "Sampling that was asked for", "max_context": "Longest context, tokens",
		"slots": "Requests served at once", "host_cpu": "Host processor", "endpoint_owner": "Owner that the endpoint names",
		"endpoint_server": "Server that the endpoint names", "endpoint_health": "Health before the run",
		"client_location": "Where the client stood", "client_cpu": "Client processor", "client_cores": "Client cores online",
		"client_cpu_limit": "Client processor limit", "client_os": "Client system",
	}
	if label, ok := labels[key]; ok {
		return label
	}
	upper := map[string]string{"cpu": "CPU", "gpu": "GPU", "os": "OS", "url": "URL", "api": "API", "id": "ID", "kv": "KV", "cuda": "CUDA"}
	words := strings.FieldsFunc(key, func(r rune) bool { return r == '_' || r == '.' || r == ' ' })
	for i, w := range words {
		if u, ok := upper[w]; ok {
			words[i] = u
		} else if i == 0 {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}
