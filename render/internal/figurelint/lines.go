package figurelint

import (
	"strings"

	"benchline/ingest/measure"
	"benchline/render/report"
)

// lines is L9: a line through points that have no order along it, across a gap,
// or to a place where no point lies.
func lines(v View) []Finding {
	var out []Finding
	for _, l := range v.Lines {
		if l.Joined && l.Along == "" {
			out = append(out, fault(l.Name, "a line along which nothing is said to rise"))
		}
		eachSegment(l, func(a, b Datum) {
			what := ""
			switch {
			case b.Order <= a.Order:
				what = "where the " + l.Along + " does not rise"
			case a.Least || b.Least || a.XHigh || b.XHigh:
				what = "though one of them is a bound"
			case unjoinable(a.State) || unjoinable(b.State):
				what = "though one of them is no measurement"
			}
			if what != "" {
				out = append(out, fault(l.Name, "a line from %s to %s, %s", a.Name, b.Name, what))
			}
		})
		for i := 1; l.Step && i < len(l.Data); i++ {
			if l.Data[i].X < l.Data[i-1].X {
				out = append(out, fault(l.Name, "a staircase that runs backwards"))
				break
			}
		}
	}
	return out
}

func unjoinable(s report.PointState) bool {
	return s == report.PointVoid || s == report.PointClaimed || s == report.PointNoData || s == report.PointFailed
}

// scales is L10: a scale of shares or counts that does not begin at zero, and two
// units on one axis. No drawing has bars.
func scales(v View) []Finding {
	if !v.Chart {
		return nil
	}
	var out []Finding
	for i, f := range v.Fields {
		a := f.Axis
		if a.Share && (a.Log || a.Min == nil || *a.Min != 0 || a.Max == nil || *a.Max != 1) {
			out = append(out, fault("", "%q is a share, and its axis does not run from 0 to 100 %%", f.Label))
		}
		held := []string{unitOf(f.Metric, f.Of)}
		for _, l := range v.Lines {
			if l.Field != i {
				continue
			}
			held = append(held, unitOf(l.Metric, l.Of))
			if l.Step && (a.Log || a.Min == nil || *a.Min != 0) {
				out = append(out, fault(l.Name, "a staircase of counts or shares over an axis that does not begin at zero"))
			}
		}
		if held = distinct(held); len(held) > 1 {
			out = append(out, fault("", "%q holds two things: %s", f.Label, strings.Join(held, ", ")))
		}
	}
	return out
}

// unitOf is the unit of a metric, or what is counted.
func unitOf(id measure.MetricID, of report.Quantity) string {
	if m, ok := measure.Lookup(id); ok {
		return m.Unit()
	}
	return string(of)
}
