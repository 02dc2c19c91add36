package page

import (
	"fmt"
	"path"
	"strings"

	"benchline/render/report"
)

// pages says where in a list of several pages one page is.
type pages struct {
	Total, Page, Pages int
	Prev, Next         string
}

// numbered is the stem of a page of a list, from 0: "gaps", "gaps_2". The
// underscore, which no slug has, keeps it apart from other pages.
func numbered(stem string, at int) string {
	if at == 0 {
		return stem
	}
	return fmt.Sprintf("%s_%d", stem, at+1)
}

func pagesOf(stem string, at, of, total int) pages {
	p := pages{Total: total, Page: at + 1, Pages: of}
	if at > 0 {
		p.Prev = path.Base(numbered(stem, at-1)) + ".html"
	}
	if at+1 < of {
		p.Next = path.Base(numbered(stem, at+1)) + ".html"
	}
	return p
}

func titled(title string, at int) string {
	if at == 0 {
		return title
	}
	return fmt.Sprintf("%s, page %d", title, at+1)
}

// BrowseSection is the name of the site's section of the pages that look across
// all records.
const BrowseSection = "Browse"

// facetsPage is the data of the page of all facets.
type facetsPage struct {
	Facets      []report.Facet
	Comparisons int // pairs that have a page
}

// Browse makes the page of all facets.
func (r *Renderer) Browse(facets []report.Facet, comparisons int) (Output, error) {
	m := r.meta("browse/index.html", BrowseSection, "Browse", "The records of this site by model, hardware, engine, date and evidence class.")
	for _, f := range facets {
		m.TOC = append(m.TOC, report.Link{Text: f.Title, Href: "#" + f.Kind})
	}
	return r.render("browse", view{Meta: m, Data: facetsPage{facets, comparisons}}, &slots{})
}

// FacetStem is the path, without its ending, of a page of a name, from 0.
func FacetStem(f report.Facet, n report.FacetName, at int) string {
	return "browse/" + f.Kind + "/" + numbered(n.Stem, at)
}

// facetList is one page of the records that have a name. Of several pages none
// says how many records there are: a new one would change them all.
type facetList struct {
	pages
	Says    string
	Records int
}

// Facet makes one page, from 0, of the records that have a name.
func (r *Renderer) Facet(set *report.Set, f report.Facet, n report.FacetName, at int) (Output, error) {
	title := f.Title + ": " + n.Name
	m := r.meta(FacetStem(f, n, at)+".html", BrowseSection, titled(title, at), fmt.Sprintf("The records of this site whose %s is: %s.", strings.ToLower(f.Title), n.Name))
	m.Crumbs = []report.Link{{Text: "Browse", Href: "../index.html"}, {Text: f.Title, Href: "../index.html#" + f.Kind}, {Text: n.Name}}
	es := set.FacetEntries(n, at)
	rules, err := r.judge(m, FacetStem(f, n, at), nil, es.Sheet(elsewhere(n.Records-len(es.Entries))...))
	if err != nil {
		return Output{}, err
	}
	v := view{Meta: m, Entries: es, Rules: rules, Data: facetList{pages: pagesOf(n.Stem, at, n.Pages(), n.Records), Says: f.Says, Records: n.Records}}
	if found := simulatedIn(es); found > 0 {
		some := someOf(found, len(es.Entries))
		v.Simulated = &some
	}
	return r.render("facet", v, &slots{})
}

// gapList is one page of the page of gaps.
type gapList struct {
	pages
	Unknowns []report.Unknown
	Rows     []report.Unknowing
}

// GapsStem is the path, without its ending, of a page of gaps, from 0.
func GapsStem(at int) string { return numbered("gaps", at) }

// Gaps makes one page, from 0, of what the records do not state. The first has
// the list by gap.
func (r *Renderer) Gaps(set *report.Set, at int) (Output, error) {
	m := r.meta(GapsStem(at)+".html", BrowseSection, titled("What this site does not know", at), "Everything that the records of this site do not state, by gap and by record, with the reasons.")
	m.Crumbs = []report.Link{{Text: "Browse", Href: "browse/index.html"}, {Text: "Gaps"}}
	m.TOC = []report.Link{{Text: "By record", Href: "#by-record"}}
	g := gapList{pages: pagesOf("gaps", at, set.GapPages(), set.Len()), Rows: set.GapPage(at)}
	if at == 0 {
		g.Unknowns = set.Unknowns()
		m.TOC = append([]report.Link{{Text: "By gap", Href: "#by-gap"}}, m.TOC...)
	}
	return r.render("gaps", view{Meta: m, Data: g}, &slots{})
}

// registerList is one page of the register of sources.
type registerList struct {
	pages
	Entries []report.RegisterEntry
}

// RegisterStem is the path, without its ending, of a page of the register, from 0.
func RegisterStem(at int) string { return numbered("sources", at) }

// RegisterPages is the number of pages of a register, at least 1.
func RegisterPages(entries int) int {
	return max(1, (entries+report.RegisterRows-1)/report.RegisterRows)
}

// Register makes one page, from 0, of the site's register of sources.
func (r *Renderer) Register(entries []report.RegisterEntry, at int) (Output, error) {
	m := r.meta(RegisterStem(at)+".html", BrowseSection, titled("Sources", at), "Every source of this site: what it supports, its dates, its licence, its checksum, and the records that cite it.")
	m.Crumbs = []report.Link{{Text: "Browse", Href: "browse/index.html"}, {Text: "Sources"}}
	from := at * report.RegisterRows
	l := registerList{pages: pagesOf("sources", at, RegisterPages(len(entries)), len(entries)), Entries: entries[from:min(from+report.RegisterRows, len(entries))]}
	return r.render("register", view{Meta: m, Data: l}, &slots{})
}

// wordsPage is the data of the page on same words.
type wordsPage struct {
	Words  []report.SameWord
	Shared []report.Shared
	Habits []report.ToolHabit
	// Prev and Next are its neighbours in the reading order of the methodology.
	Prev, Next *report.Link
}

// SameWordEntry is the page on same words in the list of the methodology.
func SameWordEntry() Entry {
	return Entry{Title: "Same word, different definition", Description: "What each tool means by TTFT, TPOT, throughput and the rest, beside what this site means by it.", Href: "same-word.html",
		Part: "The definitions", Order: 99}
}

// SameWord makes the page on words that tools use for different quantities, and
// leads to its neighbours in the reading order.
func (r *Renderer) SameWord(defs []report.Definition, prev, next *report.Link) (Output, error) {
	e := SameWordEntry()
	m := r.meta("methodology/same-word.html", "Methodology", e.Title, e.Description)
	m.Crumbs = []report.Link{{Text: "Methodology", Href: "index.html"}, {Text: e.Title}}
	w := wordsPage{Words: report.SameWords(defs), Shared: report.SharedWords(defs), Habits: report.ToolHabits(defs), Prev: prev, Next: next}
	for _, x := range w.Words {
		m.TOC = append(m.TOC, report.Link{Text: x.Label, Href: "#" + x.ID})
	}
	if len(w.Shared) > 0 {
		m.TOC = append(m.TOC, report.Link{Text: "One word, several quantities", Href: "#shared"})
	}
	if len(w.Habits) > 0 {
		m.TOC = append(m.TOC, report.Link{Text: "Whose requests, whose seconds", Href: "#counted"})
	}
	return r.render("sameword", view{Meta: m, Data: w}, &slots{})
}
