package report

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Latency is one latency of a record: its definition, its headline blocks, its
// distribution and its percentiles.
type Latency struct {
	ID         string // fragment
	Title      string
	Definition string
	Headlines  []Headline
	Chart      *Chart // nil: the source has no distribution
	NoChart    string // why there is no chart
	Table      *PercentileTable
}

// PercentileTable is the percentiles of one latency: of the completed requests,
// and the bounds over all that were sent.
type PercentileTable struct {
	Of   string // the latency
	Unit string
	Runs bool     // each figure is the median of those of several runs
	Cols []string // statistics
	Rows []PercentileRow
}

// PercentileRow is one population's percentiles.
type PercentileRow struct {
	Population string
	N          string
	Cells      []Cell
}

// Cell is a cell of a table: a figure, a text, or a gap.
type Cell struct {
	Fig  *Figure
	Text string
	Gap  bool // nothing is known
	Hot  bool
	// Marks are the limits of the figure, where the table has notes below it.
	Marks []Mark
}

func (s *Set) latency(r *evidence.Record, base measure.MetricID, n *notes, o Outcomes, stats []measure.Stat) (Latency, bool) {
	m := s.metric(base)
	l := Latency{ID: string(base), Title: m.Label, Definition: m.Definition}
	overAll := false
	for _, st := range stats {
		if v, ok := r.Value(measure.ID(base, st)); ok {
			overAll = overAll || v.Completed != nil
			l.Headlines = append(l.Headlines, s.headline(r, v, n, o))
		}
	}
	if overAll {
		l.Definition += " Some requests were unfinished: the percentiles here are over them as well, each with its age as the least that its time can be."
	}
	l.Table = s.percentiles(r, base)
	switch v, ok := firstOf(r, idsOf(base)...); {
	case ok && imported(v):
		// Our definition and our table would put our words on their figures.
		l.Definition, l.Table = v.Rule, nil
	case ok:
		l.Definition = ofRows(v, l.Definition)
	}
	if d := distribution(r, base); d != nil {
		c := s.ecdf(r, *d)
		l.Chart = &c
	} else {
		l.NoChart = "The evidence holds no distribution of this latency."
	}
	return l, len(l.Headlines) > 0 || l.Chart != nil
}

// ofRows is the definition of figures that were computed from the rows of another
// tool's file: which of its events stand for ours, or its own where nothing says
// that they are ours. Of other figures it is the one that it was.
func ofRows(v evidence.Value, definition string) string {
	if theirs, _, ok := strings.Cut(v.Rule, " Of the rows, "); ok {
		return theirs + " Computed here from the rows of the file."
	}
	m, known := measure.Lookup(v.Metric)
	if events, ok := strings.CutPrefix(v.Rule, m.Definition); known && ok {
		return definition + events
	}
	return definition
}

// idsOf are the IDs of a latency's statistics.
func idsOf(base measure.MetricID) []measure.MetricID {
	var ids []measure.MetricID
	for _, st := range measure.Stats() {
		ids = append(ids, measure.ID(base, st))
	}
	return ids
}

func distribution(r *evidence.Record, base measure.MetricID) *evidence.Distribution {
	for i := range r.Distributions {
		if r.Distributions[i].Metric == base {
			return &r.Distributions[i]
		}
	}
	return nil
}

