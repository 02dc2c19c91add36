package pack

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/ingest/tomlfile"
	"benchline/render/report"
)

// Input is what a document is built from.
type Input struct {
	Pack   Pack
	Frozen Frozen // empty: nothing was frozen
	Set    *report.Set
	// Root leads from the document's page to the site's root: "../".
	Root string
}

// Build holds a pack against the evidence. The error is [tomlfile.Faults] where
// the pack names records or families that are not there.
func Build(in Input) (*Document, error) {
	b := &builder{in: in, p: in.Pack, memberOf: map[string]string{}, byID: map[string]string{}, byFamily: map[string][]string{}}
	b.index()
	members := make([]gathered, len(b.p.Options))
	for i, o := range b.p.Options {
		members[i] = b.gather(o)
	}
	if len(b.faults) > 0 {
		return nil, b.faults
	}
	d := &Document{Name: b.p.Name, Title: b.p.Title, Decision: b.p.Decision, Date: b.p.Date, Summary: b.p.Summary, File: b.p.File,
		Shape: shapeSays(b.p.Shape), Conditions: conditionsSay(b.p.Conditions), Assumptions: b.p.Assumptions, Accuracy: b.p.Accuracy,
		Reservations: b.p.Reservations, Conflicts: b.p.Conflicts, NoConflicts: b.p.NoConflicts, Signatories: b.p.Signatories}
	for _, c := range b.p.Criteria {
		d.Criteria = append(d.Criteria, criterionSays(c))
	}
	parts := make([]optionParts, len(members))
	for i := range members {
		parts[i] = b.choose(b.p.Options[i], members[i])
		parts[i].key = fmt.Sprintf("o%d", i+1)
	}
	b.scales(parts)
	d.Columns = b.columns()
	for _, x := range parts {
		says, err := b.option(x)
		if err != nil {
			return nil, err
		}
		d.Options = append(d.Options, says)
	}
	d.Order = order(d.Options)
	if err := b.curve(d, parts); err != nil {
		return nil, err
	}
	if err := b.claims(d, members); err != nil {
		return nil, err
	}
	d.Records, d.Simulated = b.used(parts, members)
	d.Freeze = freezeSays(b.p, in.Frozen, parts)
	d.Assumptions = append(priceAssumptions(b.p), d.Assumptions...)
	d.Notes = notes(d)
	d.Hash = hash(in, d.Records)
	return d, nil
}

// hash is the SHA-256 over the lengths and bytes of the pack file and of what was
// frozen, and the IDs of the records.
func hash(in Input, used []Used) string {
	h := sha256.New()
	frozen := []byte{}
	if len(in.Frozen) > 0 {
		frozen = in.Frozen.TOML()
	}
	for _, part := range [][]byte{in.Pack.Source, frozen} {
		fmt.Fprintf(h, "%d\n", len(part))
		h.Write(part)
	}
	for _, u := range used {
		fmt.Fprintf(h, "%s\n", u.ID)
	}
	return hex.EncodeToString(h.Sum(nil))
}

type builder struct {
	in     Input
	p      Pack
	faults tomlfile.Faults
	// memberOf is the summary that a run is part of.
	memberOf map[string]string
	byID     map[string]string
	byFamily map[string][]string
	scale    map[measure.MetricID]measure.Scaler
}

func (b *builder) index() {
	for _, slug := range b.in.Set.Slugs() {
		r, _ := b.in.Set.Evidence(slug)
		b.byID[r.ID.String()] = slug
		b.byFamily[r.Family] = append(b.byFamily[r.Family], slug)
		for _, m := range r.Members {
			b.memberOf[m.Slug] = slug
		}
	}
}

func (b *builder) fault(n Name, format string, args ...any) {
	b.faults = append(b.faults, tomlfile.Fault{File: b.p.File, Line: n.Line, Msg: fmt.Sprintf(format, args...)})
}

// gathered is the records of one option.
type gathered struct {
	points []*evidence.Record // measured; a summary stands for its runs
	claims []*evidence.Record
}

// gather finds the records that an option names. One run of several of a point is
// never taken alone: its summary stands for all.
func (b *builder) gather(o Option) gathered {
	var g gathered
	add := func(slug string, quote bool) {
		if whole, ok := b.memberOf[slug]; ok {
			slug = whole
		}
		r, _ := b.in.Set.Evidence(slug)
		list := &g.points
		if quote || !isMeasured(&r) {
			list = &g.claims
		}
		if !slices.ContainsFunc(*list, func(x *evidence.Record) bool { return x.Slug == slug }) {
			*list = append(*list, &r)
		}
	}
	for _, n := range o.Records {
		if slug, ok := b.slug(n); ok {
			add(slug, false)
		}
	}
	for _, n := range o.Families {
		slugs, ok := b.byFamily[n.Text]
		if !ok {
			b.fault(n, "option %q: there is no family %q", o.Name, n.Text)
		}
		for _, slug := range slugs {
			add(slug, false)
		}
	}
	for _, n := range o.Claims {
		if slug, ok := b.slug(n); ok {
			add(slug, true)
		}
	}
	return g
}

