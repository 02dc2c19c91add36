package measure

import "fmt"

// WindowRules are the rules by which a window may be cut.
func WindowRules() []WindowRule {
	return []WindowRule{ObservationWindow, FirstSendToLastToken, SteadyWindow, SendingWindow, StatedWindow}
}

// Interval is a stretch of time that is longer than zero, with the rule that
// cut it. The zero Interval is invalid.
type Interval struct {
	from, to int64
	rule     WindowRule
}

// NewInterval is the time from fromNS to toNS, nanoseconds on one clock. It is
// an error if it has no length or if the rule is not one of [WindowRules].
func NewInterval(fromNS, toNS int64, rule WindowRule) (Interval, error) {
	known := false
	for _, r := range WindowRules() {
		known = known || r == rule
	}
	if !known {
		return Interval{}, fmt.Errorf("cutting a window: unknown rule %q", rule)
	}
	if toNS <= fromNS {
		return Interval{}, fmt.Errorf("cutting the %s: it would be %d ns long", rule, toNS-fromNS)
	}
	if toNS-fromNS < 0 {
		return Interval{}, fmt.Errorf("cutting the %s: its length does not fit 64 bits", rule)
	}
	return Interval{from: fromNS, to: toNS, rule: rule}, nil
}

// IsValid reports whether the interval came from [NewInterval].
func (i Interval) IsValid() bool { return i.rule != "" && i.to > i.from }

// FromNS is the start in nanoseconds.
func (i Interval) FromNS() int64 { return i.from }

// ToNS is the end in nanoseconds.
func (i Interval) ToNS() int64 { return i.to }

// Rule says how the interval was cut.
func (i Interval) Rule() WindowRule { return i.rule }

// Seconds is the length in seconds.
func (i Interval) Seconds() float64 { return Seconds(i.to - i.from) }

// Contains reports whether a moment lies in the interval, ends included.
func (i Interval) Contains(ns int64) bool { return i.from <= ns && ns <= i.to }

// String is the length with its rule: "24.118 s (observation window)".
func (i Interval) String() string {
	if !i.IsValid() {
		return "invalid interval"
	}
	return fmt.Sprintf("%s (%s)", FormatSeconds(i.Seconds()), i.rule)
}

// Seconds turns nanoseconds into seconds. It is the one place where that is
// done, so that a figure recomputed elsewhere is the same float64.
func Seconds(ns int64) float64 { return float64(ns) / 1e9 }
