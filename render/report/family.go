package report

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Family is the data of a family's page: the points that one recipe produced,
// which may be compared with each other.
type Family struct {
	Name, Slug string
	Points     int
	Voids      int
	Simulated  int // how many records are from a simulated endpoint
	// Folder is set when the family is only the folder in which files of others
	// lay: then nothing says that one recipe produced its records.
	Folder   bool
	Classes  []string
	Profiles []Link
	Same     []Fact    // what all points share
	Varied   []Residue // what the recipe varies
	Residue  []Residue // what differs besides
	Curves   []CurveSet
	Table    PointTable
	// Pairs is how many neighbours by load the curves have, Joined between how
	// many of them nothing differs but the load.
	Pairs, Joined int
}

// Residue is a field that differs between the points of a family.
type Residue struct {
	Label  string
	Values []string
}

// CurveSet is the load curve of one latency, or the rate by load, as small
// multiples by workload.
type CurveSet struct {
	ID, Title string
	// Definitions are those of the drawn figures: ours where any was computed
	// here, and those of the sources of the others.
	Definitions []string
	ByLoad      bool // the load is to the right, the rate upwards
	Ranked      bool // some point has a place
	Charts      []Chart
	Notes       []string // of the places of all points
	Table       CurveTable
	// Pairs and Joined: see [Curve].
	Pairs, Joined int
}

// PointTable is every point of a family.
type PointTable struct {
	Label  string // what it is of, for those who do not see it
	Cols   []PointCol
	Groups []PointGroup
	Notes  []NoteGroup // of the limits whose marks stand at rows and cells
}

// Span is the number of columns: load, the figures and outcomes.
func (t PointTable) Span() int { return len(t.Cols) + 2 }

// PointCol is a figure's column, in one unit.
type PointCol struct {
	Metric    measure.MetricID
	Label     string
	Title     string
	Unit      string // of its numbers
	UnitShown string // what stands beside the label: see [headUnit]
}

// Head is label and unit in words.
func (c PointCol) Head() string { return columnHead(c.Label, c.UnitShown) }

func (s *Set) pointCol(rs []*evidence.Record, id measure.MetricID, unit string) PointCol {
	m := s.metric(id)
	return PointCol{Metric: id, Label: m.Short, Title: m.Label, Unit: unit, UnitShown: headUnit(rs, id, m.Short, unit)}
}

// PointGroup is the points of one workload and condition.
type PointGroup struct {
	Title string
	Rows  []PointRow
}

// PointRow is one point.
type PointRow struct {
	Record   string // slug
	Load     string
	Link     Link
	Kind     string // "over 3 runs", or empty
	Class    string // of figures that are no measurement: "derived", or empty
	Member   bool   // a run that a summary above it holds
	Void     bool
	Hot      []string // words in the warning colour: "void", "client suspect", the class
	Outcomes Outcomes
	Cells    []Cell
	Limits   []Mark // of the whole record
	Notes    int
}

// FamilySlugs lists the page names of the families in order.
func (s *Set) FamilySlugs() []string { return slugs(s.families) }

// ProfileSlugs lists the page names of the profiles in order.
func (s *Set) ProfileSlugs() []string { return slugs(s.profiles) }

func slugs(groups []group) []string {
	out := make([]string, len(groups))
	for i, g := range groups {
		out[i] = g.slug
	}
	return out
}

func bySlug(groups []group, slug string) (group, error) {
	for _, g := range groups {
		if g.slug == slug {
			return g, nil
		}
	}
	return group{}, fmt.Errorf("there is no page %q", slug)
}

// MembersOf lists the IDs of the records of a family or profile page, in
// reading order: what the page depends on.
func (s *Set) MembersOf(folder, slug string) ([]evidence.ID, error) {
	groups := s.families
	if folder == "profiles" {
		groups = s.profiles
	}
	g, err := bySlug(groups, slug)
	if err != nil {
		return nil, err
	}
	ids := make([]evidence.ID, len(g.members))
	for k, i := range g.members {
		ids[k] = s.records[i].ID
	}
	return ids, nil
}

// MemberSlugs lists the records of a family; none if there is no such family.
func (s *Set) MemberSlugs(family string) []string {
	g, err := bySlug(s.families, family)
	if err != nil {
		return nil
	}
	out := make([]string, len(g.members))
	for k, i := range g.members {
		out[k] = s.records[i].Slug
	}
	return out
}

