package page

import (
	"bytes"
	"fmt"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/report"
)

// Record makes the page of a record, with the notes on what was wrong in it and
// the comparisons of it that have a page.
func (r *Renderer) Record(p *report.Record, errata []Erratum, pairs []report.ComparisonEntry) (Output, error) {
	description := fmt.Sprintf("%s record %s: figures with numerator, denominator, cache state and outcomes.", upperFirst(string(p.Class)), p.Slug)
	if p.Summary != "" {
		description = p.Summary
	}
	m := r.meta("records/"+p.Slug+".html", "Records", p.Title, description)
	m.Crumbs = []report.Link{{Text: "Families", Href: "../families/index.html"}, p.Family, {Text: p.Slug}}
	m.TOC = recordContents(p)
	if len(pairs) > 0 {
		m.TOC = append(m.TOC, report.Link{Text: "Comparisons", Href: "#comparisons"})
	}
	m.Data = []report.Link{{Text: "JSON", Href: "../data/records/" + p.Slug + ".json"}, {Text: "CSV", Href: "../data/records/" + p.Slug + ".csv"}}
	var charts []report.Chart
	var sheets []report.Sheet
	for _, l := range p.Latencies {
		if l.Chart != nil {
			charts = append(charts, *l.Chart)
		}
		if l.Table != nil {
			sheets = append(sheets, l.Table.Sheet(l))
		}
	}
	if p.Timeline != nil {
		charts = append(charts, p.Timeline.Charts()...)
	}
	rules, err := r.judge(m, "records/"+p.Slug, charts, sheets...)
	if err != nil {
		return Output{}, err
	}
	var s slots
	views, err := draw(&s, charts, rules)
	if err != nil {
		return Output{}, fmt.Errorf("record %s: %w", p.Slug, err)
	}
	if err := r.nameShared(&s, p.Outcomes, p.SourceLinks); err != nil {
		return Output{}, fmt.Errorf("record %s: %w", p.Slug, err)
	}
	return r.render("record", view{Meta: m, Data: p, Charts: views, Rules: rules, All: simulated{All: true}, Errata: errata, Pairs: pairList{m.Root, pairs}}, &s)
}

// nameShared makes once what stands in each headline block of a record: the line
// of outcomes, and the sources.
func (r *Renderer) nameShared(s *slots, o report.Outcomes, sources []report.Link) error {
	for name, data := range map[string]any{"outcomes": o, "source": sources} {
		var b bytes.Buffer
		if err := r.html.ExecuteTemplate(&b, name, data); err != nil {
			return fmt.Errorf("making the %s: %w", name, err)
		}
		s.name(name, b.Bytes())
	}
	return nil
}

func recordContents(p *report.Record) []report.Link {
	var toc []report.Link
	add := func(ok bool, text, id string) {
		if ok {
			toc = append(toc, report.Link{Text: text, Href: "#" + id})
		}
	}
	add(true, "Benchmark line", "line")
	add(len(p.Rates) > 0, "Other rates", "rates")
	for _, l := range p.Latencies {
		add(true, l.Title, l.ID)
	}
	add(true, "Ledger", "ledger")
	add(p.Timeline != nil, "Timeline", "timeline-of-the-run")
	add(true, "Client", "client")
	add(true, fmt.Sprintf("Limits (%d)", p.NoteN), "limits")
	add(len(p.Others) > 0, "Other figures", "others")
	add(true, fmt.Sprintf("Gaps (%d)", len(p.Gaps)), "gaps")
	add(len(p.Facts) > 0, "Manifest", "manifest")
	add(p.Plan != "", "Plan", "plan")
	add(true, "Downloads", "files")
	add(len(p.Rerun) > 0, "Run it again", "rerun")
	add(true, "Sources", "sources")
	return toc
}

// Family makes the page of a family, with the comparisons of its records that
// have a page.
func (r *Renderer) Family(f *report.Family, pairs []report.ComparisonEntry) (Output, error) {
	made := "one recipe produced"
	if f.Folder {
		made = "lay in one folder"
	}
	m := r.meta("families/"+f.Slug+".html", "Families", f.Name, fmt.Sprintf("Family of %s that %s: load curve, every point, what may be compared.", measure.Counted(f.Points, "record"), made))
	m.Crumbs = []report.Link{{Text: "Families", Href: "index.html"}, {Text: f.Name}}
	var charts []report.Chart
	sheets := []report.Sheet{f.Table.Sheet(f)}
	for _, c := range f.Curves {
		charts = append(charts, c.Charts...)
		if len(c.Table.Groups) > 0 {
			sheets = append(sheets, c.Table.Sheet(c))
		}
		m.TOC = append(m.TOC, report.Link{Text: c.Title, Href: "#" + c.ID})
	}
	m.TOC = append(m.TOC, report.Link{Text: "Every point", Href: "#points"}, report.Link{Text: "What may be compared", Href: "#compare"}, report.Link{Text: "Residue", Href: "#residue"})
	rules, err := r.judge(m, "families/"+f.Slug, charts, sheets...)
	if err != nil {
		return Output{}, err
	}
	var s slots
	views, err := draw(&s, charts, rules)
	if err != nil {
		return Output{}, fmt.Errorf("family %s: %w", f.Name, err)
	}
	return r.render("family", view{Meta: m, Data: f, Charts: views, Rules: rules, All: someOf(f.Simulated, f.Points), Pairs: pairList{m.Root, pairs}}, &s)
}

