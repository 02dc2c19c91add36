package page

import (
	"fmt"

	"benchline/render/report"
)

// comparedView is a comparison with what the rules say of its numbers.
type comparedView struct {
	*report.Comparison
	Rules map[string][]ruleNote
}

// Comparison makes the page on two records. Data is the path of the same for
// machines.
func (r *Renderer) Comparison(set *report.Set, a, b, stem, data string) (Output, error) {
	const root = "../"
	c, err := set.Comparison(a, b, root)
	if err != nil {
		return Output{}, err
	}
	notes, err := set.Footnotes(c.Refs(), root)
	if err != nil {
		return Output{}, err
	}
	c.Mark(notes)
	title := c.A.Link.Text + " against " + c.B.Link.Text
	m := r.meta(stem+".html", BrowseSection, title, fmt.Sprintf("What a comparison of the records %s and %s means: %s.", a, b, c.Kind))
	m.Crumbs = []report.Link{{Text: BrowseSection, Href: "../browse/index.html"}, {Text: "Comparisons", Href: "index.html"}, {Text: a + " against " + b}}
	m.Data = []report.Link{{Text: "JSON lines", Href: root + data}}
	m.TOC = comparisonContents(c, notes)
	rules, err := r.judge(m, stem, nil, c.Sheets()...)
	if err != nil {
		return Output{}, err
	}
	v := view{Meta: m, Data: comparedView{c, rules}, Notes: notes.Groups(), All: someOf(c.Simulated, len([]string{a, b}))}
	return r.render("comparison", v, &slots{})
}

func comparisonContents(c *report.Comparison, notes *report.Footnotes) []report.Link {
	toc := []report.Link{{Text: "Verdict", Href: "#verdict"}}
	if len(c.Numbers.Lead) > 0 {
		toc = append(toc, report.Link{Text: "In numbers", Href: "#numbers"})
	}
	for _, p := range c.Parts {
		toc = append(toc, report.Link{Text: fmt.Sprintf("%s (%d)", p.Title, len(p.Rows)), Href: "#" + p.ID})
	}
	toc = append(toc, report.Link{Text: "Metric by metric", Href: "#metrics"})
	if len(notes.Groups()) > 0 {
		toc = append(toc, report.Link{Text: "What limits these figures", Href: "#limits.of.figures"})
	}
	return toc
}

// Comparisons makes the list of all comparisons.
func (r *Renderer) Comparisons(list []report.ComparisonEntry) (Output, error) {
	m := r.meta("compare/index.html", BrowseSection, "Comparisons", "The pairs of records that this site compares, each with its verdict.")
	m.Crumbs = []report.Link{{Text: BrowseSection, Href: "../browse/index.html"}, {Text: "Comparisons"}}
	return r.render("comparisons", view{Meta: m, Data: pairList{"../", list}}, &slots{})
}

// pairList is comparisons in a list, as seen from a page.
type pairList struct {
	Root  string
	Pairs []report.ComparisonEntry
}

// Compare is the verdict on two records, with the numbers that a paragraph has
// room for, as HTML and Markdown.
func (x *Resolver) Compare(a, b string) (html, markdown []byte, err error) {
	if x.notes == nil {
		return nil, nil, errPlain("a comparison")
	}
	c, err := x.compared(a, b)
	if err != nil {
		return nil, nil, err
	}
	c.Mark(x.notes)
	x.shown[a], x.shown[b] = true, true
	data := comparedView{Comparison: c}
	if data.Rules, err = x.judge(nil, c.Sheets()...); err != nil {
		return nil, nil, err
	}
	return x.r.both("compared", data, &slots{})
}

// compared is a comparison as it stands on an authored page.
func (x *Resolver) compared(a, b string) (*report.Comparison, error) {
	c, err := x.set.Comparison(a, b, x.root)
	if err != nil {
		return nil, err
	}
	stem, err := report.ComparisonStem(a, b)
	if err != nil {
		return nil, err
	}
	c.Page = x.root + stem + ".html"
	c.Short()
	return c, nil
}
