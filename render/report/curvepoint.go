package report

import (
	"fmt"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// point is the mark of a record in one statistic, and whether it has a place: a
// record without a rate has none.
func (p *plane) point(r *evidence.Record, id measure.MetricID) (Point, bool) {
	x, ok := r.Value(p.rate.ID)
	if !ok || !hasNumber(x) {
		return Point{}, false
	}
	pt := Point{X: x.Amount.X, XLeast: x.Amount.Kind == evidence.AtLeast, Order: loadSize(r), Label: p.nameOf(r), Record: r.Slug,
		Href: p.spec.Root + "records/" + r.Slug + ".html#" + Anchor(id), State: PointNoData, Reason: "not stated", XBasis: p.s.basis(r, p.rate.ID)}
	if v, ok := r.Value(id); ok {
		setPoint(&pt, r, v, x)
		pt.Basis = p.s.basis(r, id)
	}
	if pt.Y == nil && failed(r) {
		pt.State, pt.Reason = PointFailed, failedWords(r)
	}
	if place, ok := p.places[id][r.Slug]; ok {
		pt.Place, pt.By = place.Place, place.By
	}
	return pt, true
}

// pointName names a record's mark: its load, as short as it can be, or where
// that is not stated its title.
func pointName(r *evidence.Record) string {
	if n, ok := r.Load.Concurrency.Get(); ok {
		return "c = " + measure.FormatCount(n)
	}
	if x, ok := r.Load.RatePerSec.Get(); ok {
		return shortest(x) + "/s"
	}
	return r.Title
}

// nameOf names a record's mark in the drawing: "c = 8", or "B, c = 8".
func (p *plane) nameOf(r *evidence.Record) string {
	if p.spec.Named {
		return p.seriesName()(r) + ", " + pointName(r)
	}
	return pointName(r)
}

// setPoint sets height and state of a mark from the latency v and the rate x.
func setPoint(p *Point, r *evidence.Record, v, x evidence.Value) {
	switch {
	case hasNumber(v):
		y := v.Amount.X
		p.Y, p.Reason, p.State = &y, "", stateOf(r, v, x)
		p.YLeast = v.Amount.Kind == evidence.AtLeast
	case r.Void:
		p.Reason = "void: " + r.VoidWhy
	default:
		p.Reason = whyNone(v)
	}
}

// stateOf is the strongest thing that a mark has to say about its record.
func stateOf(r *evidence.Record, vs ...evidence.Value) PointState {
	switch {
	case r.Void:
		return PointVoid
	case slices.ContainsFunc(vs, func(v evidence.Value) bool { return v.Amount.Kind == evidence.Quoted }):
		return PointClaimed
	case r.Class == evidence.DerivedClass:
		return PointDerived
	case r.Client != nil && r.Client.Verdict == "suspect":
		return PointSuspect
	}
	return PointOK
}

// whyNone says why a value has no number.
func whyNone(v evidence.Value) string {
	switch v.Amount.Kind {
	case evidence.TooFew:
		return fmt.Sprintf("too few requests: %d of %d", v.Amount.N, v.Amount.Need)
	case evidence.Unbounded:
		return "unbounded"
	case evidence.Undefined:
		return v.Amount.Reason
	case evidence.Quoted:
		return "a claim in words"
	case evidence.Exact, evidence.AtLeast:
	}
	return "not stated"
}

// failed reports whether a run was made and nothing of it completed.
func failed(r *evidence.Record) bool {
	n, ok := r.Outcomes.Completed.Get()
	return ok && n == 0
}

func failedWords(r *evidence.Record) string {
	if n, ok := r.Outcomes.Sent.Get(); ok {
		return "failed: 0 of " + measure.Counted(n, "sent request") + " completed"
	}
	return "failed: no request completed"
}

// leave lists the records that have no mark in the drawing, with the reasons.
func (p *plane) leave(c *Chart) {
	c.Shown = Shown{What: OfRecords, Of: len(p.all), Drawn: len(p.drawn)}
	if n := len(p.all) - len(p.drawn); n > 0 {
		c.Shown.Left = append(c.Shown.Left, Left{n, "single runs, for which the medians over them stand"})
	}
	drawn := map[string]bool{}
	for _, series := range c.Series {
		for _, pt := range series.Points {
			drawn[pt.Record] = true
		}
	}
	for _, r := range p.drawn {
		if drawn[r.Slug] {
			continue
		}
		why := p.m.Label + " not stated"
		if x, ok := r.Value(p.rate.ID); !ok {
			why = p.rate.Label + " not stated"
		} else if !hasNumber(x) {
			why = p.rate.Label + " " + whyNone(x)
		}
		u := Unplaced{State: PointNoData, Label: p.nameOf(r), Href: p.spec.Root + "records/" + r.Slug + ".html", Reason: why}
		if r.Void {
			u.State, u.Reason = PointVoid, "void: "+r.VoidWhy
		}
		if failed(r) {
			u.State, u.Reason = PointFailed, failedWords(r)
		}
		c.Unplaced = append(c.Unplaced, u)
		c.Shown.Drawn--
	}
	if n := len(c.Unplaced); n > 0 {
		c.Shown.Left = append(c.Shown.Left, Left{n, "without a place on the axes, named below the drawing"})
	}
}
