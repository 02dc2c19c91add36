package summarize

import (
	"fmt"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

const (
	completedRule = "completed requests of the measured phase"
	sentRule      = "sent requests of the measured phase"
	countedNote   = "counted from the request log"
)

// rateParts says what a rate is made of, before it is divided.
type rateParts struct {
	id     measure.MetricID
	n      int64
	what   string // the numerator in words, starting with its unit
	over   measure.Interval
	noOver string // why there is no window
	rule   string
	of     int64
	out    []measure.Exclusion
	undef  string // why there is no rate although there is a window
	least  bool   // part of what should be counted was not: the rate is a lower bound
}

// rates are the run's rates, in the registry's order.
func (r *run) rates() ([]evidence.Value, error) {
	parts := r.tokenRates()
	parts = append(parts, r.requestRates()...)
	values := make([]evidence.Value, 0, len(parts))
	for _, p := range parts {
		v, err := r.rateValue(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.id, err)
		}
		values = append(values, v)
	}
	return values, nil
}

// tokenRates are the rates whose numerator is tokens.
func (r *run) tokenRates() []rateParts {
	sums := r.tokenSums()
	completed := r.ledger.Completed
	part := func(id measure.MetricID, s tokenSum, unit string) rateParts {
		p := rateParts{id: id, n: s.tokens, over: r.windows.observed, noOver: r.windows.noObserved, rule: completedRule, of: s.requests,
			what: fmt.Sprintf("%s of %s completed requests, by %s", unit, measure.FormatCount(s.requests), sourceWords(r.source)),
			out:  with(r.ledgerOut(), measure.NoTokenCount, s.uncounted), least: s.uncounted > 0}
		if completed > 0 && s.uncounted == completed {
			p.undef = fmt.Sprintf("token count missing for %s of %s completed requests", measure.FormatCount(completed), measure.FormatCount(completed))
		}
		return p
	}
	parts := []rateParts{part("output_token_rate", sums.output, "output tokens")}
	if !r.open() {
		steady := part("output_token_rate_steady", sums.steady, "output tokens")
		steady.over, steady.noOver = r.windows.steady, r.windows.noSteady
		steady.rule = completedRule + " whose last token lies in the steady window"
		steady.out = with(steady.out, measure.OutsideWindow, completed-sums.steady.requests-sums.steady.uncounted)
		if steady.undef == "" && steady.over.IsValid() && sums.steady.requests == 0 {
			steady.undef = "no completed request ended in the steady window"
		}
		parts = append(parts, steady)
	}
	return append(parts, part("total_token_rate", sums.all, "input + output tokens"))
}

// requestRates are the rates whose numerator is requests.
func (r *run) requestRates() []rateParts {
	l := r.ledger
	parts := []rateParts{{id: "request_rate", n: l.Completed, what: "requests completed", over: r.windows.observed, noOver: r.windows.noObserved,
		rule: completedRule, of: l.Completed, out: r.ledgerOut()}}
	if r.open() {
		parts = append(parts, rateParts{id: "sent_rate", n: l.Sent, what: "requests sent", over: r.windows.sending, noOver: r.windows.noSending,
			rule: sentRule, of: l.Sent, out: with(nil, measure.WasNeverSent, l.NeverSent)})
	}
	if r.spec.Objectives != nil {
		good := r.goodRequests()
		parts = append(parts, rateParts{id: "goodput", n: good, over: r.windows.observed, noOver: r.windows.noObserved,
			what: fmt.Sprintf("good requests of %s completed", measure.FormatCount(l.Completed)),
			rule: completedRule + " within both objectives", of: good, out: with(r.ledgerOut(), measure.MissedObjective, l.Completed-good)})
	}
	return parts
}

// tokenSum is tokens, the requests they were counted over, and the completed
// requests without a count.
type tokenSum struct{ tokens, requests, uncounted int64 }

type tokenSums struct{ output, all, steady tokenSum }

func (r *run) tokenSums() tokenSums {
	var s tokenSums
	add := func(sum *tokenSum, known bool, tokens int64) {
		if !known {
			sum.uncounted++
			return
		}
		sum.requests++
		sum.tokens += tokens
	}
	for i := range r.entries {
		e := &r.entries[i]
		if e.outcome != reqlog.Completed {
			continue
		}
		known := r.counted(e)
		add(&s.output, known, e.out)
		add(&s.all, known && e.in != unknown, e.in+e.out)
		if !known || r.windows.steady.IsValid() && e.last != none && r.windows.steady.Contains(e.last) {
			add(&s.steady, known, e.out)
		}
	}
	return s
}

// goodRequests counts completed requests within both objectives, from due in
// an open loop and from sent in a closed one. A request without a first or a
// last token met neither.
func (r *run) goodRequests() int64 {
	ttft, e2e := measure.MetricID("ttft"), measure.MetricID("e2e")
	if r.open() {
		ttft, e2e = "ttft_due", "e2e_due"
	}
	var good int64
	for i := range r.entries {
		e := &r.entries[i]
		if e.outcome != reqlog.Completed {
			continue
		}
		first, whole := r.spanOf(ttft, e), r.spanOf(e2e, e)
		if first.out == 0 && whole.out == 0 && first.ns <= float64(r.spec.Objectives.TTFT) && whole.ns <= float64(r.spec.Objectives.EndToEnd) {
			good++
		}
	}
	return good
}

