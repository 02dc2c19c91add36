package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Entry is a record in a list, with the figures that a list shows: each linked
// to the block that says what it is.
type Entry struct {
	Record    string // slug
	Link      Link
	Family    Link
	Class     evidence.Class
	Void      bool
	Workload  string
	Load      string
	Condition string
	Started   Text
	Outcomes  Outcomes
	Runs      string // "over 3 runs", of a summary over repeats
	Rate      Cell
	TTFT      Cell
}

// EntryList is a list of records. A column has one unit, which stands in its head.
type EntryList struct {
	Rate, TTFT EntryColumn
	Entries    []Entry
}

// EntryColumn is the head of a column of figures.
type EntryColumn struct {
	Metric      measure.MetricID
	Label, Unit string
	UnitShown   string // what stands beside the label: see [headUnit]
}

// Head is label and unit in words.
func (c EntryColumn) Head() string { return columnHead(c.Label, c.UnitShown) }

func (c EntryColumn) sheet() SheetColumn {
	return SheetColumn{Metric: c.Metric, Label: c.Label, Unit: c.Unit}
}

// FamilyEntry is a family in a list.
type FamilyEntry struct {
	Link               Link
	Points, Voids      int
	Simulated          int
	Unresolved         Unresolved
	Workloads          []string
	Profiles           []string
	SimulatedEverybody bool
}

// Unresolved are the requests of a family that had no outcome, of those of its
// records that state it.
type Unresolved struct {
	Count             int64
	Unstated, Records int
}

// All reports that no record of the family states it: there is no count then.
func (u Unresolved) All() bool { return u.Unstated == u.Records }

// Index is the data of the front page.
type Index struct {
	Records, Voids, Simulated int
	Families                  []FamilyEntry
	Recent                    EntryList
}

// mostRecent is how many records the front page lists.
const mostRecent = 12

// Index is the data of the front page.
func (s *Set) Index() Index {
	x := Index{Records: len(s.records), Families: s.FamilyEntries("families/")}
	order := make([]*evidence.Record, 0, len(s.records))
	for i := range s.records {
		r := &s.records[i]
		if r.Void {
			x.Voids++
		}
		if r.Class == evidence.Simulated {
			x.Simulated++
		}
		order = append(order, r)
	}
	slices.SortStableFunc(order, func(a, b *evidence.Record) int {
		at, _ := a.Subject.Started.Get()
		bt, _ := b.Subject.Started.Get()
		return cmp.Or(strings.Compare(bt, at), strings.Compare(a.Slug, b.Slug))
	})
	x.Recent = s.list(order[:min(mostRecent, len(order))], "records/", "families/")
	return x
}

// FamilyEntries lists the families; prefix is the way to their folder.
func (s *Set) FamilyEntries(prefix string) []FamilyEntry {
	var out []FamilyEntry
	for _, g := range s.families {
		e := FamilyEntry{Link: Link{Text: g.name, Href: prefix + g.slug + ".html"}, Points: len(g.members)}
		for _, r := range s.members(g) {
			if r.Void {
				e.Voids++
			}
			if r.Class == evidence.Simulated {
				e.Simulated++
			}
			e.Unresolved.Records++
			if n, ok := r.Outcomes.Unresolved.Get(); ok {
				e.Unresolved.Count += n
			} else {
				e.Unresolved.Unstated++
			}
			if w := workloadShort(r); !slices.Contains(e.Workloads, w) {
				e.Workloads = append(e.Workloads, w)
			}
			if p := r.Subject.Profile; p != "" && !slices.Contains(e.Profiles, p) {
				e.Profiles = append(e.Profiles, p)
			}
		}
		e.SimulatedEverybody = e.Simulated == e.Points
		out = append(out, e)
	}
	return out
}

// list lists records; records and families are the ways to the folders of their
// pages.
func (s *Set) list(rs []*evidence.Record, records, families string) EntryList {
	rate, rateScale := s.entryColumn(rs, "output_token_rate")
	ttft, ttftScale := s.entryColumn(rs, "ttft_p50")
	l := EntryList{Rate: rate, TTFT: ttft}
	for _, r := range rs {
		page := records + r.Slug + ".html"
		e := Entry{Record: r.Slug, Link: Link{Text: r.Title, Href: page}, Class: r.Class, Void: r.Void, Workload: workloadShort(r), Load: loadShort(r),
			Condition: condition(r), Started: showString(r.Subject.Started), Outcomes: outcomesOf(r), Runs: runsWords(r)}
		if g, ok := find(s.families, r.Family); ok {
			e.Family = Link{Text: g.name, Href: families + g.slug + ".html"}
		}
		e.Rate, e.TTFT = s.listCell(r, rate.Metric, rateScale, page), s.listCell(r, ttft.Metric, ttftScale, page)
		l.Entries = append(l.Entries, e)
	}
	return l
}

// entryColumn is a column of a list, in the one unit of its measured figures.
func (s *Set) entryColumn(rs []*evidence.Record, id measure.MetricID) (EntryColumn, measure.Scaler) {
	var xs []float64
	for _, r := range rs {
		if v, ok := r.Value(id); ok {
			xs = append(xs, numbersOf(v)...)
		}
	}
	scale := measure.ScaleList(id, xs...)
	label := s.metric(id).Label
	return EntryColumn{Metric: id, Label: label, Unit: scale.Unit(), UnitShown: headUnit(rs, id, label, scale.Unit())}, scale
}

func (s *Set) listCell(r *evidence.Record, id measure.MetricID, scale measure.Scaler, page string) Cell {
	if v, ok := r.Value(id); ok {
		scale = scale.For(v.Amount.X)
	}
	return s.cell(r, id, scale, page)
}

