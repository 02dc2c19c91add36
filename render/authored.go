package render

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/render/internal/page"
	"benchline/render/internal/prose"
	"benchline/render/report"
)

// authoredDoc is a page that somebody wrote, read.
type authoredDoc struct {
	stem  string // its path without the ending
	src   string
	doc   prose.Doc
	entry page.Entry
}

// readAuthored reads the pages that people wrote: one for each limit code, the
// methodology, and any other. Files that are no pages are copied beside them.
func (p *planner) readAuthored() ([]authoredDoc, error) {
	var docs []authoredDoc
	if p.in.Content == nil {
		return docs, nil
	}
	err := fs.WalkDir(p.in.Content, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".go") {
			return err
		}
		src, err := fs.ReadFile(p.in.Content, name)
		if err != nil {
			return err
		}
		if path.Ext(name) != ".md" {
			p.add(name, key("beside", name, string(src)), func() ([]file, error) { return []file{{path: name, body: src}}, nil })
			return nil
		}
		docs = append(docs, p.readPage(name, src))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the authored pages: %w", err)
	}
	return docs, nil
}

// methodology is the reading order of the methodology, and the words of
// headlines with the pages that explain them, as seen from the site's root.
func methodology(docs []authoredDoc) (parts []page.Part, terms []report.Link) {
	entries := []page.Entry{page.SameWordEntry()}
	for _, d := range docs {
		if path.Dir(d.stem) == "methodology" {
			entries = append(entries, d.entry)
		}
	}
	parts = page.Reading(entries)
	for _, part := range parts {
		for _, e := range part.Pages {
			if e.Term != "" {
				terms = append(terms, report.Link{Text: e.Term, Href: "methodology/" + e.Href})
			}
		}
	}
	return parts, terms
}

// authored adds the authored pages and the list of the methodology.
func (p *planner) authored(docs []authoredDoc, parts []page.Part) {
	keys := []string{"methodology", p.common}
	for _, part := range parts {
		keys = append(keys, "part", part.Title)
		for _, e := range part.Pages {
			keys = append(keys, e.Title, e.Description, e.Href)
		}
	}
	p.page("methodology/index", key(keys...), func() (page.Output, error) { return p.pages.Methodology(parts) })
	for _, d := range docs {
		var prev, next *report.Link
		if path.Dir(d.stem) == "methodology" {
			prev, next = neighbours(parts, d.entry.Href)
		}
		p.authoredPage(d, prev, next)
	}
}

// neighbours are the pages before and after one in the reading order.
func neighbours(parts []page.Part, href string) (prev, next *report.Link) {
	var order []page.Entry
	for _, p := range parts {
		order = append(order, p.Pages...)
	}
	at := slices.IndexFunc(order, func(e page.Entry) bool { return e.Href == href })
	if at > 0 {
		prev = &report.Link{Text: order[at-1].Title, Href: order[at-1].Href}
	}
	if at >= 0 && at+1 < len(order) {
		next = &report.Link{Text: order[at+1].Title, Href: order[at+1].Href}
	}
	return prev, next
}

func (p *planner) readPage(name string, src []byte) authoredDoc {
	stem := strings.TrimSuffix(name, ".md")
	shown := "content/" + name
	for _, element := range strings.Split(stem, "/") {
		if !evidence.IsSlug(element) {
			p.notes = append(p.notes, Diagnostic{File: shown, Msg: fmt.Sprintf("%q cannot be part of an address", element),
				Hint: "lower-case ASCII letters, digits, '-' and '.'; not \"index\""})
		}
	}
	doc, found := prose.Parse(shown, src)
	found = append(found, doc.Lint(p.set)...)
	slices.SortStableFunc(found, func(a, b prose.Diagnostic) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
	p.notes = append(p.notes, diagnostics(found)...)
	front := doc.Front()
	entry := page.Entry{Title: front.Title, Description: front.Description, Href: path.Base(stem) + ".html", Part: front.Part, Order: front.Order, Term: front.Term}
	if entry.Title == "" {
		entry.Title = firstHeading(doc, path.Base(stem))
	}
	return authoredDoc{stem: stem, src: string(src), doc: doc, entry: entry}
}

func (p *planner) authoredPage(d authoredDoc, prev, next *report.Link) {
	parts := []string{"authored", p.common, d.stem, d.src, linkText(prev), linkText(next)}
	if code, ok := strings.CutPrefix(d.stem, "limits/"); ok {
		parts = append(parts, p.set.OccurrencesOn(evidence.Code(code))...)
	}
	if len(d.doc.References()) > 0 {
		parts = append(parts, p.all)
	}
	p.add(d.stem, key(parts...), func() ([]file, error) { return p.authoredFiles(d, prev, next) })
}

func firstHeading(doc prose.Doc, or string) string {
	for _, h := range doc.Headings() {
		return h.Text
	}
	return or
}

func (p *planner) authoredFiles(d authoredDoc, prev, next *report.Link) ([]file, error) {
	doc, stem := d.doc, d.stem
	front := doc.Front()
	figures, err := p.pages.Resolver(p.set, stem, asks(doc))
	if err != nil {
		return nil, err
	}
	resolve := once(figures)
	html, faults := doc.HTML(resolve)
	if len(faults) > 0 {
		return nil, Faults(diagnostics(faults))
	}
	markdown, _ := doc.Markdown(resolve) // has the same faults
	x := page.Prose{File: stem + ".html", Section: section(stem), Title: d.entry.Title, Description: d.entry.Description,
		Canonical: front.Canonical, Revision: front.Revision, Published: front.Published, Reviewed: front.Reviewed,
		Scope: front.Scope, HTML: html, Markdown: markdown, Figures: figures, Prev: prev, Next: next}
	for _, s := range front.Sources {
		x.Sources = append(x.Sources, page.RegisterLine{Anchor: s.Anchor(), Name: s.Name, Address: s.Address, Supports: s.Supports, Published: s.Published, Verified: s.Verified})
	}
	for i, h := range doc.Headings() {
		if h.Level == 1 {
			x.HasTitle = x.HasTitle || i == 0
			continue
		}
		if h.Level == 2 {
			x.Contents = append(x.Contents, report.Link{Text: h.Text, Href: "#" + h.ID})
		}
	}
	if code, ok := strings.CutPrefix(stem, "limits/"); ok {
		if _, known := evidence.Info(evidence.Code(code)); known {
			o := p.set.Occurrences(evidence.Code(code))
			x.Set, x.Occurrences = p.set, &o
		}
	}
	o, err := p.pages.Prose(x)
	return pageFiles(stem, o), err
}

// section is the part of the site to which a page belongs.
func section(stem string) string {
	switch path.Dir(stem) {
	case "limits":
		return "Limits"
	case "methodology":
		return "Methodology"
	case "archive":
		return "Archive"
	}
	return ""
}

func diagnostics(found []prose.Diagnostic) []Diagnostic {
	out := make([]Diagnostic, 0, len(found))
	for _, d := range found {
		out = append(out, Diagnostic{File: d.File, Line: d.Line, Col: d.Col, Msg: d.Msg, Hint: d.Hint})
	}
	return out
}
