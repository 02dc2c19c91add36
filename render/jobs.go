package render

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"benchline/ingest/evidence"
	"benchline/render/internal/page"
	"benchline/render/report"
)

// planner makes the jobs of a site.
type planner struct {
	in      Input
	set     *report.Set
	pages   *page.Renderer
	notices notices
	common  string // hash of what all pages depend on
	all     string // hash of all records
	bare    bool   // the site has no records and never had one
	pairs   []report.ComparisonEntry
	jobs    []job
	notes   []Diagnostic
}

// plan lists the jobs of a site, and what the authored pages have wrong. It
// takes the records that were withdrawn out of the input.
func plan(in *Input) ([]job, []Diagnostic, error) {
	if in.Config.Title == "" {
		in.Config.Title = "Benchmarks"
	}
	p := &planner{}
	all := in.Records
	p.notices, p.notes = loadNotices(in.Files)
	left, found := p.notices.against(all)
	in.Records, p.notes = left, append(p.notes, found...)
	if in.Only != nil {
		all = p.only(in)
	}
	p.in = *in
	var err error
	if p.set, err = report.NewSet(in.Records, p.notices.gone()...); err != nil {
		return nil, nil, Faults{{File: "evidence", Msg: err.Error()}}
	}
	docs, err := p.readAuthored()
	if err != nil {
		return nil, nil, err
	}
	p.readPairs(docs)
	reading, terms := methodology(docs)
	packs := p.readPacks()
	if err := p.open(terms, len(all) == 0 && p.notices.none()); err != nil {
		return nil, nil, err
	}
	p.records()
	p.groups()
	p.lists(reading)
	p.changes(all)
	if err := p.browse(reading); err != nil {
		return nil, nil, err
	}
	p.comparisons()
	p.authored(docs, reading)
	p.packs(packs)
	if err := p.downloads(); err != nil {
		return nil, nil, err
	}
	p.notes = append(p.notes, p.strayAsides()...)
	return p.jobs, p.notes, p.assets()
}

// explains reports whether the site has an authored page, by its path without its
// ending.
func (p *planner) explains(stem string) bool {
	if p.in.Content == nil {
		return false
	}
	_, err := fs.Stat(p.in.Content, stem+".md")
	return err == nil
}

// open parses the templates, and hashes what all pages depend on and all records.
// A site that never had a record is bare: it has no page that could only list none.
func (p *planner) open(terms []report.Link, bare bool) error {
	templates, err := hashFS(p.in.Templates)
	if err != nil {
		return err
	}
	c := p.in.Config
	parts := []string{"common", templates, p.in.Tool, p.in.Program, c.Title, c.Description, c.Base, c.Author, c.Licence, strconv.FormatBool(c.Archive), strconv.FormatBool(bare), strconv.FormatBool(len(p.in.Packs) > 0)}
	for _, t := range terms {
		parts = append(parts, t.Text, t.Href)
	}
	parts = append(parts, c.asideKeys()...)
	rules := p.explains(page.RulesPage)
	p.bare, p.common = bare, key(append(parts, strconv.FormatBool(rules))...)
	ids := []string{"all"}
	for _, slug := range p.set.Slugs() {
		r, _ := p.set.Evidence(slug)
		ids = append(ids, r.ID.String())
	}
	p.all = key(ids...)
	p.pages, err = page.New(p.in.Templates, page.Site{Title: c.Title, Description: c.Description, Author: c.Author, Licence: c.Licence, Base: c.Base, Tool: p.in.Tool,
		Archive: c.Archive, Packs: len(p.in.Packs) > 0, Bare: bare, Terms: terms, Aside: c.asides(), Rules: rules})
	if err != nil {
		return Faults{{File: "templates", Msg: err.Error()}}
	}
	return nil
}

func (p *planner) add(name, key string, files func() ([]file, error)) {
	p.jobs = append(p.jobs, job{name: name, key: key, make: files})
}

// pageFiles are the two files of a page: "a/b" gives a/b.html and a/b.md.
func pageFiles(stem string, o page.Output) []file {
	return []file{{path: stem + ".html", body: o.HTML}, {path: stem + ".md", body: o.Markdown}}
}

func (p *planner) records() {
	for _, slug := range p.set.Slugs() {
		r, _ := p.set.Evidence(slug)
		prev, next := p.set.Neighbours(slug)
		parts := []string{"record", p.common, r.ID.String(), linkText(prev), linkText(next)}
		parts = append(parts, p.set.Across(slug)...)
		for _, other := range p.set.Related(slug) {
			parts = append(parts, other.Href, other.Text)
		}
		parts = append(parts, errataKey(p.errataOf(slug))...)
		parts = append(parts, pairsKey(p.pairsOf(slug))...)
		p.add("records/"+slug, key(parts...), func() ([]file, error) { return p.record(r) })
	}
}

func linkText(l *report.Link) string {
	if l == nil {
		return ""
	}
	return l.Href + " " + l.Text
}

