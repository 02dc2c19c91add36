package verify

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// A comparison of two records is given again from the records, by the rules of
// ingest/compare, and held against the page:
//
//	<… class="comparison" data-a data-b data-kind>                 with data-part="verdict"
//	<… class="comparison whole" …>                                 the page on the pair: nothing may be left out
//	<tr class="dimension" data-key data-state>                      the words of both sides
//	<tr class="judged" data-metric data-comparable>                 how two figures go together
//	<tr class="number" data-metric data-note>                       data-part="change", "relative", "interval", "test"
//	<data class="compared" value>                                   the difference or ratio itself
//	<… class="numbernote">                                          the notes of the rows, in order
//
// That finds a page that was changed, not a rule that is wrong: the rules are
// the program's own on both sides, and their tests stand beside them.

// again is the comparison of two records as the rules give it.
type again struct {
	a, b    *evidence.Record
	verdict compare.Verdict
	numbers []compare.Number
}

func (v *verifier) compareAgain(a, b string) (again, error) {
	for _, slug := range []string{a, b} {
		if _, ok := v.records[slug]; !ok {
			return again{}, fmt.Errorf("names record %q, which is not in %s", slug, recordsFile)
		}
	}
	x := again{a: v.records[a], b: v.records[b]}
	x.verdict = compare.Compare(*x.a, *x.b)
	x.numbers = compare.NumbersOf(x.verdict, *x.a, *x.b, func(slug string) (evidence.Record, bool) {
		r, ok := v.records[slug]
		if !ok {
			return evidence.Record{}, false
		}
		return *r, true
	})
	return x, nil
}

// comparison checks one element with a verdict.
func (c *checker) comparison(n *html.Node) {
	c.v.count(&c.v.report.Comparisons, 1)
	what := fmt.Sprintf("the comparison of %s and %s", attr(n, "data-a"), attr(n, "data-b"))
	x, err := c.v.compareAgain(attr(n, "data-a"), attr(n, "data-b"))
	if err != nil {
		c.fault("%s: %v", what, err)
		return
	}
	if hasClass(n, "whole") || hasClass(n, "brief") { // a list shows nothing of the records
		c.page.records[x.a.Slug], c.page.records[x.b.Slug] = true, true
	}
	if got := attr(n, "data-kind"); got != string(x.verdict.Kind) {
		c.fault("%s is %q, it should be %q", what, got, x.verdict.Kind)
	}
	c.same(what, "its verdict", part(n, "verdict"), x.verdict.Sentence)
	k := comparedParts{c: c, what: what, x: x, seen: map[string]int{}}
	visit(n, func(e *html.Node) {
		switch {
		case hasClass(e, "dimension"):
			k.dimension(e)
		case hasClass(e, "judged"):
			k.judged(e)
		case hasClass(e, "number"):
			k.number(e)
		case hasClass(e, "numbernote"):
			k.notes = append(k.notes, text(e))
		}
	})
	k.noted()
	if hasClass(n, "whole") {
		c.page.whole = true
		k.whole(n)
	}
}

// same holds a text of the page against what it should be.
func (c *checker) same(what, of string, n *html.Node, want string) {
	want = strings.Join(strings.Fields(want), " ")
	if n == nil {
		if want != "" {
			c.fault("%s: %s is missing, it should be %q", what, of, want)
		}
		return
	}
	if got := text(n); got != want {
		c.fault("%s: %s is %q, it should be %q", what, of, got, want)
	}
}

// part is the first element below a node that is named as a part.
func part(n *html.Node, name string) *html.Node {
	var found *html.Node
	visit(n, func(e *html.Node) {
		if found == nil && attr(e, "data-part") == name {
			found = e
		}
	})
	return found
}

// cells are the <td> of a row.
func cells(row *html.Node) []*html.Node {
	var out []*html.Node
	visit(row, func(e *html.Node) {
		if e.DataAtom == atom.Td {
			out = append(out, e)
		}
	})
	return out
}

// comparedParts checks what stands in one comparison.
type comparedParts struct {
	c     *checker
	what  string
	x     again
	seen  map[string]int // "dimension KEY", "metric ID", "number ID" -> how often
	notes []string
	rows  []notedRow
}

// notedRow is a row of numbers with the note that it should have.
type notedRow struct {
	metric measure.MetricID
	note   string // index, as the page has it
	want   string
}

func (k *comparedParts) dimension(row *html.Node) {
	key := attr(row, "data-key")
	i := slices.IndexFunc(k.x.verdict.Dimensions, func(d compare.Dimension) bool { return d.Key == key })
	if i < 0 {
		k.c.fault("%s has a dimension %q, which the records do not have", k.what, key)
		return
	}
	k.seen["dimension "+key]++
	d := k.x.verdict.Dimensions[i]
	if got := attr(row, "data-state"); got != string(d.State) {
		k.c.fault("%s: the %s is shown as %q, it should be %q", k.what, d.Name, got, d.State)
	}
	if tds := cells(row); len(tds) == 2 {
		k.c.same(k.what, "the "+d.Name+" of A", tds[0], d.A)
		k.c.same(k.what, "the "+d.Name+" of B", tds[1], d.B)
	} else {
		k.c.fault("%s: the %s has %d cells, and two records", k.what, d.Name, len(tds))
	}
}

