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

// The least numbers of observations behind a sign. The p99 of fewer than a
// hundred is their largest: one hiccup of the machine. Of those the median is
// judged, where there are enough that a few hiccups are not half of them.
const (
	leastForTail   = 100
	leastForMedian = 10
)

// judge collects what is said against a client.
type judge struct {
	verdict reqlog.Verdict
	reasons []string
}

func (j *judge) say(v reqlog.Verdict, format string, args ...any) {
	if v.Worse(j.verdict) {
		j.verdict = v
	}
	j.reasons = append(j.reasons, fmt.Sprintf(format, args...))
}

// grade is the verdict on a figure.
func grade(x, suspect, void float64) reqlog.Verdict {
	switch {
	case x >= void:
		return reqlog.Void
	case x >= suspect:
		return reqlog.Suspect
	}
	return reqlog.Sound
}

// lag is a delay that was seen n times. What names it as the subject of a
// sentence, cause says what the other signs make likely.
type lag struct {
	what, each, cause string
	n                 int64
	p50, p99          int64 // nanoseconds
	suspect, void     float64
}

// lag judges the p99 of enough observations, the median of fewer. A p99 over
// its limit of too few to judge it by is said, and held against nobody.
func (j *judge) lag(l lag) {
	if l.n >= leastForTail {
		if v := grade(float64(l.p99), l.suspect, l.void); v != reqlog.Sound {
			j.say(v, "%s: the 99th percentile over %d %s is %s%s.", l.what, l.n, l.each, milliseconds(l.p99), l.cause)
		}
		return
	}
	if v := grade(float64(l.p50), l.suspect, l.void); v != reqlog.Sound && l.n >= leastForMedian {
		j.say(v, "%s: the median over %d %s is %s%s.", l.what, l.n, l.each, milliseconds(l.p50), l.cause)
		return
	}
	if grade(float64(l.p99), l.suspect, l.void) != reqlog.Sound {
		j.say(reqlog.Unjudged, "%s at least once: the largest over %d %s is %s, and a 99th percentile takes %d%s.",
			l.what, l.n, l.each, milliseconds(l.p99), leastForTail, l.cause)
	}
}

// share judges a share that takes leastForTail of what it is of.
func (j *judge) share(v reqlog.Verdict, n int64, each, format string, args ...any) {
	if v == reqlog.Sound {
		return
	}
	if said := fmt.Sprintf(format, args...); n < leastForTail {
		j.say(reqlog.Unjudged, "%s, over %d %s, where it takes %d to judge by.", said, n, each, leastForTail)
	} else {
		j.say(v, "%s.", said)
	}
}

// Judge says whether the client may have been what was measured. Over the
// measured part it looks at: the lag between due and sent (p99: suspect from
// 10 ms, void from 250 ms), the lateness of a 10 ms ticker (p99: suspect from
// 10 ms, void from 100 ms), processor time as a share of the cores that the
// process may use (suspect from 0.80, void from 0.97), the longest garbage
// collection pause (suspect from 10 ms), gaps between chunks under 1 ms
// (suspect when over 5 % and the client used half its cores or its ticker's
// p99 was 2 ms late), and whether a closed loop ever had its number of
// requests in flight (concurrency; 0: not a closed loop, or too few requests
// to reach it). A sign with fewer than 100 observations is judged by its
// median if they are at least 10 (the lags), or not at all: over its limit, or
// never seen, it makes the verdict "too few to judge". Processor time counts in ticks. The
// limits are judgement, not law: each figure is published. Counts that h does
// not state are read as none.
func Judge(h reqlog.Health, concurrency int64) (reqlog.Verdict, []string) {
	j := judge{verdict: reqlog.Sound, reasons: []string{}}
	sends, ticks, gaps := number(h.Sends), number(h.Ticks), number(h.Gaps)
	busy := h.CPUShare >= busyCPU
	machine := fmt.Sprintf(", the client using %.0f %% of its %d cores, which points at something else on the machine", 100*h.CPUShare, h.Cores)
	if busy {
		machine = fmt.Sprintf(", the client itself being busy with %.0f %% of its %d cores", 100*h.CPUShare, h.Cores)
	}
	preparing := ", its timers being on time, which points at the making of requests"
	if h.SchedLagP99NS >= lateSchedNS {
		preparing = ", its timers being late as well"
	}
	j.lag(lag{what: "Requests were sent late", each: "requests", cause: preparing, n: sends,
		p50: h.SendLagP50NS, p99: h.SendLagP99NS, suspect: sendLagSuspect, void: sendLagVoid})
	j.lag(lag{what: "The client's timers were late", each: "ticks", cause: machine, n: ticks,
		p50: number(h.SchedLagP50NS), p99: h.SchedLagP99NS, suspect: schedLagSuspect, void: schedLagVoid})
	j.share(grade(h.CPUShare, cpuSuspect, cpuVoid), ticks, "ticks of 10 ms",
		"The client used %.0f %% of the %d cores that it may use", 100*h.CPUShare, h.Cores)
	if h.GCPauseMaxNS >= gcPauseSuspect {
		j.say(reqlog.Suspect, "Garbage collection held the client for up to %s.", milliseconds(h.GCPauseMaxNS))
	}
	if s := h.SubMSGapShare; s != nil && *s > subMSShare && (busy || h.SchedLagP99NS >= lateSchedNS) {
		n, each := gaps, "gaps"
		if ticks < leastForTail && gaps >= leastForTail {
			n, each = ticks, "ticks of 10 ms" // that it was busy or late is what is not known
		}
		j.share(reqlog.Suspect, n, each,
			"%.1f %% of the gaps between chunks are under 1 ms while the client was busy or late: chunks were read together, later than they came", 100**s)
	}
	if h.MaxInFlight < concurrency {
		j.say(reqlog.Suspect, "At most %d requests were in flight at once, where %d were asked for.", h.MaxInFlight, concurrency)
	}
	if sends == 0 {
		j.say(reqlog.Unjudged, "No request was sent.")
	}
	if ticks == 0 {
		j.say(reqlog.Unjudged, "The measured part was over before the first tick of 10 ms.")
	}
	return j.verdict, j.reasons
}

// number is a count or a time that may not be stated.
func number(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
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
