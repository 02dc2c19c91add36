package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/compare"
	"benchline/ingest/consistency"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Set is all the evidence of a site, put in order once: every page is made from
// it. It is read-only after [NewSet] and safe for use by several goroutines.
type Set struct {
	records  []evidence.Record // by slug
	bySlug   map[string]int
	partOf   map[string][]string // run -> summaries that it is part of
	families []group
	profiles []group
	metrics  map[measure.MetricID]measure.Metric
	gone     []string                // records that are not shown any more
	byCode   map[evidence.Code][]int // records in which a limit stands
	// seen are the notes on a record that only its family shows, by slug.
	seen map[string][]evidence.Limit
}

// group is the records of one family or profile in reading order.
type group struct {
	name, slug string
	members    []int
	place      map[int]int // record -> place in members
}

// NewSet puts records in order. Two records of one slug are an error: one page
// would hide the other. Who asks for one of the withdrawn, by its slug, is told
// that it was withdrawn.
func NewSet(records []evidence.Record, withdrawn ...string) (*Set, error) {
	s := &Set{records: slices.Clone(records), gone: withdrawn, bySlug: map[string]int{}, partOf: map[string][]string{}, metrics: map[measure.MetricID]measure.Metric{}}
	slices.SortFunc(s.records, func(a, b evidence.Record) int {
		return cmp.Or(strings.Compare(a.Slug, b.Slug), strings.Compare(a.ID.String(), b.ID.String()))
	})
	for i := range s.records {
		r := &s.records[i]
		if _, ok := s.bySlug[r.Slug]; ok {
			return nil, fmt.Errorf("two records have the slug %q: only one can have the page", r.Slug)
		}
		s.bySlug[r.Slug] = i
	}
	for i := range s.records {
		for _, m := range s.records[i].Members {
			s.partOf[m.Slug] = append(s.partOf[m.Slug], s.records[i].Slug)
		}
	}
	for _, m := range measure.Metrics() {
		s.metrics[m.ID] = m
	}
	var err error
	if s.families, err = s.groups("family", func(r *evidence.Record) string { return r.Family }); err != nil {
		return nil, err
	}
	s.lookAcross()
	s.byCode = map[evidence.Code][]int{}
	for i := range s.records {
		for code := range s.codesOf(&s.records[i]) {
			s.byCode[code] = append(s.byCode[code], i) // each in the order of the slugs
		}
	}
	s.profiles, err = s.groups("profile", func(r *evidence.Record) string { return r.Subject.Profile })
	return s, err
}

// find is the record of a slug.
func (s *Set) find(slug string) (*evidence.Record, error) {
	if i, ok := s.bySlug[slug]; ok {
		return &s.records[i], nil
	}
	if slices.Contains(s.gone, slug) {
		return nil, fmt.Errorf("record %q was withdrawn: withdrawn.toml has the reason, and its figures can stand nowhere", slug)
	}
	return nil, s.noRecord(slug)
}

// lookAcross finds what only the other records of a family show.
func (s *Set) lookAcross() {
	s.seen = map[string][]evidence.Limit{}
	for _, g := range s.families {
		members := make([]evidence.Record, len(g.members))
		for k, i := range g.members {
			members[k] = s.records[i]
		}
		for slug, limits := range consistency.Series(members) {
			s.seen[slug] = append(s.seen[slug], limits...)
		}
		for slug, l := range compare.FastLongPrompts(members) {
			s.seen[slug] = append(s.seen[slug], l)
		}
	}
}

// Across are the notes on a record that only its family shows, in words: what
// its page depends on besides the record.
func (s *Set) Across(slug string) []string {
	var out []string
	for _, l := range s.seen[slug] {
		out = append(out, string(l.Code)+" "+strings.Join(l.Args, " "))
	}
	return out
}

