package report

import (
	"fmt"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

const claimedName = ", claimed"

// ratesByLoad is the output-token rate over the load that was asked for: for a
// family that has no latency to draw it against. One chart a workload and kind
// of load, all with the same axes.
func (s *Set) ratesByLoad(members []*evidence.Record, p *pairs) CurveSet {
	m := s.metric("output_token_rate")
	set := CurveSet{ID: "rate-by-load", Title: m.Label + " by load", ByLoad: true, Definitions: s.definitions(members, m.ID)}
	names, by := grouped(members, func(r *evidence.Record) string { return workloadShort(r) + "; " + string(loadQuantity(r)) })
	for i, name := range names {
		c := s.rateByLoad(fmt.Sprintf("%s-%d", set.ID, i+1), by[name], p)
		c.Title = m.Label + ", " + workloadShort(by[name][0])
		set.Charts = append(set.Charts, c)
		pairs, joined := s.neighboursJoined(by[name], p)
		set.Pairs, set.Joined = set.Pairs+pairs, set.Joined+joined
	}
	for _, of := range []Quantity{Outstanding, AskedRate} {
		shareAxes(set.Charts, of)
	}
	return set
}

// loadQuantity is what a record's load counts; empty where it states none.
func loadQuantity(r *evidence.Record) Quantity {
	if _, ok := r.Load.Concurrency.Get(); ok {
		return Outstanding
	}
	if _, ok := r.Load.RatePerSec.Get(); ok {
		return AskedRate
	}
	return ""
}

func (s *Set) rateByLoad(id string, members []*evidence.Record, p *pairs) Chart {
	m := s.metric("output_token_rate")
	c := Chart{ID: id, Y: Axis{Metric: m.ID, Label: m.Label, Unit: m.Unit(), Better: string(m.Better)}, X: loadAxis(members)}
	c.Shown = Shown{What: OfRecords, Of: len(members)}
	names, by := grouped(members, func(r *evidence.Record) string {
		name := condition(r)
		if v, ok := r.Value(m.ID); ok && v.Amount.Kind == evidence.Quoted {
			name += claimedName
		}
		return name
	})
	var apart apartNotes
	for _, name := range names {
		out := Series{Name: name, Style: len(c.Series), Metric: m.ID}
		var records []*evidence.Record
		for _, r := range by[name] {
			if pt, why := s.loadPoint(r, m); why == "" {
				out.Points, records = append(out.Points, pt), append(records, r)
			} else {
				c.Unplaced = append(c.Unplaced, Unplaced{State: PointNoData, Label: pointName(r), Href: "../records/" + r.Slug + ".html", Reason: why})
			}
		}
		if strings.HasSuffix(name, claimedName) {
			apart.claims = true
		} else {
			s.join(&out, records, p, &apart, m.ID)
		}
		c.Shown.Drawn += len(records)
		if len(records) > 0 {
			c.Series = append(c.Series, out)
		}
	}
	if n := len(c.Unplaced); n > 0 {
		c.Shown.Left = []Left{{n, "without a place on the axes, named below the drawing"}}
	}
	c.Notes = apart.words()
	if computed(members, m.ID) {
		c.Notes = append(c.Notes, m.Label+": "+m.Formula+".")
	}
	c.Desc = measure.Counted(int64(len(members)), "record") + " by " + string(c.X.Of) + "."
	return c
}

// loadAxis is the axis of the load that was asked for, in doublings where the
// points lie so far apart.
func loadAxis(members []*evidence.Record) Axis {
	of := loadQuantity(members[0])
	a := Axis{Of: of, Label: string(of), Unit: of.Unit()}
	least, most := 0.0, 0.0
	for _, r := range members {
		if x := loadSize(r); x > 0 && (least == 0 || x < least) {
			least = x
		}
		most = max(most, loadSize(r))
	}
	a.Log = least > 0 && most >= 4*least
	return a
}

// loadPoint is the mark of a record over its load, or why it has no place.
func (s *Set) loadPoint(r *evidence.Record, m measure.Metric) (Point, string) {
	if loadQuantity(r) == "" {
		return Point{}, "load not stated"
	}
	pt := Point{X: loadSize(r), Order: loadSize(r), Label: pointName(r), Record: r.Slug, Href: "../records/" + r.Slug + ".html#" + Anchor(m.ID),
		State: PointNoData, Reason: "not stated", Basis: s.basis(r, m.ID)}
	if v, ok := r.Value(m.ID); ok {
		setPoint(&pt, r, v, v)
	}
	if pt.Y == nil && failed(r) {
		pt.State, pt.Reason = PointFailed, failedWords(r)
	}
	return pt, ""
}
