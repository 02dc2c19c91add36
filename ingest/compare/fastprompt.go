package compare

import (
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// FastLongPrompts finds records declared cold whose long prompts got their
// first token no later than prompts of at most half the length did, under the
// same profile and load: a sign that the prefix cache was not cold (M07). The
// limits are by slug. Records without a time to first token are passed over.
func FastLongPrompts(records []evidence.Record) map[string]evidence.Limit {
	found := map[string]evidence.Limit{}
	for _, long := range records {
		p, ok := coldPrompt(long)
		if !ok {
			continue
		}
		var others []limits.PromptWait
		for _, r := range records {
			if q, ok := coldPrompt(r); ok && q.Tokens < p.Tokens && sameButInput(long, r) {
				others = append(others, q)
			}
		}
		for _, l := range limits.FastLongPrompt(p, others).Record() {
			found[long.Slug] = l
		}
	}
	return found
}

// coldPrompt is the asked prompt length and the median time to first token of
// a valid record that was declared cold.
func coldPrompt(r evidence.Record) (p limits.PromptWait, ok bool) {
	tokens, stated := r.Workload.InputTokensAsked.Get()
	if r.Void || !stated || !r.State.Cache.Declared || r.State.Cache.Kind != measure.CacheCold {
		return p, false
	}
	if v, ok := r.Value("ttft_p50"); ok && v.Amount.Kind == evidence.Exact {
		return limits.PromptWait{Tokens: tokens, TTFT: v.Amount.X}, true
	}
	return p, false
}

// sameButInput reports whether two records are of one class, family, profile
// and load.
func sameButInput(a, b evidence.Record) bool {
	if a.Class != b.Class || a.Kind != b.Kind || a.Family != b.Family || a.Subject.Profile != b.Subject.Profile {
		return false
	}
	for _, d := range dimensions(a, b) {
		if d.Group == Load && d.State != Same {
			return false
		}
	}
	return true
}
