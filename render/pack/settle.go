package pack

import (
	"fmt"
	"math"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// count is what is known of the requests that a percentile ranks.
type count struct {
	n    int64 // ranked: finished and open
	open int64
	// within is how many finished at or below the limit; exact is false where the
	// record's thinned distribution tells it only to within its steps, and then
	// it is the least that it can be. Known is false where there is none.
	within int64
	exact  bool
	known  bool
	late   int64 // open ones that are older than the limit already
}

// A distribution of up to keptWhole values has them all; a longer one is thinned,
// but for its keptTail largest. That is how package summarize makes them.
const (
	keptWhole = 256
	keptTail  = 128
)

// tally counts the requests of a run from its distribution.
func tally(c Criterion, r *evidence.Record, b evidence.Bounds, open int64) count {
	k := count{n: b.N, open: open}
	m, _ := measure.Lookup(c.Metric)
	for _, d := range r.Distributions {
		if d.Metric != m.Base || d.Finished+d.Open != b.N {
			continue
		}
		limit := c.Bound()
		k.known = true
		for _, s := range d.Steps {
			if s.X <= limit {
				k.within = int64(math.Round(s.Share * float64(d.N)))
			}
		}
		k.exact = d.Finished <= keptWhole || d.Finished-k.within <= keptTail
		for _, age := range d.OpenAges {
			if age > limit && int64(len(d.OpenAges)) == d.Open {
				k.late++
			}
		}
	}
	return k
}

// settle says what more measurement would settle a percentile that lies on
// either side of its limit. With N ranked requests, rank r = ⌈qN⌉, U of them
// unfinished and k finished at or below the limit:
//
//   - it passes if r − k of the U turn out at or below the limit, and fails if more
//     than N − r of all turn out above it;
//   - no bound above exists while more than N − r are unfinished, however many
//     requests there are, as long as their share stays what it is;
//   - if it is the number U that stays (what was in flight when observation ended),
//     a run needs N' ≥ p·U ÷ (p − q) requests to pass, where p = k ÷ (N − U) is the
//     share of the finished ones at or below the limit, if p > q; if p < q it fails
//     from N' > (1 − p)·U ÷ (q − p) requests on.
func settle(q measure.Q, k count) string {
	rank := q.Rank(k.n)
	room := k.n - rank
	s := fmt.Sprintf("At most %s of %s may stay unfinished for %s to have an upper bound; %s did, so a longer drain or a lower load is needed before more requests are.",
		measure.FormatCount(room), measure.FormatCount(k.n), q, measure.FormatCount(k.open))
	if k.open <= room {
		s = fmt.Sprintf("%s of %s unfinished requests leave it open.", measure.FormatCount(k.open), measure.FormatCount(k.n))
	}
	if !k.known || k.open >= k.n {
		return s
	}
	if need := rank - k.within; need > 0 && need <= k.open-k.late {
		few := ""
		if !k.exact {
			few = " (or fewer: the distribution at hand is thinned)"
		}
		s += fmt.Sprintf(" Had %s%s of the %s finished within the limit, it would pass.", measure.FormatCount(need), few, measure.FormatCount(k.open))
	}
	if n, passes, ok := needed(q, k); ok && k.exact {
		way := "fail"
		if passes {
			way = "pass"
		}
		s += fmt.Sprintf(" If no more than %s stay unfinished and the others go on as those that finished did (%s within the limit), it takes about %s requests to %s.",
			measure.FormatCount(k.open), measure.FormatShare(float64(k.within)/float64(k.n-k.open)), measure.FormatCount(n), way)
	}
	return s
}

// needed is how many requests settle a percentile if the number of unfinished ones
// and the share of the finished ones within the limit stay what they are. It is
// false where that share is the percentile's own.
func needed(q measure.Q, k count) (n int64, passes, ok bool) {
	// In whole numbers, with q in thousandths: p·U ÷ (p − q) = 1000·k·U ÷ (1000·k − q·F).
	finished := k.n - k.open
	gap := 1000*k.within - int64(q)*finished
	switch {
	case gap > 0:
		n, passes = (1000*k.within*k.open+gap-1)/gap, true
	case gap < 0:
		n = 1000*(finished-k.within)*k.open/-gap + 1
	default:
		return 0, false, false
	}
	return max(n, k.n, measure.MinN(q)), passes, true
}

// settleErrors says how many of the unresolved requests decide, and from how many
// requests on the same number of them would not matter.
func settleErrors(limit float64, bad, open, sent int64) string {
	most := int64(math.Floor(limit*float64(sent))) - bad // that may fail yet
	s := fmt.Sprintf("It passes if at most %s of the %s unresolved requests failed.", measure.FormatCount(max(0, most)), measure.FormatCount(open))
	share := float64(bad) / float64(sent)
	if limit > share {
		// bad share stays: (share·(N'−open) + open) ÷ N' ≤ limit
		n := int64(math.Ceil(float64(open) * (1 - share) / (limit - share)))
		s += fmt.Sprintf(" If no more than %s stay unresolved and the share of errors stays what it is, %s requests settle it.", measure.FormatCount(open), measure.FormatCount(max(n, sent)))
	}
	return s
}