// ledgerOut is what stands outside completed requests, by outcome.
func (r *run) ledgerOut() []measure.Exclusion {
	l := r.ledger
	return []measure.Exclusion{
		{Reason: measure.WasFailed, N: l.Failed}, {Reason: measure.WasRejected, N: l.Rejected},
		{Reason: measure.WasTimedOut, N: l.TimedOut}, {Reason: measure.WasCancelled, N: l.Cancelled},
		{Reason: measure.WasUnresolved, N: l.Unresolved}, {Reason: measure.WasNeverSent, N: l.NeverSent},
	}
}

func with(out []measure.Exclusion, reason measure.Reason, n int64) []measure.Exclusion {
	return append(out[:len(out):len(out)], measure.Exclusion{Reason: reason, N: n})
}

func sourceWords(source string) string {
	if source == "" {
		return "no token source"
	}
	return source
}

// rateValue divides, in the unit of the metric's quantity.
func (r *run) rateValue(p rateParts) (evidence.Value, error) {
	m, ok := measure.Lookup(p.id)
	if !ok {
		return evidence.Value{}, fmt.Errorf("the metric registry has no %q", p.id)
	}
	of, err := measure.NewPopulation(p.rule, p.of, p.out...)
	if err != nil {
		return evidence.Value{}, err
	}
	v := r.emptyValue(m)
	v.Population = evidence.Derived(populationOf(of), countedNote)
	var per float64
	unit := "requests"
	switch m.Quantity {
	case measure.OutputTokenRate:
		unit = "output tokens"
		per, err = divide[measure.OutputTokens](p, of, r.cache)
	case measure.TotalTokenRate:
		unit = "input + output tokens"
		per, err = divide[measure.AllTokens](p, of, r.cache)
	case measure.GoodRate:
		unit = "good requests"
		per, err = divide[measure.GoodRequests](p, of, r.cache)
	case measure.RequestRate:
		per, err = divide[measure.Requests](p, of, r.cache)
	case measure.Time:
		err = fmt.Errorf("%s is no rate", p.id)
	}
	if err != nil {
		return evidence.Value{}, err
	}
	r.fillRate(&v, p, unit, per)
	v.Limits = r.rateLimits(p)
	return v, nil
}

// divide makes the rate through the type that demands all its parts. Without a
// window it is 0, which is not used.
func divide[U measure.Unit](p rateParts, of measure.Population, cache measure.CacheState) (float64, error) {
	n, err := measure.NewCount[U](p.n)
	if err != nil || !p.over.IsValid() {
		return 0, err
	}
	rate, err := measure.NewRate(n, p.over, of, cache)
	if err != nil {
		return 0, err
	}
	return rate.PerSecond(), nil
}

func (r *run) fillRate(v *evidence.Value, p rateParts, unit string, per float64) {
	v.Numerator = evidence.Derived(evidence.Term{Amount: float64(p.n), Unit: unit, What: p.what}, countedNote)
	v.Interval = evidence.NotApplicable[evidence.Interval]("one run: an interval of a rate needs repeats")
	if !p.over.IsValid() {
		v.Amount = evidence.Amount{Kind: evidence.Undefined, Reason: p.noOver}
		v.Denominator = evidence.NotApplicable[evidence.Term](p.noOver)
		v.Window = evidence.NotApplicable[evidence.Window](p.noOver)
	} else {
		v.Amount = evidence.Amount{Kind: evidence.Exact, X: per}
		if p.least && per > 0 {
			v.Amount.Kind = evidence.AtLeast
		}
		v.Denominator = evidence.Derived(evidence.Term{Amount: p.over.Seconds(), Unit: "s", What: string(p.over.Rule())}, windowNote(p.over.Rule()))
		v.Window = evidence.Derived(windowOf(p.over), windowNote(p.over.Rule()))
	}
	if p.undef != "" {
		v.Amount = evidence.Amount{Kind: evidence.Undefined, Reason: p.undef}
		v.Numerator = evidence.NotStated[evidence.Term](p.undef)
	}
}

// emptyValue is a value of a metric with what all values of the run share.
func (r *run) emptyValue(m measure.Metric) evidence.Value {
	return evidence.Value{Metric: m.ID, Cache: r.evidenceCache(), Rule: m.Definition}
}

func windowOf(i measure.Interval) evidence.Window {
	return evidence.Window{Rule: i.Rule(), FromNS: i.FromNS(), ToNS: i.ToNS(), Seconds: i.Seconds()}
}

// windowNote is the rule by which a window was cut, for its Known.
func windowNote(rule measure.WindowRule) string {
	if rule == measure.SteadyWindow {
		return "from the first send with as many requests open as planned to the manifest's send_end"
	}
	return "from the start of the measured phase, as the manifest has it"
}

func populationOf(p measure.Population) evidence.Population {
	out := make([]evidence.Excluded, 0, len(p.Excluded()))
	for _, x := range p.Excluded() {
		out = append(out, evidence.Excluded{Reason: x.Reason.String(), N: x.N})
	}
	return evidence.Population{Rule: p.Rule(), N: p.N(), Excluded: out}
}
