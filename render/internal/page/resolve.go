package page

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/report"
)

// Resolver makes the figures, tables and charts that one authored page asks
// for. It is for one goroutine.
type Resolver struct {
	r     *Renderer
	set   *report.Set
	page  string // its address without the ending
	root  string
	notes *report.Footnotes
	// shown are the records whose figures stand on the page.
	shown  map[string]bool
	charts map[string]bool // IDs on the page
}

// Ask is what an authored page asks for: the words of a reference.
type Ask struct {
	Kind string // "ev", "headline", "table", "chart" or "compare"
	Args []string
}

// Resolver is for a page, by its address without the ending, that asks for these
// things. What cannot be found is an error when it is made.
func (r *Renderer) Resolver(set *report.Set, page string, asks []Ask) (*Resolver, error) {
	root := strings.Repeat("../", strings.Count(page, "/"))
	x := &Resolver{r: r, set: set, page: page, root: root, shown: map[string]bool{}, charts: map[string]bool{}}
	var refs []report.Ref
	for _, a := range asks {
		switch a.Kind {
		case "ev", "headline":
			refs = append(refs, report.Ref{Record: a.Args[0], Metric: measure.MetricID(a.Args[1])})
		case "table":
			if t, err := x.side(a.Args); err == nil && t != nil {
				refs = append(refs, t.Refs()...)
			}
		case "compare":
			if c, err := x.compared(a.Args[0], a.Args[1]); err == nil {
				refs = append(refs, c.Refs()...)
			}
		}
	}
	var err error
	x.notes, err = set.Footnotes(refs, root)
	return x, err
}

// Plain is a resolver for prose on a page that has no footnotes for it: its
// figures lead to their records, where the notes stand. It makes no tables and
// charts.
func (r *Renderer) Plain(set *report.Set, page string) *Resolver {
	return &Resolver{r: r, set: set, page: page, root: strings.Repeat("../", strings.Count(page, "/")), shown: map[string]bool{}}
}

// errPlain is what a resolver without footnotes says of what needs them.
func errPlain(what string) error {
	return fmt.Errorf("%s cannot stand here: only on a page of content/", what)
}

// Figure is a figure in a sentence, as HTML and Markdown.
func (x *Resolver) Figure(slug, metric string) (html, markdown []byte, err error) {
	id := measure.MetricID(metric)
	f, err := x.set.FigureOn(slug, id, x.root)
	if err != nil {
		return nil, nil, err
	}
	x.shown[slug] = true
	var marks []report.Mark
	if x.notes != nil {
		marks = x.notes.Marks(report.Ref{Record: slug, Metric: id})
	}
	return x.r.both("ref", struct {
		Fig   report.Figure
		Marks []report.Mark
	}{f, marks}, &slots{})
}

// Headline is a whole headline block, as HTML and Markdown.
func (x *Resolver) Headline(slug, metric string) (html, markdown []byte, err error) {
	id := measure.MetricID(metric)
	h, err := x.set.HeadlineOn(slug, id, x.root)
	if err != nil {
		return nil, nil, err
	}
	x.shown[slug] = true
	if x.notes != nil {
		h.Marks = x.notes.Marks(report.Ref{Record: slug, Metric: id})
	}
	return x.r.headlineBlock(h)
}

// headlineBlock is a whole headline block, as HTML and Markdown.
func (r *Renderer) headlineBlock(h report.Headline) (html, markdown []byte, err error) {
	var s slots
	if err := r.nameShared(&s, h.Outcomes, h.Sources); err != nil {
		return nil, nil, err
	}
	return r.both("headline", h, &s)
}

// Table is the table of a family, or of records and metrics.
func (x *Resolver) Table(args []string) (html, markdown []byte, err error) {
	if x.notes == nil {
		return nil, nil, errPlain("a table")
	}
	t, err := x.side(args)
	if err != nil {
		return nil, nil, err
	}
	if t != nil {
		t.Mark(x.notes)
		for _, ref := range t.Refs() {
			x.shown[ref.Record] = true
		}
		rules, err := x.judge(nil, t.Sheet())
		if err != nil {
			return nil, nil, err
		}
		return x.r.both("side", sideView{Side: t, Rules: rules}, &slots{})
	}
	f, err := x.family(args[0])
	if err != nil {
		return nil, nil, err
	}
	data := x.named(f)
	if data.Rules, err = x.judge(nil, f.Table.Sheet(f)); err != nil {
		return nil, nil, err
	}
	return x.r.both("familytable", data, &slots{})
}

