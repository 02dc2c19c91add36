package report

import (
	"cmp"
	"slices"
	"strings"
)

// Unknown is one thing that records of a site do not state.
type Unknown struct {
	ID      string // of its place on the page
	Label   string
	Records int
	Reasons []Reason
	More    int // reasons beyond those listed
	Some    []Link
	Rest    int // records beyond those linked
}

// Reason is why something is not stated, with the number of records that say so.
type Reason struct {
	Why     string
	Records int
}

// Unknowing is a record with what it does not state.
type Unknowing struct {
	Link   Link
	Class  string
	Hot    bool // from a simulated endpoint
	N      int
	Labels string
}

// How much of each list of the page of gaps is shown. The page of each record
// has all of its gaps; these bounds only keep one page from holding a site.
const (
	mostReasons = 6
	mostLinks   = 12
	// GapRows is how many records one page of the list by record has.
	GapRows = 500
)

// Unknowns lists what the records do not state, what most of them lack first.
// Every line is gathered from the records: a thing that all of them state is
// not in it.
func (s *Set) Unknowns() []Unknown {
	by := map[string]*Unknown{}
	reasons := map[string]map[string]int{}
	for i := range s.records {
		r := &s.records[i]
		for _, g := range s.gapsOf(r) {
			u, ok := by[g.Label]
			if !ok {
				u = &Unknown{Label: g.Label}
				by[g.Label], reasons[g.Label] = u, map[string]int{}
			}
			u.Records++
			reasons[g.Label][g.Why]++
			if len(u.Some) < mostLinks {
				u.Some = append(u.Some, Link{Text: r.Title, Href: "records/" + r.Slug + ".html#gaps"})
			}
		}
	}
	out := make([]Unknown, 0, len(by))
	for label, u := range by {
		u.Reasons, u.More = mostFrequent(reasons[label])
		u.Rest = u.Records - len(u.Some)
		out = append(out, *u)
	}
	slices.SortFunc(out, func(a, b Unknown) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), strings.Compare(a.Label, b.Label))
	})
	return out
}

func mostFrequent(counts map[string]int) (some []Reason, more int) {
	for why, n := range counts {
		some = append(some, Reason{Why: why, Records: n})
	}
	slices.SortFunc(some, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), strings.Compare(a.Why, b.Why))
	})
	if len(some) > mostReasons {
		return some[:mostReasons], len(some) - mostReasons
	}
	return some, 0
}

// GapPages is the number of pages of the list by record, at least 1.
func (s *Set) GapPages() int { return max(1, (len(s.records)+GapRows-1)/GapRows) }

// GapPage lists the records of one page, from 0, in the order of their names,
// each with what it does not state.
func (s *Set) GapPage(page int) []Unknowing {
	var out []Unknowing
	for i := page * GapRows; i < min((page+1)*GapRows, len(s.records)); i++ {
		r := &s.records[i]
		gaps := s.gapsOf(r)
		labels := make([]string, len(gaps))
		for k, g := range gaps {
			labels[k] = g.Label
		}
		out = append(out, Unknowing{Link: Link{Text: r.Title, Href: "records/" + r.Slug + ".html#gaps"}, Class: string(r.Class),
			Hot: isSimulated(r), N: len(gaps), Labels: strings.Join(labels, " · ")})
	}
	return out
}

// ListedIn are the IDs of the records in one page, from 0, of a list in the
// order of the names with size records a page: what that page depends on.
func (s *Set) ListedIn(page, size int) []string {
	var ids []string
	for i := page * size; i < min((page+1)*size, len(s.records)); i++ {
		ids = append(ids, s.records[i].ID.String())
	}
	return ids
}
