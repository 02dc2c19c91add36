package summarize

import (
	"fmt"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// trigger decides on one limit of a whole run. It gives the arguments of the
// code's sentence, and whether the limit applies.
type trigger struct {
	code evidence.Code
	when func(s seen) ([]string, bool)
}

// The thresholds of the triggers, each with its reason.
const (
	// onTimeShare: an offered rate is reached if 99 % of the planned requests
	// were sent on time; 1 % is what is lost to rounding and to a busy moment.
	onTimeShare = 0.99
	// drainShareMost: above it the rate depends more on the plan's stop and
	// grace than a reader would expect.
	drainShareMost = 0.20
	// coldMost and warmLeast: a chat template that all prompts share may give a
	// few cached tokens even when prompts are cold.
	coldMost, warmLeast = 0.10, 0.50
	// chunkDiffers: an end-of-text token without a chunk is no reason to warn.
	chunkDiffers = 0.05
	// wallStepMost: what clock discipline slews in a run, and more, in ns.
	wallStepMost = 50_000_000
)

// triggers are the limits of a whole run, the strongest first as in the
// closed list of codes.
func triggers() []trigger {
	return []trigger{
		{evidence.LedgerUnbalanced, ledgerUnbalanced}, {evidence.ClientVoid, clientVoid},
		{evidence.SimulatedEndpoint, simulatedEndpoint}, {evidence.Interruption, interrupted},
		{evidence.UnresolvedTail, unresolvedTail}, {evidence.CacheContradicted, cacheContradicted},
		{evidence.OfferedRateNotReached, rateNotReached}, {evidence.ConcurrencyNotReached, concurrencyNotReached},
		{evidence.FailuresExcluded, failuresExcluded}, {evidence.QueueGrows, queueGrows}, {evidence.DrainDominates, drainDominates},
		{evidence.ClientSuspect, clientSuspect}, {evidence.CacheUnstated, cacheUnstated}, {evidence.CacheUnreported, cacheUnreported},
		{evidence.UsageMissing, usageMissing}, {evidence.PromptLengthDiffers, promptLengthDiffers},
		{evidence.OutputShort, outputShort}, {evidence.OneTokenOutputs, oneTokenOutputs}, {evidence.ChunkNotToken, chunkNotToken},
		{evidence.FavourableUpperBound, favourable}, {evidence.QualityGateMissing, qualityMissing},
		{evidence.WallClockStepped, wallClockStepped}, {evidence.StreamWithoutDone, withoutDone},
	}
}

// recordLimits are the limits that apply to the run as a whole.
func recordLimits(s seen) []evidence.Limit {
	limits := []evidence.Limit{}
	for _, t := range triggers() {
		if args, hit := t.when(s); hit {
			limits = append(limits, evidence.Limit{Code: t.code, Args: args, Where: "record"})
		}
	}
	return limits
}

func ledgerUnbalanced(s seen) ([]string, bool) {
	u := s.unbalanced()
	return []string{u}, u != ""
}

func clientVoid(s seen) ([]string, bool) {
	return []string{reasonWords(s.reasons)}, s.verdict == reqlog.Void
}

func clientSuspect(s seen) ([]string, bool) {
	return []string{reasonWords(s.reasons)}, s.verdict == reqlog.Suspect
}

func simulatedEndpoint(s seen) ([]string, bool) { return nil, s.simulated }

func interrupted(s seen) ([]string, bool) { return []string{interruption(s.note)}, s.interrupted }

func unresolvedTail(s seen) ([]string, bool) {
	return counts(s.ledger.Unresolved, s.ledger.Sent), s.ledger.Unresolved > 0
}

func failuresExcluded(s seen) ([]string, bool) {
	n := s.ledger.Failed + s.ledger.Rejected + s.ledger.TimedOut
	return counts(n), n > 0
}

// cacheContradicted compares the declared state with the share of prompt
// tokens that the endpoint reported as cached.
func cacheContradicted(s seen) ([]string, bool) {
	if !s.cache.Declared() || s.cached.PromptTokens == 0 {
		return nil, false
	}
	share := float64(s.cached.CachedTokens) / float64(s.cached.PromptTokens)
	hit := false
	switch s.cache.Kind() {
	case measure.CacheCold:
		hit = share > coldMost
	case measure.CacheWarm:
		hit = share < warmLeast
	case measure.CacheShared:
		declared := s.cache.Share()
		hit = share < declared/2 || share > declared+(1-declared)/2
	case measure.CacheDisabled:
		hit = s.cached.CachedTokens > 0
	case measure.CacheUnstated:
	}
	return []string{s.cache.Kind().String(), measure.FormatShare(share)}, hit
}

func cacheUnstated(s seen) ([]string, bool) {
	return nil, !s.cache.Declared() && s.cached.PromptTokens == 0
}

func cacheUnreported(s seen) ([]string, bool) {
	return []string{s.cache.Kind().String()}, s.cache.Declared() && s.ledger.Completed > 0 && s.cached.PromptTokens == 0
}

func rateNotReached(s seen) ([]string, bool) {
	hit := s.open && float64(s.onTime) < onTimeShare*float64(s.ledger.Planned)
	return []string{s.rate, fmt.Sprintf("%s of %s planned requests", measure.FormatCount(s.onTime), measure.FormatCount(s.ledger.Planned))}, hit
}

func concurrencyNotReached(s seen) ([]string, bool) {
	return counts(s.concurrency, s.peak), !s.open && s.peak < s.concurrency
}

// queueGrows compares requests in flight late while sending with those early.
// The difference must be a quarter, and more than three times what a Poisson
// number of requests would vary by.
func queueGrows(s seen) ([]string, bool) {
	rise := s.late - s.early
	hit := s.open && s.quarters && rise > 0.25*s.early && rise*rise > 9*max(s.early, 1)
	return []string{fmt.Sprintf("%.1f", s.early), fmt.Sprintf("%.1f", s.late)}, hit
}

func drainDominates(s seen) ([]string, bool) {
	return []string{measure.FormatShare(s.drainShare)}, s.drainShare > drainShareMost
}

func usageMissing(s seen) ([]string, bool) {
	return counts(s.noCount, s.ledger.Completed), s.noCount > 0
}

func promptLengthDiffers(s seen) ([]string, bool) {
	hit := s.inputs.N > 0 && (s.inputs.Min != s.askedIn || s.inputs.Max != s.askedIn)
	return counts(s.askedIn, s.inputs.Min, s.inputs.Max), hit
}

func outputShort(s seen) ([]string, bool) {
	return counts(s.askedOut, s.outputs.Min, s.outputs.Max), s.outputs.N > 0 && s.outputs.Min < s.askedOut
}

func oneTokenOutputs(s seen) ([]string, bool) { return counts(s.underTwo), s.underTwo > 0 }

func chunkNotToken(s seen) ([]string, bool) {
	differ := float64(s.tokens-s.chunks) > chunkDiffers*float64(s.chunks) || float64(s.chunks-s.tokens) > chunkDiffers*float64(s.tokens)
	return counts(s.tokens, s.chunks), s.chunks > 0 && differ
}

func favourable(s seen) ([]string, bool) {
	return []string{strings.Join(s.notStated, ", ")}, len(s.notStated) > 0
}

func qualityMissing(s seen) ([]string, bool) { return nil, s.noQuality }

func wallClockStepped(s seen) ([]string, bool) {
	size := max(s.wallStep, -s.wallStep)
	text := measure.FormatSeconds(measure.Seconds(s.wallStep))
	if s.wallStep > 0 {
		text = "+" + text
	}
	return []string{text}, size > wallStepMost
}

func withoutDone(s seen) ([]string, bool) { return counts(s.noDone), s.noDone > 0 }

// counts are arguments that are counts.
func counts(ns ...int64) []string {
	args := make([]string, len(ns))
	for i, n := range ns {
		args[i] = measure.FormatCount(n)
	}
	return args
}
