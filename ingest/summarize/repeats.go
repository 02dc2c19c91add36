package summarize

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// Repeats makes the record over several runs of one point: each figure is the
// median of the runs' own figures, with its order-statistic interval where
// there are runs enough, or the reason why there is none. Requests are never
// pooled across runs: requests of one run share an endpoint, so the run is what
// repeats. Outcomes are added up.
//
// Void runs are members, but in no figure. What varied between the runs is
// named. The runs must be sealed records of single runs, at least two, of one
// class, family, profile and point; anything else is an error. Their order does
// not matter. Sources and files are left to the caller.
func Repeats(runs []evidence.Record) (evidence.Record, error) {
	runs = slices.Clone(runs)
	slices.SortFunc(runs, func(a, b evidence.Record) int {
		return cmp.Or(cmp.Compare(started(a), started(b)), cmp.Compare(a.Slug, b.Slug))
	})
	if err := repeatable(runs); err != nil {
		return evidence.Record{}, fmt.Errorf("summarizing %d repeats: %w", len(runs), err)
	}
	g := group{all: runs}
	for _, r := range runs {
		if !r.Void {
			g.valid = append(g.valid, r)
		}
	}
	slug, err := evidence.Slug(repeatsName(runs[0]))
	if err != nil {
		return evidence.Record{}, fmt.Errorf("summarizing %d repeats: naming their page: %w", len(runs), err)
	}
	return g.record(slug), nil
}

func started(r evidence.Record) string {
	s, _ := r.Subject.Started.Get()
	return s
}

func repeatable(runs []evidence.Record) error {
	if len(runs) < 2 {
		return errors.New("at least two runs are needed")
	}
	ids := map[evidence.ID]bool{}
	for _, r := range runs {
		first := runs[0]
		switch {
		case r.Kind != evidence.RunRecord:
			return fmt.Errorf("record %s is not one of a single run", r.Slug)
		case ids[r.ID]:
			return fmt.Errorf("record %s is there twice, or was not sealed", r.Slug)
		case r.Class != first.Class || r.Family != first.Family || r.Subject.Profile != first.Subject.Profile:
			return fmt.Errorf("records %s and %s differ in class, family or profile", first.Slug, r.Slug)
		case point(r) != point(first):
			return fmt.Errorf("records %s and %s are of different points", first.Slug, r.Slug)
		case r.State.Cache.Kind != first.State.Cache.Kind || r.State.Cache.Share != first.State.Cache.Share || r.State.Cache.Declared != first.State.Cache.Declared:
			return fmt.Errorf("records %s and %s differ in their declared cache state", first.Slug, r.Slug)
		}
		ids[r.ID] = true
	}
	return nil
}

// point is what makes runs ones of the same point of a plan.
func point(r evidence.Record) string {
	text := func(v any, ok bool) string { return fmt.Sprint(v, ok) }
	in, hasIn := r.Workload.InputTokensAsked.Get()
	out, hasOut := r.Workload.OutputTokensAsked.Get()
	mode, hasMode := r.Load.Mode.Get()
	c, hasC := r.Load.Concurrency.Get()
	rate, hasRate := r.Load.Rate.Get()
	arrivals, hasArrivals := r.Load.Arrivals.Get()
	return strings.Join([]string{text(in, hasIn), text(out, hasOut), text(mode, hasMode), text(c, hasC), text(rate, hasRate), text(arrivals, hasArrivals)}, "|")
}

// repeatsName is the name of the first run without its repeat. It stays when
// later runs join.
func repeatsName(first evidence.Record) string {
	name := first.Slug
	if i := strings.LastIndex(name, "-r"); i > 0 && strings.Trim(name[i+2:], "0123456789") == "" && name[i+2:] != "" {
		name = name[:i]
	}
	return name + "-repeats"
}

// group is runs of one point, the earliest first.
type group struct {
	all   []evidence.Record
	valid []evidence.Record // not void
}

func (g group) record(slug string) evidence.Record {
	first := g.all[0]
	title := first.Title
	if i := strings.LastIndex(title, " (run "); i > 0 {
		title = title[:i]
	}
	rec := evidence.Record{
		Schema: evidence.Schema, Slug: slug, Title: fmt.Sprintf("%s (%d runs)", title, len(g.all)),
		Class: first.Class, Kind: evidence.RepeatsRecord, Family: first.Family,
		Subject: g.subject(), Workload: g.workload(), Load: first.Load, State: g.state(), Outcomes: g.outcomes(),
		Distributions: []evidence.Distribution{}, Client: g.client(), Errors: g.errors(), Facts: g.facts(), PlanTOML: first.PlanTOML,
	}
	rec.Load.PeakOpen = g.peak()
	if a, ok := rec.Load.Arrivals.Get(); ok {
		rec.Load.Arrivals = evidence.Stated(a, byPlan) // each run says what it was drawn from
	}
	for _, r := range g.all {
		rec.Members = append(rec.Members, evidence.Member{ID: r.ID, Slug: r.Slug})
		if r.PlanTOML != first.PlanTOML {
			rec.PlanTOML = ""
		}
	}
	rec.Values = g.values(rec.State.Cache)
	rec.Limits = g.recordLimits()
	rec.Summary = g.summary()
	if len(g.valid) == 0 {
		rec.Void, rec.VoidWhy = true, fmt.Sprintf("each of the %d runs is void", len(g.all))
	}
	return rec
}

// summary is one sentence: how many runs, and what varied inside.
func (g group) summary() string {
	s := fmt.Sprintf("Medians over %d runs of one point", len(g.valid))
	if v := len(g.all) - len(g.valid); v > 0 {
		s += fmt.Sprintf("; %d void and in no figure", v)
	}
	if names := g.varied(); len(names) > 0 {
		s += "; between the runs varied: " + strings.Join(names, ", ")
	}
	return s + "."
}

