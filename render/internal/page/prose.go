package page

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"benchline/render/report"
)

// RegisterLine is one line of a page's source register. Anchor is its ID, empty
// where nothing of the page refers to it.
type RegisterLine struct {
	Anchor, Name, Address, Supports, Published, Verified string
}

// Prose is an authored page, rendered by package prose.
type Prose struct {
	File        string // its path in the site: "methodology/windows.html"
	Section     string
	Title       string
	Description string
	Canonical   string // its own address, where the author gave one
	Revision    int64
	Published   string
	Reviewed    string
	Scope       []string
	Sources     []RegisterLine
	HTML        []byte
	Markdown    []byte
	HasTitle    bool // the body begins with the title
	Contents    []report.Link
	// Prev and Next are its neighbours in a reading order, as seen from the page.
	Prev, Next *report.Link
	// Figures made what the page asks for; nil if it asks for nothing.
	Figures *Resolver
	// Set and Occurrences are given for the page of a limit code.
	Set         *report.Set
	Occurrences *report.Occurrences
}

// Prose makes an authored page.
func (r *Renderer) Prose(p Prose) (Output, error) {
	m := r.meta(p.File, p.Section, p.Title, p.Description)
	if p.Canonical != "" {
		m.Canonical = r.canonical(p.Canonical)
	}
	m.TOC = contents(p)
	if p.Section != "" {
		m.Crumbs = []report.Link{{Text: p.Section, Href: first(p.Section)}, {Text: p.Title}}
	}
	if p.Revision > 0 {
		m.Dates = append(m.Dates, report.Link{Text: fmt.Sprintf("Revision %d", p.Revision)})
	}
	m.Dates = append(m.Dates, dated("published", p.Published), dated("reviewed", p.Reviewed))
	v := view{Meta: m, Data: p, Occurrences: p.Occurrences, Scope: p.Scope, Sources: p.Sources, BodyText: string(p.Markdown), Cite: cite(m, p)}
	if p.Figures != nil {
		v.Notes, v.Simulated = p.Figures.Notes(), p.Figures.simulated()
	}
	if len(v.Notes) > 0 {
		v.Meta.TOC = append(v.Meta.TOC, report.Link{Text: "What limits these figures", Href: "#limits.of.figures"})
	}
	if p.Occurrences != nil {
		v.Entries = p.Occurrences.Records
		var err error
		v.Rules, err = r.judge(m, strings.TrimSuffix(p.File, ".html"), nil, v.Entries.Sheet(elsewhere(p.Occurrences.Total-len(v.Entries.Entries))...))
		if err != nil {
			return Output{}, err
		}
	}
	var s slots
	v.Body = s.add(p.HTML)
	return r.render("prose", v, &s)
}

// contents are the sections of the author and those that follow from the front
// matter. A page without sections of its own has no list of them.
func contents(p Prose) []report.Link {
	toc := p.Contents
	if len(toc) == 0 {
		return nil
	}
	if len(p.Scope) > 0 {
		toc = append(toc, report.Link{Text: "Scope and limitations", Href: "#scope"})
	}
	if len(p.Sources) > 0 {
		toc = append(toc, report.Link{Text: "Sources", Href: "#sources"})
	}
	return toc
}

// cite is how a page with a revision is cited, in one line; empty for another.
func cite(m Meta, p Prose) string {
	if p.Revision == 0 {
		return ""
	}
	parts := []string{"“" + p.Title + "”"}
	for _, part := range []string{m.Site.Author, m.Site.Title} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	parts = append(parts, fmt.Sprintf("revision %d", p.Revision))
	for _, d := range []struct{ what, date string }{{"published", p.Published}, {"reviewed", p.Reviewed}} {
		if d.date != "" {
			parts = append(parts, d.what+" "+d.date)
		}
	}
	if m.Canonical != "" {
		parts = append(parts, m.Canonical)
	}
	return strings.Join(parts, ", ") + "."
}

func dated(what, date string) report.Link {
	if date == "" {
		date = "date not stated"
	}
	return report.Link{Text: what + " " + date}
}

// canonical completes an author's address: a path is within the site.
func (r *Renderer) canonical(address string) string {
	if len(address) > 8 && address[:8] == "https://" {
		return address
	}
	if r.site.Base == "" {
		return ""
	}
	return r.site.Base + path.Clean("/" + address)[1:]
}

// Entry is a page in a list of pages.
type Entry struct {
	Title, Description, Href string
	Part                     string // the group in which it is listed; empty: the last one
	Order                    int64  // its place in the reading order; 0: after all that have one
	Term                     string // the word of a headline that it explains; empty: none
}

// Part is a group of pages in a list.
type Part struct {
	Title string // empty where nothing is grouped
	Pages []Entry
}

// Reading puts pages into their reading order and groups them by part: the parts
// in the order of their first pages, pages without a part in the last group.
func Reading(pages []Entry) []Part {
	slices.SortStableFunc(pages, func(a, b Entry) int {
		last := func(e Entry) bool { return e.Order == 0 }
		if last(a) != last(b) {
			if last(a) {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Title, b.Title), cmp.Compare(a.Href, b.Href))
	})
	var parts []Part
	rest := Part{}
	for _, e := range pages {
		i := slices.IndexFunc(parts, func(p Part) bool { return p.Title == e.Part })
		switch {
		case e.Part == "":
			rest.Pages = append(rest.Pages, e)
		case i >= 0:
			parts[i].Pages = append(parts[i].Pages, e)
		default:
			parts = append(parts, Part{Title: e.Part, Pages: []Entry{e}})
		}
	}
	if len(rest.Pages) > 0 {
		if len(parts) > 0 {
			rest.Title = "More pages"
		}
		parts = append(parts, rest)
	}
	return parts
}

// Methodology makes the list of methodology pages.
func (r *Renderer) Methodology(parts []Part) (Output, error) {
	m := r.meta("methodology/index.html", "Methodology", "Methodology", methodologyDescription)
	return r.render("methodology", view{Meta: m, Data: parts}, &slots{})
}

const methodologyDescription = "How figures of this site are made, and what they can and cannot say."

// Bare makes the front page of a site without records: what its figures would
// be held to.
func (r *Renderer) Bare(parts []Part) (Output, error) {
	description := r.site.Description
	if description == "" {
		description = methodologyDescription
	}
	m := r.meta("index.html", "", r.site.Title, description)
	m.Data = []report.Link{{Text: "SHA256SUMS", Href: "SHA256SUMS"}, {Text: "cite", Href: "CITATION.cff"}}
	return r.render("bare", view{Meta: m, Data: parts}, &slots{})
}

// first is the page that a section begins with: the archive's is authored like
// its others, and no authored page is named index.
func first(section string) string {
	if section == "Archive" {
		return "overview.html"
	}
	return "index.html"
}
