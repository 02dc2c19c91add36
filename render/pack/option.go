package pack

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/report"
)

// cellMetrics are the metrics that have a column, in an open loop from due.
func cellMetrics(c Conditions) []measure.MetricID {
	ttft := measure.MetricID("ttft")
	if c.Open() {
		ttft = fromDue(ttft)
	}
	return []measure.MetricID{measure.ID(ttft, measure.P50), measure.ID(ttft, measure.P95), measure.ID("tpot", measure.P50), "output_token_rate", "goodput"}
}

// scales chooses one unit for each column, over all rows and points.
func (b *builder) scales(parts []optionParts) {
	b.scale = map[measure.MetricID]measure.Scaler{}
	ids := cellMetrics(b.p.Conditions)
	if id, ok := b.latencyMetric(); ok {
		ids = append(ids, id)
	}
	for _, id := range ids {
		var xs []float64
		for _, x := range parts {
			for _, pt := range x.points {
				if v, ok := pt.r.Value(id); ok && (v.Amount.Kind == evidence.Exact || v.Amount.Kind == evidence.AtLeast) {
					xs = append(xs, v.Amount.X)
				}
			}
		}
		b.scale[id] = measure.Scale(id, xs...)
	}
}

// latencyMetric is the percentile of the first criterion on one.
func (b *builder) latencyMetric() (measure.MetricID, bool) {
	i := slices.IndexFunc(b.p.Criteria, Criterion.latency)
	if i < 0 {
		return "", false
	}
	return b.p.Criteria[i].Metric, true
}

func (b *builder) columns() Columns {
	ids := cellMetrics(b.p.Conditions)
	col := func(i int) Column {
		m, _ := measure.Lookup(ids[i])
		return Column{Metric: m.ID, Label: m.Short, Title: m.Label, Unit: b.scale[m.ID].Unit()}
	}
	return Columns{TTFT50: col(0), TTFT95: col(1), TPOT50: col(2), Rate: col(3), Goodput: col(4), Target: b.targetHead()}
}

// targetHead names the verdict's column after the percentiles that it is about.
func (b *builder) targetHead() string {
	var stats []string
	for _, c := range b.p.Criteria {
		if m, _ := measure.Lookup(c.Metric); c.latency() && !slices.Contains(stats, string(m.Stat)) {
			stats = append(stats, string(m.Stat))
		}
	}
	if len(stats) == 1 {
		return "meets " + stats[0] + " target"
	}
	return "meets latency targets"
}

// option makes one option's row and section.
func (b *builder) option(x optionParts) (OptionSays, error) {
	o := x.o
	s := OptionSays{Key: x.key, Name: o.Name, Title: o.Title, Profile: o.Profile, Screen: o.ScreenedOut, Price: o.Price,
		Strengths: o.Strengths, Weaknesses: o.Weaknesses, Risks: o.Risks, Target: NotCompared, Overall: NotCompared,
		Precision: report.Text{State: evidence.StateNotStated, Text: "not stated", Note: "no record states it"}}
	for _, pt := range x.points {
		if _, ok := pt.r.Subject.Precision.Get(); ok {
			s.Precision = text(pt.r.Subject.Precision)
		}
		s.Simulated = s.Simulated || pt.r.Class == evidence.Simulated
	}
	s.Quality = quality(x)
	if s.Screen == "" && s.Quality.Passed == Fail {
		s.Screen = "does not pass its quality gate"
	}
	if s.Gap = gapOf(x, s.Quality); s.Gap != "" {
		s.NoPass = s.Gap
		return s, b.points(&s, x)
	}
	var runs []*evidence.Record
	for _, i := range x.rows {
		runs = append(runs, x.points[i].runs...)
	}
	for _, c := range b.p.Criteria {
		v := joinRuns(c, runs, b.link)
		if f, err := b.in.Set.FigureOn(x.points[x.row].r.Slug, c.Metric, b.in.Root); err == nil {
			v.Fig = &f
		}
		s.Verdicts = append(s.Verdicts, v)
	}
	s.Target = combine(pick(b.p.Criteria, s.Verdicts, Criterion.latency))
	s.Overall = combine(pick(b.p.Criteria, s.Verdicts, func(Criterion) bool { return true }))
	var err error
	if s.Row, err = b.row(x, s.Target); err != nil {
		return s, err
	}
	s.Estimate = estimates(b.p.Conditions, x.key, o.Name, runs[0])
	for _, id := range []measure.MetricID{measure.ID("e2e", measure.Mean), "request_rate"} {
		if f, err := b.in.Set.FigureOn(runs[0].Slug, id, b.in.Root); err == nil {
			m, _ := measure.Lookup(id)
			s.Means = append(s.Means, Beside{Label: m.Label, Fig: f})
		}
	}
	return s, b.points(&s, x)
}

