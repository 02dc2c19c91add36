package pack

import (
	"fmt"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/report"
)

// curve draws each option's measured points: the output-token rate against the
// percentile of the first target, whose limit is a line. Points at which more
// than the load differs from the conditions are not drawn.
func (b *builder) curve(d *Document, parts []optionParts) {
	id, ok := b.latencyMetric()
	if !ok {
		d.NoCurve = "no criterion is about a latency"
		return
	}
	m, _ := measure.Lookup(id)
	rate, _ := measure.Lookup("output_token_rate")
	c := report.Chart{ID: "curve", Title: "Throughput against latency, measured points",
		X: report.Axis{Metric: rate.ID, Label: rate.Label, Unit: rate.Unit(), Better: string(rate.Better)},
		Y: report.Axis{Metric: id, Label: m.Label, Unit: m.Unit(), Better: string(m.Better)}}
	left := 0
	for i, x := range parts {
		s := report.Series{Name: x.o.Name, Style: i, Line: true}
		for _, pt := range byRate(x.points) {
			if !onlyLoad(pt.differs) || !d.Options[i].comparable() {
				left++
				continue
			}
			if p, ok := b.curvePoint(pt.r, id); ok {
				s.Points = append(s.Points, p)
			}
		}
		if len(s.Points) > 0 {
			c.Series = append(c.Series, s)
		}
	}
	if len(c.Series) == 0 {
		d.NoCurve = "no option has a measured point at the conditions or at another load"
		return
	}
	for _, k := range b.p.Criteria {
		if k.Metric == id {
			y := k.Bound()
			c.Lines = append(c.Lines, report.RefLine{Y: &y, Label: "target: " + k.Name})
		}
	}
	c.Desc = fmt.Sprintf("Each option's measured points at the committee's workload and rising load, joined in the order of the rate, and the target on %s. The table of points has the same figures.", m.Label)
	if left > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d records at other conditions are not drawn.", left))
	}
	if n := d.Simulated; n > 0 {
		c.Notes = append(c.Notes, "Points of the simulated endpoint describe no real system.")
	}
	d.Curve = &c
}

// byRate is the points in the order of their output-token rate.
func byRate(points []point) []point {
	out := make([]point, len(points))
	copy(out, points)
	sortBy(out, func(p point) float64 { return rateOf(p.r) })
	return out
}

// curvePoint is a record as a mark: an "at least" has an arrow, a percentile that
// is not known no height.
func (b *builder) curvePoint(r *evidence.Record, id measure.MetricID) (report.Point, bool) {
	rate, ok := valueOf(r, "output_token_rate")
	if !ok || rate.Amount.Kind != evidence.Exact {
		return report.Point{}, false
	}
	p := report.Point{X: rate.Amount.X, State: report.PointNoData, Label: b.in.Set.LoadOf(r.Slug), Href: b.link(r).Href + "#" + report.Anchor(id), Reason: "not stated"}
	v, ok := valueOf(r, id)
	if !ok {
		return p, true
	}
	p.Reason = string(v.Amount.Kind)
	if v.Amount.Kind == evidence.Exact || v.Amount.Kind == evidence.AtLeast {
		y := v.Amount.X
		p.Y, p.State, p.Reason = &y, report.PointOK, ""
		if r.Client != nil && r.Client.Verdict == "suspect" {
			p.State = report.PointSuspect
		}
		if v.Amount.Kind == evidence.AtLeast {
			p.State = report.PointAtLeast
		}
	}
	return p, true
}