// Family is the data of a family's page.
func (s *Set) Family(slug string) (*Family, error) {
	g, err := bySlug(s.families, slug)
	if err != nil {
		return nil, err
	}
	members := s.members(g)
	f := &Family{Name: g.name, Slug: g.slug, Points: len(g.members), Folder: onlyFolder(g.name, members)}
	var profiles []string
	for _, r := range members {
		if r.Void {
			f.Voids++
		}
		if r.Class == evidence.Simulated {
			f.Simulated++
		}
		if !slices.Contains(f.Classes, string(r.Class)) {
			f.Classes = append(f.Classes, string(r.Class))
		}
		if p := r.Subject.Profile; p != "" && !slices.Contains(profiles, p) {
			profiles = append(profiles, p)
			f.Profiles = append(f.Profiles, s.profileLink(p))
		}
	}
	f.Same, f.Residue = sameAndResidue(members)
	f.Varied = varied(members)
	if i := slices.IndexFunc(f.Varied, func(r Residue) bool { return r.Label == requestsField }); i >= 0 && s.requestsVary(members) {
		// Along a series the count is no condition that the recipe varies.
		f.Residue = append(f.Residue, f.Varied[i])
		f.Varied = slices.Delete(f.Varied, i, i+1)
	}
	if f.Table, err = s.pointTable(members); err != nil {
		return nil, fmt.Errorf("family %s: %w", g.name, err)
	}
	if err := s.annotate(&f.Table, "../"); err != nil {
		return nil, fmt.Errorf("family %s: %w", g.name, err)
	}
	s.draw(f, members)
	return f, nil
}

// onlyFolder reports whether a family is the folder of imported files: they have
// no other family unless somebody names one, and a name is no path.
func onlyFolder(name string, members []*evidence.Record) bool {
	return strings.Contains(name, "/") && !slices.ContainsFunc(members, func(r *evidence.Record) bool {
		return r.Class == evidence.OwnRun || r.Class == evidence.Simulated || len(r.Sources) == 0 || r.Sources[0].File == ""
	})
}

// draw adds the curves: of each latency, or where there is none of the rate
// alone.
func (s *Set) draw(f *Family, members []*evidence.Record) {
	p := newPairs()
	for _, base := range []measure.MetricID{"ttft", "tpot"} {
		if drawable(members, base) {
			if c := s.curves(members, base, p); len(c.Charts) > 0 {
				f.Curves = append(f.Curves, c)
			}
		}
	}
	if len(f.Curves) == 0 && rising(members) {
		f.Curves = append(f.Curves, s.ratesByLoad(members, p))
	}
	for _, c := range f.Curves {
		f.Pairs, f.Joined = max(f.Pairs, c.Pairs), max(f.Joined, c.Joined)
	}
}

func (s *Set) members(g group) []*evidence.Record {
	return s.at(g.members)
}

// pointMetrics are the columns of a family's table. Figures that were taken over
// may be means only, or count input too; they get columns of their own.
func pointMetrics(members []*evidence.Record) []measure.MetricID {
	for _, r := range members {
		if !allImported(r) {
			return []measure.MetricID{"output_token_rate", "ttft_p50", "ttft_p95", "tpot_p50", "e2e_p50", "e2e_p95", "goodput"}
		}
	}
	return []measure.MetricID{"output_token_rate", "total_token_rate", "request_rate", "ttft_mean", "ttft_p50", "ttft_p95",
		"tpot_mean", "tpot_p50", "e2e_mean", "e2e_p50", "e2e_p95", "goodput"}
}

func (s *Set) pointTable(members []*evidence.Record) (PointTable, error) {
	t := PointTable{Label: "Every point"}
	var scales []measure.Scaler
	for _, id := range pointMetrics(members) {
		var xs []float64
		found := false
		for _, r := range members {
			if v, ok := r.Value(id); ok {
				found = true
				if v.Amount.Kind == evidence.Exact || v.Amount.Kind == evidence.AtLeast {
					xs = append(xs, v.Amount.X)
				}
			}
		}
		if !found {
			continue
		}
		scale := measure.Scale(id, xs...)
		scales = append(scales, scale)
		t.Cols = append(t.Cols, s.pointCol(members, id, scale.Unit()))
	}
	for _, r := range members {
		row, err := s.pointRow(r, t.Cols, scales)
		if err != nil {
			return t, err
		}
		title := workloadShort(r) + "; " + condition(r)
		if k := len(t.Groups); k == 0 || t.Groups[k-1].Title != title {
			t.Groups = append(t.Groups, PointGroup{Title: title})
		}
		g := &t.Groups[len(t.Groups)-1]
		g.Rows = append(g.Rows, row)
	}
	return t, nil
}

func (s *Set) pointRow(r *evidence.Record, cols []PointCol, scales []measure.Scaler) (PointRow, error) {
	n, err := s.notesOf(r)
	if err != nil {
		return PointRow{}, fmt.Errorf("record %s: %w", r.Slug, err)
	}
	page := "../records/" + r.Slug + ".html"
	row := PointRow{Record: r.Slug, Load: loadShort(r), Class: unmeasuredClass(r), Link: Link{Text: r.Title, Href: page}, Member: len(s.partOf[r.Slug]) > 0,
		Void: r.Void, Outcomes: outcomesOf(r), Notes: n.count()}
	row.Kind = runsWords(r)
	row.Hot = hotWords(r)
	for k, c := range cols {
		row.Cells = append(row.Cells, s.cell(r, c.Metric, scales[k], page))
	}
	return row, nil
}

