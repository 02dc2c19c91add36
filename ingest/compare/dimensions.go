package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// table builds the dimensions of two records.
type table struct {
	a, b evidence.Record
	// onePlan: both ran the same plan, word for word.
	onePlan bool
	rows    []Dimension
}

// dimensions is the full tuple, side by side.
func dimensions(a, b evidence.Record) []Dimension {
	t := &table{a: a, b: b, onePlan: a.PlanTOML != "" && a.PlanTOML == b.PlanTOML}
	t.plain(Measurement, "evidence class", string(a.Class), string(b.Class))
	t.plain(Measurement, "kind of record", string(a.Kind), string(b.Kind))
	known(t, Measurement, "token source", func(r evidence.Record) evidence.Known[string] { return source(r) })
	t.subject()
	t.workload()
	t.load()
	t.state()
	t.environment()
	return t.rows
}

// source is the token source without how many requests it did not count.
func source(r evidence.Record) evidence.Known[string] {
	s, ok := r.Workload.TokenSource.Get()
	if !ok {
		return r.Workload.TokenSource
	}
	name, _, _ := strings.Cut(s, " (")
	return evidence.Stated(name, r.Workload.TokenSource.Note())
}

func (t *table) subject() {
	// A profile that no source names may be any: two of them are not one.
	known(t, Subject, "profile", func(r evidence.Record) evidence.Known[string] {
		if r.Subject.Profile == "" {
			return evidence.NotStated[string]("no name is given")
		}
		return evidence.Stated(r.Subject.Profile, "record")
	})
	for _, d := range []struct {
		name string
		of   func(evidence.Subject) evidence.Known[string]
	}{
		{"model", func(s evidence.Subject) evidence.Known[string] { return s.Model }},
		{"model revision", func(s evidence.Subject) evidence.Known[string] { return s.ModelRevision }},
		{"tokenizer", func(s evidence.Subject) evidence.Known[string] { return s.Tokenizer }},
		{"engine", func(s evidence.Subject) evidence.Known[string] { return s.Engine }},
		{"engine version", func(s evidence.Subject) evidence.Known[string] { return s.EngineVersion }},
		{"precision", func(s evidence.Subject) evidence.Known[string] { return s.Precision }},
		{"parallelism", func(s evidence.Subject) evidence.Known[string] { return s.Parallelism }},
		{"hardware", func(s evidence.Subject) evidence.Known[string] { return s.Hardware }},
	} {
		known(t, Subject, d.name, func(r evidence.Record) evidence.Known[string] { return d.of(r.Subject) })
	}
	known(t, Subject, "accelerators", func(r evidence.Record) evidence.Known[int64] { return r.Subject.Accelerators })
}

func (t *table) workload() {
	known(t, Workload, "input tokens asked", func(r evidence.Record) evidence.Known[int64] { return r.Workload.InputTokensAsked })
	known(t, Workload, "output tokens asked", func(r evidence.Record) evidence.Known[int64] { return r.Workload.OutputTokensAsked })
	t.lengths("input tokens, actual", t.a.Workload.InputTokens, t.b.Workload.InputTokens)
	t.lengths("output tokens, actual", t.a.Workload.OutputTokens, t.b.Workload.OutputTokens)
	known(t, Workload, "request count", func(r evidence.Record) evidence.Known[int64] { return fixed(r.Workload.Requests) })
}

// fixed is a request count as a condition: one that follows from the plan's
// duration, or that is the sum over repeats, is none.
func fixed(n evidence.Known[int64]) evidence.Known[int64] {
	if n.State() == evidence.StateDerived {
		return evidence.NotApplicable[int64]("not fixed: it follows from other conditions")
	}
	return n
}

// nearLengths is how far the middle actual lengths of one workload may lie
// apart: a chat template or an early end-of-text moves a few.
const nearLengths = 0.02

func (t *table) lengths(name string, a, b evidence.Known[evidence.Spread]) {
	x, okA := a.Get()
	y, okB := b.Get()
	d := Dimension{Group: Workload, Name: name, A: spreadWords(a), B: spreadWords(b)}
	switch {
	case okA && okB && math.Abs(float64(x.Median-y.Median)) <= nearLengths*float64(max(x.Median, y.Median)):
		d.State = Same
		if x.Median != y.Median {
			d.Note = "medians within " + measure.FormatShare(nearLengths)
		}
	case okA && okB:
		d.State = Differs
	default:
		t.unstated(&d, a.State(), b.State())
	}
	t.rows = append(t.rows, d)
}

