package summarize

import (
	"fmt"
	"time"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/plan"
)

func ns(n int64) time.Duration { return time.Duration(n) }

func (r *run) workload() evidence.Workload {
	p := r.m.Point
	w := evidence.Workload{
		InputTokensAsked:  askedTokens(p.InputTokens),
		OutputTokensAsked: askedTokens(p.OutputTokens),
		InputTokens:       r.actual(r.inputs),
		OutputTokens:      r.actual(r.outputs),
		TokenSource:       evidence.NotStated[string]("no completed request came with a token count"),
		Prompts:           evidence.Stated(r.promptWords(), byPlan+" and "+byLog),
		Requests:          evidence.Stated(r.m.Ledger.Planned, byManifest),
	}
	if r.spec.Stop.Requests == 0 && r.spec.Stop.Duration > 0 {
		// Not a condition of the run, but what came of it.
		w.Requests = evidence.Derived(r.m.Ledger.Planned, fmt.Sprintf("not fixed: as many as the planned duration of %s gave", r.spec.Stop.Duration))
	}
	if r.source != "" {
		words := r.source
		if r.noCount > 0 {
			words += fmt.Sprintf(" (none for %s of %s completed requests)", measure.FormatCount(r.noCount), measure.FormatCount(r.ledger.Completed))
		}
		w.TokenSource = evidence.Stated(words, byLog)
	}
	return w
}

func askedTokens(n int) evidence.Known[int64] {
	if n <= 0 {
		return evidence.NotStated[int64]("the manifest's point does not say")
	}
	return evidence.Stated(int64(n), byPlan)
}

func (r *run) actual(s evidence.Spread) evidence.Known[evidence.Spread] {
	if s.N == 0 {
		if r.ledger.Completed == 0 {
			return evidence.NotApplicable[evidence.Spread]("no request completed")
		}
		return evidence.NotStated[evidence.Spread]("no completed request came with a token count")
	}
	return evidence.Derived(s, "over completed requests with a count by "+r.source)
}

// promptWords says how prompts were made, and what the log shows of prompts
// that were sent before: then the prefix cache may be warm.
func (r *run) promptWords() string {
	w := r.spec.Workload
	s := fmt.Sprintf("seed %d, temperature %g", w.Seed, w.Temperature)
	if w.IgnoreEOS {
		s += ", the endpoint is asked to ignore the end-of-text token"
	}
	switch c := r.spec.Cache; c.Policy {
	case plan.Cold:
		s += "; each request has its own prefix"
	case plan.Warm:
		s += fmt.Sprintf("; %d distinct prompts, each sent before measuring", c.Pool)
	case plan.Shared:
		s += fmt.Sprintf("; all prompts share %s of their tokens as a prefix", measure.FormatShare(c.Share))
	}
	n := int64(len(r.prompts))
	if again := repeated(r.prompts, r.warmPrompts); again > 0 && len(r.warmPrompts) > 0 {
		s += fmt.Sprintf("; %s of %s measured prompts were also sent in warm-up", measure.FormatCount(again), measure.FormatCount(n))
	}
	if again := repeated(r.prompts, nil); again > 0 {
		s += fmt.Sprintf("; %s of %s measured prompts had been measured before", measure.FormatCount(again), measure.FormatCount(n))
	}
	return s
}

func (r *run) load() evidence.Load {
	peak := evidence.NotApplicable[int64]("no request was sent")
	if r.ledger.Sent > 0 {
		peak = evidence.Derived(r.seen.peak, "most requests open when one was sent, "+byLog)
	}
	p := r.m.Point
	if p.Rate == nil {
		const closed = "a closed loop has none: the next request starts when one ends"
		return evidence.Load{
			Mode: evidence.Stated("closed loop", byPlan), Concurrency: evidence.Stated(int64(p.Concurrency), byPlan),
			Rate: evidence.NotApplicable[string](closed), RatePerSec: evidence.NotApplicable[float64](closed),
			Arrivals: evidence.NotApplicable[string](closed), PeakOpen: peak,
		}
	}
	drawn := byPlan
	if seed := r.m.ArrivalSeed; seed != nil {
		drawn += fmt.Sprintf("; this run's times are drawn from the seed %d", *seed)
	}
	return evidence.Load{
		Mode:        evidence.Stated("open loop", byPlan),
		Concurrency: evidence.NotApplicable[int64]("an open loop sends when due, whatever is open"),
		Rate:        evidence.Stated(fmt.Sprintf("%d requests per %s", p.Rate.Requests, p.Rate.Per), byPlan),
		RatePerSec:  evidence.Derived(p.Rate.PerSecond(), "requests ÷ seconds of the planned rate"),
		Arrivals:    statedOr(string(p.Arrivals), drawn, "the manifest's point does not say"),
		PeakOpen:    peak,
	}
}
