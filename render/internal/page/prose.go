package page

import (
	"fmt"
	"path"

	"benchline/render/report"
)

// RegisterLine is one line of a page's source register.
type RegisterLine struct {
	Name, Address, Supports, Published, Verified string
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
	m.TOC = p.Contents
	if p.Section != "" {
		m.Crumbs = []report.Link{{Text: p.Section, Href: first(p.Section)}, {Text: p.Title}}
	}
	if p.Revision > 0 {
		m.Dates = append(m.Dates, report.Link{Text: fmt.Sprintf("Revision %d", p.Revision)})
	}
	m.Dates = append(m.Dates, dated("published", p.Published), dated("reviewed", p.Reviewed))
	v := view{Meta: m, Data: p, Occurrences: p.Occurrences, Scope: p.Scope, Sources: p.Sources, BodyText: string(p.Markdown)}
	if p.Occurrences != nil {
		v.Entries = list(p.Set, p.Occurrences.Records)
	}
	var s slots
	v.Body = s.add(p.HTML)
	return r.render("prose", v, &s)
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
type Entry struct{ Title, Description, Href string }

// Methodology makes the list of methodology pages.
func (r *Renderer) Methodology(pages []Entry) (Output, error) {
	m := r.meta("methodology/index.html", "Methodology", "Methodology", "How figures of this site are made, and what they can and cannot say.")
	return r.render("methodology", view{Meta: m, Data: pages}, &slots{})
}

// first is the page that a section begins with: the archive's is authored like
// its others, and no authored page is named index.
func first(section string) string {
	if section == "Archive" {
		return "overview.html"
	}
	return "index.html"
}