// percentiles is the table of one latency; nil when the record has no value of it.
func (s *Set) percentiles(r *evidence.Record, base measure.MetricID) *PercentileTable {
	var values []evidence.Value
	var xs []float64
	for _, st := range measure.Stats() {
		if v, ok := r.Value(measure.ID(base, st)); ok {
			values = append(values, v)
			xs = append(xs, numbersOf(v)...)
		}
	}
	if len(values) == 0 {
		return nil
	}
	scale := measure.Scale(base, xs...)
	t := &PercentileTable{Of: s.metric(base).Label, Unit: scale.Unit()}
	figures := PercentileRow{Population: "completed", N: completedN(values)}
	if r.Kind == evidence.RepeatsRecord {
		t.Runs = true
		figures.Population, figures.N = "median of the runs", figures.N+" runs"
	}
	lower := PercentileRow{Population: "all, at least"}
	upper := PercentileRow{Population: "all, at most"}
	guess := PercentileRow{Population: "all, estimated (Kaplan-Meier)"}
	bounded, estimated := false, false
	for _, v := range values {
		t.Cols = append(t.Cols, string(s.metric(v.Metric).Stat))
		figures.Cells = append(figures.Cells, s.completedCell(r, v, scale))
		lo, hi := boundCells(v.Bounds, scale)
		lower.Cells, upper.Cells = append(lower.Cells, lo), append(upper.Cells, hi)
		cell := Cell{Text: "no estimate", Gap: true}
		if e := v.Estimate; e != nil {
			cell, estimated, guess.N = Cell{Text: scale.Text(e.X)}, true, measure.FormatCount(e.N)
		}
		guess.Cells = append(guess.Cells, cell)
		if v.Bounds != nil {
			// With nothing unfinished the bounds only repeat the figures.
			bounded = bounded || v.Completed != nil
			lower.N = measure.FormatCount(v.Bounds.N)
			upper.N = lower.N
		}
	}
	t.Rows = append(t.Rows, figures)
	if bounded {
		t.Rows = append(t.Rows, lower, upper)
	}
	if estimated {
		t.Rows = append(t.Rows, guess)
	}
	return t
}

// completedCell is a statistic of the completed requests. Where the figure itself
// is about more requests, because unfinished ones leave it without an upper end,
// the cell has what stands beside the figure.
func (s *Set) completedCell(r *evidence.Record, v evidence.Value, scale measure.Scaler) Cell {
	if v.Completed != nil {
		return amountCell(v.Completed.Amount, scale)
	}
	f := s.figure(r, v, scale, "")
	return Cell{Fig: &f}
}

func completedN(values []evidence.Value) string {
	for _, v := range values {
		if v.Completed != nil {
			return measure.FormatCount(v.Completed.N)
		}
		if p, ok := v.Population.Get(); ok {
			return measure.FormatCount(p.N)
		}
	}
	return "not stated"
}

func boundCells(b *evidence.Bounds, scale measure.Scaler) (lower, upper Cell) {
	if b == nil {
		none := Cell{Text: "no bound"}
		return none, none
	}
	return amountCell(b.Lower, scale), amountCell(b.Upper, scale)
}

func amountCell(a evidence.Amount, scale measure.Scaler) Cell {
	text, _ := amountText(a, scale)
	return Cell{Text: text, Hot: a.Kind != evidence.Exact}
}

// ecdf is the distribution of a latency over all sent requests. The curve ends
// where the last known value stands; what is above it is labelled, and the band
// shows where the curve can lie if each open request ended at its age.
func (s *Set) ecdf(r *evidence.Record, d evidence.Distribution) Chart {
	m := s.metric(d.Metric)
	one, zero := 1.0, 0.0
	c := Chart{
		ID: "ecdf-" + slugOfMetric(d.Metric), Title: m.Label + ", every request that was sent",
		X: Axis{Metric: d.Metric, Label: m.Label + ", from " + startWord(d.Start), Unit: "s", Better: string(m.Better)},
		Y: Axis{Of: SentShare, Label: string(SentShare) + " " + measure.Counted(d.N, "sent request"), Share: true, Min: &zero, Max: &one},
	}
	line := Series{Name: "finished by then", Of: SentShare, Step: true}
	last := 0.0
	for _, i := range thinned(len(d.Steps)) {
		p := d.Steps[i]
		y := p.Share
		line.Points = append(line.Points, Point{X: p.X, Y: &y, State: PointOK})
		last = p.X
	}
	ages := d.OpenAges
	if len(ages) > 0 {
		last = max(last, ages[len(ages)-1])
	}
	band := openBand(d, last)
	for _, i := range thinned(len(band)) {
		line.Band = append(line.Band, band[i])
	}
	c.Series = []Series{line}
	c.Shown = Shown{What: "steps of the curve", Drawn: len(line.Points), Of: len(d.Steps)}
	if n := len(d.Steps) - len(line.Points); n > 0 {
		c.Shown.Left = []Left{{n, "between those drawn, each of which is exact"}}
	}
	if r.Class == evidence.Simulated {
		c.Notes = append(c.Notes, "From a simulated endpoint.")
	}
	s.openEnd(&c, d, m)
	if limit, ok := objective(r, d.Metric); ok {
		c.Lines = append(c.Lines, RefLine{X: &limit, Label: "objective " + measure.FormatSeconds(limit)})
	}
	return c
}

