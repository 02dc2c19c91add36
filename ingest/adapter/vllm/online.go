package vllm

import (
	"fmt"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// draft is one result on its way to be a record.
type draft struct {
	*foreign.Draft
	dialect
	n foreign.Node
}

// online makes the record of a result of bench serve, and its title.
func online(f *foreign.File, d dialect, r result) (*foreign.Draft, string, error) {
	x := draft{Draft: foreign.NewDraft(f, d.tool), dialect: d, n: r.node}
	x.subject()
	x.load()
	x.workload()
	x.outcomes()
	x.state()
	x.rates()
	x.latencies()
	x.facts()
	err := x.recompute(r.rows)
	return x.Draft, x.title(), err
}

func (x draft) subject() {
	s := &x.Record.Subject
	s.Tool = evidence.Derived(x.tool, "by the keys of the file; it does not state its version")
	s.Model, s.Tokenizer = x.Text("model_id", x.n.Get("model_id")), x.Text("tokenizer_id", x.n.Get("tokenizer_id"))
	if date, ok := x.n.Get("date").String(); ok {
		s.Started = evidence.Stated(date+" (zone not stated)", "“date” in the file: when the result was written")
	}
}

// load says what was asked for. A cap on an arrival rate is kept as a fact: a
// load is closed or open.
func (x draft) load() {
	l := &x.Record.Load
	rate, limit := x.n.Get("request_rate"), x.n.Get("max_concurrency")
	limitN, limited := limit.Int()
	l.PeakOpen = x.peak()
	perSec, finite := rate.Float()
	switch {
	case finite && perSec > 0:
		l.Mode = evidence.Derived("open loop", "“request_rate” is a number")
		l.Rate = evidence.Stated(rate.Text+" requests per 1s", "“request_rate” in the file: as asked, not as sent")
		l.RatePerSec = evidence.Stated(perSec, "“request_rate” in the file: as asked, not as sent")
		l.Arrivals = x.arrivals()
		l.Concurrency = evidence.NotApplicable[int64]("an arrival rate was asked for, without a cap")
		if limited {
			l.Concurrency = evidence.NotApplicable[int64](fmt.Sprintf("an arrival rate was asked for, with a cap of %d outstanding; what waits in the client for the cap is in no latency", limitN))
			x.Fact("max_concurrency", limit)
		}
	case rate.IsInfinite() && limited:
		l.Mode = evidence.Derived("closed loop", "“request_rate” is infinite and “max_concurrency” is a number")
		l.Concurrency = x.Count("max_concurrency", limit)
		l.Rate = evidence.NotApplicable[string]("no rate limit: “request_rate” is infinite")
		l.RatePerSec = evidence.NotApplicable[float64]("no rate limit: “request_rate” is infinite")
		l.Arrivals = evidence.NotApplicable[string]("the next request is sent when one ends")
	case rate.IsInfinite():
		l.Rate = evidence.NotApplicable[string]("no rate limit: “request_rate” is infinite")
		l.RatePerSec = evidence.NotApplicable[float64]("no rate limit: “request_rate” is infinite")
		if limit.Kind == foreign.Null {
			l.Mode = evidence.Derived("open loop", "“request_rate” is infinite and there is no cap: all requests at once")
			l.Arrivals = evidence.Derived("all at once", "“request_rate” is infinite and there is no cap")
			l.Concurrency = evidence.NotApplicable[int64]("there is no cap: “max_concurrency” is null")
		}
	default:
		l.Concurrency = x.Count("max_concurrency", limit)
		l.Rate = x.Text("request_rate", rate)
	}
}

// peak is the most requests seen in flight.
func (x draft) peak() evidence.Known[int64] {
	k := x.Count("max_concurrent_requests", x.n.Get("max_concurrent_requests"))
	peak, ok := k.Get()
	limit, limited := x.n.Get("max_concurrency").Int()
	if ok && limited && peak > limit {
		x.Note(x.n.Get("max_concurrent_requests").Line, fmt.Sprintf("max_concurrent_requests is %d under a cap of %d: the tool counts by whole seconds, so that a request that ends and one that begins within a second count twice", peak, limit))
		return evidence.Stated(peak, "“max_concurrent_requests” in the file, counted by whole seconds: it is above the cap")
	}
	return k
}

func (x draft) arrivals() evidence.Known[string] {
	b := x.n.Get("burstiness")
	shape, ok := b.Float()
	switch {
	case !ok:
		return evidence.NotStated[string]("the file has no “burstiness”")
	case shape == 1:
		return evidence.Derived("poisson", "“burstiness” is 1; the gaps are scaled so that the last arrival falls on number ÷ rate")
	default:
		return evidence.Derived("gamma", "“burstiness” is "+b.Text+", the shape of the gaps: below 1 in bursts, above 1 more even")
	}
}

func (x draft) workload() {
	w := &x.Record.Workload
	w.Requests = x.Count("num_prompts", x.n.Get("num_prompts"))
	w.TokenSource = evidence.Derived(usageElse, "by the tool's code; the file does not say which")
	total := func(key string) evidence.Known[evidence.Spread] {
		if n := x.n.Get(key); n.IsNumber() {
			x.Fact(key, n)
			return evidence.NotStated[evidence.Spread]("the file has only the sum, “" + key + "”: " + n.Text)
		}
		return evidence.NotStated[evidence.Spread](x.Missing())
	}
	w.InputTokens, w.OutputTokens = total("total_input_tokens"), total("total_output_tokens")
}

// outcomes are the counts of the file. A count of failures that is not there is
// not stated, whatever is left of the sum.
func (x draft) outcomes() {
	o := &x.Record.Outcomes
	o.Planned, o.Completed = x.Count("num_prompts", x.n.Get("num_prompts")), x.Count("completed", x.n.Get("completed"))
	o.Failed = x.Count("failed", x.n.Get("failed"))
	if _, ok := o.Failed.Get(); ok {
		const in = "the tool counts these as “failed”, which the file has as one number"
		o.Rejected, o.TimedOut = evidence.NotStated[int64](in), evidence.NotStated[int64](in)
	}
	planned, hasPlanned := o.Planned.Get()
	completed, hasCompleted := o.Completed.Get()
	if !hasPlanned || !hasCompleted {
		return
	}
	x.Record.Summary = fmt.Sprintf("%s of %s requests completed", measure.FormatCount(completed), measure.FormatCount(planned))
	failed, hasFailed := o.Failed.Get()
	switch rest := planned - completed; {
	case hasFailed:
		x.Record.Summary += fmt.Sprintf(", %s failed.", measure.FormatCount(failed))
	case rest > 0:
		x.Record.Summary += fmt.Sprintf("; %s not completed, reason not stated in the source file.", measure.FormatCount(rest))
	default:
		x.Record.Summary += "; the file has no count of failures."
	}
}

// state is the window, and how much of it lies behind the planned arrivals.
func (x draft) state() {
	duration := x.n.Get("duration")
	s := &x.Record.State
	s.Warmup = evidence.NotStated[string]("the file does not say; the tool sends its first prompt at least once before it measures, and that prompt again among the measured ones")
	seconds, ok := duration.Float()
	if !ok || seconds <= 0 {
		return
	}
	s.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: seconds}, "“duration” in the file: "+serve)
	s.Drain = evidence.Stated("the tool waits for every request; the time is inside of the window", "the tool's code")
	rate, hasRate := x.Record.Load.RatePerSec.Get()
	planned, hasPlanned := x.Record.Outcomes.Planned.Get()
	if !hasRate || !hasPlanned || rate <= 0 {
		return
	}
	arrivals := float64(planned) / rate
	x.FactText("arrival window, as planned", fmt.Sprintf("%.4g s: %d requests at %s/s", arrivals, planned, x.n.Get("request_rate").Text), "num_prompts ÷ request_rate; the file has no send times")
	rest := seconds - arrivals
	if rest <= 0 {
		return
	}
	share := measure.FormatShare(rest / seconds)
	x.FactText("window behind the planned arrivals", fmt.Sprintf("%.4g s of %.4g s", rest, seconds), "duration − num_prompts ÷ request_rate")
	s.Drain = evidence.Derived(fmt.Sprintf("the tool waits for every request: %.4g s of the %.4g s came after the last planned arrival (%.4g s)", rest, seconds, arrivals), "duration − num_prompts ÷ request_rate")
	if rest/seconds > drainShare {
		l := evidence.Limit{Code: evidence.DrainDominates, Args: []string{share + " (by the planned arrivals)"}, Where: "record"}
		x.Record.Limits = append(x.Record.Limits, l)
	}
}

// drainShare is the share of the window behind the planned arrivals from which
// on it is noted, as for our own runs.
const drainShare = 0.20

// title names the result by its model and load.
func (x draft) title() string {
	var parts []string
	if model, ok := x.n.Get("model_id").String(); ok {
		parts = append(parts, model)
	}
	if rate, ok := x.Record.Load.RatePerSec.Get(); ok {
		parts = append(parts, fmt.Sprintf("%g/s asked", rate))
	}
	if c, ok := x.n.Get("max_concurrency").Int(); ok {
		parts = append(parts, fmt.Sprintf("at most %d outstanding", c))
	}
	if n, ok := x.n.Get("num_prompts").Int(); ok {
		parts = append(parts, fmt.Sprintf("%s requests", measure.FormatCount(n)))
	}
	return x.tool + ": " + strings.Join(parts, ", ")
}
