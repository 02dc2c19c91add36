package prose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"benchline/ingest/measure"
	"benchline/render/report"
)

// Evidence answers what the linter asks of a site's records. A [report.Set] does.
type Evidence interface {
	// Like lists the figures that a typed number may be, the likeliest first.
	Like(report.Typed) []report.Like
	// Versus is the verdict on two records by their slugs; false if one is missing.
	Versus(a, b string) (report.Versus, bool)
}

// Lint finds the performance figures of a page that were typed by hand and are
// neither marked nor taken from evidence, success shares whatever their
// source, and sentences that compare what the evidence does not let them. It
// names the figure of ev that a number may be. A nil ev is a site without records.
func (d Doc) Lint(ev Evidence) []Diagnostic {
	if d.root == nil {
		return nil
	}
	x := &reader{doc: d, md: d.src[d.body:], ev: ev}
	x.first, x.meaning = newLexicon()
	x.frontMatter()
	x.block(d.root, heads{}, everything)
	slices.SortStableFunc(x.out, func(a, b Diagnostic) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
	return slices.Compact(x.out)
}

// reader goes through a parsed page once and gathers what it finds.
type reader struct {
	doc     Doc
	md      []byte
	ev      Evidence
	first   lexicon
	meaning map[string]about
	out     []Diagnostic
	place   string // where a reference cannot stand: "heading"; else empty
}

// heads are the texts that say what a bare number below or beside them is: the
// head of a table's column and row, the term of a definition, the words that
// lead to a list.
type heads struct{ column, row []token }

// block looks at a node and all below it.
func (x *reader) block(n ast.Node, h heads, m mode) {
	switch n := n.(type) {
	case *passageNode:
		m = sharesOnly
	case *refNode:
		return
	case *ast.Heading:
		x.place = "heading"
		defer func() { x.place = "" }()
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		x.code(n, m)
		return
	case *east.Table:
		x.table(n, m)
		return
	}
	if c := n.FirstChild(); c != nil && c.Type() == ast.TypeInline {
		if _, alone := c.(*refNode); !alone || n.Kind() != ast.KindDocument {
			x.text(flatten(n, x.md), h, m)
			x.titles(n, m)
			return
		}
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		own := x.headOf(c, h)
		x.block(c, own, m)
		if c.Kind() == east.KindDefinitionDescription {
			h = own // of the term's further descriptions too
		}
	}
}

// headOf is what leads to a block: to a list the paragraph that ends in a
// colon before it, to a definition its term.
func (x *reader) headOf(n ast.Node, h heads) heads {
	switch n.Kind() {
	case ast.KindList, east.KindDefinitionDescription:
	default:
		return h
	}
	prev := n.PreviousSibling()
	if prev == nil || prev.Kind() == n.Kind() {
		return h
	}
	if k := prev.Kind(); k != ast.KindParagraph && k != ast.KindTextBlock && k != east.KindDefinitionTerm {
		return heads{}
	}
	ts := flatten(prev, x.md).tokens()
	switch {
	case prev.Kind() == east.KindDefinitionTerm:
		return heads{row: ts}
	case n.Kind() == ast.KindList && len(ts) > 0 && ts[len(ts)-1].is(":"):
		parts := sentences(ts)
		return heads{row: parts[len(parts)-1]}
	}
	return heads{}
}

// text looks at one piece of flat text.
func (x *reader) text(f *flat, h heads, m mode) {
	ts := f.tokens()
	for _, s := range sentences(ts) {
		for _, g := range x.figures(s, m) {
			x.report(f, g)
		}
		x.compared(f, s)
	}
	if g, ok := x.underHead(ts, h, m); ok {
		x.report(f, g...)
	}
}

// titles looks at the titles of links and pictures, which readers see when
// they point at them.
func (x *reader) titles(n ast.Node, m mode) {
	walk(n, func(c ast.Node) {
		var title []byte
		switch c := c.(type) {
		case *ast.Link:
			title = c.Title
		case *ast.Image:
			title = c.Title
		}
		if len(title) > 0 {
			x.place = "title of a link"
			x.text(flatString(decoded(title), max(c.Pos(), 0)), heads{}, m)
			x.place = ""
		}
	})
}

// code looks at a block of code, line by line. What is written in the language
// of programs or settings holds conditions, not results.
func (x *reader) code(n ast.Node, m mode) {
	if fenced, ok := n.(*ast.FencedCodeBlock); ok && m == everything {
		switch strings.ToLower(string(fenced.Language(x.md))) {
		case "", "text", "txt", "console", "output", "log", "plain", "markdown", "md", "csv", "none":
		default:
			m = unitsOnly
		}
	}
	x.place = "block of code"
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		f := &flat{}
		f.add(string(seg.Value(x.md)), seg.Start-seg.Padding, 1, said)
		x.text(f, heads{}, m)
	}
	x.place = ""
}

