package summarize

import (
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// findings are what package limits decides about the whole run from what was
// seen of it.
func (s seen) findings() []limits.Finding {
	l := s.ledger
	found := []limits.Finding{
		limits.LedgerUnbalanced(l, s.stated, s.oddRows), limits.ClientVoid(s.verdict, s.reasons), limits.ClientSuspect(s.verdict, s.reasons),
		limits.ClientUnjudged(s.verdict, s.reasons), limits.SimulatedEndpoint(s.simulated), limits.Interruption(s.interrupted, s.note),
		limits.WallClockStepped(ns(s.wallStep)),
		limits.UnresolvedTail(ofRows(l.Unresolved), ofRows(l.Sent)), limits.FailuresExcluded(l.Failed, l.Rejected, l.TimedOut),
		limits.SentAgain(s.resent, l.Sent), limits.StreamWithoutDone(s.noDone),
		limits.DrainDominates(s.drainShare, ""),
		limits.CacheContradicted(s.cache), limits.CacheUnstated(s.cache), limits.CacheUnreported(s.cache), limits.PromptsRepeated(s.cache, s.promptsAgain, s.prompts),
		limits.UsageMissing(s.noCount, l.Completed), limits.PromptLengthDiffers(s.askedIn, s.inputs.Min, s.inputs.Max, s.inputs.N),
		limits.OutputShort(s.askedOut, s.outputs.Min, s.outputs.Max, s.outputs.N), limits.OneTokenOutputs(s.underTwo),
		limits.ChunkNotToken(s.tokens, s.chunks), limits.StreamBundled(s.nearGaps, s.gaps), limits.FirstTokenReasoning(s.notAnswer, l.Completed),
		limits.FavourableUpperBound(s.notStated), limits.QualityGateMissing(s.quantized, s.precision, s.quality),
	}
	if s.planned {
		found = append(found, limits.WarmupInWindow(s.warmup))
	}
	if s.open {
		found = append(found, limits.OfferedRateNotReached(s.rate, s.onTime, l.Planned))
	} else {
		found = append(found, limits.ConcurrencyNotReached(s.concurrency, s.peak))
	}
	if s.open && s.quarters {
		found = append(found, limits.QueueGrows(s.early, s.late))
	}
	return found
}

func ofRows(n int64) evidence.Known[int64] { return evidence.Derived(n, countedNote) }

// found are the findings about a run, of which those that apply are limits of
// the record, and some of its figures.
type found []limits.Finding

// decide makes them, the strongest code first.
func decide(s seen) found {
	place := map[evidence.Code]int{}
	for i, info := range evidence.Codes() {
		place[info.Code] = i
	}
	f := slices.DeleteFunc(s.findings(), func(f limits.Finding) bool { return !f.Applies() })
	slices.SortStableFunc(f, func(a, b limits.Finding) int { return place[a.Code()] - place[b.Code()] })
	return f
}

// has reports whether a code applies to the run.
func (f found) has(c evidence.Code) bool {
	return slices.ContainsFunc(f, func(x limits.Finding) bool { return x.Code() == c })
}

// record are the limits that apply to the run as a whole.
func (f found) record() []evidence.Limit {
	out := []evidence.Limit{}
	for _, x := range f {
		out = append(out, x.Record()...)
	}
	return out
}

// at are those limits of the run that change how one figure is read, so that the
// figure keeps them wherever it stands.
func (f found) at(id measure.MetricID, codes ...evidence.Code) []evidence.Limit {
	out := []evidence.Limit{}
	for _, x := range f {
		if slices.Contains(codes, x.Code()) {
			out = append(out, x.At(string(id))...)
		}
	}
	return out
}
