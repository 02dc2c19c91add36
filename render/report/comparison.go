package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Comparison is what may be said of two records: the verdict, and only the
// numbers that it allows. A is the base.
type Comparison struct {
	A, B      Compared
	Kind      compare.Kind
	Sentence  string // the verdict in words
	Allows    string // what may be read from it
	Needs     []string
	Simulated int // how many of the two are from a simulated endpoint
	// Parts are the dimensions, those that differ first.
	Parts   []DimensionPart
	Metrics []JudgedMetric
	Numbers NumberTable
	// Page is the way to the comparison's own page; empty on that page.
	Page string

	refs []Ref
}

// Compared is one of the two records.
type Compared struct {
	Name     string // "A" or "B"
	Slug     string
	Link     Link
	Class    string
	About    string // workload, load and condition
	Hot      []string
	Family   Link
	Outcomes Outcomes
}

// DimensionPart is the dimensions of one state.
type DimensionPart struct {
	State compare.State
	ID    string
	Title string
	Rows  []DimensionRow
}

// DimensionRow is one dimension of both records.
type DimensionRow struct {
	compare.Dimension
	A, B DimensionCell
}

// DimensionCell is what one record states of a dimension; Why is why it does
// not. The two, put together, are the dimension's words.
type DimensionCell struct {
	Name, Text, Why string
	Gap             bool
}

// Words are the cell's words as one.
func (c DimensionCell) Words() string { return c.Text + c.Why }

func dimensionRow(d compare.Dimension) DimensionRow {
	return DimensionRow{Dimension: d, A: dimensionCell("A", d.A, d.GapA), B: dimensionCell("B", d.B, d.GapB)}
}

func dimensionCell(name, words string, gap bool) DimensionCell {
	c := DimensionCell{Name: name, Text: words, Gap: gap}
	if state, _, found := strings.Cut(words, ": "); gap && found {
		c.Text, c.Why = state, words[len(state):]
	}
	return c
}

// JudgedMetric is a metric that a side has, and how the two figures go together.
type JudgedMetric struct {
	Metric     measure.MetricID
	Label      string
	Comparable bool
	Words      string
}

// ComparisonStem is the path of the page on two records, without its ending.
func ComparisonStem(a, b string) (string, error) {
	name, err := evidence.Slug(a + "--" + b)
	if err != nil {
		return "", fmt.Errorf("naming the comparison of %s and %s: %w", a, b, err)
	}
	return "compare/" + name, nil
}

// noRecord is the error of a name that no record has, with names that are like it.
func (s *Set) noRecord(slug string) error {
	err := fmt.Errorf("there is no record %q", slug)
	if near := compare.Near(slug, s.Slugs()); len(near) > 0 {
		return fmt.Errorf("%w; did you mean %s?", err, orList(near))
	}
	return err
}

