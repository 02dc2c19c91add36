package verify

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// said holds the other numbers with a unit that stand in a headline block
// (bounds, interval, window, limits) against the record: each must be one of
// those that the record has for this figure.
func (c *checker) said(n *html.Node, r *evidence.Record, val evidence.Value, what string) {
	line := text(n)
	if o := val.Original; o != nil { // what was found elsewhere stands word for word
		line = strings.ReplaceAll(line, val.Amount.Text, "")
		line = strings.ReplaceAll(line, o.Number+" "+o.Unit, "")
	}
	runs := c.v.ofRuns(r, val.Metric)
	c.saidNumbers(line, r, val, what, runs...)
	c.saidRuns(line, val, what, runs)
}

// saidRuns holds each of the figures of a summary's runs that a block lists
// against the runs' own; of the list [checker.saidNumbers] sees the last alone.
func (c *checker) saidRuns(line string, val evidence.Value, what string, runs []float64) {
	m, ok := measure.Lookup(val.Metric)
	if !ok {
		return
	}
	for _, found := range listOfRuns().FindAllStringSubmatch(line, -1) {
		for _, shown := range strings.Split(found[1], ", ") {
			if !isAny(shown, found[2], m.Quantity == measure.Time, runs, runs) {
				c.fault("%s: %q is the figure of none of its runs", what, shown+" "+found[2])
			}
		}
	}
}

// listOfRuns finds "6 runs of one point: 1.20, 1.30 ms" and the unit.
func listOfRuns() *regexp.Regexp {
	const number = `\d[\d,]*(?:\.\d+)?`
	return regexp.MustCompile(`of one point: ((?:` + number + `, )*` + number + `) (s|ms|µs|ns|[a-z+ ]+/s)`)
}

// ofRuns are the figures of a summary's runs, which its block lists.
func (v *verifier) ofRuns(r *evidence.Record, id measure.MetricID) []float64 {
	var xs []float64
	for _, m := range r.Members {
		run, ok := v.records[m.Slug]
		if !ok || run.ID != m.ID {
			continue
		}
		if val, ok := run.Value(id); ok {
			xs = append(xs, amountsOf(val)...)
		}
	}
	return xs
}

// saidNumbers holds the numbers with a unit in a line against those that a record
// has for a figure, and against others that may stand there, in its base unit.
func (c *checker) saidNumbers(line string, r *evidence.Record, val evidence.Value, what string, others ...float64) {
	m, ok := measure.Lookup(val.Metric)
	if !ok {
		return
	}
	times, rates := said(r, val, m.Quantity == measure.Time)
	if m.Quantity == measure.Time {
		times = append(times, others...)
	} else {
		rates = append(rates, others...)
	}
	for _, found := range numberWithUnit().FindAllStringSubmatch(line, -1) {
		for _, shown := range found[1:3] {
			if shown == "" {
				continue
			}
			if isTime := !strings.Contains(found[3], "/"); !isAny(shown, found[3], isTime, times, rates) {
				c.fault("%s: %q is no number that its record has for it (in %q)", what, shown+" "+found[3], around(line, found[0]))
			}
		}
	}
}

// numberWithUnit finds "12.5 ms", "1.2 to 3.4 s" and "1,267.90 output tokens/s":
// one number or two, and the unit. A number of a percentile's name is none.
func numberWithUnit() *regexp.Regexp {
	const number = `\d[\d,]*(?:\.\d+)?`
	return regexp.MustCompile(`(?:^|[^\w.,⌈])(?:(` + number + `) to )?(` + number + `) (s|ms|µs|μs|ns|(?:(?:input|output|good|\+) )*(?:tokens|requests)/s)(?:[^\w/]|$)`)
}

// said are the numbers that may stand in the block of a figure: times in
// seconds, and rates.
func said(r *evidence.Record, val evidence.Value, isTime bool) (times, rates []float64) {
	own := func(x float64) {
		if isTime {
			times = append(times, x)
		} else {
			rates = append(rates, x)
		}
	}
	for _, x := range amountsOf(val) {
		own(x)
	}
	if iv, ok := val.Interval.Get(); ok {
		own(iv.Low)
		own(iv.High)
	}
	for _, term := range []evidence.Known[evidence.Term]{val.Numerator, val.Denominator} {
		if t, ok := term.Get(); ok && t.Unit == "s" {
			times = append(times, t.Amount)
		}
	}
	if w, ok := val.Window.Get(); ok {
		times = append(times, w.Seconds)
	}
	for _, limit := range []evidence.Known[float64]{r.State.TTFTLimit, r.State.E2ELimit} {
		if x, ok := limit.Get(); ok {
			times = append(times, x)
		}
	}
	return times, rates
}

// amountsOf are the numbers of a figure and of the amounts beside it.
func amountsOf(val evidence.Value) []float64 {
	amounts := []evidence.Amount{val.Amount}
	if b := val.Bounds; b != nil {
		amounts = append(amounts, b.Lower, b.Upper)
	}
	if c := val.Completed; c != nil {
		amounts = append(amounts, c.Amount)
	}
	var xs []float64
	for _, a := range amounts {
		if a.Kind == evidence.Exact || a.Kind == evidence.AtLeast {
			xs = append(xs, a.X)
		}
	}
	if e := val.Estimate; e != nil {
		xs = append(xs, e.X)
	}
	if c := val.Claim; c != nil {
		if x, ok := c.Amount.Number(); ok {
			xs = append(xs, x)
		}
	}
	return xs
}

// isAny reports whether a shown number is one of those allowed.
func isAny(shown, unit string, isTime bool, times, rates []float64) bool {
	number, half, err := parseShown(shown)
	if err != nil {
		return false
	}
	by, allowed := 1.0, rates
	if isTime {
		allowed = times
		for _, u := range timeUnits() {
			if u.unit == unit {
				by = u.by
			}
		}
	}
	for _, x := range allowed {
		if isShown(x*by, number, half) {
			return true
		}
	}
	return false
}
