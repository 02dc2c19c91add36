package summarize

import (
	"fmt"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

func fewRepeats(where string, n int) evidence.Limit {
	return evidence.Limit{Code: evidence.FewRepeats, Args: counts(int64(n)), Where: where}
}

// limits are those of the runs, each once, and that of too few runs.
func (g group) limits() []evidence.Limit {
	of := make([][]evidence.Limit, len(g.all))
	for i, r := range g.all {
		of[i] = r.Limits
	}
	out := g.joined(of)
	if n := int64(len(g.valid)); n < measure.MinN(measure.Q50) {
		out = append(out, fewRepeats("record", len(g.valid)))
	}
	return out
}

func (g group) valueLimits(values []evidence.Value) []evidence.Limit {
	of := make([][]evidence.Limit, len(values))
	for i, v := range values {
		of[i] = v.Limits
	}
	return g.joined(of)
}

// joined has each code of the runs' limits once. Counts over the ledger are
// made anew from the sums. Any other limit that is not the same in every run
// says of how many runs it is, in the words of the first that has it.
func (g group) joined(of [][]evidence.Limit) []evidence.Limit {
	out := []evidence.Limit{}
	done := map[evidence.Code]bool{}
	for _, limits := range of {
		for _, l := range limits {
			if done[l.Code] {
				continue
			}
			done[l.Code] = true
			if args, ok := g.summedArgs(l.Code); ok {
				l.Args = args
			} else {
				l.Args = sharedArgs(l, of)
			}
			out = append(out, l)
		}
	}
	return out
}

// summedArgs are the arguments of the codes that count over the ledger.
func (g group) summedArgs(code evidence.Code) ([]string, bool) {
	o := g.outcomes()
	get := func(k evidence.Known[int64]) (int64, bool) { return k.Get() }
	switch code { //nolint:exhaustive // the codes that count over the ledger; the others keep their words
	case evidence.UnresolvedTail:
		open, ok := get(o.Unresolved)
		sent, ok2 := get(o.Sent)
		return counts(open, sent), ok && ok2
	case evidence.FailuresExcluded:
		failed, ok := get(o.Failed)
		rejected, ok2 := get(o.Rejected)
		timedOut, ok3 := get(o.TimedOut)
		return counts(failed + rejected + timedOut), ok && ok2 && ok3
	default:
		return nil, false
	}
}

// sharedArgs are a limit's arguments as they are where every run has them
// alike; else the last one says how many runs have the limit.
func sharedArgs(l evidence.Limit, of [][]evidence.Limit) []string {
	if len(l.Args) == 0 {
		return nil
	}
	have, alike := 0, true
	for _, limits := range of {
		i := slices.IndexFunc(limits, func(m evidence.Limit) bool { return m.Code == l.Code })
		if i < 0 {
			alike = false
			continue
		}
		have++
		alike = alike && slices.Equal(limits[i].Args, l.Args)
	}
	if alike {
		return l.Args
	}
	args := slices.Clone(l.Args)
	more := fmt.Sprintf(" (in %d of %d runs", have, len(of))
	if have > 1 {
		more += ", as in the first of them"
	}
	args[len(args)-1] += more + ")"
	return args
}
