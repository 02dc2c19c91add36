package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/evidence"
)

// Facet is one way to look through the records, e.g. by model, with the names
// that occur.
type Facet struct {
	Kind  string // folder below browse/
	Title string
	Says  string // what is counted as the same name
	Names []FacetName
}

// FacetName is one name of a facet and the records that have it.
type FacetName struct {
	Name    string
	Gap     bool // the records that do not state it
	Stem    string
	Records int
	Voids   int
	Classes string // the evidence classes of its records
	Some    int    // from a simulated endpoint
	members []int
}

// FacetRows is how many records one page of a name has.
const FacetRows = 200

// notStatedStem is the page of the records that do not state a facet. No slug
// has an underscore, so no name can have this page.
const notStatedStem = "not_stated"

type facetField struct {
	kind, title, says string
	of                func(*evidence.Record) (string, bool)
}

func facetFields() []facetField {
	stated := func(k evidence.Known[string]) (string, bool) { return k.Get() }
	return []facetField{
		{"model", "Model", "Names as the sources write them: two spellings are two names.",
			func(r *evidence.Record) (string, bool) { return stated(r.Subject.Model) }},
		{"hardware", "Hardware", "As the sources write it, with the number of accelerators in each record, not here.",
			func(r *evidence.Record) (string, bool) { return stated(r.Subject.Hardware) }},
		{"engine", "Engine", "The engine without its version, which each record has.",
			func(r *evidence.Record) (string, bool) { return stated(r.Subject.Engine) }},
		{"date", "Date", "The month, in UTC, in which the measured part began.", monthOf},
		{"class", "Evidence class", "What kind of evidence a record is. Classes are never one series without a mark.",
			func(r *evidence.Record) (string, bool) { return string(r.Class), r.Class != "" }},
	}
}

// monthOf is "2026-11", where the start of a run is stated as a moment.
func monthOf(r *evidence.Record) (string, bool) {
	at, ok := r.Subject.Started.Get()
	if !ok || len(at) < len("2006-01") || at[4] != '-' || strings.Trim(at[:4]+at[5:7], "0123456789") != "" {
		return "", false
	}
	return at[:7], true
}

// Facets are the ways to look through the records besides family and profile.
func (s *Set) Facets() ([]Facet, error) {
	var out []Facet
	for _, f := range facetFields() {
		names, err := s.facetNames(f)
		if err != nil {
			return nil, err
		}
		out = append(out, Facet{Kind: f.kind, Title: f.title, Says: f.says, Names: names})
	}
	return out, nil
}

func (s *Set) facetNames(f facetField) ([]FacetName, error) {
	by := map[string]*FacetName{}
	none := FacetName{Name: "not stated", Gap: true, Stem: notStatedStem}
	for i := range s.records {
		at := &none
		if name, ok := f.of(&s.records[i]); ok && strings.TrimSpace(name) != "" {
			if by[name] == nil {
				stem, err := evidence.Slug(facetSlug(name))
				if err != nil {
					return nil, fmt.Errorf("%s of record %s: %w", f.kind, s.records[i].Slug, err)
				}
				by[name] = &FacetName{Name: name, Stem: stem}
			}
			at = by[name]
		}
		at.members = append(at.members, i)
	}
	var out []FacetName
	for _, n := range by {
		out = append(out, *n)
	}
	slices.SortFunc(out, func(a, b FacetName) int { return cmp.Or(naturally(a.Name, b.Name), strings.Compare(a.Name, b.Name)) })
	if len(none.members) > 0 {
		out = append(out, none)
	}
	for i := range out {
		s.describe(&out[i])
	}
	return out, nil
}

// facetSlug is a name in a form that can name a page: a control character,
// which a source's text may have, is a space.
func facetSlug(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return ' '
		}
		return r
	}, name)
}

func (s *Set) describe(n *FacetName) {
	n.Records = len(n.members)
	var classes []string
	for _, i := range n.members {
		r := &s.records[i]
		if r.Void {
			n.Voids++
		}
		if isSimulated(r) {
			n.Some++
		}
		if !slices.Contains(classes, string(r.Class)) {
			classes = append(classes, string(r.Class))
		}
	}
	slices.Sort(classes)
	n.Classes = strings.Join(classes, ", ")
}

func isSimulated(r *evidence.Record) bool { return r.Class == evidence.Simulated }

// Pages is the number of pages of a name, at least 1.
func (n FacetName) Pages() int { return max(1, (len(n.members)+FacetRows-1)/FacetRows) }

// slice are the records of one page of a name, from 0.
func (n FacetName) slice(page int) []int {
	return n.members[page*FacetRows : min((page+1)*FacetRows, len(n.members))]
}

// FacetEntries are the records on one page of a name, from 0.
func (s *Set) FacetEntries(n FacetName, page int) EntryList {
	return s.list(s.at(n.slice(page)), "../../records/", "../../families/")
}

// FacetIDs are the IDs of those records: what the page depends on.
func (s *Set) FacetIDs(n FacetName, page int) []string {
	var ids []string
	for _, i := range n.slice(page) {
		ids = append(ids, s.records[i].ID.String())
	}
	return ids
}
