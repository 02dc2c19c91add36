package limits

import (
	"fmt"
	"math"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// drainShareMost: above it the rate depends more on the plan's stop and grace
// than a reader would expect.
const drainShareMost = 0.20

// DrainDominates applies where more than a fifth of the window came after
// sending had stopped. By says how the share is known where it is not from send
// times; else it is empty.
func DrainDominates(share float64, by string) Finding {
	text := measure.FormatShare(share)
	if by != "" {
		text += " (" + by + ")"
	}
	return when(share > drainShareMost, evidence.DrainDominates, text)
}

// Warmup is what is known of the requests before the measured ones.
type Warmup struct {
	Planned int64 // 0: none was made
	Open    int64 // still open when measuring began
	// Said is a source's own word that its window has the warm-up in it.
	Said string
}

// WarmupInWindow applies where what belongs to the warm-up lies in the measured
// window: no warm-up was made, requests of it were still open, or a source says so.
func WarmupInWindow(w Warmup) Finding {
	what := ""
	switch {
	case w.Said != "":
		what = w.Said
	case w.Planned == 0:
		what = "no request was sent before the measured ones"
	case w.Open > 0:
		what = measure.Counted(w.Open, "request") + " of the warm-up had not ended when measuring began"
	}
	return when(what != "", evidence.WarmupInWindow, what)
}

// WindowMismatch applies where a source says that numerator and denominator of a
// rate are not of the same stretch of time. Both are in words; empty: the same.
func WindowMismatch(numerator, denominator string) Finding {
	return when(numerator != "" && denominator != "", evidence.WindowMismatch, numerator, denominator)
}

// sameLength is how far two statements of one length may lie apart by rounding.
const sameLength = 0.001

// WindowNotDenominator is [WindowMismatch] for a rate that is divided by another
// time than its window is long. Both in seconds.
func WindowNotDenominator(window, denominator float64) Finding {
	apart := math.Abs(window-denominator) > sameLength*max(window, denominator)
	if !apart {
		return when(false, evidence.WindowMismatch)
	}
	return WindowMismatch(fmt.Sprintf("a window of %.6g s", window), fmt.Sprintf("%.6g s", denominator))
}

// steadyLost is the share of a steady window's tokens that the requests open at
// its end may have left out, from which on it is noted.
const steadyLost = 0.10

// SteadyCutsRequests is [WindowMismatch] for the rate over a steady window: of
// the requests open at its end no token counts, and of those open at its start
// all do, also those before it. It applies where open × 10 is more than the
// requests whose tokens were counted.
func SteadyCutsRequests(counts, open int64) Finding {
	if float64(open) <= steadyLost*float64(counts) {
		return when(false, evidence.WindowMismatch)
	}
	return WindowMismatch(fmt.Sprintf("the whole of %s that ended in the window, and nothing of the %s open at its end", measure.Counted(counts, "request"), measure.FormatCount(open)), "the steady window")
}

// DurationNotStated applies to a rate whose denominator is not known.
func DurationNotStated(denominator evidence.Known[evidence.Term]) Finding {
	_, ok := denominator.Get()
	return when(!ok, evidence.DurationNotStated)
}