// Chart is the load curves of a family, or one of them by its latency.
func (x *Resolver) Chart(args []string) (html, markdown []byte, err error) {
	if x.notes == nil {
		return nil, nil, errPlain("a chart")
	}
	if len(args) > 2 {
		return nil, nil, errors.New("write {{chart FAMILY}} or {{chart FAMILY LATENCY}}")
	}
	f, err := x.family(args[0])
	if err != nil {
		return nil, nil, err
	}
	if len(args) == 2 {
		f.Curves = slices.DeleteFunc(f.Curves, func(c report.CurveSet) bool { return c.ID != "curve-"+args[1] })
	}
	var charts []report.Chart
	var sheets []report.Sheet
	for _, c := range f.Curves {
		charts = append(charts, c.Charts...)
		if len(c.Table.Groups) > 0 {
			sheets = append(sheets, c.Table.Sheet(c))
		} else {
			sheets = append(sheets, f.Table.Sheet(f))
		}
	}
	if len(charts) == 0 {
		return nil, nil, fmt.Errorf("family %s has no chart of this: two records of one workload that state a rate and the latency (ttft or tpot) are needed", f.Slug)
	}
	for _, c := range charts {
		if x.charts[c.ID] {
			return nil, nil, fmt.Errorf("the charts of family %s are on this page already", f.Slug)
		}
		x.charts[c.ID] = true
	}
	data := x.named(f)
	if data.Rules, err = x.judge(charts, sheets...); err != nil {
		return nil, nil, err
	}
	var s slots
	if data.Charts, err = draw(&s, charts, data.Rules); err != nil {
		return nil, nil, err
	}
	return x.r.both("familychart", data, &s)
}

// side is a table of records and metrics; nil where the words name a family.
func (x *Resolver) side(args []string) (*report.Side, error) {
	colon := slices.Index(args, ":")
	switch {
	case colon < 0 && len(args) == 1:
		return nil, nil //nolint:nilnil // the words ask for the other kind of table
	case colon < 1 || colon == len(args)-1:
		return nil, errors.New("write {{table FAMILY}} or {{table RECORD RECORD : METRIC METRIC}}")
	}
	metrics := make([]measure.MetricID, 0, len(args)-colon-1)
	for _, m := range args[colon+1:] {
		metrics = append(metrics, measure.MetricID(m))
	}
	return x.set.Side(args[:colon], metrics, x.root)
}

// family is a family with its figures on this page.
func (x *Resolver) family(slug string) (*report.Family, error) {
	f, err := x.set.FamilyOn(slug, x.root)
	if err != nil {
		return nil, err
	}
	for _, r := range x.set.MemberSlugs(slug) {
		x.shown[r] = true
	}
	return f, nil
}

// judge holds what a reference shows against the rules for charts and tables.
func (x *Resolver) judge(charts []report.Chart, sheets ...report.Sheet) (map[string][]ruleNote, error) {
	return x.r.judge(Meta{Root: x.root}, x.page, charts, sheets...)
}

// sideView is a table of chosen records with what the rules say of it.
type sideView struct {
	*report.Side
	Rules map[string][]ruleNote
}

// familyView is a family's table or charts on an authored page.
type familyView struct {
	Family *report.Family
	Href   string
	Charts map[string]chartView
	Rules  map[string][]ruleNote
}

func (x *Resolver) named(f *report.Family) familyView {
	return familyView{Family: f, Href: x.root + "families/" + f.Slug + ".html"}
}

// Notes are the footnotes of the page's figures.
func (x *Resolver) Notes() []report.NoteGroup { return x.notes.Groups() }

// simulated says how many of the records that the page shows are simulated;
// nil if none is.
func (x *Resolver) simulated() *simulated {
	n := 0
	for slug := range x.shown {
		if r, ok := x.set.Evidence(slug); ok && r.Class == evidence.Simulated {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	s := someOf(n, len(x.shown))
	return &s
}

func (r *Renderer) both(template string, data any, s *slots) (html, markdown []byte, err error) {
	var h, m bytes.Buffer
	if err := r.html.ExecuteTemplate(&h, template, data); err != nil {
		return nil, nil, fmt.Errorf("making a figure: %w", err)
	}
	if err := r.md.ExecuteTemplate(&m, template, data); err != nil {
		return nil, nil, fmt.Errorf("making a figure: %w", err)
	}
	full, err := s.fill(h.Bytes())
	return full, m.Bytes(), err
}
