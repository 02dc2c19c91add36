package summarize

import (
	"fmt"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/limits"
)

// recordLimits are those of the runs, each once, and that of too few runs.
func (g group) recordLimits() []evidence.Limit {
	of := make([][]evidence.Limit, len(g.all))
	for i, r := range g.all {
		of[i] = r.Limits
	}
	return append(g.joined(of), limits.FewRepeats(int64(len(g.valid))).Record()...)
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
			if anew := g.summed(l.Code, l.Where); len(anew) > 0 {
				out = append(out, anew...)
				continue
			}
			l.Args = sharedArgs(l, of)
			out = append(out, l)
		}
	}
	return out
}

// summed is a limit made anew from the sums of the runs' ledgers, for the codes
// that count over one.
func (g group) summed(code evidence.Code, where string) []evidence.Limit {
	o := g.outcomes()
	switch code { //nolint:exhaustive // the codes that count over the ledger; the others keep their words
	case evidence.UnresolvedTail:
		return limits.UnresolvedTail(o.Unresolved, o.Sent).At(where)
	case evidence.FailuresExcluded:
		failed, _ := o.Failed.Get()
		rejected, _ := o.Rejected.Get()
		timedOut, _ := o.TimedOut.Get()
		return limits.FailuresExcluded(failed, rejected, timedOut).At(where)
	default:
		return nil
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
