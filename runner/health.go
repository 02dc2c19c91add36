package runner

import (
	"fmt"
	"slices"

	"benchline/runner/reqlog"
)

// The limits of [Judge]. What lies over a "suspect" limit may have bent the
// figures; what lies over a "void" limit certainly has.
const (
	// A request sent this late was not part of the load that was planned.
	// 10 ms is half the gap between tokens of a fast stream.
	sendLagSuspect = 10e6
	sendLagVoid    = 250e6
	// A process whose timers are this late reads answers late as well: it
	// adds about this to times to the first token.
	schedLagSuspect = 10e6
	schedLagVoid    = 100e6
	// Above this share of its cores a process waits for itself: queueing
	// makes a read late by several times its cost.
	cpuSuspect = 0.80
	cpuVoid    = 0.97
	// Longer garbage collection pauses show in single gaps.
	gcPauseSuspect = 10e6
	// Chunks read together were not read when they came. A fast engine or a
	// proxy makes such gaps too, so they count against the client only where
	// it was busy or late as well.
	subMSShare  = 0.05
	busyCPU     = 0.50
	lateSchedNS = 2e6
)

// Judge says whether the client may have been what was measured. Over the
// measured part it looks at: the lag between due and sent (p99: suspect from
// 10 ms, void from 250 ms), the lateness of a 10 ms ticker (p99: suspect from
// 10 ms, void from 100 ms), processor time as a share of the cores that the
// process may use (suspect from 0.80, void from 0.97), the longest garbage
// collection pause (suspect from 10 ms), gaps between chunks under 1 ms
// (suspect when over 5 % and the client used half its cores or its ticker's
// p99 was 2 ms late), and whether a closed loop ever had its number of
// requests in flight (concurrency; 0: not a closed loop, or too few requests
// to reach it). The limits are judgement, not law: each figure is published.
func Judge(h reqlog.Health, concurrency int64) (reqlog.Verdict, []string) {
	verdict := reqlog.Sound
	reasons := []string{}
	say := func(v reqlog.Verdict, format string, args ...any) {
		if v == reqlog.Void || verdict == reqlog.Sound {
			verdict = v
		}
		reasons = append(reasons, fmt.Sprintf(format, args...))
	}
	grade := func(x, suspect, void float64, format string, args ...any) {
		switch {
		case x >= void:
			say(reqlog.Void, format, args...)
		case x >= suspect:
			say(reqlog.Suspect, format, args...)
		}
	}
	grade(float64(h.SendLagP99NS), sendLagSuspect, sendLagVoid,
		"Requests were sent late: the 99th percentile of sent − due is %s.", milliseconds(h.SendLagP99NS))
	grade(float64(h.SchedLagP99NS), schedLagSuspect, schedLagVoid,
		"The client's timers were late: the 99th percentile is %s.", milliseconds(h.SchedLagP99NS))
	grade(h.CPUShare, cpuSuspect, cpuVoid,
		"The client used %.0f %% of the %d cores that it may use.", 100*h.CPUShare, h.Cores)
	if h.GCPauseMaxNS >= gcPauseSuspect {
		say(reqlog.Suspect, "Garbage collection held the client for up to %s.", milliseconds(h.GCPauseMaxNS))
	}
	if s := h.SubMSGapShare; s != nil && *s > subMSShare && (h.CPUShare >= busyCPU || h.SchedLagP99NS >= lateSchedNS) {
		say(reqlog.Suspect, "%.1f %% of the gaps between chunks are under 1 ms while the client was busy: chunks were read together, later than they came.", 100**s)
	}
	if h.MaxInFlight < concurrency {
		say(reqlog.Suspect, "At most %d requests were in flight at once, where %d were asked for.", h.MaxInFlight, concurrency)
	}
	return verdict, reasons
}

func milliseconds(ns int64) string { return fmt.Sprintf("%.1f ms", float64(ns)/1e6) }

// lags are delays in nanoseconds.
type lags []int64

// quantile is the nearest rank, the ⌈qN⌉-th smallest; 0 where there is none.
// q is in thousandths.
func (l lags) quantile(q int) int64 {
	if len(l) == 0 {
		return 0
	}
	sorted := slices.Clone(l)
	slices.Sort(sorted)
	rank := (q*len(sorted) + 999) / 1000
	return sorted[max(rank, 1)-1]
}