func spreadWords(k evidence.Known[evidence.Spread]) string {
	s, ok := k.Get()
	switch {
	case !ok:
		return gap(k.State(), k.Note())
	case s.Min == s.Max:
		return measure.FormatCount(s.Min)
	default:
		return fmt.Sprintf("%s to %s, median %s", measure.FormatCount(s.Min), measure.FormatCount(s.Max), measure.FormatCount(s.Median))
	}
}

func (t *table) load() {
	known(t, Load, "load", func(r evidence.Record) evidence.Known[string] { return r.Load.Mode })
	known(t, Load, "concurrency", func(r evidence.Record) evidence.Known[int64] { return r.Load.Concurrency })
	known(t, Load, "offered rate", func(r evidence.Record) evidence.Known[string] { return r.Load.Rate })
	known(t, Load, "arrivals", func(r evidence.Record) evidence.Known[string] { return r.Load.Arrivals })
}

func (t *table) state() {
	cache := func(c evidence.Cache) evidence.Known[string] {
		switch {
		case !c.Declared || c.Kind == measure.CacheUnstated:
			return evidence.NotStated[string]("not declared")
		case c.Kind == measure.CacheShared:
			return evidence.Stated(c.Kind.String()+" of "+measure.FormatShare(c.Share), "declared")
		default:
			return evidence.Stated(c.Kind.String(), "declared")
		}
	}
	known(t, CacheState, "cache state", func(r evidence.Record) evidence.Known[string] { return cache(r.State.Cache) })
	known(t, CacheState, "objectives", func(r evidence.Record) evidence.Known[string] { return r.State.Objectives })
}

// environment lists the facts of endpoint and host which both sides state and
// which differ. Those that are a dimension already are left out, and those
// that change no measurement.
func (t *table) environment() {
	covered := []string{"model", "model_revision", "model_source", "tokenizer", "tokenizer_revision", "engine", "engine_version", "precision",
		"parallelism", "hardware", "accelerators", "cache_policy", "workload_hash", "endpoint_health", "endpoint_owner", "price_note"}
	a, b := facts(t.a), facts(t.b)
	keys := make([]string, 0, len(a))
	for key := range a {
		if _, both := b[key]; both && !slices.Contains(covered, key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		if a[key].value != b[key].value {
			t.rows = append(t.rows, Dimension{Group: Environment, Name: a[key].label, A: a[key].value, B: b[key].value, State: Differs})
		}
	}
}

type fact struct{ label, value string }

// facts are the stated facts of a record by key; of several with one key all.
func facts(r evidence.Record) map[string]fact {
	out := map[string]fact{}
	for _, f := range r.Facts {
		v, ok := f.Value.Get()
		if !ok {
			continue
		}
		old := out[f.Key]
		if old.value != "" {
			v = old.value + "; " + v
		}
		out[f.Key] = fact{label: strings.ToLower(cmp.Or(f.Label, f.Key)), value: v}
	}
	return out
}

// plain is a dimension that is always stated.
func (t *table) plain(g Group, name, a, b string) {
	d := Dimension{Group: g, Name: name, A: a, B: b, State: Same}
	if a != b {
		d.State = Differs
	}
	t.rows = append(t.rows, d)
}

// known is a dimension that may not be stated.
func known[T comparable](t *table, g Group, name string, of func(evidence.Record) evidence.Known[T]) {
	a, b := of(t.a), of(t.b)
	x, okA := a.Get()
	y, okB := b.Get()
	d := Dimension{Group: g, Name: name, A: words(a), B: words(b)}
	switch {
	case okA && okB && x == y:
		d.State = Same
	case okA && okB:
		d.State = Differs
	default:
		t.unstated(&d, a.State(), b.State())
	}
	t.rows = append(t.rows, d)
}

// unstated sets the state of a dimension that has no value on a side.
func (t *table) unstated(d *Dimension, a, b evidence.KnownState) {
	gapA, gapB := a == evidence.StateNotStated, b == evidence.StateNotStated
	switch {
	case gapA && gapB && t.onePlan:
		d.State, d.Note = Same, "neither states it; both ran one plan"
	case gapA || gapB:
		d.State = NotStated
	case a == b: // not applicable to either
		d.State = Same
	default:
		d.State = Differs
	}
}

func words[T any](k evidence.Known[T]) string {
	v, ok := k.Get()
	if !ok {
		return gap(k.State(), k.Note())
	}
	if n, isCount := any(v).(int64); isCount {
		return measure.FormatCount(n)
	}
	return fmt.Sprint(v)
}

func gap(s evidence.KnownState, note string) string {
	if note == "" {
		return s.String()
	}
	return s.String() + ": " + note
}
