package report

import (
	"slices"
	"strings"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// NumberTable is the numbers of a comparison, a row a metric.
type NumberTable struct {
	Ratio bool // B divided by A; else B less A
	// Lead are the rows that a reader looks for first; Rest the others.
	Lead, Rest []NumberRow
	// Notes are what stands below the numbers; rows that were got in one way
	// share one.
	Notes []NumberNote
	// More is how many rows were left out.
	More int

	kinds []string // of the intervals of single figures
}

// NumberNote says how numbers were got, or why there is none.
type NumberNote struct{ Letter, Text string }

// NumberRow is what may be said of one metric in numbers.
type NumberRow struct {
	Metric measure.MetricID
	Label  string
	Title  string
	Unit   string // of all its figures
	A, B   NumberSide
	// Change is the difference or the ratio; Value its number for machines. Where
	// there is none, Change is "~" or "?", and Why says what that means.
	Change, Value, Why string
	Relative           string // the difference as a share of A
	Interval           string // of the difference
	Test               string
	Note               int    // index in the notes
	Letter             string // of the note; empty where all rows have one

	note string
}

// NumberRows is rows with the head of their table.
type NumberRows struct {
	// Bounded and Tested: some row has an interval of the difference, or a test.
	Bounded, Tested bool
	Head            string // of the column of differences or ratios
	Rows            []NumberRow
}

// Of is some rows of the table.
func (t *NumberTable) Of(rows []NumberRow) NumberRows {
	of := NumberRows{Head: "B − A", Rows: rows}
	if t.Ratio {
		of.Head = "B ÷ A"
	}
	for _, r := range rows {
		of.Bounded, of.Tested = of.Bounded || r.Interval != "", of.Tested || r.Test != ""
	}
	return of
}

// NumberSide is the figure of one record in a row.
type NumberSide struct {
	Cell
	Name, Key string // "A" and "a"
	Interval  string // its own
	Runs      int    // valid runs it rests on; 0 of a single run
	Marks     []Mark
	ref       Ref
}

// leadMetrics are the figures that a comparison shows first.
func leadMetrics() []measure.MetricID {
	return []measure.MetricID{"output_token_rate", "ttft_p50", "ttft_p95", "tpot_p50", "e2e_p50", "goodput"}
}

func (s *Set) numberTable(c *Comparison, kind compare.Kind, numbers []compare.Number, root string) (NumberTable, error) {
	t := NumberTable{Ratio: kind == compare.SystemsRatio}
	for i := range numbers {
		row, err := s.numberRow(c, &numbers[i], root)
		if err != nil {
			return t, err
		}
		c.refs = append(c.refs, row.A.ref, row.B.ref)
		t.addKinds(numbers[i].A, numbers[i].B)
		if slices.Contains(leadMetrics(), row.Metric) {
			t.Lead = append(t.Lead, row)
		} else {
			t.Rest = append(t.Rest, row)
		}
	}
	if len(t.Lead) == 0 { // nothing that is looked for first: the first there is
		n := min(len(t.Rest), len(leadMetrics()))
		t.Lead, t.Rest = t.Rest[:n:n], t.Rest[n:]
	}
	t.tidyNotes()
	return t, nil
}

func (t *NumberTable) addKinds(sides ...compare.Side) {
	for _, side := range sides {
		if iv := side.Interval; iv != nil && !slices.Contains(t.kinds, iv.Kind) {
			t.kinds = append(t.kinds, iv.Kind)
		}
	}
}

// Legend says what stands below a figure; empty where nothing does.
func (t *NumberTable) Legend() string {
	if len(t.kinds) == 0 {
		return ""
	}
	return "Below a figure stands its own interval: " + strings.Join(t.kinds, ", or ") + "."
}

func (s *Set) numberRow(c *Comparison, n *compare.Number, root string) (NumberRow, error) {
	m := s.metric(n.Metric)
	shown := n.Show()
	row := NumberRow{Metric: n.Metric, Label: m.Short, Title: m.Label, Unit: shown.Unit, Change: shown.Change,
		Relative: shown.Relative, Interval: shown.Interval, Test: shown.P, note: n.Note()}
	switch n.Mark {
	case "":
	case compare.NoEvidence:
		row.Why = "no evidence of a difference"
	default:
		row.Why = "a number would have no meaning"
	}
	if x, ok := n.Value(); ok {
		row.Value = shortest(x)
	}
	for _, x := range []struct {
		to       *NumberSide
		of       compare.Side
		record   Compared
		interval string
	}{{&row.A, n.A, c.A, shown.IntervalA}, {&row.B, n.B, c.B, shown.IntervalB}} {
		slug := x.record.Slug
		f, err := s.FigureIn(n.Scale(), slug, n.Metric, root)
		if err != nil {
			return row, err
		}
		*x.to = NumberSide{Cell: Cell{Text: f.Text, Fig: &f}, Name: x.record.Name, Key: strings.ToLower(x.record.Name), Interval: x.interval, ref: Ref{Record: slug, Metric: n.Metric}}
		if r, ok := s.Evidence(slug); ok && r.Kind == evidence.RepeatsRecord {
			x.to.Runs = x.of.Runs
		}
	}
	return row, nil
}

// tidyNotes lists what the rows' notes say, each once. One that all rows have
// needs no letter.
func (t *NumberTable) tidyNotes() {
	t.Notes = nil
	all := [][]NumberRow{t.Lead, t.Rest}
	for _, rows := range all {
		for i := range rows {
			k := slices.IndexFunc(t.Notes, func(n NumberNote) bool { return n.Text == rows[i].note })
			if k < 0 {
				k = len(t.Notes)
				t.Notes = append(t.Notes, NumberNote{letter(k), rows[i].note})
			}
			rows[i].Note, rows[i].Letter = k, letter(k)
		}
	}
	if len(t.Notes) != 1 {
		return
	}
	t.Notes[0].Letter = ""
	for _, rows := range all {
		for i := range rows {
			rows[i].Letter = ""
		}
	}
}

// letter is a, b and so on to z, then aa, ab.
func letter(k int) string {
	const letters = 26
	s := string(rune('a' + k%letters))
	if k >= letters {
		return letter(k/letters-1) + s
	}
	return s
}

// Sheets is the table as the rules for charts and tables see it: the figures of
// the two records below each other. What differs between them is said on the
// same page. Where there is no number there is no table.
func (c *Comparison) Sheets() []Sheet {
	if len(c.Numbers.Lead) == 0 {
		return nil
	}
	out := Sheet{ID: "numbers", Title: c.A.Slug + " and " + c.B.Slug, Ranked: true, Shown: Shown{What: OfRecords, Drawn: 2, Of: 2}, Words: []string{c.Sentence}}
	for _, p := range c.Parts {
		for _, d := range p.Rows {
			if p.State != compare.Same {
				out.Words = append(out.Words, d.Name+": "+d.A.Text+" · "+d.B.Text)
			}
		}
	}
	sides := []SheetRow{{Label: c.A.Slug, Record: c.A.Slug, Marks: c.A.marks()}, {Label: c.B.Slug, Record: c.B.Slug, Marks: c.B.marks()}}
	for _, r := range slices.Concat(c.Numbers.Lead, c.Numbers.Rest) {
		out.Columns = append(out.Columns, SheetColumn{Metric: r.Metric, Label: r.Label, Unit: r.Unit})
		sides[0].Cells, sides[1].Cells = append(sides[0].Cells, r.A.Cell), append(sides[1].Cells, r.B.Cell)
	}
	out.Groups = []SheetGroup{{Rows: sides}}
	return []Sheet{out}
}

// marks are the words beside a record's name.
func (c Compared) marks() []string { return append([]string{c.Class, c.About}, c.Hot...) }