func orList(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// pair is two records with the verdict on them.
func (s *Set) pair(a, b string) (x, y *evidence.Record, v compare.Verdict, err error) {
	if x, err = s.find(a); err != nil {
		return nil, nil, v, err
	}
	if y, err = s.find(b); err != nil {
		return nil, nil, v, err
	}
	if a == b {
		return nil, nil, v, fmt.Errorf("%s is compared with itself, which says nothing", a)
	}
	return x, y, compare.Compare(*x, *y), nil
}

// Comparison is that of two records, for a page from which root leads to the
// site's root.
func (s *Set) Comparison(a, b, root string) (*Comparison, error) {
	x, y, v, err := s.pair(a, b)
	if err != nil {
		return nil, err
	}
	c := &Comparison{A: s.compared("A", x, root), B: s.compared("B", y, root), Kind: v.Kind, Sentence: v.Sentence, Allows: allows(v), Needs: v.Needs}
	for _, r := range []*evidence.Record{x, y} {
		if isSimulated(r) {
			c.Simulated++
		}
	}
	for _, p := range []DimensionPart{{compare.Differs, "differs", "What differs", nil}, {compare.NotStated, "unstated", "What a side does not state", nil}, {compare.Same, "same", "What is the same", nil}} {
		for _, d := range v.Dimensions {
			if d.State == p.State {
				p.Rows = append(p.Rows, dimensionRow(d))
			}
		}
		c.Parts = append(c.Parts, p)
	}
	for i := range v.Figures {
		m := &v.Figures[i]
		c.Metrics = append(c.Metrics, JudgedMetric{Metric: m.Metric, Label: s.metric(m.Metric).Label, Comparable: m.Comparable(), Words: m.Words()})
	}
	if c.Numbers, err = s.numberTable(c, v.Kind, compare.NumbersOf(v, *x, *y, s.Evidence), root); err != nil {
		return nil, err
	}
	return c, nil
}

// ComparisonLines is the same for machines: what benchline compare --json prints.
func (s *Set) ComparisonLines(a, b string) ([]byte, error) {
	x, y, v, err := s.pair(a, b)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = compare.WriteLines(&out, v, *x, *y, compare.NumbersOf(v, *x, *y, s.Evidence))
	return out.Bytes(), err //nolint:wrapcheck // it says what was being written
}

func (s *Set) compared(name string, r *evidence.Record, root string) Compared {
	c := Compared{Name: name, Slug: r.Slug, Link: Link{Text: r.Title, Href: root + "records/" + r.Slug + ".html"}, Class: string(r.Class),
		About: workloadShort(r) + "; " + loadShort(r) + "; " + condition(r), Hot: hotWords(r), Outcomes: outcomesOf(r)}
	if runs := runsWords(r); runs != "" {
		c.About += "; " + runs
	}
	if g, ok := find(s.families, r.Family); ok {
		c.Family = Link{Text: g.name, Href: root + "families/" + g.slug + ".html"}
	}
	return c
}

// allows says what a verdict lets a reader do.
func allows(v compare.Verdict) string {
	switch v.Kind {
	case compare.Controlled:
		if v.Repeats() {
			return "A difference between the two is the spread of one recipe and the effect of nothing."
		}
		return "A difference between the two may be read as the effect of the one thing that differs, as far as its interval and its test go."
	case compare.SystemsRatio:
		return "A ratio of the two may be shown, and no difference: whatever sets the two systems apart can account for any part of it."
	case compare.Confounded:
		return "No number is shown: a difference would have more than one possible cause, and nothing here tells them apart."
	case compare.NotComparable:
		return "No number is shown: the two figures are not of one kind, so that neither a difference nor a ratio of them has a meaning."
	}
	return ""
}

// Mark puts footnote marks at the figures.
func (c *Comparison) Mark(f *Footnotes) {
	for _, rows := range [][]NumberRow{c.Numbers.Lead, c.Numbers.Rest} {
		for i := range rows {
			for _, side := range []*NumberSide{&rows[i].A, &rows[i].B} {
				side.Marks = f.Marks(side.ref)
			}
		}
	}
}

// Refs are the figures of both records that it shows.
func (c *Comparison) Refs() []Ref { return c.refs }

// Short leaves of the numbers those that a sentence has room for.
func (c *Comparison) Short() {
	c.refs, c.Numbers.More, c.Numbers.Rest = nil, len(c.Numbers.Rest), nil
	for _, r := range c.Numbers.Lead {
		c.refs = append(c.refs, r.A.ref, r.B.ref)
	}
	c.Numbers.tidyNotes()
}

// ComparisonEntry is a comparison in a list.
type ComparisonEntry struct {
	A, B     Link // the records
	SlugA    string
	SlugB    string
	Kind     compare.Kind
	Sentence string
	Stem     string
}

// Of reports whether the comparison is one of the records.
func (e ComparisonEntry) Of(slugs ...string) bool {
	return slices.Contains(slugs, e.SlugA) || slices.Contains(slugs, e.SlugB)
}

// ComparisonEntry is the entry of two records in lists.
func (s *Set) ComparisonEntry(a, b string) (ComparisonEntry, error) {
	x, y, v, err := s.pair(a, b)
	if err != nil {
		return ComparisonEntry{}, err
	}
	stem, err := ComparisonStem(a, b)
	return ComparisonEntry{SlugA: a, SlugB: b, A: Link{Text: x.Title, Href: "records/" + a + ".html"}, B: Link{Text: y.Title, Href: "records/" + b + ".html"},
		Kind: v.Kind, Sentence: v.Sentence, Stem: stem}, err
}
