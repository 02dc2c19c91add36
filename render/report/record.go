package report

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Record is the data of a record's page.
type Record struct {
	Slug, ID  string
	Title     string
	Summary   string
	Class     evidence.Class
	Simulated bool
	Kind      evidence.Kind
	Void      bool
	VoidWhy   string
	Tags      []Tag
	Family    Link
	Profile   Link // Href empty: no page
	Prev      *Link
	Next      *Link
	Members   []Link // runs of a summary over repeats
	PartOf    []Link // summaries that this run is part of

	Line      []LineGroup
	Lead      *Headline
	Rates     []Headline
	Latencies []Latency
	Others    []Headline
	NoFigures string // why there is no figure at all

	Outcomes Outcomes
	Errors   []evidence.ErrorClass
	Timeline *Timeline
	Client   *Client
	Notes    []NoteGroup
	NoteN    int
	Gaps     []Gap
	Facts    []Fact
	Plan     string
	Files    []Download
	Rerun    []string
	Sources  []Source
	// SourceLinks name the sources in each headline block.
	SourceLinks []Link
	Cite        string
}

// Tag is a word about the whole record below its title.
type Tag struct {
	Text string
	Hot  bool
}

// Client is the load generator's verdict on itself (M39).
type Client struct {
	Verdict string
	Hot     bool
	Reasons []string
	Facts   []Fact
}

// Fact is one line of a manifest.
type Fact struct {
	Label string
	Value Text
}

// Gap is one thing that the record does not state, and why.
type Gap struct{ Label, Why string }

// Download is a file that lies beside the page.
type Download struct {
	Name, Href, What, Bytes, SHA256 string
}

// Source is one line of the source register (M26).
type Source struct {
	Name, Supports               string
	Published, Reviewed, Licence Text
	File, SHA256, Adapter        string
}

// Record is the data of the page of one record.
func (s *Set) Record(slug string) (*Record, error) {
	r, err := s.find(slug)
	if err != nil {
		return nil, err
	}
	n, err := s.notesOf(r)
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", slug, err)
	}
	p := &Record{
		Slug: r.Slug, ID: r.ID.String(), Title: r.Title, Summary: r.Summary, Class: r.Class, Simulated: r.Class == evidence.Simulated,
		Kind: r.Kind, Void: r.Void, VoidWhy: r.VoidWhy, Tags: tags(r), Family: s.familyLink(r.Family), Profile: s.profileLink(r.Subject.Profile),
		Outcomes: outcomesOf(r), Errors: r.Errors, Timeline: timelineOf(r), Client: clientOf(r),
		Notes: n.groups, NoteN: n.count(), Gaps: s.gapsOf(r), Facts: factsOf(r.Facts), Plan: r.PlanTOML,
		Files: downloads(r), Rerun: rerun(r), Sources: sourcesOf(r), SourceLinks: sourceLinks(r),
	}
	p.Line = s.benchmarkLine(r, p.Outcomes)
	s.figures(p, r, n)
	s.neighbours(p, r)
	p.Cite = cite(r)
	return p, nil
}

// figures lays the values out: the lead, the rates, the latencies, the others.
func (s *Set) figures(p *Record, r *evidence.Record, n *notes) {
	used := map[measure.MetricID]bool{}
	if v, ok := r.Value("output_token_rate"); ok {
		h := s.headline(r, v, n, p.Outcomes)
		h.Lead = true
		p.Lead = &h
		used[v.Metric] = true
	}
	for _, id := range []measure.MetricID{"total_token_rate", "goodput", "request_rate"} {
		if v, ok := r.Value(id); ok {
			p.Rates = append(p.Rates, s.headline(r, v, n, p.Outcomes))
			used[id] = true
		}
	}
	for _, base := range []measure.MetricID{"ttft", "tpot", "e2e"} {
		stats := orOthers(r, base, []measure.Stat{measure.P50, measure.P95, measure.P99})
		if l, ok := s.latency(r, base, n, p.Outcomes, stats); ok {
			p.Latencies = append(p.Latencies, l)
			for _, st := range stats {
				used[measure.ID(base, st)] = true
			}
		}
	}
	for _, v := range r.Values {
		if !used[v.Metric] {
			h := s.headline(r, v, n, p.Outcomes)
			h.Minor, h.Quote.Notes = true, nil // the many small ones leave their notes to the page
			p.Others = append(p.Others, h)
		}
	}
	if len(r.Values) == 0 {
		p.NoFigures = "This record states no figure."
	}
}

