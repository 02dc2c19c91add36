package summarize

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// Run makes the record of one run from its rows, its manifest and its plan:
// everything but sources and files, which only the caller knows. The record is
// not sealed. The order of the rows does not matter.
//
// The error is the first that rows gives, or a name in the manifest that
// cannot be a page's. Whatever else is odd is in the record: as a limit, as an
// undefined figure with its reason, or as a void record.
func Run(rows iter.Seq2[reqlog.Row, error], m reqlog.Manifest, p plan.Plan) (evidence.Record, error) {
	return fromSpec(rows, m, p.Spec(), string(p.Source()))
}

// fromSpec is Run with the plan as plain data.
func fromSpec(rows iter.Seq2[reqlog.Row, error], m reqlog.Manifest, spec plan.Spec, source string) (evidence.Record, error) {
	c, err := readColumns(rows)
	if err != nil {
		return evidence.Record{}, err
	}
	defer c.gaps.Close() //nolint:errcheck // nothing is written any more
	r := &run{columns: c, m: m, spec: spec, samples: map[measure.MetricID]latencySample{}}
	r.ledger.Planned = m.Ledger.Planned
	if err := r.prepare(); err != nil {
		return evidence.Record{}, fmt.Errorf("summarizing run %s: %w", m.RunID, err)
	}
	rec, err := r.record(source)
	if err != nil {
		return evidence.Record{}, fmt.Errorf("summarizing run %s: %w", m.RunID, err)
	}
	return rec, nil
}

// run is one run while it is being summarized.
type run struct {
	*columns
	m    reqlog.Manifest
	spec plan.Spec

	source  string // the token source of all token figures; empty: none
	cache   measure.CacheState
	cached  evidence.CacheMeasure
	inputs  evidence.Spread
	outputs evidence.Spread
	noCount int64 // completed without a count of the source
	windows windows
	seen    seen
	found   found
	samples map[measure.MetricID]latencySample
}

func (r *run) prepare() error {
	r.source = r.tokenSource()
	r.countTokens()
	var err error
	if r.cache, err = r.cacheState(); err != nil {
		return err
	}
	r.windows = r.cutWindows()
	r.seen = r.look()
	r.found = decide(r.seen)
	return nil
}

// open reports whether the load was an open loop.
func (r *run) open() bool { return r.m.Point.Rate != nil }

// tokenSource chooses the one source of all token figures: the endpoint's
// usage where any completed request has it, else the tokenizer that counted
// the most of them.
func (r *run) tokenSource() string {
	n := map[string]int64{}
	for i := range r.entries {
		e := &r.entries[i]
		if e.outcome == reqlog.Completed && e.source != "" && e.out != unknown {
			n[e.source]++
		}
	}
	best := ""
	for source := range n {
		if best == "" || source == usage || best != usage && (n[source] > n[best] || n[source] == n[best] && source < best) {
			best = source
		}
	}
	return best
}

// usage is the token source of counts in the endpoint's answers.
const usage = "usage"

// counted reports whether the request has a count of the run's token source.
func (r *run) counted(e *entry) bool {
	return e.source == r.source && r.source != "" && e.out != unknown
}

// countTokens gathers lengths and cached tokens of completed requests.
func (r *run) countTokens() {
	var in, out []int64
	r.cached.Of = r.ledger.Completed
	for i := range r.entries {
		e := &r.entries[i]
		if e.outcome != reqlog.Completed {
			continue
		}
		if e.cached != unknown && e.in != unknown {
			r.cached.CachedTokens += e.cached
			r.cached.PromptTokens += e.in
			r.cached.Requests++
		}
		if !r.counted(e) {
			r.noCount++
			continue
		}
		out = append(out, e.out)
		if e.in != unknown {
			in = append(in, e.in)
		}
	}
	r.inputs, r.outputs = spread(in), spread(out)
}

// spread sorts the numbers in place. Median is the lower middle, by nearest rank.
func spread(xs []int64) evidence.Spread {
	slices.Sort(xs)
	median, ok := measure.NearestRank(xs, measure.Q50)
	if !ok {
		return evidence.Spread{}
	}
	s := evidence.Spread{Min: xs[0], Median: median, Max: xs[len(xs)-1], N: int64(len(xs))}
	for _, x := range xs {
		s.Sum += x
	}
	return s
}

func (r *run) cacheState() (measure.CacheState, error) {
	state := measure.UnstatedCache()
	var err error
	switch r.spec.Cache.Policy {
	case plan.Cold:
		state, err = measure.DeclaredCache(measure.CacheCold, 0)
	case plan.Warm:
		state, err = measure.DeclaredCache(measure.CacheWarm, 0)
	case plan.Shared:
		state, err = measure.DeclaredCache(measure.CacheShared, r.spec.Cache.Share)
	}
	if err != nil || r.cached.PromptTokens == 0 {
		return state, err
	}
	return state.WithMeasured(r.cached.CachedTokens, r.cached.PromptTokens)
}

// windows are the stretches of time that figures are over; an invalid one has
// its reason.
type windows struct {
	observed, sending, steady measure.Interval
	noObserved, noSending     string
	noSteady                  string
}

func (r *run) cutWindows() windows {
	w := r.m.Windows
	var out windows
	cut := func(from, to int64, rule measure.WindowRule) (measure.Interval, string) {
		i, err := measure.NewInterval(from, to, rule)
		if err != nil {
			return measure.Interval{}, fmt.Sprintf("the %s has no length", rule)
		}
		return i, ""
	}
	out.observed, out.noObserved = cut(w.MeasureFromNS, w.ObservedToNS, measure.ObservationWindow)
	out.sending, out.noSending = cut(w.MeasureFromNS, w.SendEndNS, measure.SendingWindow)
	full := r.firstFull()
	if full == none {
		out.noSteady = "the planned concurrency was never reached"
		return out
	}
	out.steady, out.noSteady = cut(max(full, w.MeasureFromNS), w.SendEndNS, measure.SteadyWindow)
	return out
}

// firstFull is the first moment at which as many requests were open as planned.
func (r *run) firstFull() int64 {
	first := int64(none)
	for i := range r.entries {
		e := &r.entries[i]
		if e.sent != none && int(e.inFlight) >= r.m.Point.Concurrency && (first == none || e.sent < first) {
			first = e.sent
		}
	}
	return first
}

func (r *run) record(source string) (evidence.Record, error) {
	slug, err := evidence.Slug(r.m.RunID)
	if err != nil {
		return evidence.Record{}, fmt.Errorf("naming its page: %w", err)
	}
	rec := evidence.Record{
		Schema: evidence.Schema, Slug: slug, Title: r.title(), Summary: r.summary(),
		Class: evidence.OwnRun, Kind: evidence.RunRecord, Family: cmp.Or(r.m.Family, r.spec.Family, r.spec.Name),
		Subject: r.subject(), Workload: r.workload(), Load: r.load(), State: r.state(), Outcomes: r.outcomes(),
		Client: r.client(), Errors: r.errorClasses(), Facts: r.facts(), PlanTOML: source,
		Timeline: r.timeline(),
	}
	if r.m.Simulated {
		rec.Class = evidence.Simulated
	}
	rec.Void, rec.VoidWhy = r.found.void()
	rec.Limits = r.found.record()
	if rec.Values, err = r.values(); err != nil {
		return evidence.Record{}, err
	}
	rec.Distributions = r.distributions()
	return rec, nil
}
