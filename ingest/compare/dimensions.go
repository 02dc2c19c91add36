package compare

import (
	"fmt"
	"math"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Keys of dimensions that the verdict asks for by name.
const (
	keyValidity  = "validity"
	keyBenchmark = "formal_benchmark"
	keyProfile   = "profile"
	keyPrecision = "precision"
	keyQuality   = "quality_check"
	keyRequests  = "request_count"
	keyLocation  = "client_location"
)

// measurement is what makes two figures the same quantity, measured with the
// same care. A difference here leaves nothing to compare.
func (t *table) measurement() {
	d := t.plain(keyValidity, "validity", validity(t.a), validity(t.b))
	if t.a.Void || t.b.Void {
		d.State, d.Note = Differs, "a void record is no measurement"
	}
	t.plain("evidence_class", "evidence class", string(t.a.Class), string(t.b.Class))
	t.plain("record_kind", "kind of record", kindWords(t.a.Kind), kindWords(t.b.Kind))
	t.formalBenchmark()
	known(t, Measurement, "token_source", "token source", func(r evidence.Record) evidence.Known[string] { return source(r) })
	d = known(t, Measurement, "completeness", "completeness", completeness)
	if d.A == interrupted || d.B == interrupted {
		d.State, d.Note = Differs, "the window of an interrupted run was cut by no plan"
	}
}

func validity(r evidence.Record) string {
	switch {
	case r.Void && r.VoidWhy != "":
		return "void: " + r.VoidWhy
	case r.Void:
		return "void"
	default:
		return "valid"
	}
}

func kindWords(k evidence.Kind) string {
	if k == evidence.RepeatsRecord {
		return "summary over repeats"
	}
	return "one run"
}

const interrupted = "interrupted"

// completeness is whether the run came to its planned end, without the reason
// why it did not.
func completeness(r evidence.Record) evidence.Known[string] {
	s, ok := r.State.Complete.Get()
	if ok && strings.HasPrefix(s, interrupted) {
		return evidence.Stated(interrupted, r.State.Complete.Note())
	}
	return r.State.Complete
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
	d := known(t, Subject, keyProfile, "profile", func(r evidence.Record) evidence.Known[string] {
		if r.Subject.Profile == "" {
			return evidence.NotStated[string]("no name is given")
		}
		return evidence.Stated(r.Subject.Profile, "record")
	})
	if d.Note == sharedGap {
		d.State, d.Note = NotStated, ""
	}
	for _, d := range []struct {
		key, name string
		of        func(evidence.Subject) evidence.Known[string]
	}{
		{"model", "model", func(s evidence.Subject) evidence.Known[string] { return s.Model }},
		{"model_revision", "model revision", func(s evidence.Subject) evidence.Known[string] { return s.ModelRevision }},
		{"tokenizer", "tokenizer", func(s evidence.Subject) evidence.Known[string] { return s.Tokenizer }},
		{"engine", "engine", func(s evidence.Subject) evidence.Known[string] { return s.Engine }},
		{"engine_version", "engine version", func(s evidence.Subject) evidence.Known[string] { return s.EngineVersion }},
		{keyPrecision, "precision", func(s evidence.Subject) evidence.Known[string] { return s.Precision }},
		{"parallelism", "parallelism", func(s evidence.Subject) evidence.Known[string] { return s.Parallelism }},
		{"hardware", "hardware", func(s evidence.Subject) evidence.Known[string] { return s.Hardware }},
	} {
		known(t, Subject, d.key, d.name, func(r evidence.Record) evidence.Known[string] { return d.of(r.Subject) })
	}
	known(t, Subject, "accelerators", "accelerators", func(r evidence.Record) evidence.Known[int64] { return r.Subject.Accelerators })
	t.quality()
}

// quality is the quality check. Between two precisions it has to be declared
// for each that is not a full one: a faster wrong answer is no gain. At one
// precision, and between profiles, the line takes no part in the verdict.
func (t *table) quality() {
	differs := t.stateOf(keyPrecision) == Differs && t.stateOf(keyProfile) != Differs
	d := known(t, Subject, keyQuality, "quality check", func(r evidence.Record) evidence.Known[string] {
		if differs && !needsGate(r) {
			return evidence.NotApplicable[string]("the precision is a full one")
		}
		return r.Subject.Quality
	})
	if !differs {
		d.Counts = false
		if d.Note == "" {
			d.Note = "no part of the verdict: asked for where only the precision differs"
		}
		return
	}
	if d.State == Differs || d.State == Same && d.Note == sharedGap {
		// A check that only the variant needs, or one for each, is what is asked for.
		d.State, d.Note = Same, "declared where the precision asks for it"
		for _, r := range []evidence.Record{t.a, t.b} {
			if needsGate(r) && isGap(r.Subject.Quality.State()) {
				d.State, d.Note = NotStated, ""
			}
		}
	}
}

// needsGate reports whether a record's precision is one for which the answers
// have to be checked: any that is not known to be a full one.
func needsGate(r evidence.Record) bool {
	p, ok := r.Subject.Precision.Get()
	if !ok {
		return true
	}
	switch strings.ToLower(strings.TrimSpace(p)) {
	case "bf16", "bfloat16", "fp16", "float16", "half", "fp32", "float32":
		return false
	}
	return true
}

// stateOf is the state of a line that is in the table already.
func (t *table) stateOf(key string) State {
	for _, d := range t.rows {
		if d.Key == key {
			return d.State
		}
	}
	return NotStated
}

func (t *table) workload() {
	known(t, Workload, "input_tokens_asked", "asked input length", func(r evidence.Record) evidence.Known[int64] { return r.Workload.InputTokensAsked })
	known(t, Workload, "output_tokens_asked", "asked output length", func(r evidence.Record) evidence.Known[int64] { return r.Workload.OutputTokensAsked })
	t.lengths("input_tokens", "actual input length", t.a.Workload.InputTokens, t.b.Workload.InputTokens)
	t.lengths("output_tokens", "actual output length", t.a.Workload.OutputTokens, t.b.Workload.OutputTokens)
	known(t, Workload, keyRequests, "request count", fixedRequests)
	t.fact(Workload, "sampling", "sampling asked for")
}

// fixedRequests is the request count of a run as a condition: one that follows
// from the plan's duration is none. A summary has the count of each of its runs.
func fixedRequests(r evidence.Record) evidence.Known[int64] {
	k := r.Workload.Requests
	n, ok := k.Get()
	members := int64(len(r.Members))
	if ok && r.Kind == evidence.RepeatsRecord && members > 0 && strings.HasSuffix(k.Note(), evidence.EachFixed) {
		return evidence.Derived(n/members, "of each run")
	}
	if k.State() == evidence.StateDerived {
		return evidence.NotApplicable[int64]("not fixed: it follows from other conditions")
	}
	return k
}

// nearLengths is how far the middle actual lengths of one workload may lie
// apart: a chat template or an early end-of-text moves a few.
const nearLengths = 0.02

func (t *table) lengths(key, name string, a, b evidence.Known[evidence.Spread]) {
	x, okA := a.Get()
	y, okB := b.Get()
	d := Dimension{Group: Workload, Key: key, Name: name, A: spreadWords(a), B: spreadWords(b)}
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
	t.add(d)
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
	known(t, Load, "load", "load", func(r evidence.Record) evidence.Known[string] { return r.Load.Mode })
	known(t, Load, "concurrency", "concurrency", func(r evidence.Record) evidence.Known[int64] { return r.Load.Concurrency })
	known(t, Load, "offered_rate", "offered rate", func(r evidence.Record) evidence.Known[string] { return r.Load.Rate })
	known(t, Load, "arrivals", "arrivals", func(r evidence.Record) evidence.Known[string] { return r.Load.Arrivals })
}

// state is the cache as it was declared. A declaration that the endpoint's own
// counts contradict says nothing: the state is then as good as not stated.
func (t *table) state() {
	d := known(t, CacheState, "cache_state", "cache state", cacheState)
	for i, r := range []evidence.Record{t.a, t.b} {
		if contradicted(r) {
			d.State, d.Note = NotStated, fmt.Sprintf("what the endpoint counted of %s contradicts its declaration", side(i, r))
		}
	}
}

func cacheState(r evidence.Record) evidence.Known[string] {
	c := r.State.Cache
	switch {
	case !c.Declared || c.Kind == measure.CacheUnstated:
		return evidence.NotStated[string]("not declared")
	case c.Kind == measure.CacheShared:
		return evidence.Stated(c.Kind.String()+" of "+measure.FormatShare(c.Share), "declared")
	default:
		return evidence.Stated(c.Kind.String(), "declared")
	}
}

// contradicted reports whether a record carries the limit that its measured
// cache hits are not those of the declared state.
func contradicted(r evidence.Record) bool {
	for _, l := range r.Limits {
		if l.Code == evidence.CacheContradicted {
			return true
		}
	}
	return false
}

// side names a record: by its slug, or by its place where it has none.
func side(i int, r evidence.Record) string {
	if r.Slug != "" {
		return r.Slug
	}
	return []string{"a", "b"}[i]
}
