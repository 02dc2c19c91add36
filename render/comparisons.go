package render

import (
	"cmp"
	"slices"

	"benchline/render/internal/page"
	"benchline/render/internal/prose"
	"benchline/render/report"
)

// Pair names two records that the site compares. A is the base.
type Pair struct {
	A, B string
	Line int // in the settings file
}

// readPairs gathers the pairs that have a page: those of the settings, and those
// that an authored page names.
func (p *planner) readPairs(docs []authoredDoc) {
	for _, x := range p.in.Config.Compare {
		err := p.addPair(x.A, x.B)
		if err != nil && p.in.Only == nil { // else only some of the site's records are shown
			p.notes = append(p.notes, Diagnostic{File: ConfigFile, Line: x.Line, Msg: "compare: " + err.Error()})
		}
	}
	for _, d := range docs {
		for _, r := range d.doc.References() {
			if r.Kind == prose.Compare {
				_ = p.addPair(r.Args[0], r.Args[1]) // what is wrong with it is said where it stands
			}
		}
	}
	slices.SortFunc(p.pairs, func(a, b report.ComparisonEntry) int {
		return cmp.Or(cmp.Compare(a.SlugA, b.SlugA), cmp.Compare(a.SlugB, b.SlugB))
	})
}

func (p *planner) addPair(a, b string) error {
	if slices.ContainsFunc(p.pairs, func(e report.ComparisonEntry) bool { return e.SlugA == a && e.SlugB == b }) {
		return nil
	}
	e, err := p.set.ComparisonEntry(a, b)
	if err != nil {
		return err //nolint:wrapcheck // it names the record
	}
	p.pairs = append(p.pairs, e)
	return nil
}

// pairsOf are the comparisons of some records.
func (p *planner) pairsOf(slugs ...string) []report.ComparisonEntry {
	var out []report.ComparisonEntry
	for _, e := range p.pairs {
		if e.Of(slugs...) {
			out = append(out, e)
		}
	}
	return out
}

// pairsKey is what a list of comparisons depends on.
func pairsKey(list []report.ComparisonEntry) []string {
	var parts []string
	for _, e := range list {
		parts = append(parts, "pair", e.SlugA, e.SlugB, e.A.Text, e.B.Text, string(e.Kind), e.Sentence)
	}
	return parts
}

// comparisons adds a page for each pair, and their list.
func (p *planner) comparisons() {
	if len(p.pairs) == 0 {
		return
	}
	p.page("compare/index", key(append([]string{"comparisons", p.common}, pairsKey(p.pairs)...)...), func() (page.Output, error) { return p.pages.Comparisons(p.pairs) })
	for _, e := range p.pairs {
		p.add(e.Stem, p.pairKey(e), func() ([]file, error) { return p.comparison(e) })
	}
}

// pairKey is what the page on two records depends on: the records, the runs of
// those that are summaries, and the notes that only a family shows.
func (p *planner) pairKey(e report.ComparisonEntry) string {
	parts := []string{"comparison", p.common, e.Stem}
	for _, slug := range []string{e.SlugA, e.SlugB} {
		r, _ := p.set.Evidence(slug)
		parts = append(append(parts, slug, r.ID.String()), p.set.Across(slug)...)
		for _, m := range r.Members {
			run, _ := p.set.Evidence(m.Slug)
			parts = append(parts, m.Slug, run.ID.String())
		}
	}
	return key(parts...)
}

func (p *planner) comparison(e report.ComparisonEntry) ([]file, error) {
	data := "data/" + e.Stem + ".jsonl"
	o, err := p.pages.Comparison(p.set, e.SlugA, e.SlugB, e.Stem, data)
	if err != nil {
		return nil, err
	}
	lines, err := p.set.ComparisonLines(e.SlugA, e.SlugB)
	return append(pageFiles(e.Stem, o), file{path: data, body: lines}), err
}

// familyPairs are the comparisons of the records of a family.
func (p *planner) familyPairs(family string) []report.ComparisonEntry {
	return p.pairsOf(p.set.MemberSlugs(family)...)
}
