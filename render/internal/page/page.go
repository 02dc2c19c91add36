// Package page makes the files of a page: HTML and its Markdown twin, from the
// same data, by two template sets.
//
// # How things get onto a page
//
// All text goes through the templates, which escape it: html/template by its
// own rules, the Markdown set by [escaped], which appends an escaper to every
// action that has none. Nothing is declared safe by conversion. The few pieces
// that are markup already, drawings and authored prose, are put in afterwards:
// a template writes a slot element, and the slot is replaced. No text of a
// record can make a slot, because its '<' is escaped.
package page

import (
	"bytes"
	"fmt"
	htmltemplate "html/template"
	"io/fs"
	"path"
	"strconv"
	"sync"
	texttemplate "text/template"

	"benchline/ingest/measure"
	"benchline/render/internal/figurelint"
	"benchline/render/report"
)

// Site is what all pages share.
type Site struct {
	Title       string
	Description string
	Author      string
	Licence     string
	Base        string // address of the site, ending in '/'; empty: not known
	Tool        string // the program and its version
	Archive     bool   // the site has the built-in archive's pages
	Packs       bool   // the site has committee packs
	Bare        bool   // the site has no records: nothing that would only list none is on it
	// Terms are the words of a headline with the pages that explain them, as seen
	// from the site's root.
	Terms []report.Link
	// Aside are the rules for charts and tables that are set aside, and Rules
	// whether the site has the page that explains them.
	Aside []figurelint.Aside
	Rules bool
}

// Output is the two files of a page.
type Output struct {
	HTML, Markdown []byte
}

// Renderer holds the parsed templates. It is safe for use by several goroutines.
type Renderer struct {
	site    Site
	html    *htmltemplate.Template
	md      *texttemplate.Template
	buffers sync.Pool // of *bytes.Buffer: pages are large, and there are many
}

func (r *Renderer) buffer() *bytes.Buffer {
	if b, ok := r.buffers.Get().(*bytes.Buffer); ok {
		b.Reset()
		return b
	}
	return new(bytes.Buffer)
}

// New parses html/*.html and md/*.md of the template files.
func New(fsys fs.FS, site Site) (*Renderer, error) {
	base := func() string { return site.Base }
	h, err := htmltemplate.New("").Funcs(htmltemplate.FuncMap{"base": base, "counted": measure.Counted[int]}).ParseFS(fsys, "html/*.html")
	if err != nil {
		return nil, fmt.Errorf("reading the page templates: %w", err)
	}
	m, err := texttemplate.New("").Funcs(markdownFuncs()).Funcs(texttemplate.FuncMap{"base": base, "counted": measure.Counted[int]}).ParseFS(fsys, "md/*.md")
	if err != nil {
		return nil, fmt.Errorf("reading the Markdown templates: %w", err)
	}
	if err := escaped(m); err != nil {
		return nil, err
	}
	return &Renderer{site: site, html: h, md: m}, nil
}

// Meta is what the frame of a page shows.
type Meta struct {
	Site        Site
	Tool        string
	Title       string
	Description string
	Canonical   string
	Root        string   // the way to the site's root: "" or "../"
	Styles      []string // style sheets of the page's own, as seen from it
	Twin        string   // the Markdown file beside it
	Section     string
	Menu        []report.Link
	Crumbs      []report.Link
	TOC         []report.Link
	Dates       []report.Link // revision and dates of an authored page
	Data        []report.Link
}

// view is what a template is given.
type view struct {
	Meta        Meta
	Data        any
	Charts      map[string]chartView
	Rules       map[string][]ruleNote // beside tables, by their IDs
	All         simulated
	Entries     report.EntryList
	Simulated   *simulated
	Body        int
	BodyText    string // the body of the Markdown twin, made by package prose
	Occurrences *report.Occurrences
	Scope       []string
	Sources     []RegisterLine
	Errata      []Erratum
	Pairs       pairList
	Notes       []report.NoteGroup
	Cite        string // how an authored page is cited; empty: not to be
}