func tags(r *evidence.Record) []Tag {
	t := []Tag{{Text: string(r.Class), Hot: r.Class == evidence.Simulated}}
	if r.Kind == evidence.RepeatsRecord {
		t = append(t, Tag{Text: fmt.Sprintf("summary of %d runs", len(r.Members))})
	} else {
		t = append(t, Tag{Text: "one run"})
	}
	mode := showString(r.Load.Mode)
	t = append(t, Tag{Text: gapWords("load ", mode), Hot: mode.Gap()})
	cache := Text{State: evidence.StateStated, Text: r.State.Cache.Kind.String() + " cache"}
	if r.State.Cache.Kind == measure.CacheUnstated {
		cache = Text{State: evidence.StateNotStated, Text: "not stated"}
	}
	t = append(t, Tag{Text: gapWords("cache state ", cache), Hot: cache.Gap()})
	if started := showString(r.Subject.Started); !started.Missing() {
		t = append(t, Tag{Text: started.Text})
	}
	if c, ok := r.State.Complete.Get(); ok && strings.HasPrefix(c, "interrupted") {
		t = append(t, Tag{Text: "interrupted", Hot: true})
	}
	if n, ok := r.Outcomes.Unresolved.Get(); ok && n > 0 {
		t = append(t, Tag{Text: measure.FormatCount(n) + " unresolved", Hot: true})
	}
	if n, ok := r.Outcomes.NeverSent.Get(); ok && n > 0 {
		t = append(t, Tag{Text: measure.FormatCount(n) + " never sent", Hot: true})
	}
	if c := r.Client; c != nil && c.Verdict != "sound" {
		t = append(t, Tag{Text: "client: " + c.Verdict, Hot: hotClient(c.Verdict)})
	}
	return t
}

func gapWords(lead string, t Text) string {
	if t.Missing() {
		return lead + t.Text
	}
	return t.Text
}

// hotClient reports whether a verdict is held against the client: too few to
// judge is not.
func hotClient(verdict string) bool { return verdict != "sound" && verdict != "too few to judge" }

func clientOf(r *evidence.Record) *Client {
	if r.Client == nil {
		return nil
	}
	return &Client{Verdict: r.Client.Verdict, Hot: hotClient(r.Client.Verdict), Reasons: r.Client.Reasons, Facts: factsOf(r.Client.Facts)}
}

func factsOf(facts []evidence.Fact) []Fact {
	out := make([]Fact, 0, len(facts))
	for _, f := range facts {
		label := f.Label
		if label == "" {
			label = f.Key
		}
		out = append(out, Fact{Label: label, Value: showString(f.Value)})
	}
	return out
}

func sourcesOf(r *evidence.Record) []Source {
	out := make([]Source, 0, len(r.Sources))
	for _, x := range r.Sources {
		out = append(out, Source{Name: x.Name, Supports: x.Supports, Published: showString(x.Published), Reviewed: showString(x.Reviewed),
			Licence: showString(x.Licence), File: x.File, SHA256: x.SHA256, Adapter: x.Adapter})
	}
	return out
}

// DataPath is where a record's file lies in the built site, without a leading
// slash. Files of run folders keep their folder; any other keeps its path.
func DataPath(f evidence.File) string {
	if rest, ok := strings.CutPrefix(f.Path, "logs/"); ok {
		return "data/runs/" + rest
	}
	return "data/files/" + f.Path
}

func downloads(r *evidence.Record) []Download {
	out := make([]Download, 0, len(r.Files))
	for _, f := range r.Files {
		out = append(out, Download{Name: f.Name, Href: "../" + DataPath(f), What: f.What, Bytes: measure.FormatCount(f.Bytes), SHA256: f.SHA256})
	}
	return out
}

// rerun is the commands that make a record like this one again.
func rerun(r *evidence.Record) []string {
	if r.PlanTOML == "" {
		return nil
	}
	dir := ""
	for _, f := range r.Files {
		if f.Name == "plan.toml" {
			dir = path.Base(path.Dir(f.Path))
		}
	}
	plan := "plan.toml"
	if dir != "" {
		plan = path.Join("data/runs", dir, "plan.toml")
	}
	return []string{
		"benchline plan " + plan + "           # what it will send, and how long it takes",
		"benchline run " + plan + " --out logs  # one folder for each run",
		"benchline build                          # evidence and pages",
	}
}

func cite(r *evidence.Record) string {
	parts := []string{fmt.Sprintf("“%s”", r.Title), "benchline record " + r.Slug}
	if tool, ok := r.Subject.Tool.Get(); ok {
		parts = append(parts, "measured by "+tool)
	}
	if started, ok := r.Subject.Started.Get(); ok {
		parts = append(parts, started)
	}
	parts = append(parts, "evidence "+string(r.Class), "sha256 "+r.ID.String())
	return strings.Join(parts, ", ") + "."
}

func (s *Set) neighbours(p *Record, r *evidence.Record) {
	p.Prev, p.Next = s.Neighbours(r.Slug)
	for _, m := range r.Members {
		l := Link{Text: m.Slug}
		if i, ok := s.bySlug[m.Slug]; ok {
			l = Link{Text: s.records[i].Title, Href: m.Slug + ".html"}
		}
		p.Members = append(p.Members, l)
	}
	for _, slug := range s.partOf[r.Slug] {
		p.PartOf = append(p.PartOf, Link{Text: s.records[s.bySlug[slug]].Title, Href: slug + ".html"})
	}
	slices.SortFunc(p.PartOf, func(a, b Link) int { return strings.Compare(a.Href, b.Href) })
}
