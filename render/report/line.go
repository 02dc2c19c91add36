package report

import (
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// LineGroup is one of the five groups of the benchmark line (M11).
type LineGroup struct {
	Name string
	Says Spans
}

// benchmarkLine is the five groups of a record: the tuple that its figures
// measure, with every gap in its place.
func (s *Set) benchmarkLine(r *evidence.Record, o Outcomes) []LineGroup {
	return []LineGroup{
		{"Profile and evidence", profileGroup(r)},
		{"Workload", workloadGroup(r)},
		{"State", stateGroup(r)},
		{"Rate", s.rateGroup(r)},
		{"Latency and outcomes", s.latencyGroup(r, o)},
	}
}

func profileGroup(r *evidence.Record) Spans {
	var s Spans
	x := r.Subject
	if r.Subject.Profile == "" {
		s.part("", Text{State: evidence.StateNotStated, Text: "profile not stated"})
	} else {
		s.say("profile " + x.Profile)
	}
	named(&s, "model", x.Model)
	named(&s, "revision", x.ModelRevision)
	named(&s, "tokenizer", x.Tokenizer)
	named(&s, "engine", x.Engine)
	named(&s, "version", x.EngineVersion)
	named(&s, "precision", x.Precision)
	named(&s, "parallelism", x.Parallelism)
	named(&s, "hardware", x.Hardware)
	accelerators := show(x.Accelerators, func(n int64) string { return measure.Counted(n, "accelerator") })
	if accelerators.Missing() {
		s.say("; accelerators ")
	} else {
		s.say("; ")
	}
	s.text(accelerators)
	named(&s, "quality check", x.Quality)
	s.say("; evidence: " + string(r.Class))
	if allImported(r) {
		named(&s, "record ID of the source", x.SourceRunID)
	}
	named(&s, "begun", x.Started)
	named(&s, "measured by", x.Tool)
	s.say(".")
	return s
}

// named adds "; name value", with the gap in its place.
func named(s *Spans, name string, k evidence.Known[string]) {
	s.sep("; ")
	s.say(name + " ")
	s.text(showString(k))
}

func workloadGroup(r *evidence.Record) Spans {
	var s Spans
	w := r.Workload
	s.say("input tokens: ")
	s.text(showCount(w.InputTokensAsked))
	s.say(" asked, ")
	s.text(show(w.InputTokens, spreadWords))
	s.say(" actual; output tokens: ")
	s.text(showCount(w.OutputTokensAsked))
	s.say(" at most, ")
	s.text(show(w.OutputTokens, spreadWords))
	s.say(" actual; counted by ")
	s.text(showString(w.TokenSource))
	s.say("; requests planned: ")
	s.text(showCount(w.Requests))
	s.say("; ")
	loadWords(&s, r.Load)
	named(&s, "prompts:", w.Prompts)
	s.say(".")
	return s
}

// spreadWords is a spread of whole numbers: one number where all are equal.
func spreadWords(x evidence.Spread) string {
	if x.Min == x.Max {
		return measure.FormatCount(x.Min) + " each"
	}
	return measure.FormatCount(x.Min) + " to " + measure.FormatCount(x.Max) + " (median " + measure.FormatCount(x.Median) + ")"
}

func loadWords(s *Spans, l evidence.Load) {
	mode := showString(l.Mode)
	if mode.Missing() {
		s.say("load ")
	}
	s.text(mode)
	if l.Concurrency.State() != evidence.StateNotApplicable {
		s.say(", outstanding requests: ")
		s.text(showCount(l.Concurrency))
	}
	if l.Rate.State() != evidence.StateNotApplicable {
		s.say(", asked rate: ")
		s.text(showString(l.Rate))
	}
	if l.Arrivals.State() != evidence.StateNotApplicable {
		s.say(", arrivals: ")
		s.text(showString(l.Arrivals))
	}
	s.say(", most seen in flight: ")
	s.text(showCount(l.PeakOpen))
}

func stateGroup(r *evidence.Record) Spans {
	var s Spans
	cache := cacheText(r.State.Cache)
	s.text(cache)
	named(&s, "warm-up:", r.State.Warmup)
	s.say("; window: ")
	s.text(windowText(r.State.Window))
	named(&s, "drain:", r.State.Drain)
	named(&s, "objectives:", r.State.Objectives)
	named(&s, "run:", r.State.Complete)
	s.say(".")
	return s
}

func (s *Set) rateGroup(r *evidence.Record) Spans {
	var out Spans
	rates := []measure.MetricID{"output_token_rate", "total_token_rate", "request_rate", "goodput"}
	for _, id := range rates {
		s.groupFigure(&out, r, id)
	}
	if len(out) == 0 {
		out.part("", Text{State: evidence.StateNotStated, Text: "no rate stated"})
	}
	out.say("; denominator: ")
	for i, w := range denominators(r, rates) {
		if i > 0 {
			out.say(" and ")
		}
		out.text(w)
	}
	out.say(".")
	return out
}

// denominators are the windows that the rates of a record are over: their own,
// which are not the source's where a rate was computed from its rows. Of a rate
// that has none stated, it is the record's.
func denominators(r *evidence.Record, rates []measure.MetricID) []Text {
	var out []Text
	for _, id := range rates {
		v, ok := r.Value(id)
		if !ok {
			continue
		}
		w := v.Window
		if _, ok := w.Get(); !ok {
			w = r.State.Window
		}
		if t := show(w, windowWords); !slices.ContainsFunc(out, func(o Text) bool { return o.Text == t.Text }) {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return []Text{show(r.State.Window, windowWords)}
	}
	return out
}

func (s *Set) groupFigure(out *Spans, r *evidence.Record, id measure.MetricID) {
	f, ok := s.ownFigure(r, id)
	if !ok {
		return
	}
	out.sep("; ")
	out.say(s.metric(id).Label + " ")
	out.figure(f)
}

func (s *Set) latencyGroup(r *evidence.Record, o Outcomes) Spans {
	var out Spans
	for _, base := range []measure.MetricID{"ttft", "tpot", "e2e"} {
		// Of a source that counts from due alone, that is what is stated.
		if !hasStat(r, base) {
			base += "_due"
		}
		for _, st := range lineStats(r, base) {
			s.groupFigure(&out, r, measure.ID(base, st))
		}
	}
	if len(out) == 0 {
		out.part("", Text{State: evidence.StateNotStated, Text: "no latency stated"})
	}
	if v, ok := firstOf(r, "ttft_p50", "ttft_mean", "ttft_due_p50", "ttft_due_mean"); ok {
		out.say("; population: ")
		out.text(show(v.Population, populationWords))
	}
	for _, c := range o.Line() {
		out.say("; ")
		switch {
		case !c.Known:
			out.say(c.Label + " ")
			out.part("", Text{State: evidence.StateNotStated, Text: c.Text})
		case c.Hot:
			out.hot(c.Text + " " + c.Label)
		default:
			out.say(c.Text + " " + c.Label)
		}
	}
	out.say(".")
	return out
}

// lineStats are the statistics of a latency that the benchmark line has: median
// and p95, or what is stated where neither is.
func lineStats(r *evidence.Record, base measure.MetricID) []measure.Stat {
	stats := []measure.Stat{measure.P50, measure.P95}
	if base == "e2e" || base == "e2e_due" {
		stats = []measure.Stat{measure.P95}
	}
	return orOthers(r, base, stats)
}

// hasStat reports whether a record has any statistic of a latency.
func hasStat(r *evidence.Record, base measure.MetricID) bool {
	return slices.ContainsFunc(measure.Stats(), func(st measure.Stat) bool {
		_, ok := r.Value(measure.ID(base, st))
		return ok
	})
}

// orOthers is some statistics of a latency, or, where the record has none of them,
// also the percentiles that it has, or else the mean, so that it is not lost among
// the other figures.
func orOthers(r *evidence.Record, base measure.MetricID, stats []measure.Stat) []measure.Stat {
	has := func(st measure.Stat) bool { _, ok := r.Value(measure.ID(base, st)); return ok }
	if slices.ContainsFunc(stats, has) {
		return stats
	}
	others := slices.DeleteFunc(measure.Stats(), func(st measure.Stat) bool { return st == measure.Mean || !has(st) })
	if len(others) == 0 {
		others = append(others, measure.Mean)
	}
	return append(stats, others...)
}

// firstOf finds the first of several values that the record has.
func firstOf(r *evidence.Record, ids ...measure.MetricID) (evidence.Value, bool) {
	for _, id := range ids {
		if v, ok := r.Value(id); ok {
			return v, true
		}
	}
	return evidence.Value{}, false
}
