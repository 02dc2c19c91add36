package pack

import (
	"fmt"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/report"
)

// curve draws each option's measured points: the output-token rate against the
// percentile of the first target, whose limit is a line. Points at which more
// than the load differs from the conditions are not drawn.
func (b *builder) curve(d *Document, parts []optionParts) error {
	id, ok := b.latencyMetric()
	if !ok {
		d.NoCurve = "no criterion is about a latency"
		return nil
	}
	m, _ := measure.Lookup(id)
	spec := report.CurveSpec{ID: "curve", Title: "Throughput against latency, measured points", Latency: m.Base, Stats: []measure.Stat{m.Stat}, Root: b.in.Root,
		May: choosable, Named: true}
	options, left := map[string]string{}, 0
	for i, x := range parts {
		spec.Order = append(spec.Order, x.o.Name)
		for _, pt := range x.points {
			if !onlyLoad(pt.differs) || !d.Options[i].comparable() {
				left++
				continue
			}
			spec.Records = append(spec.Records, pt.r.Slug)
			options[pt.r.Slug] = x.o.Name
		}
	}
	if len(spec.Records) == 0 {
		d.NoCurve = "no option has a measured point at the conditions or at another load"
		return nil
	}
	spec.Series = func(r evidence.Record) string { return options[r.Slug] }
	for _, k := range b.p.Criteria {
		if k.Metric == id {
			words := measure.Scale(id, k.Bound()).TextUnit(k.Bound())
			spec.Target = &report.Target{Seconds: k.Bound(), Label: fmt.Sprintf("target: %s at most %s", m.Stat, words)}
			break
		}
	}
	c, err := b.in.Set.Curve(spec)
	if err != nil {
		return fmt.Errorf("drawing the curve: %w", err)
	}
	if left > 0 {
		c.Notes = append(c.Notes, measure.Counted(left, "record at other conditions is not drawn.", "records at other conditions are not drawn."))
	}
	d.Curve = &c
	return nil
}

// choosable reports whether a committee may choose between two points: nothing
// differs but the load, or nothing but the system.
func choosable(v compare.Verdict) bool {
	return report.AlongLoad(v) || v.Kind == compare.SystemsRatio
}