// ListSize is how many records one page of the list of records holds: a list of
// five thousand is paged.
const ListSize = 200

// ListPages is the number of pages of the list of records, at least 1.
func (s *Set) ListPages() int { return max(1, (len(s.records)+ListSize-1)/ListSize) }

// ListPage is one page of the list of records, from 0.
func (s *Set) ListPage(page int) EntryList {
	from := page * ListSize
	var rs []*evidence.Record
	for i := from; i < min(from+ListSize, len(s.records)); i++ {
		rs = append(rs, &s.records[i])
	}
	return s.list(rs, "", "../families/")
}

// at are the records with these indices.
func (s *Set) at(indices []int) []*evidence.Record {
	rs := make([]*evidence.Record, len(indices))
	for k, i := range indices {
		rs[k] = &s.records[i]
	}
	return rs
}

// Profile is the data of a profile's page.
type Profile struct {
	Name, Slug string
	Notes      []string // what its operators say about it
	Same       []Fact
	Differs    []Residue
	Families   []FamilyCount
	Records    int
	Simulated  int
}

// FamilyCount is a family with the number of a profile's records in it.
type FamilyCount struct {
	Link    Link
	Records int
}

// ProfileEntry is a profile in the list of profiles.
type ProfileEntry struct {
	Link      Link
	Records   int
	Simulated int
	Models    []string
	Hardware  []string
}

// Profile is the data of a profile's page.
func (s *Set) Profile(slug string) (*Profile, error) {
	g, err := bySlug(s.profiles, slug)
	if err != nil {
		return nil, err
	}
	members := s.members(g)
	p := &Profile{Name: g.name, Slug: g.slug, Records: len(members)}
	count := map[string]int{}
	var families []string
	for _, r := range members {
		if n := r.Subject.ProfileNote; n != "" && !slices.Contains(p.Notes, n) {
			p.Notes = append(p.Notes, n)
		}
		if r.Class == evidence.Simulated {
			p.Simulated++
		}
		if count[r.Family]++; count[r.Family] == 1 {
			families = append(families, r.Family)
		}
	}
	slices.Sort(families)
	for _, f := range families {
		p.Families = append(p.Families, FamilyCount{Link: s.familyLink(f), Records: count[f]})
	}
	p.Same, p.Differs = sameAndResidue(members)
	return p, nil
}

// ProfileEntries lists the profiles.
func (s *Set) ProfileEntries() []ProfileEntry {
	var out []ProfileEntry
	for _, g := range s.profiles {
		e := ProfileEntry{Link: Link{Text: g.name, Href: g.slug + ".html"}, Records: len(g.members)}
		members := s.members(g)
		for _, r := range members {
			if r.Class == evidence.Simulated {
				e.Simulated++
			}
		}
		e.Models = distinct(members, field{of: func(r *evidence.Record) Text { return showString(r.Subject.Model) }})
		e.Hardware = distinct(members, field{of: func(r *evidence.Record) Text { return showString(r.Subject.Hardware) }})
		out = append(out, e)
	}
	return out
}

// LimitEntry is a limit code in the list of codes.
type LimitEntry struct {
	Code     evidence.Code
	Title    string
	Sentence string
	Severity string
	Href     string
	Records  int
}

// Occurrences are the records in which a limit code stands, and how many they are.
type Occurrences struct {
	Records EntryList
	Total   int
}

// mostOccurrences bounds the list on a code's page.
const mostOccurrences = 100

// LimitEntries lists every code, the strongest first, with the number of
// records that have it.
func (s *Set) LimitEntries() []LimitEntry {
	var out []LimitEntry
	for _, c := range evidence.Codes() {
		out = append(out, LimitEntry{Code: c.Code, Title: c.Title, Sentence: template(c), Severity: c.Severity.Title(),
			Href: string(c.Code) + ".html", Records: len(s.byCode[c.Code])})
	}
	return out
}

// template is a code's sentence with its arguments as dots.
func template(c evidence.CodeInfo) string {
	args := make([]any, c.Args)
	for i := range args {
		args[i] = "…"
	}
	return strings.ReplaceAll(fmt.Sprintf(strings.ReplaceAll(c.Sentence, "%%", "\x00"), args...), "\x00", "%")
}

func (s *Set) codesOf(r *evidence.Record) map[evidence.Code]bool {
	codes := map[evidence.Code]bool{}
	for _, l := range slices.Concat(r.Limits, s.seen[r.Slug]) {
		codes[l.Code] = true
	}
	for _, v := range r.Values {
		for _, l := range v.Limits {
			codes[l.Code] = true
		}
	}
	return codes
}

// Occurrences are the records that have the code, in order of their slugs.
func (s *Set) Occurrences(code evidence.Code) Occurrences {
	found := s.byCode[code]
	o := Occurrences{Total: len(found)}
	o.Records = s.list(s.at(found[:min(mostOccurrences, len(found))]), "../records/", "../families/")
	return o
}

// OccurrencesOn is what the list of a code's page depends on.
func (s *Set) OccurrencesOn(code evidence.Code) []string {
	found := s.byCode[code]
	parts := []string{fmt.Sprint(len(found))}
	for _, i := range found[:min(mostOccurrences, len(found))] {
		parts = append(parts, s.records[i].ID.String())
	}
	return parts
}

// ListedOn is what one page of the list of records, from 0, depends on.
func (s *Set) ListedOn(page int) []string {
	parts := []string{fmt.Sprint(len(s.records))}
	for i := page * ListSize; i < min((page+1)*ListSize, len(s.records)); i++ {
		parts = append(parts, s.records[i].ID.String())
	}
	return parts
}
