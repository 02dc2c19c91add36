package vllm

import (
	"fmt"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// draft is one result on its way to be a record.
type draft struct {
	*foreign.Draft
	dialect
	n foreign.Node
}

// get is a value by its key in the JSON.
func (x draft) get(key string) foreign.Node { return x.n.Get(x.label(key)) }

// count is a count by its key in the JSON.
func (x draft) count(key string) evidence.Known[int64] { return x.Count(x.label(key), x.get(key)) }

// online makes the record of a result of bench serve.
func online(f *foreign.File, d dialect, n foreign.Node, rows *columns) (foreign.Part, error) {
	x := draft{Draft: foreign.NewDraft(f, d.tool), dialect: d, n: n}
	x.subject()
	x.load()
	x.outcomes() // what was completed is said beside the sums of tokens
	x.workload()
	x.state()
	x.rates()
	x.latencies()
	x.Rest(x.n, x.placed)
	err := x.recompute(rows)
	title := x.LoadTitle(foreign.Heading{Cap: x.get("max_concurrency"), Requests: x.Record.Workload.Requests})
	return foreign.Part{Draft: x.Draft, Title: title}, err
}

func (x draft) subject() {
	s := &x.Record.Subject
	s.Tool = evidence.Derived(x.tool, "by the keys of the file; it does not state its version")
	s.Model, s.Tokenizer = x.Text("model_id", x.get("model_id")), x.Text("tokenizer_id", x.get("tokenizer_id"))
	if date, ok := x.get("date").String(); ok {
		s.Started = evidence.Stated(date+" (zone not stated)", "“date” in the file: when the result was written")
	}
}

func (x draft) load() {
	x.RateAndCap(x.label("request_rate"), x.get("request_rate"), x.label("max_concurrency"), x.get("max_concurrency"), x.arrivals())
	x.Record.Load.PeakOpen = x.peak()
}

// peak is the most requests seen in flight.
func (x draft) peak() evidence.Known[int64] {
	const key = "max_concurrent_requests"
	k := x.count(key)
	peak, ok := k.Get()
	limit, limited := x.get("max_concurrency").Int()
	if ok && limited && peak > limit {
		x.Note(x.get(key).Line, fmt.Sprintf("%s is %d under a cap of %d: the tool counts by whole seconds, so that a request that ends and one that begins within a second count twice", x.label(key), peak, limit))
		return evidence.Stated(peak, "“"+x.label(key)+"” in the file, counted by whole seconds: it is above the cap")
	}
	return k
}

func (x draft) arrivals() evidence.Known[string] {
	b, key := x.get("burstiness"), x.label("burstiness")
	shape, ok := b.Float()
	switch {
	case !ok:
		return evidence.NotStated[string]("the file has no “" + key + "”")
	case shape == 1:
		return evidence.Derived("poisson", "“"+key+"” is 1; the gaps are scaled so that the last arrival falls on number ÷ rate")
	default:
		return evidence.Derived("gamma", "“"+key+"” is "+b.Text+", the shape of the gaps: below 1 in bursts, above 1 more even")
	}
}

func (x draft) workload() {
	w := &x.Record.Workload
	w.Requests = x.count("num_prompts")
	w.TokenSource = evidence.Derived(usageElse, "by the tool's code; the file does not say which")
	w.InputTokens = x.OnlySum(x.label("total_input_tokens"), x.get("total_input_tokens"))
	w.OutputTokens = x.OnlySum(x.label("total_output_tokens"), x.get("total_output_tokens"))
}

// outcomes are the counts of the file. A count of failures that is not there is
// not stated, whatever is left of the sum.
func (x draft) outcomes() {
	o := &x.Record.Outcomes
	o.Planned, o.Completed, o.Failed = x.count("num_prompts"), x.count("completed"), x.count("failed")
	failed, hasFailed := o.Failed.Get()
	if hasFailed {
		const in = "the tool counts these as “failed”, which the file has as one number"
		o.Rejected, o.TimedOut = evidence.NotStated[int64](in), evidence.NotStated[int64](in)
	}
	x.Record.Limits = append(x.Record.Limits, limits.FailuresInside(anyChunk).Record()...)
	planned, hasPlanned := o.Planned.Get()
	completed, hasCompleted := o.Completed.Get()
	if !hasCompleted {
		return
	}
	summary := measure.FormatCount(completed) + " requests completed"
	if hasPlanned {
		summary = fmt.Sprintf("%s of %s requests completed", measure.FormatCount(completed), measure.FormatCount(planned))
	}
	switch rest := planned - completed; {
	case hasFailed:
		summary += fmt.Sprintf(", %s failed.", measure.FormatCount(failed))
	case !hasPlanned:
		summary += "; the file has no count of those that were asked for, nor of failures."
	case rest > 0:
		summary += fmt.Sprintf("; %s not completed, reason not stated in the source file.", measure.FormatCount(rest))
	default:
		summary += "; the file has no count of failures."
	}
	x.Record.Summary = summary
}

// state is the window, and how much of it lies behind the planned arrivals.
func (x draft) state() {
	s := &x.Record.State
	s.Warmup = evidence.NotStated[string]("the file does not say; the tool sends its first prompt at least once before it measures, and that prompt again among the measured ones")
	if !x.Window(x.label("duration"), x.get("duration"), serve) {
		return
	}
	s.Drain = evidence.Stated("the tool waits for every request; the time is inside of the window", "the tool's code")
	rate, hasRate := x.Record.Load.RatePerSec.Get()
	planned, hasPlanned := x.Record.Outcomes.Planned.Get()
	if hasRate && hasPlanned && rate > 0 {
		x.drain(float64(planned)/rate, planned)
	}
}

// drain tells the planned arrivals, which took so many seconds, from what came
// after them.
func (x draft) drain(arrivals float64, planned int64) {
	x.FactText("arrival window, as planned", fmt.Sprintf("%.4g s: %d requests at %s/s", arrivals, planned, x.get("request_rate").Text), "num_prompts ÷ request_rate; the file has no send times")
	w, _ := x.Record.State.Window.Get()
	rest := w.Seconds - arrivals
	if rest <= 0 {
		return
	}
	x.Record.Summary += fmt.Sprintf(" Arrivals were planned over %.4g s; %.4g s of the window of %.4g s came after them.", arrivals, rest, w.Seconds)
	x.FactText("window behind the planned arrivals", fmt.Sprintf("%.4g s of %.4g s", rest, w.Seconds), "duration − num_prompts ÷ request_rate")
	x.Record.State.Drain = evidence.Derived(fmt.Sprintf("the tool waits for every request: %.4g s of the %.4g s came after the last planned arrival (%.4g s)", rest, w.Seconds, arrivals), "duration − num_prompts ÷ request_rate")
	x.Record.Limits = append(x.Record.Limits, limits.DrainDominates(rest/w.Seconds, "by the planned arrivals").Record()...)
}
