package consistency

import (
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/limits"
)

// cache holds the declared state of the prompt cache against the measured one.
func cache(r evidence.Record) []evidence.Limit {
	if len(r.Values) == 0 {
		return nil
	}
	c := r.State.Cache
	return slices.Concat(limits.CacheContradicted(c).Record(), limits.CacheUnstated(c).Record(), limits.CacheUnreported(c).Record())
}

// tuple names what is missing of the tuple that a figure belongs to (M29), and
// the quality gate of a quantised variant (M22).
func tuple(r evidence.Record) []evidence.Limit {
	if len(r.Values) == 0 {
		return nil
	}
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
	return slices.Concat(limits.FavourableUpperBound(missing).Record(),
		limits.QualityGateMissing(nil, r.Subject.Precision, r.Subject.Quality).Record())
}