func (p *planner) record(r evidence.Record) ([]file, error) {
	data, err := p.set.Record(r.Slug)
	if err != nil {
		return nil, err
	}
	o, err := p.pages.Record(data, p.errataOf(r.Slug), p.pairsOf(r.Slug))
	if err != nil {
		return nil, err
	}
	line, err := evidence.Line(r)
	if err != nil {
		return nil, err
	}
	csv, err := p.set.CSV(r.Slug)
	if err != nil {
		return nil, err
	}
	return append(pageFiles("records/"+r.Slug, o),
		file{path: "data/records/" + r.Slug + ".json", body: append(line, '\n')},
		file{path: "data/records/" + r.Slug + ".csv", body: csv}), nil
}

func (p *planner) groups() {
	for _, slug := range p.set.FamilySlugs() {
		k := key(append([]string{p.groupKey("families", slug)}, pairsKey(p.familyPairs(slug))...)...)
		p.add("families/"+slug, k, func() ([]file, error) {
			data, err := p.set.Family(slug)
			if err != nil {
				return nil, err
			}
			o, err := p.pages.Family(data, p.familyPairs(slug))
			return pageFiles("families/"+slug, o), err
		})
	}
	for _, slug := range p.set.ProfileSlugs() {
		p.add("profiles/"+slug, p.groupKey("profiles", slug), func() ([]file, error) {
			data, err := p.set.Profile(slug)
			if err != nil {
				return nil, err
			}
			o, err := p.pages.Profile(data)
			return pageFiles("profiles/"+slug, o), err
		})
	}
}

func (p *planner) groupKey(folder, slug string) string {
	parts := []string{folder, p.common}
	ids, err := p.set.MembersOf(folder, slug)
	if err != nil {
		return key("no group", p.all) // cannot be: the slug came from the set
	}
	for _, id := range ids {
		parts = append(parts, id.String())
	}
	return key(parts...)
}

// lists are the pages that show all records in some way.
func (p *planner) lists(reading []page.Part) {
	list := func(stem string, render func() (page.Output, error)) {
		p.page(stem, key("list", stem, p.common, p.all), render)
	}
	list("limits/index", func() (page.Output, error) { return p.pages.Limits(p.set) })
	p.evidence()
	if p.bare {
		list("index", func() (page.Output, error) { return p.pages.Bare(reading) })
		return
	}
	list("index", func() (page.Output, error) { return p.pages.Index(p.set) })
	list("families/index", func() (page.Output, error) { return p.pages.Families(p.set) })
	list("profiles/index", func() (page.Output, error) { return p.pages.Profiles(p.set) })
	for i := range p.set.ListPages() {
		stem := strings.TrimSuffix(page.RecordsFile(i), ".html")
		p.add(stem, key(append([]string{"list", stem, p.common}, p.set.ListedOn(i)...)...), func() ([]file, error) {
			o, err := p.pages.Records(p.set, i)
			return pageFiles(stem, o), err
		})
	}
}

// evidence is all records in one file; empty on a bare site.
func (p *planner) evidence() {
	var lines []string
	for _, slug := range p.set.Slugs() {
		lines = append(lines, "data/records/"+slug+".json")
	}
	p.jobs = append(p.jobs, job{name: "data/records.jsonl", key: key("jsonl", p.all), after: true, make: func() ([]file, error) {
		return []file{{path: "data/records.jsonl", join: lines}}, nil
	}})
}

// downloads are the files that lie beside records, each copied once.
func (p *planner) downloads() error {
	sums := map[string]string{}
	for _, slug := range p.set.Slugs() {
		r, _ := p.set.Evidence(slug)
		for _, f := range r.Files {
			to := report.DataPath(f)
			if known, seen := sums[to]; seen {
				if known != f.SHA256 {
					return Faults{{File: f.Path, Msg: fmt.Sprintf("records disagree about this file: sha256 %s and %s", known, f.SHA256)}}
				}
				continue
			}
			sums[to] = f.SHA256
			if p.in.Files == nil {
				return Faults{{File: f.Path, Msg: "there is no site folder to copy it from"}}
			}
			p.add(to, key("copy", f.Path, f.SHA256), func() ([]file, error) {
				return []file{{path: to, copy: &copied{from: p.in.Files, path: f.Path, sha256: f.SHA256, size: f.Bytes}}}, nil
			})
		}
	}
	return nil
}

// assets are copied into assets/.
func (p *planner) assets() error {
	if p.in.Assets == nil {
		return Faults{{File: "assets", Msg: "there are none"}}
	}
	err := fs.WalkDir(p.in.Assets, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".go") {
			return err
		}
		body, err := fs.ReadFile(p.in.Assets, name)
		if err != nil {
			return err
		}
		p.add("assets/"+name, key("asset", string(body)), func() ([]file, error) {
			return []file{{path: "assets/" + name, body: body}}, nil
		})
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the assets: %w", err)
	}
	return nil
}