// pick are the outcomes of some criteria.
func pick(criteria []Criterion, verdicts []Verdict, of func(Criterion) bool) []Outcome {
	var out []Outcome
	for i, c := range criteria {
		if of(c) {
			out = append(out, verdicts[i].Outcome)
		}
	}
	return out
}

// gapOf is why an option has no row; empty where it has.
func gapOf(x optionParts, q QualitySays) string {
	switch {
	case q.Quantised && q.Gate.Missing():
		return "not compared: quantised, and no quality gate is declared"
	case x.row >= 0:
		return ""
	case len(x.points) > 0:
		// The nearest point comes first.
		return "not comparable: " + strings.Join(words(x.points[0].differs), ", ")
	}
	return "not measured"
}

// saidQuantised is the first record of an option that states that it is quantised.
func saidQuantised(x optionParts) (slug string, ok bool) {
	for _, pt := range x.points {
		if v, _ := fact(pt.r, "quantized"); v == "true" {
			return pt.r.Slug, true
		}
	}
	return "", false
}

// quality is the gate of an option: as the pack declares it, or as its records do. An
// option whose record states that it is quantised is, whatever the pack calls it.
func quality(x optionParts) QualitySays {
	none := report.Text{State: evidence.StateNotStated, Text: "not stated"}
	s := QualitySays{Quantised: x.o.Quantised, Gate: none, Result: none, Passed: NotCompared}
	if slug, ok := saidQuantised(x); ok && !s.Quantised {
		s.Quantised, s.Note = true, "The pack calls it not quantised; record "+slug+" states that it is."
	}
	if !s.Quantised {
		s.Gate = report.Text{State: evidence.StateNotApplicable, Text: "not applicable", Note: "not a quantised variant"}
	}
	first := ""
	for _, pt := range x.points {
		if q, ok := pt.r.Subject.Quality.Get(); ok && s.Gate.Missing() {
			s.Gate = report.Text{State: evidence.StateStated, Text: q, Note: "record " + pt.r.Slug}
		}
		if at, ok := pt.r.Subject.Started.Get(); ok && (first == "" || at < first) {
			first = at
		}
	}
	q := x.o.Quality
	if q == nil {
		return s
	}
	s.Gate = report.Text{State: evidence.StateStated, Text: q.Gate, Note: "pack"}
	s.Declared = q.Declared
	if first != "" && q.Declared > first[:min(len(first), len(q.Declared))] {
		s.Note = strings.TrimSpace(s.Note + " The gate was declared on " + q.Declared + ", after the first run of this option.")
	}
	if q.Passed != nil {
		s.Result = report.Text{State: evidence.StateStated, Text: q.Result, Note: q.Source}
		s.Source = strings.TrimSuffix(q.Source+", "+q.Date, ", ")
		s.Passed = Fail
		if *q.Passed {
			s.Passed = Pass
		}
	}
	return s
}

