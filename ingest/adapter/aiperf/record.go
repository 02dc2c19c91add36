package aiperf

import (
	"fmt"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// draft is one aggregate on its way to be a record.
type draft struct {
	*foreign.Draft
	n foreign.Node
}

func record(f *foreign.File, n foreign.Node) foreign.Part {
	x := draft{Draft: foreign.NewDraft(f, tool), n: n}
	x.subject()
	x.outcomes()
	x.workload()
	x.load()
	x.state()
	x.rates()
	x.latencies()
	x.facts()
	return foreign.Part{Draft: x.Draft, Title: x.LoadTitle(foreign.Heading{Requests: x.Record.Outcomes.Completed})}
}

// avg is a metric's one number.
func (x draft) avg(tag string) foreign.Node { return x.n.Get(tag, "avg") }

// config is a value of the run's configuration.
func (x draft) config(keys ...string) foreign.Node { return x.n.Get("input_config").Get(keys...) }

func (x draft) subject() {
	s := &x.Record.Subject
	s.Tool = evidence.Derived(tool, "by the keys of the file; it does not state its version")
	if v, ok := x.n.Get("aiperf_version").String(); ok {
		s.Tool = evidence.Stated(tool+" "+v, "“aiperf_version” in the file")
	}
	var models []string
	for _, m := range x.config("endpoint", "model_names").Items {
		if name, ok := m.String(); ok {
			models = append(models, name)
		}
	}
	if len(models) > 0 {
		s.Model = evidence.Stated(strings.Join(models, ", "), "“input_config.endpoint.model_names” in the file")
	}
	s.Tokenizer = x.Text("input_config.tokenizer.name", x.config("tokenizer", "name"))
	s.Started = x.Stamp("start_time", x.n.Get("start_time"))
	s.SourceRunID = x.Text("benchmark_id", x.n.Get("benchmark_id"))
	x.watched()
}

// outcomes are the counts of the profiling phase. A count of errors that is
// null is not stated: the tool leaves a metric without records null.
func (x draft) outcomes() {
	o := &x.Record.Outcomes
	o.Completed = x.Count("request_count.avg", x.avg("request_count"))
	o.Planned = x.Count("input_config.loadgen.request_count", x.config("loadgen", "request_count"))
	errors := x.n.Get("error_request_count")
	o.Failed = x.Count("error_request_count.avg", errors.Get("avg"))
	if errors.Kind == foreign.Null {
		o.Failed = evidence.NotStated[int64]("“error_request_count” is null in the file, which the tool writes for a metric without records")
	}
	completed, ok := o.Completed.Get()
	if !ok {
		return
	}
	x.Record.Summary = measure.FormatCount(completed) + " requests completed"
	if planned, ok := o.Planned.Get(); ok {
		x.Record.Summary = fmt.Sprintf("%s of %s requests completed", measure.FormatCount(completed), measure.FormatCount(planned))
	}
	if failed, ok := o.Failed.Get(); ok {
		x.Record.Summary += fmt.Sprintf(", %s with an error.", measure.FormatCount(failed))
	} else {
		x.Record.Summary += "; the file states no count of errors."
	}
	x.errors()
}

// errors are the classes that the file names, held against their count.
func (x draft) errors() {
	var sum int64
	for _, e := range x.n.Get("error_summary").Items {
		n, ok := e.Get("count").Int()
		kind, named := e.Get("error_details", "type").String()
		if !ok || n < 1 {
			continue
		}
		if !named {
			kind = "not named"
		}
		sum += n
		x.Record.Errors = append(x.Record.Errors, evidence.ErrorClass{Outcome: "failed", Class: x.clip(kind), N: n})
	}
	failed, ok := x.Record.Outcomes.Failed.Get()
	if ok && x.n.Get("error_summary").Kind == foreign.List && failed != sum {
		x.Note(x.n.Get("error_summary").Line, fmt.Sprintf("error_request_count is %d, but error_summary names %d: the file contradicts itself", failed, sum))
		x.Gap("error_summary", fmt.Sprintf("the file names %d of the %d errors that it counts", sum, failed))
	}
}

func (x draft) clip(s string) string {
	const most = 80
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

func (x draft) workload() {
	w := &x.Record.Workload
	w.Requests = x.Record.Outcomes.Planned
	w.InputTokensAsked = x.asked("input_tokens")
	w.OutputTokensAsked = x.asked("output_tokens")
	w.TokenSource = evidence.Derived(byClient, "by the tool's documentation; the file does not say which")
	n := x.Record.Outcomes.Completed
	spread := func(tag, total string) evidence.Known[evidence.Spread] {
		m := x.n.Get(tag)
		return x.Spread(tag, foreign.Spread{Min: m.Get("min"), Median: m.Get("p50"), Max: m.Get("max"), Mean: m.Get("avg"), Sum: x.avg(total)}, n)
	}
	w.InputTokens, w.OutputTokens = spread("input_sequence_length", "total_isl"), spread("output_sequence_length", "total_osl")
	w.Prompts = x.Text("input_config.input.dataset_sampling_strategy", x.config("input", "dataset_sampling_strategy"))
	if seed := x.config("input", "random_seed"); seed.IsNumber() {
		w.Prompts = evidence.Stated("synthetic or from a data set, seed "+seed.Text, "“input_config.input” in the file")
	}
}

// asked is a length that was asked for, where it was one number.
func (x draft) asked(which string) evidence.Known[int64] {
	key := "input_config.input.prompt." + which
	n := x.config("input", "prompt", which)
	if sd, ok := n.Get("stddev").Float(); ok && sd > 0 {
		return evidence.NotStated[int64](fmt.Sprintf("drawn around %s with a standard deviation of %s", n.Get("mean").Text, n.Get("stddev").Text))
	}
	return x.Count(key+".mean", n.Get("mean"))
}

func (x draft) load() {
	l := &x.Record.Load
	g := x.config("loadgen")
	rate, limit := g.Get("request_rate"), g.Get("concurrency")
	mode, key := g.Get("arrival_pattern"), "arrival_pattern"
	if !mode.Has() && g.Get("request_rate_mode").Has() {
		mode, key = g.Get("request_rate_mode"), "request_rate_mode" // until late 2025
	}
	switch {
	case x.OpenLoop("input_config.loadgen.request_rate", rate):
		x.Fact("input_config.loadgen.concurrency", limit)
	case !x.ClosedLoop("input_config.loadgen.concurrency", limit):
		return
	}
	l.Arrivals = x.Text("input_config.loadgen."+key, mode)
}

func (x draft) state() {
	s := &x.Record.State
	d := x.n.Get("benchmark_duration")
	if seconds(d.Get("unit")) {
		x.Window("benchmark_duration", d.Get("avg"), window)
	}
	if n, ok := x.config("loadgen", "warmup_request_count").Int(); ok {
		s.Warmup = evidence.Stated(fmt.Sprintf("%s requests asked for, outside of the figures", measure.FormatCount(n)), "“input_config.loadgen.warmup_request_count” in the file")
	}
	switch cancelled := x.n.Get("was_cancelled"); cancelled.Text {
	case "false":
		s.Complete = evidence.Stated("complete", "“was_cancelled” is false in the file")
	case "true":
		s.Complete = evidence.Stated("interrupted: the tool says that it was cancelled", "“was_cancelled” is true in the file")
		x.Record.Limits = append(x.Record.Limits, limits.Interruption(true, "the tool says that it was cancelled").Record()...)
	}
	x.cached()
}

func seconds(n foreign.Node) bool { return n.Text == "sec" || n.Text == "s" || n.Text == "seconds" }

// cached is what the endpoint reported as read from its cache, where the tool
// has its sums.
func (x draft) cached() {
	read, ok1 := x.avg("total_usage_prompt_cache_read_tokens").Int()
	prompt, ok2 := x.avg("total_usage_prompt_tokens").Int()
	n, ok3 := x.Record.Outcomes.Completed.Get()
	if ok1 && ok2 && ok3 && prompt > 0 && read >= 0 && read <= prompt {
		x.Record.State.Cache.Measured = evidence.Stated(evidence.CacheMeasure{CachedTokens: read, PromptTokens: prompt, Requests: n, Of: n}, "“total_usage_prompt_cache_read_tokens” and “total_usage_prompt_tokens” in the file")
	}
}
