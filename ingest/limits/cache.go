package limits

import (
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// coldMost and warmLeast: a chat template that all prompts share may give a few
// cached tokens even when prompts are cold.
const coldMost, warmLeast = 0.10, 0.50

// CacheContradicted applies where the share of prompt tokens that the endpoint
// reported as cached does not fit the declared state: cold with more than 10 %,
// warm with less than 50 %, disabled with any, a shared prefix with less than
// half of its share or more than halfway from its share to all.
func CacheContradicted(c evidence.Cache) Finding {
	m, ok := c.Measured.Get()
	if !ok || !c.Declared || m.PromptTokens == 0 {
		return when(false, evidence.CacheContradicted)
	}
	share := float64(m.CachedTokens) / float64(m.PromptTokens)
	hit := false
	switch c.Kind {
	case measure.CacheCold:
		hit = share > coldMost
	case measure.CacheWarm:
		hit = share < warmLeast
	case measure.CacheShared:
		hit = share < c.Share/2 || share > c.Share+(1-c.Share)/2
	case measure.CacheDisabled:
		hit = m.CachedTokens > 0
	case measure.CacheUnstated:
	}
	return when(hit, evidence.CacheContradicted, c.Kind.String(), measure.FormatShare(share))
}

// CacheUnstated applies where the cache state is neither declared nor measured.
func CacheUnstated(c evidence.Cache) Finding {
	_, measured := c.Measured.Get()
	return when(!c.Declared && !measured, evidence.CacheUnstated)
}

// CacheUnreported applies where the cache state is declared and cached tokens
// are not reported, so that nothing checks it.
func CacheUnreported(c evidence.Cache) Finding {
	return when(c.Declared && c.Measured.State() == evidence.StateNotStated, evidence.CacheUnreported, c.Kind.String())
}

// repeatedMost is the share of prompts sent before that moves no median and
// little of a rate.
const repeatedMost = 0.05

// PromptsRepeated applies where more than 5 % of the prompts that were to be read
// afresh had been sent before: again is how many of the measured prompts had, of
// how many, over the warm-up and the measured requests before them. A declared
// warm cache repeats them on purpose.
func PromptsRepeated(c evidence.Cache, again, of int64) Finding {
	fresh := c.Kind != measure.CacheWarm && c.Kind != measure.CacheDisabled
	return when(fresh && float64(again) > repeatedMost*float64(of), evidence.PromptsRepeated, measure.FormatCount(again), measure.Counted(of, "measured prompt"))
}

// PromptWait is the length of a point's prompts and the median wait for the
// first token, in seconds.
type PromptWait struct {
	Tokens int64
	TTFT   float64
}

const (
	// longer is how many times longer a prompt must be before its first token
	// is expected to take longer at all.
	longer = 2
	// noSlower is the share of the shorter prompt's time which the longer one
	// must at least take.
	noSlower = 1.0
)

// FastLongPrompt applies to a point declared cold whose prompts got their first
// token no later than prompts of at most half the length did, at points that are
// alike but for the length (M07). The shortest of those makes the plainest
// sentence.
func FastLongPrompt(long PromptWait, others []PromptWait) Finding {
	var shorts []int64
	for _, s := range others {
		if long.Tokens >= longer*s.Tokens && long.TTFT <= noSlower*s.TTFT {
			shorts = append(shorts, s.Tokens)
		}
	}
	if len(shorts) == 0 {
		return when(false, evidence.FastLongPrompt)
	}
	return when(true, evidence.FastLongPrompt, measure.FormatCount(long.Tokens), measure.FormatCount(slices.Min(shorts)))
}
