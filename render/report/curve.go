package report

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// CurveSpec asks for a load curve: the output-token rate to the right, a latency
// upwards, one mark a record.
type CurveSpec struct {
	ID, Title string
	Records   []string         // slugs, in any order
	Latency   measure.MetricID // without its statistic: "ttft"
	Stats     []measure.Stat
	Root      string // the way from the page to the site's root
	// Series names the series of a record; nil: kind of load and cache state.
	Series func(evidence.Record) string
	// Order are the names of the series in their order; nil: that of the records.
	Order []string
	// May says which pairs stand on one frontier; nil: [AlongLoad].
	May func(compare.Verdict) bool
	// Named: a point is named by its series and its load, as where its series is what
	// a reader chooses between.
	Named bool
	// Target, if any, is a latency that is aimed at.
	Target *Target
}

// Target is a latency that is aimed at, in seconds: a line across a load curve
// that is not measured.
type Target struct {
	Seconds float64
	Label   string // "target: p95 at most 2 s"
}

// Curve is a load curve and where each of its points stands.
type Curve struct {
	Chart Chart
	Table CurveTable
	Notes []string // what is true of all places
	// Pairs is how many neighbours by load there are, Joined between how many
	// of them nothing differs but the load.
	Pairs, Joined int
}

// Curve makes a load curve. An unknown record is an error.
func (s *Set) Curve(spec CurveSpec) (Curve, error) {
	members := make([]*evidence.Record, 0, len(spec.Records))
	for _, slug := range spec.Records {
		r, err := s.find(slug)
		if err != nil {
			return Curve{}, fmt.Errorf("load curve %s: %w", spec.ID, err)
		}
		members = append(members, r)
	}
	slices.SortStableFunc(members, s.reading)
	p := s.plane(spec, members, newPairs())
	c := p.curve()
	c.Table = s.curveTable(spec, []*plane{p})
	return c, nil
}

// curves is the load curve of a latency of a family: for each workload one
// chart, all with the same axes. Every record is drawn or named.
func (s *Set) curves(members []*evidence.Record, base measure.MetricID, p *pairs) CurveSet {
	m := s.metric(base)
	set := CurveSet{ID: "curve-" + slugOfMetric(base), Title: "Load curve: " + m.Label}
	workloads, by := grouped(members, workloadShort)
	var planes []*plane
	var alone []string
	for i, w := range workloads {
		spec := CurveSpec{ID: fmt.Sprintf("%s-%d", set.ID, i+1), Title: m.Label + ", " + w, Latency: base, Stats: curveStats(members, base), Root: "../"}
		pl := s.plane(spec, by[w], p)
		pl.workload = w
		if pl.points() < 2 {
			alone = append(alone, fmt.Sprintf("%s (%s)", w, measure.Counted(int64(len(by[w])), "record")))
			continue
		}
		c := pl.curve()
		set.Charts = append(set.Charts, c.Chart)
		set.Ranked = set.Ranked || pl.ranked()
		set.Pairs, set.Joined = set.Pairs+c.Pairs, set.Joined+c.Joined
		for _, n := range c.Notes {
			if !slices.Contains(set.Notes, n) {
				set.Notes = append(set.Notes, n)
			}
		}
		planes = append(planes, pl)
	}
	if len(alone) > 0 {
		set.Notes = append(set.Notes, "No chart of a single point: "+strings.Join(alone, "; ")+".")
	}
	set.Definitions = s.definitions(drawnOf(planes), append(statIDs(base, curveStats(members, base)), "output_token_rate")...)
	shareAxes(set.Charts, "")
	set.Table = s.curveTable(CurveSpec{Latency: base, Stats: curveStats(members, base), Root: "../"}, planes)
	return set
}

// curveStats are the statistics that are drawn: median and p95, and the mean
// where a source has nothing else.
func curveStats(members []*evidence.Record, base measure.MetricID) []measure.Stat {
	quantiles := []measure.Stat{measure.P50, measure.P95}
	for _, r := range members {
		for _, st := range quantiles {
			if v, ok := r.Value(measure.ID(base, st)); ok && hasNumber(v) {
				return quantiles
			}
		}
	}
	return []measure.Stat{measure.Mean}
}

// hasNumber reports whether a value can be drawn: also a claim whose unit is
// known.
func hasNumber(v evidence.Value) bool {
	_, ok := v.Amount.Number()
	return ok || v.Amount.Kind == evidence.AtLeast
}

// grouped sorts records into groups by a name, in the order in which the names
// occur.
func grouped(members []*evidence.Record, name func(*evidence.Record) string) ([]string, map[string][]*evidence.Record) {
	var order []string
	by := map[string][]*evidence.Record{}
	for _, r := range members {
		n := name(r)
		if _, seen := by[n]; !seen {
			order = append(order, n)
		}
		by[n] = append(by[n], r)
	}
	return order, by
}

// plane is a load curve in the making.
type plane struct {
	s        *Set
	spec     CurveSpec
	workload string // its title among small multiples
	rate, m  measure.Metric
	pairs    *pairs
	all      []*evidence.Record // in reading order
	drawn    []*evidence.Record // without single runs that a summary holds
	names    []string           // of the series
	by       map[string][]*evidence.Record
	places   map[measure.MetricID]map[string]PlaceOf // by statistic and slug
}

