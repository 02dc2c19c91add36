package figurelint

import (
	"math"
	"regexp"
	"slices"

	"benchline/ingest/evidence"
	"benchline/render/report"
)

// rangeWords finds the name of a range that is no interval.
func rangeWords() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(min(imum)?|max(imum)?|range|standard deviation|stddev|std)\b`)
}

// spread is L11: an interval that does not say what it is, a range shown as one,
// and a ranking of figures that are not apart.
func spread(v View) []Finding {
	var out []Finding
	isRange := rangeWords()
	v.each(func(_ Field, l Line, d Datum) {
		if d.Basis != nil {
			if iv, ok := d.Basis.Value.Interval.Get(); ok {
				switch {
				case iv.Kind == "" || iv.N <= 0:
					out = append(out, fault(v.name(l, d), "an interval without its kind or its n"))
				case isRange.MatchString(iv.Kind):
					out = append(out, fault(v.name(l, d), "a range (%s) shown as an interval", iv.Kind))
				case iv.Low > iv.High:
					out = append(out, fault(v.name(l, d), "an interval that runs backwards"))
				}
			}
		}
		switch {
		case d.Place == "" || d.Place == report.NotCompared || d.Place == report.Undecided:
		case d.State == report.PointVoid || d.State == report.PointClaimed || d.Basis == nil || d.XBasis == nil:
			out = append(out, fault(v.name(l, d), "%s, and no measurement", d.Place))
		case d.Place == report.Dominated && !v.beaten(l, d):
			out = append(out, fault(v.name(l, d), "marked as dominated, and no point is better beyond the intervals"))
		}
	})
	return out
}

// beaten reports whether some point of the same metric is surely as good in both
// and better in one.
func (v View) beaten(of Line, d Datum) bool {
	rate, okRate := report.RangeOf(*d.XBasis.Value)
	latency, okLatency := report.RangeOf(*d.Basis.Value)
	if !okRate || !okLatency {
		return false
	}
	return slices.ContainsFunc(v.Lines, func(l Line) bool {
		return l.Metric == of.Metric && slices.ContainsFunc(l.Data, func(e Datum) bool {
			if e.Basis == nil || e.XBasis == nil || e.Place == "" {
				return false
			}
			x, okX := report.RangeOf(*e.XBasis.Value)
			y, okY := report.RangeOf(*e.Basis.Value)
			return okX && okY && x.Low >= rate.High && y.High <= latency.Low && (x.Low > rate.High || y.High < latency.Low)
		})
	})
}

// windowShare is how far the two times of one figure may lie apart: sources
// round.
const windowShare = 1e-3

// windows is L14: the time by which a rate is divided is not the time in which
// its requests were counted.
func windows(v View) []Finding {
	var out []Finding
	v.each(func(_ Field, l Line, d Datum) {
		if d.Basis == nil || d.Basis.Record.Kind == evidence.RepeatsRecord {
			return
		}
		den, okDen := d.Basis.Value.Denominator.Get()
		win, okWin := d.Basis.Value.Window.Get()
		if !okDen || !okWin || den.Unit != "s" || den.Amount <= 0 || win.Seconds <= 0 {
			return
		}
		if math.Abs(den.Amount-win.Seconds) <= windowShare*win.Seconds {
			return
		}
		f := fault
		if taken(d.Basis.Value) {
			f = warn
		}
		out = append(out, f(v.name(l, d), "divided by %.6g s, while its requests were counted over %.6g s", den.Amount, win.Seconds))
	})
	return out
}

// removed is L15: part of the source is not shown, and nothing says how much and
// why.
func removed(v View) []Finding {
	var out []Finding
	left := 0
	for _, l := range v.Shown.Left {
		if l.N <= 0 || l.Why == "" {
			out = append(out, fault("", "what is left out has no number or no reason"))
		}
		left += l.N
	}
	switch {
	case v.Shown.Of == 0 && slices.ContainsFunc(v.Lines, func(l Line) bool { return len(l.Data) > 0 }):
		out = append(out, fault("", "nothing says how much of its source is shown"))
	case v.Shown.Drawn+left != v.Shown.Of:
		out = append(out, fault("", "%d shown and %d left out are not the %d of the source", v.Shown.Drawn, left, v.Shown.Of))
	}
	if v.Shown.What == report.OfRecords {
		if n := v.records(); n != v.Shown.Drawn {
			out = append(out, fault("", "%d records are said to be shown, and %d are", v.Shown.Drawn, n))
		}
	}
	return out
}

// records is how many records have a mark or a row.
func (v View) records() int {
	var names []string
	v.each(func(_ Field, _ Line, d Datum) {
		if d.Record != "" {
			names = append(names, d.Record)
		}
	})
	return len(distinct(names))
}
