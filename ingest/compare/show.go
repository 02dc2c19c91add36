package compare

import (
	"fmt"
	"math"
	"strconv"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Shown is a [Number] as people read it: all its figures in one unit, with one
// number of decimals. A text that does not apply is empty.
type Shown struct {
	Unit string
	A, B string
	// IntervalA and IntervalB are the sides' own intervals: "1.20 to 1.40".
	IntervalA, IntervalB string
	// Change is the difference, the ratio, "~" or "?"; Relative the difference as
	// a share of A.
	Change, Relative string
	// Interval is that of the difference: "+0.10 to +0.30".
	Interval string
	// P is the test: "p = 0.002, n = 6 + 6".
	P string
}

// Scale is the unit and the decimals in which the parts of a number are shown
// together.
func (n *Number) Scale() measure.Scaler {
	var xs []float64
	for _, s := range []Side{n.A, n.B} {
		if s.Amount.Kind == evidence.Exact || s.Amount.Kind == evidence.AtLeast {
			xs = append(xs, s.Amount.X)
		}
	}
	if d := n.Difference; d != nil && n.Mark == "" {
		xs = append(xs, d.X)
	}
	return measure.Scale(n.Metric, xs...)
}

// Show writes a number for people.
func (n *Number) Show() Shown {
	scale := n.Scale()
	s := Shown{Unit: scale.Unit(), A: sideText(n.A.Amount, scale), B: sideText(n.B.Amount, scale),
		IntervalA: sideInterval(n.A, scale), IntervalB: sideInterval(n.B, scale), Change: n.Mark}
	if n.Test != nil {
		s.P = "p = " + FormatP(n.Test.P)
		if n.Test.P < 0.001 {
			s.P = "p " + FormatP(n.Test.P)
		}
		s.P += fmt.Sprintf(", n = %d + %d", n.Test.N1, n.Test.N2)
	}
	if n.Ratio != nil && n.Mark == "" {
		s.Change = FormatRatio(*n.Ratio)
	}
	d := n.Difference
	if d == nil || n.Mark == NoMeaning {
		return s
	}
	if d.Interval != nil {
		s.Interval = signed(d.Interval.Low, scale) + " to " + signed(d.Interval.High, scale)
	}
	if n.Mark != "" {
		return s
	}
	s.Change = signed(d.X, scale)
	if d.Relative != nil {
		s.Relative = FormatRelative(*d.Relative)
	}
	return s
}

// Note is what stands below the number: what the runs say of it, and how its
// interval was taken. Numbers of one pair that were got in one way have one note.
func (n *Number) Note() string {
	note := n.Says
	if n.Test != nil && n.Mark != NoMeaning {
		note = "Mann-Whitney U test over the runs, two-sided; ~ stands where it gives no evidence of a difference at 5 %, which is no proof that there is none."
	}
	if n.Difference != nil && n.Difference.Interval != nil && n.Mark != NoMeaning {
		note += " Interval: " + n.Difference.Interval.Rule + "."
	}
	return note
}

func sideText(a evidence.Amount, s measure.Scaler) string {
	switch a.Kind {
	case evidence.Exact:
		return s.Text(a.X)
	case evidence.AtLeast:
		return "≥ " + s.Text(a.X)
	case evidence.Quoted:
		return "“" + a.Text + "”"
	case evidence.Unbounded, evidence.TooFew, evidence.Undefined:
		return string(a.Kind)
	}
	return evidence.StateNotStated.String()
}

func sideInterval(side Side, s measure.Scaler) string {
	if side.Interval == nil {
		return ""
	}
	return s.Text(side.Interval.Low) + " to " + s.Text(side.Interval.High)
}

// signed writes a difference with its sign.
func signed(x float64, s measure.Scaler) string {
	if x > 0 {
		return "+" + s.Text(x)
	}
	return s.Text(x)
}

// FormatRatio writes a ratio with three significant digits, and the sign of
// multiplication: "2.04×". It is never rounded to 1 unless it is 1.
func FormatRatio(x float64) string {
	for digits := 3; digits < 17; digits++ {
		text := strconv.FormatFloat(x, 'g', digits, 64)
		if y, err := strconv.ParseFloat(text, 64); err == nil && (y != 1 || x == 1) {
			return plain(y) + "×"
		}
	}
	return plain(x) + "×"
}

// plain writes a number without an exponent, with at least three significant
// digits.
func plain(x float64) string {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	decimals := 2
	if x != 0 {
		decimals = max(0, 2-int(math.Floor(math.Log10(math.Abs(x)))))
	}
	if least := strconv.FormatFloat(x, 'f', decimals, 64); len(least) > len(text) {
		return least
	}
	return text
}

// FormatRelative writes a share with its sign, in percent with one decimal:
// "+23.1 %". One that would read as 0 gets two significant digits.
func FormatRelative(x float64) string {
	percent := math.Abs(x) * 100
	text := strconv.FormatFloat(percent, 'f', 1, 64)
	if percent > 0 && percent < 0.05 {
		text = strconv.FormatFloat(percent, 'g', 2, 64)
	}
	switch {
	case x > 0:
		return "+" + text + " %"
	case x < 0:
		return "−" + text + " %"
	}
	return "0 %"
}
