package chart

import (
	"math"
	"slices"

	"benchline/render/report"
)

// axis maps values to places in the drawing.
type axis struct {
	spec     report.Axis
	scaling  scaling
	log      bool
	octaves  bool    // ticks are powers of two
	lo, hi   float64 // display units
	from, to float64 // where lo and hi lie in the drawing
	ticks    []tick
	minor    []tick
}

// values are what an axis has to hold, in base units.
type values struct {
	data []float64 // points and bands
	refs []float64 // reference lines
}

func (v values) all() []float64 { return slices.Concat(v.data, v.refs) }

// room makes room for the values of a chart.
func room(c report.Chart) values {
	n := 0
	for _, s := range c.Series {
		n += len(s.Points) + 2*len(s.Band)
	}
	return values{data: make([]float64, 0, n)}
}

// xValues and yValues gather everything that is drawn along an axis.
func xValues(c report.Chart) values {
	v := room(c)
	for _, s := range c.Series {
		for _, p := range s.Points {
			v.data = append(v.data, p.X)
		}
		for _, b := range s.Band {
			v.data = append(v.data, b.X)
		}
	}
	for _, l := range c.Lines {
		if l.X != nil {
			v.refs = append(v.refs, *l.X)
		}
	}
	return v
}

func yValues(c report.Chart) values {
	v := room(c)
	for _, s := range c.Series {
		for _, p := range s.Points {
			if p.Y != nil {
				v.data = append(v.data, *p.Y)
			}
		}
		for _, b := range s.Band {
			v.data = append(v.data, b.Low, b.High)
		}
	}
	for _, l := range c.Lines {
		if l.Y != nil {
			v.refs = append(v.refs, *l.Y)
		}
	}
	return v
}

// domain is the range of an axis before it is rounded to ticks.
type domain struct {
	lo, hi       float64
	pinLo, pinHi bool
	log          bool
}

// newDomain finds what the axis must hold. Fixed ends hold unless a value lies
// beyond them: nothing is cut off. A linear axis of non-negative values starts
// at zero where zero is near or where zero is asked for.
func newDomain(a report.Axis, v values, zero bool) domain {
	d := domain{lo: math.Inf(1), hi: math.Inf(-1), log: a.Log}
	all := v.all()
	for _, x := range all {
		d.lo, d.hi = min(d.lo, x), max(d.hi, x)
	}
	empty := len(all) == 0
	if a.Min != nil && (empty || *a.Min <= d.lo) {
		d.lo, d.pinLo = *a.Min, true
	}
	if a.Max != nil && (empty || *a.Max >= d.hi) {
		d.hi, d.pinHi = *a.Max, true
	}
	d.log = d.log && d.lo > 0 && d.hi > 0
	if empty {
		d = d.withoutData()
	}
	if a.Share && !d.log {
		d = d.sharePins()
	}
	if !d.log && !d.pinLo && d.lo > 0 && (zero || d.lo <= d.hi/2) {
		d.lo, d.pinLo = 0, true
	}
	return d.opened()
}

// withoutData makes a range for a frame that has nothing to show along an axis.
func (d domain) withoutData() domain {
	switch {
	case d.pinLo && d.pinHi:
		d.lo, d.hi = math.Min(d.lo, d.hi), math.Max(d.lo, d.hi)
	case d.pinLo:
		d.hi = d.lo + 1
	case d.pinHi:
		d.lo = d.hi - 1
	default:
		d.lo, d.hi = 0, 1
	}
	d.log = d.log && d.lo > 0
	return d
}

// sharePins pins a share to 0–100 % unless a value lies beyond.
func (d domain) sharePins() domain {
	if !d.pinLo && d.lo >= 0 {
		d.lo, d.pinLo = 0, true
	}
	if !d.pinHi && d.hi <= 1 {
		d.hi, d.pinHi = 1, true
	}
	return d
}

// opened gives a range without extent an extent.
func (d domain) opened() domain {
	width := math.Max(math.Abs(d.lo), math.Abs(d.hi))
	if d.log || d.hi-d.lo > width*1e-9 && d.hi-d.lo > 1e-300 {
		return d
	}
	if width < 1e-290 {
		d.lo, d.hi = 0, 1
		return d
	}
	if d.lo < 0 && d.hi <= 0 {
		d.lo, d.hi = d.lo-width/2, 0
		return d
	}
	d.lo, d.hi = 0, d.hi+width/2
	d.pinLo, d.pinHi = false, false
	return d
}

// newAxis makes the axis between two places of the drawing. n is how many
// intervals a linear axis may have; fits says whether labels at these places
// have room.
func newAxis(a report.Axis, v values, zero bool, n int, place func(*axis), fits func(*axis, []tick) bool) axis {
	d := newDomain(a, v, zero)
	ax := axis{spec: a, log: d.log}
	ax.scaling = scalingFor(a, v.all())
	ax.lo, ax.hi = d.lo/ax.scaling.factor, d.hi/ax.scaling.factor
	if ax.log {
		ax.logTicks(d, v, place, fits)
		return ax
	}
	lo, hi := ax.lo, ax.hi
	for ; n >= 1; n-- {
		ax.lo, ax.hi, ax.ticks = linearTicks(lo, hi, d.pinLo, d.pinHi, n)
		place(&ax)
		if fits(&ax, ax.ticks) {
			break
		}
	}
	return ax
}

func (ax *axis) logTicks(d domain, v values, place func(*axis), fits func(*axis, []tick) bool) {
	scaled := make([]float64, len(v.data))
	for i, x := range v.data {
		scaled[i] = x / ax.scaling.factor
	}
	place(ax)
	ok := func(ticks []tick) bool { return fits(ax, ticks) }
	if ax.lo < ax.hi && ax.scaling.factor == 1 {
		if ticks := octaveTicks(scaled, ok); ticks != nil {
			ax.ticks, ax.octaves = ticks, true
			return
		}
	}
	lo, hi := logEnds(ax.lo, ax.hi)
	if !d.pinLo || lo >= ax.hi {
		ax.lo = lo
	}
	if !d.pinHi || ax.lo >= ax.hi {
		ax.hi = hi
	}
	place(ax)
	ax.ticks, ax.minor = logTicks(ax.lo, ax.hi, ok)
}

// at is the place of a value in base units.
func (ax *axis) at(v float64) float64 { return ax.place(v / ax.scaling.factor) }

// place is the place of a value in display units, never beyond the ends by
// more than rounding.
func (ax *axis) place(v float64) float64 {
	t := 0.0
	switch {
	case ax.hi <= ax.lo:
	case ax.log:
		t = (math.Log10(v) - math.Log10(ax.lo)) / (math.Log10(ax.hi) - math.Log10(ax.lo))
	default:
		t = (v/2 - ax.lo/2) / (ax.hi/2 - ax.lo/2)
	}
	t = math.Min(1, math.Max(0, t))
	return ax.from + t*(ax.to-ax.from)
}

// text writes a value of this axis for people, with its unit.
func (ax *axis) text(v float64) string {
	return ax.scaling.with(v)
}

// label is the axis label with the unit in which its ticks are written.
func (ax *axis) label() string {
	in := ax.scaling.unit
	if ax.log && in != "" {
		in += ", "
	}
	if ax.log {
		in += "log\u00a0scale"
	}
	return withUnit(ax.spec.Label, in)
}

func withUnit(label, unit string) string {
	if unit == "" {
		return label
	}
	return label + "\u00a0(" + unit + ")"
}