func (k *comparedParts) judged(row *html.Node) {
	id := attr(row, "data-metric")
	i := slices.IndexFunc(k.x.verdict.Figures, func(m compare.Metric) bool { return string(m.Metric) == id })
	if i < 0 {
		k.c.fault("%s judges the metric %q, which neither record has", k.what, id)
		return
	}
	k.seen["metric "+id]++
	m := &k.x.verdict.Figures[i]
	if got, want := attr(row, "data-comparable"), strconv.FormatBool(m.Comparable()); got != want {
		k.c.fault("%s: %s has data-comparable=%q, it should be %q", k.what, id, got, want)
	}
	if tds := cells(row); len(tds) == 1 {
		k.c.same(k.what, "what is said of "+id, tds[0], m.Words())
	} else {
		k.c.fault("%s: %s is judged in %d cells, not in one", k.what, id, len(tds))
	}
}

// number checks a row of numbers. The figures of both records in it are figures
// like any other.
func (k *comparedParts) number(row *html.Node) {
	c, id := k.c, attr(row, "data-metric")
	i := slices.IndexFunc(k.x.numbers, func(n compare.Number) bool { return string(n.Metric) == id })
	if i < 0 {
		c.fault("%s gives a number for %q, which its verdict does not allow", k.what, id)
		return
	}
	c.v.count(&c.v.report.Compared, 1)
	k.seen["number "+id]++
	n := &k.x.numbers[i]
	s := n.Show()
	for _, p := range []struct{ name, want string }{{"change", s.Change}, {"relative", s.Relative}, {"interval", s.Interval}, {"test", s.P},
		{"interval-a", s.IntervalA}, {"interval-b", s.IntervalB}} {
		c.same(k.what, "the "+p.name+" of "+id, part(row, p.name), p.want)
	}
	want := ""
	if x, ok := n.Value(); ok {
		want = strconv.FormatFloat(x, 'g', -1, 64)
	}
	got := ""
	visit(row, func(e *html.Node) {
		if e.DataAtom == atom.Data && hasClass(e, "compared") {
			got += attr(e, "value")
		}
	})
	if got != want {
		c.fault("%s: the number for %s has the value %q, it should be %q", k.what, id, got, want)
	}
	for _, slug := range []string{k.x.a.Slug, k.x.b.Slug} {
		if !hasFigure(row, slug, id) {
			c.fault("%s gives a number for %s without the figure of %s", k.what, id, slug)
		}
	}
	k.rows = append(k.rows, notedRow{n.Metric, attr(row, "data-note"), strings.Join(strings.Fields(n.Note()), " ")})
}

func hasFigure(row *html.Node, slug, id string) bool {
	found := false
	visit(row, func(e *html.Node) {
		found = found || hasClass(e, "figure") && attr(e, "data-record") == slug && attr(e, "data-metric") == id
	})
	return found
}

// noted holds that each row of numbers has its note.
func (k *comparedParts) noted() {
	for _, r := range k.rows {
		i, err := strconv.Atoi(r.note)
		if err != nil || i < 0 || i >= len(k.notes) {
			k.c.fault("%s: the number for %s has no note, it should have %q", k.what, r.metric, r.want)
		} else if k.notes[i] != r.want {
			k.c.fault("%s: the note on %s is %q, it should be %q", k.what, r.metric, k.notes[i], r.want)
		}
	}
}

// whole holds that the page on a pair leaves nothing out and says nothing twice.
func (k *comparedParts) whole(n *html.Node) {
	var want []string
	for _, d := range k.x.verdict.Dimensions {
		want = append(want, "dimension "+d.Key)
	}
	for _, m := range k.x.verdict.Figures {
		want = append(want, "metric "+string(m.Metric))
	}
	for _, m := range k.x.numbers {
		want = append(want, "number "+string(m.Metric))
	}
	for _, w := range want {
		if times := k.seen[w]; times != 1 {
			k.c.fault("%s has the %s %d times, not once", k.what, w, times)
		}
	}
	var needs []string
	if list := part(n, "needs"); list != nil {
		visit(list, func(e *html.Node) {
			if e.DataAtom == atom.Li {
				needs = append(needs, text(e))
			}
		})
	}
	if !slices.Equal(needs, k.x.verdict.Needs) {
		k.c.fault("%s: what would have to be known is %q, it should be %q", k.what, needs, k.x.verdict.Needs)
	}
	visit(n, func(e *html.Node) {
		if hasClass(e, "figure") && !inNumber(e) {
			k.c.fault("%s shows the figure %s of %s, which is in no row of its numbers", k.what, attr(e, "data-metric"), attr(e, "data-record"))
		}
	})
	k.lines()
}

// lines holds the file for machines beside the page against the same, byte by byte.
func (k *comparedParts) lines() {
	name := "data/" + strings.TrimSuffix(k.c.name, ".html") + ".jsonl"
	got, err := os.ReadFile(k.c.v.path(name))
	if err != nil {
		k.c.fault("%s has no %s beside it", k.what, name)
		return
	}
	var want bytes.Buffer
	if err := compare.WriteLines(&want, k.x.verdict, *k.x.a, *k.x.b, k.x.numbers); err != nil {
		k.c.fault("%s: %v", k.what, err)
		return
	}
	have, should := strings.Split(string(got), "\n"), strings.Split(want.String(), "\n")
	if len(have) != len(should) {
		k.c.v.mismatch(name, "has %d lines, it should have %d", len(have), len(should))
		return
	}
	for i, line := range have {
		if line != should[i] {
			for _, d := range differences([]byte(line), []byte(should[i])) {
				k.c.v.mismatch(name, "line %d: %s", i+1, d)
			}
		}
	}
}