// row is the figures of the point that stands in the table.
func (b *builder) row(x optionParts, target Outcome) (*Row, error) {
	pt := x.points[x.row]
	row := &Row{Slug: pt.r.Slug, Record: b.link(pt.r), Load: b.in.Set.LoadOf(pt.r.Slug)}
	if n := len(pt.runs); pt.r.Kind == evidence.RepeatsRecord {
		row.Repeats = fmt.Sprintf("medians over %d runs", n)
	}
	if n := len(x.rows); n > 1 {
		row.Notes = append(row.Notes, fmt.Sprintf("%d records are at the conditions: all are judged, and the one with the lowest output-token rate is shown.", n))
	}
	if c := pt.r.Client; c != nil && c.Verdict != "sound" {
		row.Notes = append(row.Notes, "The load generator's verdict on itself: "+c.Verdict+".")
	}
	ids := cellMetrics(b.p.Conditions)
	row.TTFT50, row.TTFT95, row.TPOT50 = b.cell(pt.r, ids[0]), b.cell(pt.r, ids[1]), b.cell(pt.r, ids[2])
	switch row.Rate = b.cell(pt.r, ids[3]); target {
	case Fail:
		row.Rate = report.Cell{Text: "none: the target is not met"}
	case Undetermined:
		row.Rate = report.Cell{Text: "undetermined", Hot: true}
	case Pass, NotCompared:
	}
	row.Goodput = b.cell(pt.r, ids[4])
	if why := objectives(b.p.Conditions, pt.r); why != "" {
		row.Goodput = report.Cell{Text: "not comparable: " + why, Gap: true}
	}
	row.Cost = costs(x.o, x.key, x.key+"-row", x.o.Name+", "+row.Load, pt.runs)
	if t, err := summed(pt.runs, "output_token_rate", TheNumerator); err == nil {
		t.Unit = "output tokens"
		row.Tokens = t
	}
	return row, b.headlines(row, pt.r)
}

// headlines are the figures that decide, whole: those of the criteria and the
// output-token rate.
func (b *builder) headlines(row *Row, r *evidence.Record) error {
	ids := []measure.MetricID{"output_token_rate"}
	for _, c := range b.p.Criteria {
		if !slices.Contains(ids, c.Metric) {
			ids = append(ids, c.Metric)
		}
	}
	for _, id := range ids {
		if _, ok := r.Value(id); !ok {
			continue
		}
		h, err := b.in.Set.HeadlineOn(r.Slug, id, b.in.Root)
		if err != nil {
			return fmt.Errorf("option figures of %s: %w", r.Slug, err)
		}
		row.Headlines, row.Outcomes = append(row.Headlines, h), h.Outcomes
	}
	return nil
}

// cell is a figure in its column's unit.
func (b *builder) cell(r *evidence.Record, id measure.MetricID) report.Cell {
	f, err := b.in.Set.FigureIn(b.scale[id], r.Slug, id, b.in.Root)
	if err != nil {
		return report.Cell{Text: "not stated", Gap: true}
	}
	return report.Cell{Fig: &f}
}

// points lists every measured point and finds the load at which the targets are met.
func (b *builder) points(s *OptionSays, x optionParts) error {
	metric, hasLatency := b.latencyMetric()
	best := -1
	for i, pt := range x.points {
		says := PointSays{Record: b.link(pt.r), Load: b.in.Set.LoadOf(pt.r.Slug), Target: NotCompared, Differs: words(pt.differs)}
		if onlyLoad(pt.differs) && s.comparable() {
			says.Target = pt.target
			says.Rate = b.cell(pt.r, "output_token_rate")
			if hasLatency {
				says.Latency = b.cell(pt.r, metric)
			}
			if meets(pt) && (best < 0 || rateOf(pt.r) > rateOf(x.points[best].r)) {
				best = i
			}
		}
		s.Points = append(s.Points, says)
	}
	if s.Gap != "" && best < 0 {
		return nil
	}
	if best < 0 {
		s.NoPass = "no measured load at which the targets are met"
		return nil
	}
	pt := x.points[best]
	f, err := b.in.Set.FigureOn(pt.r.Slug, "output_token_rate", b.in.Root)
	if err != nil {
		return fmt.Errorf("rate of %s: %w", pt.r.Slug, err)
	}
	s.NoPass = ""
	sent, _ := pt.r.Outcomes.Sent.Get()
	s.Passing = &Passing{Record: b.link(pt.r), Load: b.in.Set.LoadOf(pt.r.Slug), Rate: f, AtConditions: best == x.row && s.Row != nil, sent: sent}
	if s.Passing.AtConditions {
		s.Passing.Cost = s.Row.Cost
	} else {
		s.Passing.Cost = costs(x.o, x.key, x.key+"-passing", x.o.Name+", "+s.Passing.Load, pt.runs)
	}
	return nil
}

// meets reports whether a point meets the targets: those on percentiles, where
// there are any, and the bound on errors.
func meets(pt point) bool {
	return (pt.target == Pass || pt.target == NotCompared) && pt.errors == Pass
}

// comparable reports whether an option's figures may be shown at all.
func (s *OptionSays) comparable() bool { return !s.Quality.Quantised || !s.Quality.Gate.Missing() }
