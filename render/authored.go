package render

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"benchline/ingest/evidence"
	"benchline/render/internal/page"
	"benchline/render/internal/prose"
	"benchline/render/report"
)

// authored adds the pages that people wrote: one for each limit code, the
// methodology, and any other. Files that are no pages are copied beside them.
func (p *planner) authored() error {
	var methodology []page.Entry
	if p.in.Content != nil {
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
			if entry := p.authoredPage(name, src); path.Dir(name) == "methodology" {
				methodology = append(methodology, entry)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("reading the authored pages: %w", err)
		}
	}
	methodology = append(methodology, page.SameWordEntry())
	parts := []string{"methodology", p.common}
	for _, e := range methodology {
		parts = append(parts, e.Title, e.Description, e.Href)
	}
	p.add("methodology/index", key(parts...), func() ([]file, error) {
		o, err := p.pages.Methodology(methodology)
		return pageFiles("methodology/index", o), err
	})
	return nil
}

func (p *planner) authoredPage(name string, src []byte) page.Entry {
	stem := strings.TrimSuffix(name, ".md")
	shown := "content/" + name
	for _, element := range strings.Split(stem, "/") {
		if !evidence.IsSlug(element) {
			p.notes = append(p.notes, Diagnostic{File: shown, Msg: fmt.Sprintf("%q cannot be part of an address", element),
				Hint: "lower-case ASCII letters, digits, '-' and '.'; not \"index\""})
		}
	}
	doc, found := prose.Parse(shown, src)
	p.notes = append(p.notes, diagnostics(found)...)
	front := doc.Front()
	entry := page.Entry{Title: front.Title, Description: front.Description, Href: path.Base(stem) + ".html"}
	if entry.Title == "" {
		entry.Title = firstHeading(doc, path.Base(stem))
	}
	parts := []string{"authored", p.common, name, string(src)}
	if code, ok := strings.CutPrefix(stem, "limits/"); ok {
		parts = append(parts, p.set.OccurrencesOn(evidence.Code(code))...)
	}
	if len(doc.References()) > 0 {
		parts = append(parts, p.all)
	}
	p.add(stem, key(parts...), func() ([]file, error) { return p.authoredFiles(doc, stem, entry) })
	return entry
}

func firstHeading(doc prose.Doc, or string) string {
	for _, h := range doc.Headings() {
		return h.Text
	}
	return or
}

func (p *planner) authoredFiles(doc prose.Doc, stem string, entry page.Entry) ([]file, error) {
	front := doc.Front()
	root := strings.Repeat("../", strings.Count(stem, "/"))
	find := p.pages.Resolver(p.set, root)
	resolve := prose.ResolverFunc(func(r prose.Reference) (prose.Resolved, error) {
		switch r.Kind {
		case prose.Ev:
			h, m, err := find.Figure(r.Args[0], r.Args[1])
			return prose.Resolved{HTML: h, Markdown: m}, err
		case prose.Headline:
			h, m, err := find.Headline(r.Args[0], r.Args[1])
			return prose.Resolved{HTML: h, Markdown: m}, err
		case prose.Table, prose.Chart, prose.Compare, prose.Illustration, prose.Target, prose.Claim:
		}
		return prose.Resolved{}, fmt.Errorf("a reference of the kind %q cannot be shown yet", r.Kind)
	})
	html, faults := doc.HTML(resolve)
	if len(faults) > 0 {
		return nil, Faults(diagnostics(faults))
	}
	markdown, _ := doc.Markdown(resolve) // has the same faults
	x := page.Prose{File: stem + ".html", Section: section(stem), Title: entry.Title, Description: entry.Description,
		Canonical: front.Canonical, Revision: front.Revision, Published: front.Published, Reviewed: front.Reviewed,
		Scope: front.Scope, HTML: html, Markdown: markdown}
	for _, s := range front.Sources {
		x.Sources = append(x.Sources, page.RegisterLine{Name: s.Name, Address: s.Address, Supports: s.Supports, Published: s.Published, Verified: s.Verified})
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
		out = append(out, Diagnostic{File: d.File, Line: d.Line, Msg: d.Msg, Hint: d.Hint})
	}
	return out
}
