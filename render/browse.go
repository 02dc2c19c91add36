package render

import (
	"slices"
	"strconv"
	"strings"

	"benchline/ingest/evidence"
	"benchline/render/internal/page"
	"benchline/render/report"
)

// Definition is what one tool means by one of its words, for the page "same
// word, different definition". An empty field is one that is not stated.
type Definition = report.Definition

// browse adds the pages that look across all records, and the one that looks
// across all tools.
func (p *planner) browse(reading []page.Part) error {
	p.sameWord(reading)
	if p.bare {
		return nil
	}
	facets, err := p.set.Facets()
	if err != nil {
		return Faults{{File: "evidence", Msg: err.Error()}}
	}
	parts := []string{"browse", p.common, strconv.Itoa(len(p.pairs))}
	for _, f := range facets {
		for _, n := range f.Names {
			parts = append(parts, f.Kind, n.Name, n.Stem, n.Classes, strconv.Itoa(n.Records), strconv.Itoa(n.Voids))
			p.facet(f, n)
		}
	}
	p.page("browse/index", key(parts...), func() (page.Output, error) { return p.pages.Browse(facets, len(p.pairs)) })
	for i := range p.set.GapPages() {
		k := key(append([]string{"gaps", p.common, strconv.Itoa(p.set.Len())}, p.set.ListedIn(i, report.GapRows)...)...)
		if i == 0 {
			k = key("gaps", p.common, p.all)
		}
		p.page(page.GapsStem(i), k, func() (page.Output, error) { return p.pages.Gaps(p.set, i) })
	}
	register := p.set.Register()
	for i := range page.RegisterPages(len(register)) {
		p.page(page.RegisterStem(i), key("sources", strconv.Itoa(i), p.common, p.all), func() (page.Output, error) { return p.pages.Register(register, i) })
	}
	return nil
}

// sameWord adds the page on words that tools use for different quantities.
func (p *planner) sameWord(reading []page.Part) {
	prev, next := neighbours(reading, page.SameWordEntry().Href)
	words := []string{"same word", p.common, linkText(prev), linkText(next)}
	for _, d := range p.in.Definitions {
		words = append(words, d.Tool, d.Versions, d.Word, string(d.Metric), d.Start, d.End, d.Population, d.Window, d.TokenSource, d.PercentileRule, d.Missing, d.Source)
	}
	p.page("methodology/same-word", key(words...), func() (page.Output, error) { return p.pages.SameWord(p.in.Definitions, prev, next) })
}

// page adds a page and its twin.
func (p *planner) page(stem, key string, render func() (page.Output, error)) {
	p.add(stem, key, func() ([]file, error) {
		o, err := render()
		return pageFiles(stem, o), err
	})
}

func (p *planner) facet(f report.Facet, n report.FacetName) {
	for i := range n.Pages() {
		parts := append([]string{"facet", p.common, f.Kind, n.Name, strconv.Itoa(i), strconv.Itoa(n.Pages())}, p.set.FacetIDs(n, i)...)
		p.page(page.FacetStem(f, n, i), key(parts...), func() (page.Output, error) { return p.pages.Facet(p.set, f, n, i) })
	}
}

// changes adds the page of what was wrong, and one at the address of each
// record that was withdrawn.
func (p *planner) changes(all []evidence.Record) {
	if p.bare {
		return
	}
	c := page.Changes{}
	for _, w := range p.notices.withdrawn {
		x := page.Withdrawn{Slug: w.Slug, Reason: w.Reason, Date: string(w.Date), Errata: p.errataOf(w.Slug)}
		if i := slices.IndexFunc(all, func(r evidence.Record) bool { return r.Slug == w.Slug }); i >= 0 {
			x.Title, x.Known = all[i].Title, all[i].ID.String()
		}
		if r, ok := p.set.Evidence(w.SupersededBy); ok {
			x.SupersededBy = &report.Link{Text: r.Title, Href: "records/" + r.Slug + ".html"}
		}
		c.Withdrawn = append(c.Withdrawn, x)
		parts := append([]string{"tombstone", p.common, x.Slug, x.Reason, x.Date, x.Title, x.Known, linkText(x.SupersededBy)}, errataKey(x.Errata)...)
		p.page("records/"+x.Slug, key(parts...), func() (page.Output, error) { return p.pages.Tombstone(x) })
	}
	for _, e := range p.notices.errata {
		text := e.Slug
		if r, ok := p.set.Evidence(e.Slug); ok {
			text = r.Title
		}
		c.Errata = append(c.Errata, page.Erratum{Date: string(e.Date), Text: e.Text, Link: report.Link{Text: text, Href: "records/" + e.Slug + ".html"}})
	}
	slices.SortStableFunc(c.Withdrawn, func(a, b page.Withdrawn) int { return strings.Compare(b.Date, a.Date) })
	slices.SortStableFunc(c.Errata, func(a, b page.Erratum) int { return strings.Compare(b.Date, a.Date) })
	parts := []string{"changes", p.common}
	for _, w := range c.Withdrawn {
		parts = append(parts, w.Slug, w.Reason, w.Date, linkText(w.SupersededBy))
	}
	p.page("changes", key(append(parts, errataKey(c.Errata)...)...), func() (page.Output, error) { return p.pages.Changes(c) })
}

// errataOf are the notes on a record, the oldest first.
func (p *planner) errataOf(slug string) []page.Erratum {
	var out []page.Erratum
	for _, e := range p.notices.errata {
		if e.Slug == slug {
			out = append(out, page.Erratum{Date: string(e.Date), Text: e.Text})
		}
	}
	slices.SortStableFunc(out, func(a, b page.Erratum) int { return strings.Compare(a.Date, b.Date) })
	return out
}

func errataKey(es []page.Erratum) []string {
	var parts []string
	for _, e := range es {
		parts = append(parts, "erratum", e.Date, e.Text, e.Link.Href, e.Link.Text)
	}
	return parts
}