func (s *Set) plane(spec CurveSpec, members []*evidence.Record, p *pairs) *plane {
	pl := &plane{s: s, spec: spec, rate: s.metric("output_token_rate"), m: s.metric(spec.Latency), pairs: p, all: members,
		places: map[measure.MetricID]map[string]PlaceOf{}}
	for _, r := range members {
		if len(s.partOf[r.Slug]) == 0 {
			pl.drawn = append(pl.drawn, r)
		}
	}
	pl.names, pl.by = grouped(pl.drawn, pl.seriesName())
	if spec.Order != nil {
		place := func(name string) int { return slices.Index(spec.Order, name) }
		slices.SortStableFunc(pl.names, func(a, b string) int { return place(a) - place(b) })
	}
	for _, st := range spec.Stats {
		id := measure.ID(spec.Latency, st)
		pl.places[id] = pl.rank(id)
	}
	return pl
}

// seriesName tells the series of a record. Evidence classes and claims never
// share a series with others.
func (p *plane) seriesName() func(*evidence.Record) string {
	mixed := len(distinct(p.drawn, field{of: func(r *evidence.Record) Text { return Text{Text: string(r.Class)} }})) > 1
	return func(r *evidence.Record) string {
		name := condition(r)
		if p.spec.Series != nil {
			name = p.spec.Series(*r)
		}
		if mixed {
			name += ", " + string(r.Class)
		}
		if p.claimed(r) {
			name = name + claimedName
		}
		return name
	}
}

// claimed reports whether what would be drawn of a record is quoted from its
// source.
func (p *plane) claimed(r *evidence.Record) bool {
	ids := append(statIDs(p.spec.Latency, p.spec.Stats), p.rate.ID)
	return slices.ContainsFunc(ids, func(id measure.MetricID) bool {
		v, ok := r.Value(id)
		return ok && v.Amount.Kind == evidence.Quoted
	})
}

func statIDs(base measure.MetricID, stats []measure.Stat) []measure.MetricID {
	var ids []measure.MetricID
	for _, st := range stats {
		ids = append(ids, measure.ID(base, st))
	}
	return ids
}

func drawnOf(planes []*plane) []*evidence.Record {
	var all []*evidence.Record
	for _, p := range planes {
		all = append(all, p.drawn...)
	}
	return all
}

// points is how many records have a mark with both figures.
func (p *plane) points() int {
	n := 0
	for _, r := range p.drawn {
		x, ok := r.Value(p.rate.ID)
		if ok && hasNumber(x) && slices.ContainsFunc(statIDs(p.m.ID, p.spec.Stats), func(id measure.MetricID) bool {
			v, ok := r.Value(id)
			return ok && hasNumber(v)
		}) {
			n++
		}
	}
	return n
}

// ranked reports whether any record has a place.
func (p *plane) ranked() bool {
	for _, of := range p.places {
		if len(of) > 0 {
			return true
		}
	}
	return false
}

// curve makes the drawing.
func (p *plane) curve() Curve {
	c := Curve{Chart: Chart{ID: p.spec.ID, Title: p.spec.Title,
		X: Axis{Metric: p.rate.ID, Label: p.rate.Label, Unit: p.rate.Unit(), Better: string(p.rate.Better)},
		Y: Axis{Metric: p.m.ID, Label: p.m.Label, Unit: p.m.Unit(), Better: string(p.m.Better)}}}
	if len(p.names) == 1 {
		c.Chart.Sub = p.names[0]
	}
	var apart apartNotes
	for _, name := range p.names {
		for _, st := range p.spec.Stats {
			series, drawn := p.series(name, st, &apart)
			if !drawn {
				c.Chart.Notes = append(c.Chart.Notes, fmt.Sprintf("No %s is drawn for %s: no point has one.", p.s.metric(measure.ID(p.m.ID, st)).Label, name))
				continue
			}
			series.Style = len(c.Chart.Series)
			c.Chart.Series = append(c.Chart.Series, series)
		}
		pairs, joined := p.s.neighboursJoined(p.by[name], p.pairs)
		c.Pairs, c.Joined = c.Pairs+pairs, c.Joined+joined
	}
	if t := p.spec.Target; t != nil {
		y := t.Seconds
		c.Chart.Lines = append(c.Chart.Lines, RefLine{Y: &y, Label: t.Label})
	}
	p.leave(&c.Chart)
	c.Chart.Notes = append(c.Chart.Notes, apart.words()...)
	c.Chart.Notes = append(c.Chart.Notes, p.counts()...)
	if computed(p.drawn, statIDs(p.m.ID, p.spec.Stats)...) {
		c.Chart.Notes = append(c.Chart.Notes, p.m.Short+": "+p.m.Formula+".")
	}
	c.Chart.Desc = p.describe()
	c.Notes = p.placeNotes()
	return c
}

// series is the points of one name and statistic, by rising load. It reports
// whether any has a latency.
func (p *plane) series(name string, st measure.Stat, apart *apartNotes) (Series, bool) {
	id := measure.ID(p.m.ID, st)
	out := Series{Name: name + ", " + string(st), Metric: id}
	if len(p.names) == 1 {
		out.Name = string(st) // the name stands below the title
	}
	var records []*evidence.Record
	drawn := false
	for _, r := range p.by[name] {
		pt, ok := p.point(r, id)
		if !ok {
			continue
		}
		drawn = drawn || pt.Y != nil
		out.Points, records = append(out.Points, pt), append(records, r)
	}
	if len(records) > 0 && p.claimed(records[0]) {
		apart.claims = true
		return out, drawn
	}
	p.s.join(&out, records, p.pairs, apart, p.rate.ID, id)
	return out, drawn
}

// counts says how many of the points are summaries, and how many simulated.
func (p *plane) counts() []string {
	summaries, simulated := 0, 0
	for _, r := range p.drawn {
		if r.Kind == evidence.RepeatsRecord {
			summaries++
		}
		if isSimulated(r) {
			simulated++
		}
	}
	var notes []string
	if summaries > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d points are medians over repeats.", summaries, len(p.drawn)))
	}
	if simulated > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d points are from a simulated endpoint.", simulated, len(p.drawn)))
	}
	return notes
}