// field is something that the members of a family may share.
type field struct {
	label string
	of    func(*evidence.Record) Text
}

func subjectFields() []field {
	str := func(get func(*evidence.Record) evidence.Known[string]) func(*evidence.Record) Text {
		return func(r *evidence.Record) Text { return showString(get(r)) }
	}
	return []field{
		{"profile", func(r *evidence.Record) Text { return Text{State: evidence.StateStated, Text: r.Subject.Profile} }},
		{"evidence class", func(r *evidence.Record) Text { return Text{State: evidence.StateStated, Text: string(r.Class)} }},
		{"model", str(func(r *evidence.Record) evidence.Known[string] { return r.Subject.Model })},
		{"model revision", str(func(r *evidence.Record) evidence.Known[string] { return r.Subject.ModelRevision })},
		{"tokenizer", str(func(r *evidence.Record) evidence.Known[string] { return r.Subject.Tokenizer })},
		{"engine", str(func(r *evidence.Record) evidence.Known[string] { return r.Subject.Engine })},
		{"engine version", str(func(r *evidence.Record) evidence.Known[string] { return r.Subject.EngineVersion })},
		{"precision", str(func(r *evidence.Record) evidence.Known[string] { return r.Subject.Precision })},
		{"parallelism", str(func(r *evidence.Record) evidence.Known[string] { return r.Subject.Parallelism })},
		{"hardware", str(func(r *evidence.Record) evidence.Known[string] { return r.Subject.Hardware })},
		{"quality check", str(func(r *evidence.Record) evidence.Known[string] { return r.Subject.Quality })},
		{"client", str(func(r *evidence.Record) evidence.Known[string] { return r.Subject.Tool })},
		{"who counted the tokens", str(func(r *evidence.Record) evidence.Known[string] { return r.Workload.TokenSource })},
		{"objectives", str(func(r *evidence.Record) evidence.Known[string] { return r.State.Objectives })},
	}
}

const requestsField = "requests planned"

// requestsVary reports whether points of one series among the members were
// taken with different numbers of requests.
func (s *Set) requestsVary(members []*evidence.Record) bool {
	return slices.ContainsFunc(members, func(r *evidence.Record) bool {
		return slices.ContainsFunc(s.seen[r.Slug], func(l evidence.Limit) bool { return l.Code == evidence.RequestsVaryInSeries })
	})
}

func matrixFields() []field {
	return []field{
		{"input tokens asked", func(r *evidence.Record) Text { return inputWords(r) }},
		{"output tokens asked", func(r *evidence.Record) Text { return showCount(r.Workload.OutputTokensAsked) }},
		{"load", func(r *evidence.Record) Text { return Text{State: evidence.StateStated, Text: loadShort(r)} }},
		{"condition", func(r *evidence.Record) Text { return Text{State: evidence.StateStated, Text: condition(r)} }},
		{requestsField, func(r *evidence.Record) Text { return showCount(r.Workload.Requests) }}, // of single runs: see varied
	}
}

// sameAndResidue tells the fields that all members share from those that
// differ although no recipe says so.
func sameAndResidue(members []*evidence.Record) (same []Fact, residue []Residue) {
	for _, f := range subjectFields() {
		values := distinct(members, f)
		if len(values) == 1 {
			same = append(same, Fact{Label: f.label, Value: f.of(members[0])})
			continue
		}
		residue = append(residue, Residue{Label: f.label, Values: values})
	}
	return same, append(residue, factResidue(members)...)
}

func varied(members []*evidence.Record) []Residue {
	var out []Residue
	single := slices.DeleteFunc(slices.Clone(members), func(r *evidence.Record) bool { return r.Kind == evidence.RepeatsRecord })
	for _, f := range matrixFields() {
		of := members
		if f.label == requestsField {
			of = single // a summary's count is the sum of its runs, no condition of its own
		}
		if values := distinct(of, f); len(values) > 1 {
			out = append(out, Residue{Label: f.label, Values: values})
		}
	}
	return out
}

// distinct lists the different values of a field in reading order.
func distinct(members []*evidence.Record, f field) []string {
	var out []string
	for _, r := range members {
		if t := f.of(r).Text; !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// factResidue compares the manifests, fact by fact.
func factResidue(members []*evidence.Record) []Residue {
	var labels []string
	values := map[string][]string{}
	for _, r := range members {
		for _, f := range factsOf(r.Facts) {
			if _, seen := values[f.Label]; !seen {
				labels = append(labels, f.Label)
			}
			if !slices.Contains(values[f.Label], f.Value.Text) {
				values[f.Label] = append(values[f.Label], f.Value.Text)
			}
		}
	}
	var out []Residue
	slices.Sort(labels)
	for _, l := range slices.Compact(labels) {
		if len(values[l]) > 1 {
			out = append(out, Residue{Label: l, Values: values[l]})
		}
	}
	return out
}