func slugOfMetric(id measure.MetricID) string { return Anchor(id)[len("fig-"):] }

func startWord(start string) string {
	switch start {
	case "due":
		return "the time when due"
	case "sent", "":
		return "send"
	}
	return start
}

// openBand is the area between "open requests never end" and "each ends at
// once, at its age".
func openBand(d evidence.Distribution, last float64) []BandPoint {
	if d.Open == 0 || len(d.OpenAges) == 0 || d.N == 0 {
		return nil
	}
	xs := make([]float64, 0, len(d.Steps)+len(d.OpenAges)+1)
	for _, p := range d.Steps {
		xs = append(xs, p.X)
	}
	xs = append(append(xs, d.OpenAges...), last)
	slices.Sort(xs)
	xs = slices.Compact(xs)
	each := float64(d.Open) / float64(len(d.OpenAges)) / float64(d.N)
	var band []BandPoint
	for _, x := range xs {
		open := sort.Search(len(d.OpenAges), func(i int) bool { return d.OpenAges[i] > x })
		if open == 0 {
			continue
		}
		at := sort.Search(len(d.Steps), func(i int) bool { return d.Steps[i].X > x })
		low := 0.0
		if at > 0 {
			low = d.Steps[at-1].Share
		}
		band = append(band, BandPoint{X: x, Low: low, High: min(1, low+float64(open)*each)})
	}
	return band
}

// openEnd says in words and with a line how much of the distribution is unknown.
func (s *Set) openEnd(c *Chart, d evidence.Distribution, m measure.Metric) {
	sent := measure.FormatCount(d.N)
	c.Desc = fmt.Sprintf("Of %s sent requests %s have a value; %s were still open when observation ended, %s ended without one.",
		sent, measure.FormatCount(d.Finished), measure.FormatCount(d.Open), measure.FormatCount(d.Ended))
	if n := len(d.Steps); n > 0 {
		top := d.Steps[n-1].Share
		c.Desc += fmt.Sprintf(" The curve rises to %s at %s.", measure.FormatShare(top), measure.FormatSeconds(d.Steps[n-1].X))
	}
	if d.Open > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of the sent requests were still open when observation ended.", measure.FormatShare(float64(d.Open)/float64(d.N))))
		if len(d.OpenAges) > 0 {
			c.Notes = append(c.Notes, "The band is where the curve can lie: its lower edge if they never end, its upper edge if each had ended at the age it had then.")
		}
	}
	if d.Ended > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of %s sent requests ended without a value (failed, rejected, timed out or cancelled): the curve cannot reach 100 %%.",
			measure.FormatCount(d.Ended), sent))
	}
	c.Notes = append(c.Notes, m.Label+": "+m.Formula+".")
}

func objective(r *evidence.Record, base measure.MetricID) (float64, bool) {
	switch base {
	case "ttft", "ttft_due":
		return r.State.TTFTLimit.Get()
	case "e2e", "e2e_due":
		return r.State.E2ELimit.Get()
	}
	return 0, false
}

const (
	mostDrawn = 200 // steps of a drawing: more cannot be told apart in it
	tailDrawn = 50  // of them the last ones, all of them
)

// thinned are the places of n steps that are drawn: all, or the last ones and an
// even choice of the others, the first among them. Each step drawn is exact.
func thinned(n int) []int {
	var places []int
	body, few := n-tailDrawn, mostDrawn-tailDrawn
	for i := range n {
		if n <= mostDrawn || i >= body || i*(few-1)/(body-1) != (i-1)*(few-1)/(body-1) || i == 0 {
			places = append(places, i)
		}
	}
	return places
}