// simulated says how much of a page comes from a simulated endpoint.
type simulated struct {
	All   bool
	N, Of int
}

// slots are pieces of markup that are put in after the templates have run: by
// number, or by name where a template asks for the same piece many times.
type slots struct {
	pieces [][]byte
	named  map[string][]byte
}

func (s *slots) add(b []byte) int {
	s.pieces = append(s.pieces, b)
	return len(s.pieces) - 1
}

func (s *slots) name(n string, b []byte) {
	if s.named == nil {
		s.named = map[string][]byte{}
	}
	s.named[n] = b
}

// find is the piece of a slot, and whether there is one.
func (s *slots) find(n string) ([]byte, bool) {
	if b, ok := s.named[n]; ok {
		return b, true
	}
	i, err := strconv.Atoi(n)
	if err != nil || i < 0 || i >= len(s.pieces) {
		return nil, false
	}
	return s.pieces[i], true
}

const (
	slotOpen  = `<benchline-slot n="`
	slotClose = `"></benchline-slot>`
)

// fill replaces the slots. A slot without a piece is an error: a template asked
// for something that the page has not got.
func (s *slots) fill(page []byte) ([]byte, error) {
	size := len(page) + bytes.Count(page, []byte(slotOpen))*len(s.named["outcomes"])
	for _, p := range s.pieces {
		size += len(p)
	}
	out := make([]byte, 0, size)
	for {
		before, rest, found := bytes.Cut(page, []byte(slotOpen))
		out = append(out, before...)
		if !found {
			return out, nil
		}
		n, after, ok := bytes.Cut(rest, []byte(slotClose))
		piece, found := s.find(string(n))
		if !ok || !found {
			return nil, fmt.Errorf("a template has a slot %q that nothing fills", n)
		}
		out = append(out, piece...)
		page = after
	}
}

// render executes both templates of a name.
func (r *Renderer) render(name string, v view, s *slots) (Output, error) {
	h, m := r.buffer(), r.buffer()
	defer r.buffers.Put(h)
	defer r.buffers.Put(m)
	if err := r.html.ExecuteTemplate(h, name, v); err != nil {
		return Output{}, fmt.Errorf("making the page %q: %w", v.Meta.Title, err)
	}
	full, err := s.fill(h.Bytes())
	if err != nil {
		return Output{}, fmt.Errorf("making the page %q: %w", v.Meta.Title, err)
	}
	if err := r.md.ExecuteTemplate(m, name, v); err != nil {
		return Output{}, fmt.Errorf("making the Markdown twin of %q: %w", v.Meta.Title, err)
	}
	return Output{HTML: full, Markdown: tidyMarkdown(m.Bytes())}, nil
}

// meta fills the frame of the page at a path like "records/a.html".
func (r *Renderer) meta(file, section, title, description string) Meta {
	m := Meta{Site: r.site, Tool: r.site.Tool, Title: title, Description: description, Section: section, Menu: menu(r.site),
		Twin: path.Base(file[:len(file)-len(path.Ext(file))]) + ".md"}
	for range bytes.Count([]byte(file), []byte("/")) {
		m.Root += "../"
	}
	if r.site.Base != "" {
		m.Canonical = r.site.Base + file
	}
	return m
}

// menu is the site's sections.
func menu(s Site) []report.Link {
	words := []report.Link{{Text: "Limits", Href: "limits/index.html"}, {Text: "Methodology", Href: "methodology/index.html"}}
	if s.Bare {
		return words
	}
	sections := []report.Link{{Text: "Families", Href: "families/index.html"}, {Text: "Records", Href: "records/index.html"}, {Text: "Profiles", Href: "profiles/index.html"}}
	sections = append(append(sections, words...), report.Link{Text: BrowseSection, Href: "browse/index.html"})
	if s.Packs {
		sections = append(sections, report.Link{Text: PacksSection, Href: "packs/index.html"})
	}
	if s.Archive {
		sections = append(sections, report.Link{Text: "Archive", Href: "archive/overview.html"})
	}
	return sections
}
