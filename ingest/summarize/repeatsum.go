package summarize

import (
	"fmt"

	"benchline/ingest/evidence"
)

// total adds a count over the runs; not stated if one of them does not state it.
func total(runs []evidence.Record, of func(evidence.Record) evidence.Known[int64]) evidence.Known[int64] {
	var sum int64
	for _, r := range runs {
		n, ok := of(r).Get()
		if !ok {
			return evidence.NotStated[int64](r.Slug + ": " + of(r).Note())
		}
		sum += n
	}
	return evidence.Derived(sum, fmt.Sprintf("sum over %d runs", len(runs)))
}

func (g group) outcomes() evidence.Outcomes {
	sum := func(of func(evidence.Outcomes) evidence.Known[int64]) evidence.Known[int64] {
		return total(g.all, func(r evidence.Record) evidence.Known[int64] { return of(r.Outcomes) })
	}
	return evidence.Outcomes{
		Planned:    sum(func(o evidence.Outcomes) evidence.Known[int64] { return o.Planned }),
		Sent:       sum(func(o evidence.Outcomes) evidence.Known[int64] { return o.Sent }),
		Completed:  sum(func(o evidence.Outcomes) evidence.Known[int64] { return o.Completed }),
		Failed:     sum(func(o evidence.Outcomes) evidence.Known[int64] { return o.Failed }),
		Rejected:   sum(func(o evidence.Outcomes) evidence.Known[int64] { return o.Rejected }),
		TimedOut:   sum(func(o evidence.Outcomes) evidence.Known[int64] { return o.TimedOut }),
		Cancelled:  sum(func(o evidence.Outcomes) evidence.Known[int64] { return o.Cancelled }),
		Unresolved: sum(func(o evidence.Outcomes) evidence.Known[int64] { return o.Unresolved }),
		NeverSent:  sum(func(o evidence.Outcomes) evidence.Known[int64] { return o.NeverSent }),
		WarmupSent: sum(func(o evidence.Outcomes) evidence.Known[int64] { return o.WarmupSent }),
	}
}

func (g group) workload() evidence.Workload {
	w := g.all[0].Workload
	w.InputTokens = g.spread(func(w evidence.Workload) evidence.Known[evidence.Spread] { return w.InputTokens })
	w.OutputTokens = g.spread(func(w evidence.Workload) evidence.Known[evidence.Spread] { return w.OutputTokens })
	w.TokenSource = same(g.all, func(r evidence.Record) evidence.Known[string] { return r.Workload.TokenSource })
	w.Prompts = same(g.all, func(r evidence.Record) evidence.Known[string] { return r.Workload.Prompts })
	w.Requests = g.requests()
	return w
}

// requests is the sum over the runs. Its rule says so where each run had the
// same number, fixed by the plan: that number is a condition of the point.
func (g group) requests() evidence.Known[int64] {
	of := func(r evidence.Record) evidence.Known[int64] { return r.Workload.Requests }
	sum, each := total(g.all, of), same(g.all, of)
	n, ok := sum.Get()
	if !ok || each.State() != evidence.StateStated {
		return sum
	}
	return evidence.Derived(n, sum.Note()+evidence.EachFixed)
}

// spread joins the runs' spreads. The middle of all requests is not known from
// them, so the median is the middle of the runs' medians, and says so.
func (g group) spread(of func(evidence.Workload) evidence.Known[evidence.Spread]) evidence.Known[evidence.Spread] {
	var out evidence.Spread
	var medians []int64
	for _, r := range g.all {
		s, ok := of(r.Workload).Get()
		if !ok {
			return evidence.NotStated[evidence.Spread](r.Slug + ": " + of(r.Workload).Note())
		}
		if out.N == 0 || s.Min < out.Min {
			out.Min = s.Min
		}
		out.Max = max(out.Max, s.Max)
		out.N += s.N
		out.Sum += s.Sum
		medians = append(medians, s.Median)
	}
	out.Median = spread(medians).Median
	return evidence.Derived(out, fmt.Sprintf("over completed requests of %d runs; its median is the middle of the runs' medians", len(g.all)))
}

func (g group) peak() evidence.Known[int64] {
	var peak int64
	for _, r := range g.all {
		n, ok := r.Load.PeakOpen.Get()
		if !ok {
			return evidence.NotStated[int64](r.Slug + ": " + r.Load.PeakOpen.Note())
		}
		peak = max(peak, n)
	}
	return evidence.Derived(peak, "largest of the runs'")
}

func (g group) state() evidence.State {
	s := g.all[0].State
	s.Cache.Measured = g.cacheMeasure()
	s.Warmup = g.own(func(r evidence.Record) evidence.Known[string] { return r.State.Warmup })
	s.Window = evidence.NotApplicable[evidence.Window]("each run has its own: see the members")
	s.Drain = g.own(func(r evidence.Record) evidence.Known[string] { return r.State.Drain })
	s.Objectives = same(g.all, func(r evidence.Record) evidence.Known[string] { return r.State.Objectives })
	s.Complete = same(g.all, func(r evidence.Record) evidence.Known[string] { return r.State.Complete })
	return s
}

// own is what all runs say alike of a thing that each has for itself. That two
// warm-ups took different times leaves nothing unstated.
func (g group) own(of func(evidence.Record) evidence.Known[string]) evidence.Known[string] {
	stated := true
	for _, r := range g.all {
		_, ok := of(r).Get()
		stated = stated && ok
	}
	if k := same(g.all, of); !stated || k.State() != evidence.StateNotStated {
		return k
	}
	return evidence.Derived("each run its own, see the runs", differs+"a run's own time is part of the words")
}

func (g group) cacheMeasure() evidence.Known[evidence.CacheMeasure] {
	var sum evidence.CacheMeasure
	for _, r := range g.all {
		m, ok := r.State.Cache.Measured.Get()
		if !ok {
			return evidence.NotStated[evidence.CacheMeasure](r.Slug + ": " + r.State.Cache.Measured.Note())
		}
		sum.CachedTokens += m.CachedTokens
		sum.PromptTokens += m.PromptTokens
		sum.Requests += m.Requests
		sum.Of += m.Of
	}
	return evidence.Derived(sum, fmt.Sprintf("sum over %d runs", len(g.all)))
}
