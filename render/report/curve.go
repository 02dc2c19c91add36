package report

import (
	"fmt"
	"math"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// logFrom is the ratio of largest to smallest from which an axis is logarithmic.
const logFrom = 30

// curves is the load curve of a latency: for each workload one chart of the
// output-token rate against the latency, all with the same axes. Every point
// of the family is drawn or named in a note.
func (s *Set) curves(members []*evidence.Record, base measure.MetricID) CurveSet {
	m := s.metric(base)
	set := CurveSet{ID: "curve-" + slugOfMetric(base), Title: "Load curve: " + m.Label, Definition: m.Definition}
	var workloads []string
	byWorkload := map[string][]*evidence.Record{}
	for _, r := range members {
		if len(s.partOf[r.Slug]) > 0 {
			continue // its summary is drawn
		}
		w := workloadShort(r)
		if _, seen := byWorkload[w]; !seen {
			workloads = append(workloads, w)
		}
		byWorkload[w] = append(byWorkload[w], r)
	}
	for i, w := range workloads {
		set.Charts = append(set.Charts, s.curve(fmt.Sprintf("%s-%d", set.ID, i+1), w, byWorkload[w], base))
	}
	shareAxes(set.Charts)
	return set
}

func (s *Set) curve(id, workload string, members []*evidence.Record, base measure.MetricID) Chart {
	rate, m := s.metric("output_token_rate"), s.metric(base)
	c := Chart{ID: id, Title: m.Label + ", " + workload,
		X: Axis{Metric: rate.ID, Label: rate.Label, Unit: rate.Unit(), Better: string(rate.Better)},
		Y: Axis{Metric: base, Label: m.Label, Unit: m.Unit(), Better: string(m.Better)}}
	conditions, by := byCondition(members)
	style, summaries := 0, 0
	for _, cond := range conditions {
		for _, st := range []measure.Stat{measure.P50, measure.P95} {
			series, drawn := s.curveSeries(by[cond], measure.ID(base, st), cond+", "+string(st))
			if !drawn {
				c.Notes = append(c.Notes, fmt.Sprintf("No %s is drawn for %s: no point has one.", s.metric(measure.ID(base, st)).Label, cond))
				continue
			}
			series.Style = style
			style++
			c.Series = append(c.Series, series)
		}
	}
	simulated := 0
	for _, r := range members {
		if _, ok := exact(r, rate.ID); !ok {
			c.Notes = append(c.Notes, fmt.Sprintf("%s, %s, is not drawn: it has no %s.", r.Title, loadShort(r), rate.Label))
		}
		if r.Kind == evidence.RepeatsRecord {
			summaries++
		}
		if r.Class == evidence.Simulated {
			simulated++
		}
	}
	if summaries > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d of the points are medians over repeats; their single runs stand in the table.", summaries))
	}
	if simulated > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d of %d points are from a simulated endpoint.", simulated, len(members)))
	}
	c.Notes = append(c.Notes, m.Short+": "+m.Formula+".")
	c.Desc = plural(int64(len(members)), "point") + " of rising load, " + workload + "."
	return c
}

func byCondition(members []*evidence.Record) ([]string, map[string][]*evidence.Record) {
	var order []string
	by := map[string][]*evidence.Record{}
	for _, r := range members {
		c := condition(r)
		if _, seen := by[c]; !seen {
			order = append(order, c)
		}
		by[c] = append(by[c], r)
	}
	return order, by
}

// curveSeries is the points of one condition and statistic, by rising load. It
// reports whether any has a latency.
func (s *Set) curveSeries(members []*evidence.Record, id measure.MetricID, name string) (Series, bool) {
	out := Series{Name: name, Line: true}
	drawn := false
	for _, r := range members {
		x, ok := exact(r, "output_token_rate")
		if !ok {
			continue
		}
		p := Point{X: x, Label: loadShort(r), Href: "../records/" + r.Slug + ".html#" + Anchor(id), State: PointNoData, Reason: "not stated"}
		if v, ok := valueOf(r, id); ok {
			setPoint(&p, r, v)
		}
		drawn = drawn || p.Y != nil
		out.Points = append(out.Points, p)
	}
	return out, drawn
}

func setPoint(p *Point, r *evidence.Record, v evidence.Value) {
	switch v.Amount.Kind {
	case evidence.Exact, evidence.AtLeast:
		y := v.Amount.X
		p.Y, p.Reason, p.State = &y, "", PointOK
		if v.Amount.Kind == evidence.AtLeast {
			p.State = PointAtLeast
		}
		if r.Client != nil && r.Client.Verdict == "suspect" {
			p.State = PointSuspect
		}
		if r.Void {
			p.State = PointVoid
		}
	case evidence.TooFew:
		p.Reason = fmt.Sprintf("too few requests: %d of %d", v.Amount.N, v.Amount.Need)
	case evidence.Unbounded:
		p.Reason = "unbounded"
	case evidence.Undefined:
		p.Reason = v.Amount.Reason
	case evidence.Quoted:
		p.Reason = "a claim in words"
	}
	if r.Void && p.Y == nil {
		p.Reason = "void: " + r.VoidWhy
	}
}

// exact is a value's number, if it is one.
func exact(r *evidence.Record, id measure.MetricID) (float64, bool) {
	v, ok := valueOf(r, id)
	if !ok || v.Amount.Kind != evidence.Exact {
		return 0, false
	}
	return v.Amount.X, true
}

// shareAxes gives charts that stand side by side the same axes.
func shareAxes(charts []Chart) {
	xs, ys := span{}, span{}
	for _, c := range charts {
		for _, s := range c.Series {
			for _, p := range s.Points {
				xs.add(p.X)
				if p.Y != nil {
					ys.add(*p.Y)
				}
			}
		}
	}
	for i := range charts {
		xs.fix(&charts[i].X)
		ys.fix(&charts[i].Y)
	}
}

// span is the range of the numbers on an axis.
type span struct {
	low, high float64
	any       bool
}

func (s *span) add(x float64) {
	if !s.any {
		s.low, s.high, s.any = x, x, true
		return
	}
	s.low, s.high = math.Min(s.low, x), math.Max(s.high, x)
}

// fix sets an axis's ends: logarithmic where the numbers span decades, from zero
// otherwise. Both ends leave room for marks.
func (s *span) fix(a *Axis) {
	if !s.any || s.high <= 0 {
		return
	}
	if s.low > 0 && s.high/s.low >= logFrom {
		low, high := s.low/1.3, s.high*1.3
		a.Log, a.Min, a.Max = true, &low, &high
		return
	}
	low, high := math.Min(0, s.low), s.high*1.06
	a.Min, a.Max = &low, &high
}
