package compare

import (
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

const (
	// longer is how many times longer a prompt must be before its first token
	// is expected to take longer at all.
	longer = 2
	// noSlower is the share of the shorter prompt's time which the longer one
	// must at least take.
	noSlower = 1.0
)

// FastLongPrompts finds records declared cold whose long prompts got their
// first token no later than prompts of at most half the length did, under the
// same profile and load: a sign that the prefix cache was not cold (M07). The
// limits are by slug. Records without a time to first token are passed over.
func FastLongPrompts(records []evidence.Record) map[string]evidence.Limit {
	found := map[string]evidence.Limit{}
	for _, long := range records {
		n, t, ok := coldPrompt(long)
		if !ok {
			continue
		}
		// The shortest of those that were slower makes the plainest sentence.
		var shorts []int64
		for _, short := range records {
			m, u, ok := coldPrompt(short)
			if ok && n >= longer*m && t <= noSlower*u && sameButInput(long, short) {
				shorts = append(shorts, m)
			}
		}
		if len(shorts) > 0 {
			found[long.Slug] = evidence.Limit{Code: evidence.FastLongPrompt, Where: "record",
				Args: []string{measure.FormatCount(n), measure.FormatCount(slices.Min(shorts))}}
		}
	}
	return found
}

// coldPrompt is the asked prompt length and the median time to first token of
// a valid record that was declared cold.
func coldPrompt(r evidence.Record) (tokens int64, ttft float64, ok bool) {
	tokens, stated := r.Workload.InputTokensAsked.Get()
	if r.Void || !stated || !r.State.Cache.Declared || r.State.Cache.Kind != measure.CacheCold {
		return 0, 0, false
	}
	for _, v := range r.Values {
		if v.Metric == "ttft_p50" && v.Amount.Kind == evidence.Exact {
			return tokens, v.Amount.X, true
		}
	}
	return 0, 0, false
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