// groups collects the records that have the same non-empty name.
func (s *Set) groups(what string, name func(*evidence.Record) string) ([]group, error) {
	members := map[string][]int{}
	for i := range s.records {
		if n := name(&s.records[i]); n != "" {
			members[n] = append(members[n], i)
		}
	}
	var out []group
	for n, is := range members {
		slug, err := evidence.Slug(n)
		if err != nil {
			return nil, fmt.Errorf("%s of record %s: %w", what, s.records[is[0]].Slug, err)
		}
		slices.SortFunc(is, func(a, b int) int { return s.reading(&s.records[a], &s.records[b]) })
		g := group{name: n, slug: slug, members: is, place: make(map[int]int, len(is))}
		for k, i := range is {
			g.place[i] = k
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b group) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// reading is the order in which the points of a family are read: by workload,
// then cache state and kind of load, then rising load; a summary before its runs.
func (s *Set) reading(a, b *evidence.Record) int {
	return cmp.Or(
		cmp.Compare(orMinus(a.Workload.InputTokensAsked), orMinus(b.Workload.InputTokensAsked)),
		cmp.Compare(orMinus(a.Workload.OutputTokensAsked), orMinus(b.Workload.OutputTokensAsked)),
		strings.Compare(condition(a), condition(b)),
		cmp.Compare(loadSize(a), loadSize(b)),
		strings.Compare(string(b.Kind[:min(3, len(b.Kind))]), string(a.Kind[:min(3, len(a.Kind))])), // "run" before "rep", turned round
		naturally(a.Slug, b.Slug),
	)
}

// naturally compares names with the numbers in them as numbers: "8k" before "16k".
func naturally(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		i, j := digits(x), digits(y)
		if i > 0 && j > 0 {
			m, n := strings.TrimLeft(x[:i], "0"), strings.TrimLeft(y[:j], "0")
			if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
				return c
			}
			x, y = x[i:], y[j:]
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// digits is how many digits a text begins with.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

func orMinus(k evidence.Known[int64]) int64 {
	if n, ok := k.Get(); ok {
		return n
	}
	return -1
}

// condition is the kind of load and the cache state: points of one condition
// make one series.
func condition(r *evidence.Record) string {
	mode, ok := r.Load.Mode.Get()
	if !ok {
		mode = "load not stated"
	}
	if a, ok := r.Load.Arrivals.Get(); ok {
		mode += ", " + a + " arrivals"
	}
	cache := r.State.Cache.Kind.String()
	switch r.State.Cache.Kind {
	case measure.CacheUnstated:
		cache = "state not stated"
	case measure.CacheShared:
		cache = "shared prefix of " + measure.FormatShare(r.State.Cache.Share)
	case measure.CacheCold, measure.CacheWarm, measure.CacheDisabled:
	}
	return mode + ", cache " + cache
}

// loadSize orders points by rising load.
func loadSize(r *evidence.Record) float64 {
	if n, ok := r.Load.Concurrency.Get(); ok {
		return float64(n)
	}
	if x, ok := r.Load.RatePerSec.Get(); ok {
		return x
	}
	return -1
}

// loadShort names a point's load: "c = 16", "20 requests per 1s".
func loadShort(r *evidence.Record) string {
	if n, ok := r.Load.Concurrency.Get(); ok {
		return "c = " + measure.FormatCount(n)
	}
	if t, ok := r.Load.Rate.Get(); ok {
		return t
	}
	return "not stated"
}

// workloadShort names a point's workload: "128 tokens in, 64 out".
func workloadShort(r *evidence.Record) string {
	in, out := inputWords(r), showCount(r.Workload.OutputTokensAsked)
	words := in.Text // of prompts without a number: "sharegpt"
	if !strings.Contains(words, " ") {
		words = "prompts “" + words + "”"
	}
	prompts := r.Workload.InputTokensAsked.State() == evidence.StateNotStated && !in.Gap()
	switch {
	case prompts && out.Gap():
		return words + ", output length not stated"
	case prompts:
		return words + ", " + out.Text + " tokens out"
	case in.Gap() && out.Gap():
		return "lengths not stated"
	case in.Gap():
		return "input length not stated, " + out.Text + " tokens out"
	case out.Gap():
		return in.Text + " tokens in, output length not stated"
	}
	return lengthWords(in, "in") + ", " + lengthWords(out, "out")
}

func lengthWords(t Text, way string) string {
	switch {
	case t.Missing():
		return "no tokens " + way
	case way == "out":
		return t.Text + " out"
	}
	return t.Text + " tokens " + way
}

// Len is the number of records.
func (s *Set) Len() int { return len(s.records) }

// Slugs lists the records' slugs in order.
func (s *Set) Slugs() []string {
	out := make([]string, len(s.records))
	for i := range s.records {
		out[i] = s.records[i].Slug
	}
	return out
}

// Evidence returns a record by its slug, and whether there is one.
func (s *Set) Evidence(slug string) (evidence.Record, bool) {
	i, ok := s.bySlug[slug]
	if !ok {
		return evidence.Record{}, false
	}
	return s.records[i], true
}

// metric is the registry's entry; an unknown ID, which a sealed record cannot
// hold, names itself.
func (s *Set) metric(id measure.MetricID) measure.Metric {
	if m, ok := s.metrics[id]; ok {
		return m
	}
	return measure.Metric{ID: id, Base: id, Label: string(id), Short: string(id)}
}

// Neighbours are the records before and after one in the reading order of its
// family; nil at the ends.
func (s *Set) Neighbours(slug string) (prev, next *Link) {
	i, ok := s.bySlug[slug]
	if !ok {
		return nil, nil
	}
	g, ok := find(s.families, s.records[i].Family)
	if !ok {
		return nil, nil
	}
	at := g.place[i]
	link := func(k int) *Link {
		r := &s.records[g.members[k]]
		return &Link{Text: r.Title, Href: r.Slug + ".html"}
	}
	if at > 0 {
		prev = link(at - 1)
	}
	if at+1 < len(g.members) {
		next = link(at + 1)
	}
	return prev, next
}

func find(groups []group, name string) (group, bool) {
	i, ok := slices.BinarySearchFunc(groups, name, func(g group, n string) int { return strings.Compare(g.name, n) })
	if !ok {
		return group{}, false
	}
	return groups[i], true
}

func (s *Set) familyLink(name string) Link {
	g, ok := find(s.families, name)
	if !ok {
		return Link{Text: name}
	}
	return Link{Text: name, Href: "../families/" + g.slug + ".html"}
}

func (s *Set) profileLink(name string) Link {
	g, ok := find(s.profiles, name)
	if !ok {
		return Link{Text: name}
	}
	return Link{Text: name, Href: "../profiles/" + g.slug + ".html"}
}
