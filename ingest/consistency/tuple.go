package consistency

import (
	"strings"

	"benchline/ingest/evidence"
)

// cacheNotStated marks a record that says nothing of the prompt cache.
func cacheNotStated(r evidence.Record) []evidence.Limit {
	if _, measured := r.State.Cache.Measured.Get(); measured || r.State.Cache.Declared || len(r.Values) == 0 {
		return nil
	}
	return []evidence.Limit{note(evidence.CacheUnstated, "record")}
}

// favourable names what of the tuple is missing (M29).
func favourable(r evidence.Record) []evidence.Limit {
	var missing []string
	need := func(ok bool, name string) {
		if !ok {
			missing = append(missing, name)
		}
	}
	_, asked := r.Workload.InputTokensAsked.Get()
	_, actual := r.Workload.InputTokens.Get()
	need(asked || actual, "input length as a number")
	_, asked = r.Workload.OutputTokensAsked.Get()
	_, actual = r.Workload.OutputTokens.Get()
	need(asked || actual, "output length")
	_, closed := r.Load.Concurrency.Get()
	_, open := r.Load.Rate.Get()
	need(closed || open, "concurrency, batch or arrival rate")
	_, precision := r.Subject.Precision.Get()
	need(precision, "precision")
	if len(missing) == 0 || len(r.Values) == 0 {
		return nil
	}
	return []evidence.Limit{note(evidence.FavourableUpperBound, "record", strings.Join(missing, ", "))}
}