func someOf(n, of int) simulated { return simulated{All: n == of, N: n, Of: of} }

// Index makes the front page.
func (r *Renderer) Index(set *report.Set) (Output, error) {
	x := set.Index()
	description := r.site.Description
	if description == "" {
		description = fmt.Sprintf("%d benchmark records in %d families, each figure with its numerator, denominator, cache state and outcomes.", x.Records, len(x.Families))
	}
	m := r.meta("index.html", "", r.site.Title, description)
	m.Data = []report.Link{{Text: "All evidence, JSON lines", Href: "data/records.jsonl"}, {Text: "SHA256SUMS", Href: "SHA256SUMS"},
		{Text: "cite", Href: "CITATION.cff"}, {Text: "data package", Href: "datapackage.json"}, {Text: "RO-Crate", Href: "ro-crate-metadata.json"}}
	rules, err := r.judge(m, "index", nil, x.Recent.Sheet(elsewhere(x.Records-len(x.Recent.Entries))...))
	if err != nil {
		return Output{}, err
	}
	return r.render("index", view{Meta: m, Data: x, Rules: rules, All: someOf(x.Simulated, x.Records), Entries: x.Recent}, &slots{})
}

// elsewhere says that a list has not all records.
func elsewhere(n int) []report.Left {
	if n <= 0 {
		return nil
	}
	return []report.Left{{N: n, Why: "on the other pages of the list"}}
}

// Families makes the list of families.
func (r *Renderer) Families(set *report.Set) (Output, error) {
	m := r.meta("families/index.html", "Families", "Families", "Families of records: each is what one recipe produced, or what lay in one folder.")
	return r.render("families", view{Meta: m, Data: set.FamilyEntries("")}, &slots{})
}

// recordList is one page of the list of records.
type recordList struct {
	Total, Page, Pages int
	Prev, Next         string
}

// RecordsFile is the path of a page of the list of records, from 0. The
// underscore, which no slug has, keeps it apart from the pages of records.
func RecordsFile(page int) string {
	if page == 0 {
		return "records/index.html"
	}
	return fmt.Sprintf("records/index_%d.html", page+1)
}

// Records makes one page of the list of records, from 0.
func (r *Renderer) Records(set *report.Set, page int) (Output, error) {
	file := RecordsFile(page)
	title := "Records"
	if page > 0 {
		title = fmt.Sprintf("Records, page %d", page+1)
	}
	m := r.meta(file, "Records", title, "All records of this site, each with its outcomes.")
	l := recordList{Total: set.Len(), Page: page + 1, Pages: set.ListPages()}
	if page > 0 {
		l.Prev = strings.TrimPrefix(RecordsFile(page-1), "records/")
	}
	if page+1 < l.Pages {
		l.Next = strings.TrimPrefix(RecordsFile(page+1), "records/")
	}
	es := set.ListPage(page)
	rules, err := r.judge(m, strings.TrimSuffix(file, ".html"), nil, es.Sheet(elsewhere(l.Total-len(es.Entries))...))
	if err != nil {
		return Output{}, err
	}
	v := view{Meta: m, Data: l, Entries: es, Rules: rules}
	if n := simulatedIn(es); n > 0 {
		some := someOf(n, len(es.Entries))
		v.Simulated = &some
	}
	return r.render("records", v, &slots{})
}

func simulatedIn(l report.EntryList) int {
	n := 0
	for _, e := range l.Entries {
		if e.Class == evidence.Simulated {
			n++
		}
	}
	return n
}

// Profiles makes the list of profiles.
func (r *Renderer) Profiles(set *report.Set) (Output, error) {
	m := r.meta("profiles/index.html", "Profiles", "Profiles", "Named ways of serving, and the records that they have.")
	return r.render("profiles", view{Meta: m, Data: set.ProfileEntries()}, &slots{})
}

// Profile makes the page of a profile.
func (r *Renderer) Profile(p *report.Profile) (Output, error) {
	m := r.meta("profiles/"+p.Slug+".html", "Profiles", "Profile "+p.Name, fmt.Sprintf("The serving profile %s: what its %d records state about it.", p.Name, p.Records))
	m.Crumbs = []report.Link{{Text: "Profiles", Href: "index.html"}, {Text: p.Name}}
	return r.render("profile", view{Meta: m, Data: p, All: someOf(p.Simulated, p.Records)}, &slots{})
}

// Limits makes the list of limit codes.
func (r *Renderer) Limits(set *report.Set) (Output, error) {
	m := r.meta("limits/index.html", "Limits", "Limits", "Coded notes on what a figure cannot say, the strongest first.")
	return r.render("limits", view{Meta: m, Data: set.LimitEntries()}, &slots{})
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
