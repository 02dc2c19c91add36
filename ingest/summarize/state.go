package summarize

import (
	"fmt"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

func (r *run) state() evidence.State {
	s := evidence.State{
		Cache: r.evidenceCache(), Warmup: r.warmupWords(), Window: r.observed(), Drain: r.drainWords(),
		Objectives: evidence.NotApplicable[string]("the plan sets no objectives"),
		TTFTLimit:  evidence.NotApplicable[float64]("the plan sets no objectives"),
		E2ELimit:   evidence.NotApplicable[float64]("the plan sets no objectives"),
		Complete:   evidence.Stated(string(reqlog.Complete), byManifest),
	}
	if o := r.spec.Objectives; o != nil {
		from := "sent"
		if r.open() {
			from = "due"
		}
		s.Objectives = evidence.Stated(fmt.Sprintf("first token within %s and end within %s of when the request was %s", o.TTFT, o.EndToEnd, from), byPlan)
		s.TTFTLimit = evidence.Stated(o.TTFT.Seconds(), byPlan)
		s.E2ELimit = evidence.Stated(o.EndToEnd.Seconds(), byPlan)
	}
	if r.m.State != reqlog.Complete {
		s.Complete = evidence.Stated(fmt.Sprintf("%s: %s", reqlog.Interrupted, interruption(r.m.Note)), byManifest)
	}
	return s
}

func interruption(note string) string {
	if note == "" {
		return "no reason recorded"
	}
	return strings.TrimSuffix(note, ".")
}

// evidenceCache is the cache state as evidence holds it.
func (r *run) evidenceCache() evidence.Cache {
	c := evidence.Cache{Kind: r.cache.Kind(), Share: r.cache.Share(), Declared: r.cache.Declared()}
	if r.cached.PromptTokens > 0 {
		c.Measured = evidence.Derived(r.cached, "cached and prompt tokens of completed requests that reported both")
		return c
	}
	if r.ledger.Completed == 0 {
		c.Measured = evidence.NotApplicable[evidence.CacheMeasure]("no request completed")
		return c
	}
	c.Measured = evidence.NotStated[evidence.CacheMeasure]("the endpoint does not report cached tokens")
	return c
}

func (r *run) warmupWords() evidence.Known[string] {
	w, from := r.warmup, r.m.Windows.WarmupFromNS
	if w.Planned == 0 && from == nil {
		return evidence.Stated("none", byManifest)
	}
	s := fmt.Sprintf("%s sent, %s of them completed", measure.Counted(w.Sent, "request"), measure.FormatCount(w.Completed))
	if from != nil && r.m.Windows.MeasureFromNS > *from {
		s += fmt.Sprintf(", over %s", measure.FormatSeconds(measure.Seconds(r.m.Windows.MeasureFromNS-*from)))
	}
	return evidence.Derived(s+", before the measured phase; in no figure", countedNote)
}

func (r *run) drainWords() evidence.Known[string] {
	grace := r.spec.Drain.Grace
	used := r.m.Windows.ObservedToNS - r.m.Windows.SendEndNS
	if used < 0 {
		return evidence.NotStated[string]("the manifest's windows are out of order")
	}
	s := fmt.Sprintf("grace %s, %s used", grace, measure.FormatSeconds(measure.Seconds(used)))
	if n := r.ledger.Unresolved; n > 0 {
		s += fmt.Sprintf("; %s still open when observation ended", measure.FormatCount(n))
	} else {
		s += "; every sent request had an outcome"
	}
	return evidence.Derived(s, "plan, and windows of the manifest")
}

// outcomes is the ledger, counted from the rows.
func (r *run) outcomes() evidence.Outcomes {
	l := r.ledger
	counted := func(n int64) evidence.Known[int64] { return evidence.Derived(n, countedNote) }
	return evidence.Outcomes{
		Planned: evidence.Stated(l.Planned, byManifest), Sent: counted(l.Sent), Completed: counted(l.Completed), Failed: counted(l.Failed),
		Rejected: counted(l.Rejected), TimedOut: counted(l.TimedOut), Cancelled: counted(l.Cancelled),
		Unresolved: counted(l.Unresolved), NeverSent: counted(l.NeverSent), WarmupSent: counted(r.warmup.Sent),
	}
}