// frontMatter looks at what of the front matter stands on pages.
func (x *reader) frontMatter() {
	front, _, err := splitFront(x.doc.src)
	if err != nil || front == nil {
		return
	}
	x.place = "front matter"
	at := func(key, s string) {
		f := flatString(s, 0)
		for _, sentence := range sentences(f.tokens()) {
			for _, g := range x.figures(sentence, everything) {
				d := x.diagnostic(f, g)
				d.Line, d.Col = frontPlace(front, key, string(f.text[g.from:g.to]))
				x.out = append(x.out, d)
			}
		}
	}
	at("title", x.doc.front.Title)
	at("description", x.doc.front.Description)
	for _, s := range x.doc.front.Scope {
		at("scope", s)
	}
	for i, s := range x.doc.front.Sources {
		at(fmt.Sprintf("sources[%d]", i), s.Supports)
	}
	x.place = ""
}

// frontPlace finds a text of front matter at or after the line of its key.
func frontPlace(front []byte, key, s string) (line, col int) {
	from := keyLine(front, key)
	for i, text := range strings.Split(string(front), "\n") {
		if at := strings.Index(text, s); at >= 0 && i+2 >= from {
			return i + 2, at + 1
		}
	}
	return from, 1
}

// report adds diagnostics for figures.
func (x *reader) report(f *flat, gs ...figure) {
	for _, g := range gs {
		x.out = append(x.out, x.diagnostic(f, g))
	}
}

func (x *reader) diagnostic(f *flat, g figure) Diagnostic {
	text := strings.Join(strings.Fields(strings.ReplaceAll(string(f.text[g.from:g.to]), hole, "…")), " ")
	d := x.doc.at(f.at[g.from], "", "")
	switch g.kind {
	case successShare:
		d.Msg = fmt.Sprintf("%q is a share of success, which says nothing of requests that nobody saw end", text)
		d.Hint = "write how many of how many sent requests completed, and how many failed and were unresolved; no reference, mark or claim changes that"
	case failureShare:
		d.Msg = fmt.Sprintf("%q is an error rate without its counts", text)
		d.Hint = "write how many of how many sent requests failed, or mark it: " + marksHint
	case typedRatio:
		d.Msg = fmt.Sprintf("%q is a comparison of performance typed by hand", text)
		d.Hint = "name the two figures by {{ev RECORD METRIC}} or show {{compare A B}}; or mark it: " + marksHint
	case typedFigure:
		d.Msg = fmt.Sprintf("%q is a performance figure typed by hand", text)
		d.Hint = x.hint(g)
	}
	return d
}

const marksHint = "{{illustration TEXT}}, {{target TEXT}} or {{claim SOURCE TEXT}}"

// hint says which figure a number may be and what to write.
func (x *reader) hint(g figure) string {
	var like []report.Like
	if x.ev != nil {
		like = x.ev.Like(g.typed())
	}
	const most = 3
	var names []string
	for i, l := range like {
		if i == most {
			names = append(names, fmt.Sprintf("or one of %d more", len(like)-most))
			break
		}
		names = append(names, fmt.Sprintf("the %s of %s: write {{ev %s %s}}", l.Label, l.Record, l.Record, l.Metric))
	}
	var s string
	switch {
	case len(names) > 0:
		s = "it may be " + strings.Join(names, "; or ")
		s = strings.ReplaceAll(s, "; or or one", "; or one")
	case x.ev != nil:
		s = "no record has this value: mark it as " + marksHint + ", or ingest the run that it comes from"
	default:
		s = "name the figure by {{ev RECORD METRIC}}, or mark it as " + marksHint
	}
	if x.place != "" {
		s += "; a reference cannot stand in a " + x.place + ": move the figure into the text"
	}
	return s
}

// typed is a figure as a question to the evidence.
func (g figure) typed() report.Typed {
	t := report.Typed{Base: g.about.base, Stat: g.about.stat}
	add := func(factor float64) {
		for _, r := range g.num.scaled(factor) {
			t.Readings = append(t.Readings, report.Reading{X: r.x, Half: r.half})
		}
	}
	switch g.unit {
	case tokenRate:
		t.Quantities = []measure.Quantity{measure.OutputTokenRate, measure.TotalTokenRate}
	case requestRate:
		t.Quantities = []measure.Quantity{measure.RequestRate, measure.GoodRate}
	case perToken, seconds:
		t.Quantities = []measure.Quantity{measure.Time}
	case noUnit, percent, times:
		if g.about.topic == latency || g.about.topic == statistic {
			t.Quantities = []measure.Quantity{measure.Time}
		} else {
			t.Quantities = []measure.Quantity{measure.OutputTokenRate, measure.TotalTokenRate, measure.RequestRate, measure.GoodRate}
		}
	}
	if g.factor != 0 {
		add(g.factor)
		return t
	}
	add(1)
	if slices.Contains(t.Quantities, measure.Time) {
		add(1e-3)
	}
	return t
}