// slug finds a record by its slug or ID.
func (b *builder) slug(n Name) (string, bool) {
	if _, ok := b.in.Set.Evidence(n.Text); ok {
		return n.Text, true
	}
	if slug, ok := b.byID[n.Text]; ok {
		return slug, true
	}
	b.fault(n, "there is no record %q", n.Text)
	return "", false
}

// runs are the single runs of a point that are no void ones.
func (b *builder) runs(r *evidence.Record) []*evidence.Record {
	if r.Kind != evidence.RepeatsRecord {
		return []*evidence.Record{r}
	}
	var out []*evidence.Record
	for _, m := range r.Members {
		if run, ok := b.in.Set.Evidence(m.Slug); ok && !run.Void {
			out = append(out, &run)
		}
	}
	return out
}

// point is a measured point of an option, held against the conditions.
type point struct {
	r       *evidence.Record
	runs    []*evidence.Record
	differs []difference
	target  Outcome // over the criteria on percentiles
	errors  Outcome // over those on errors
}

// optionParts is an option with its points.
type optionParts struct {
	key    string
	o      Option
	points []point
	row    int // the point in the table; -1: none
	rows   []int
}

// choose holds an option's points against the conditions. Where several are at
// them, all are judged and the table has the one with the lowest output-token rate.
func (b *builder) choose(o Option, g gathered) optionParts {
	x := optionParts{o: o, row: -1}
	for _, r := range g.points {
		pt := point{r: r, runs: b.runs(r), differs: differences(b.p.Conditions, o, r)}
		if onlyLoad(pt.differs) {
			pt.target = combine(b.outcomes(pt.runs, Criterion.latency))
			pt.errors = combine(b.outcomes(pt.runs, func(c Criterion) bool { return c.Metric == ErrorShare }))
		}
		x.points = append(x.points, pt)
	}
	slices.SortStableFunc(x.points, func(p, q point) int {
		return cmp.Or(cmp.Compare(len(p.differs), len(q.differs)), cmp.Compare(rateOf(p.r), rateOf(q.r)), strings.Compare(p.r.Slug, q.r.Slug))
	})
	for i, pt := range x.points {
		if len(pt.differs) == 0 {
			x.rows = append(x.rows, i)
		}
	}
	if len(x.rows) > 0 {
		x.row = x.rows[0]
	}
	return x
}

// outcomes are those of some criteria over the runs of a point.
func (b *builder) outcomes(runs []*evidence.Record, of func(Criterion) bool) []Outcome {
	var out []Outcome
	for _, c := range b.p.Criteria {
		if of(c) {
			out = append(out, joinRuns(c, runs, b.link).Outcome)
		}
	}
	return out
}

func (b *builder) link(r *evidence.Record) report.Link {
	return report.Link{Text: r.Title, Href: b.in.Root + "records/" + r.Slug + ".html"}
}

func rateOf(r *evidence.Record) float64 {
	v, _ := r.Value("output_token_rate")
	return v.Amount.X
}

// used lists the records on which the document rests, each once, and counts
// those of a simulated endpoint.
func (b *builder) used(parts []optionParts, members []gathered) (out []Used, simulated int) {
	add := func(r *evidence.Record, option, as string) {
		if r.Class == evidence.Simulated {
			simulated++
		}
		out = append(out, Used{Record: b.link(r), ID: r.ID.String(), Option: option, Class: r.Class, Started: text(r.Subject.Started), As: as})
	}
	for k, x := range parts {
		for _, r := range members[k].claims {
			add(r, x.o.Name, "claim: "+string(r.Class))
		}
		for i, pt := range x.points {
			as := "not comparable: " + strings.Join(words(pt.differs), ", ")
			switch {
			case slices.Contains(x.rows, i):
				as = "at the conditions"
			case onlyLoad(pt.differs):
				as = "at another load"
			}
			add(pt.r, x.o.Name, as)
			if pt.r.Kind == evidence.RepeatsRecord {
				for _, run := range pt.runs {
					add(run, x.o.Name, "run of "+pt.r.Title)
				}
			}
		}
	}
	return out, simulated
}

func text(k evidence.Known[string]) report.Text {
	t := report.Text{State: k.State(), Text: k.State().String(), Note: k.Note()}
	if v, ok := k.Get(); ok {
		t.Text = v
	}
	return t
}