// varied names the facts that are not the same in all runs: the residue.
func (g group) varied() []string {
	var names []string
	for _, f := range g.facts() {
		if f.Value.State() == evidence.StateNotStated && strings.HasPrefix(f.Value.Note(), differs) {
			names = append(names, f.Label)
		}
	}
	return names
}

// differs begins the reason of what is not the same in all runs.
const differs = "differs between the runs: "

// same is what all runs say alike; or not stated, with what they say instead.
func same[T comparable](runs []evidence.Record, of func(evidence.Record) evidence.Known[T]) evidence.Known[T] {
	first := of(runs[0])
	firstValue, firstOK := first.Get()
	var said []string
	alike := true
	for _, r := range runs {
		k := of(r)
		v, ok := k.Get()
		alike = alike && ok == firstOK && v == firstValue
		word := k.State().String()
		if ok {
			word = fmt.Sprint(v)
		}
		if !slices.Contains(said, word) {
			said = append(said, word)
		}
	}
	if alike {
		return first
	}
	return evidence.NotStated[T](differs + strings.Join(said, " | "))
}

func (g group) subject() evidence.Subject {
	s := g.all[0].Subject
	text := func(of func(evidence.Subject) evidence.Known[string]) evidence.Known[string] {
		return same(g.all, func(r evidence.Record) evidence.Known[string] { return of(r.Subject) })
	}
	s.Model = text(func(s evidence.Subject) evidence.Known[string] { return s.Model })
	s.ModelRevision = text(func(s evidence.Subject) evidence.Known[string] { return s.ModelRevision })
	s.Tokenizer = text(func(s evidence.Subject) evidence.Known[string] { return s.Tokenizer })
	s.Engine = text(func(s evidence.Subject) evidence.Known[string] { return s.Engine })
	s.EngineVersion = text(func(s evidence.Subject) evidence.Known[string] { return s.EngineVersion })
	s.Precision = text(func(s evidence.Subject) evidence.Known[string] { return s.Precision })
	s.Parallelism = text(func(s evidence.Subject) evidence.Known[string] { return s.Parallelism })
	s.Hardware = text(func(s evidence.Subject) evidence.Known[string] { return s.Hardware })
	s.Quality = text(func(s evidence.Subject) evidence.Known[string] { return s.Quality })
	s.Tool = text(func(s evidence.Subject) evidence.Known[string] { return s.Tool })
	s.Accelerators = same(g.all, func(r evidence.Record) evidence.Known[int64] { return r.Subject.Accelerators })
	s.SourceRunID = evidence.NotApplicable[string]("several runs: see the members")
	if first, ok := s.Started.Get(); ok {
		s.Started = evidence.Derived(first, "start of the earliest run")
	}
	return s
}

func (g group) facts() []evidence.Fact {
	var facts []evidence.Fact
	seen := map[string]bool{}
	for _, r := range g.all {
		for _, f := range r.Facts {
			if seen[f.Key] {
				continue
			}
			seen[f.Key] = true
			f.Value = same(g.all, func(r evidence.Record) evidence.Known[string] { return factOf(r, f.Key) })
			facts = append(facts, f)
		}
	}
	return facts
}

// factOf is the first fact of a record with the key.
func factOf(r evidence.Record, key string) evidence.Known[string] {
	for _, f := range r.Facts {
		if f.Key == key {
			return f.Value
		}
	}
	return evidence.NotStated[string]("the run's manifest has no such fact")
}

// client is the worst verdict of the runs, with all reasons.
func (g group) client() *evidence.Client {
	var out *evidence.Client
	for _, r := range g.all {
		if r.Client == nil {
			continue
		}
		if out == nil {
			out = &evidence.Client{Verdict: r.Client.Verdict, Reasons: []string{}, Facts: []evidence.Fact{}}
		}
		if reqlog.Verdict(r.Client.Verdict).Worse(reqlog.Verdict(out.Verdict)) {
			out.Verdict = r.Client.Verdict
		}
		for _, why := range r.Client.Reasons {
			out.Reasons = append(out.Reasons, r.Slug+": "+why)
		}
	}
	return out
}

func (g group) errors() []evidence.ErrorClass {
	type key struct{ outcome, class string }
	at := map[key]int{}
	list := []evidence.ErrorClass{}
	for _, r := range g.all {
		for _, e := range r.Errors {
			k := key{e.Outcome, e.Class + "\x00" + sameText(e.Example)}
			i, ok := at[k]
			if !ok {
				at[k] = len(list)
				list = append(list, e)
				continue
			}
			list[i].N += e.N
		}
	}
	slices.SortStableFunc(list, func(a, b evidence.ErrorClass) int { return cmp.Compare(b.N, a.N) })
	return list[:min(len(list), mostClasses)]
}

// runWords is a number of runs in words.
func runWords(n int) string { return measure.Counted(n, "run") }

// list writes numbers of one metric in one unit; of many only the ends.
func list(id measure.MetricID, ascending []float64) string {
	const most = 12
	scale := measure.Scale(id, ascending...)
	if n := len(ascending); n > most {
		return fmt.Sprintf("%s to %s %s", scale.Text(ascending[0]), scale.Text(ascending[n-1]), scale.Unit())
	}
	texts := make([]string, len(ascending))
	for i, x := range ascending {
		texts[i] = scale.Text(x)
	}
	return strings.Join(texts, ", ") + " " + scale.Unit()
}
