package summarize

import (
	"math"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// mostBins is how many bins a timeline has at most.
const mostBins = 240

// timeline is what went on during the observation window; nil without one.
func (r *run) timeline() *evidence.Timeline {
	w := r.windows.observed
	if !w.IsValid() {
		return nil
	}
	bin := binNS(w.ToNS() - w.FromNS())
	n := int((w.ToNS() - w.FromNS() + bin - 1) / bin)
	t := &evidence.Timeline{BinSeconds: measure.Seconds(bin), InFlight: make([]int64, n), Due: make([]int64, n), Ended: make([]int64, n)}
	// place is the bin of a moment; what lies outside belongs to the end bins.
	place := func(at int64) int {
		switch {
		case at <= w.FromNS():
			return 0
		case at >= w.ToNS():
			return n - 1
		default:
			return int((at - w.FromNS()) / bin)
		}
	}
	for i := range r.entries {
		e := &r.entries[i]
		t.Due[place(e.due)]++
		if e.outcome == reqlog.NeverSent || e.sent == none {
			continue
		}
		t.InFlight[place(e.sent)]++
		if e.outcome == reqlog.Unresolved || e.end == none {
			continue
		}
		end := place(e.end)
		t.Ended[end]++
		t.InFlight[end]--
	}
	for i := 1; i < n; i++ {
		t.InFlight[i] += t.InFlight[i-1]
	}
	return t
}

// binNS is the shortest of 1, 2 and 5 times a power of ten nanoseconds, from
// 1 ms up, that cuts a length into at most mostBins.
func binNS(length int64) int64 {
	for unit := int64(1e6); unit < math.MaxInt64/10; unit *= 10 {
		for _, k := range []int64{1, 2, 5} {
			if length <= k*unit*mostBins {
				return k * unit
			}
		}
	}
	return length
}
