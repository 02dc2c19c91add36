package guidellm

import (
	"fmt"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// draft is one benchmark on its way to be a record.
type draft struct {
	*foreign.Draft
	report foreign.Node
	n      foreign.Node
}

func record(f *foreign.File, report foreign.Node, b benchmark) (foreign.Part, error) {
	x := draft{Draft: foreign.NewDraft(f, tool), report: report, n: b.node}
	x.subject()
	x.outcomes()
	x.workload()
	x.load()
	x.state()
	x.rates()
	x.latencies()
	x.facts()
	err := x.recompute(b)
	kind, _ := x.n.Get("config", "strategy", "type_").String()
	return foreign.Part{Draft: x.Draft, Title: x.LoadTitle(foreign.Heading{Also: kind, Requests: x.Record.Outcomes.Completed})}, err
}

func (x draft) subject() {
	s := &x.Record.Subject
	s.Tool = evidence.Derived(tool, "by the keys of the file; it does not state its version")
	for _, n := range []foreign.Node{x.report, x.n} { // the CSV has it in each row
		if v, ok := n.Get("metadata", "guidellm_version").String(); ok {
			s.Tool = evidence.Stated(tool+" "+v, "“metadata.guidellm_version” in the file")
		}
	}
	s.Model = x.Text("config.backend.model", x.n.Get("config", "backend", "model"))
	s.Tokenizer = x.Text("config.spec.tokenizer.model", x.report.Get("config", "spec", "tokenizer", "model"))
	if name, ok := s.Tokenizer.Get(); ok && strings.Contains(name, "/Users/") {
		s.Tokenizer = evidence.NotStated[string]("a folder of somebody's machine stands in its place")
	}
	s.Started = x.Stamp("start_time", x.n.Get("start_time"))
	s.SourceRunID = x.Text("config.run_id", x.n.Get("config", "run_id"))
}

// outcomes are the counts of the measured window.
func (x draft) outcomes() {
	o := &x.Record.Outcomes
	t, at := x.n.Get("metrics", "request_totals"), "metrics.request_totals"
	if !t.IsObject() {
		t, at = x.n.Get("request_totals"), "request_totals"
	}
	o.Completed, o.Failed = x.Count(at+".successful", t.Get("successful")), x.Count(at+".errored", t.Get("errored"))
	o.Unresolved = x.Count(at+".incomplete", t.Get("incomplete"))
	o.Sent = x.Count(at+".total", t.Get("total"))
	limit := x.n.Get("config", "constraints", "max_requests")
	for _, keys := range [][]string{{"max_num"}, {"args", "count"}} {
		if n := limit.Get(keys...); n.IsNumber() {
			o.Planned = x.Count("config.constraints.max_requests", n)
		}
	}
	const in = "counted as errored or incomplete, which the file has as one number each"
	o.Rejected, o.TimedOut, o.Cancelled = evidence.NotStated[int64](in), evidence.NotStated[int64](in), evidence.NotStated[int64](in)
	sent, ok := o.Sent.Get()
	done, ok2 := o.Completed.Get()
	if ok && ok2 {
		x.Record.Summary = fmt.Sprintf("%s of %s requests succeeded", measure.FormatCount(done), measure.FormatCount(sent))
		for _, c := range []struct {
			k    evidence.Known[int64]
			word string
		}{{o.Failed, "errored"}, {o.Unresolved, "were incomplete"}} {
			if n, ok := c.k.Get(); ok {
				x.Record.Summary += fmt.Sprintf(", %s %s", measure.FormatCount(n), c.word)
			}
		}
		x.Record.Summary += "."
	}
}

func (x draft) workload() {
	w := &x.Record.Workload
	w.Requests = x.Record.Outcomes.Planned
	w.TokenSource = evidence.Derived(tokenSrc, "by the tool's code; the file does not say which")
	spread := func(key string) evidence.Known[evidence.Spread] {
		m := x.n.Get("metrics", key, "successful")
		if n, ok := m.Get("count").Int(); ok && n == 0 {
			return evidence.NotStated[evidence.Spread]("“" + key + "” has a count of 0 in the file")
		}
		return x.Spread(key, foreign.Spread{Min: m.Get("min"), Median: m.Get("median"), Max: m.Get("max"), Mean: m.Get("mean"), Sum: m.Get("total_sum")}, x.Record.Outcomes.Completed)
	}
	w.InputTokens, w.OutputTokens = spread("prompt_token_count"), spread("output_token_count")
	data := x.report.Get("config", "spec", "data")
	if len(data.Items) == 1 {
		w.InputTokensAsked, w.OutputTokensAsked = x.asked(data.Items[0], "prompt_tokens"), x.asked(data.Items[0], "output_tokens")
		w.Prompts = x.Text("config.spec.data.kind", data.Items[0].Get("kind"))
	}
}

// asked is a length that was asked for, where it was one number.
func (x draft) asked(data foreign.Node, key string) evidence.Known[int64] {
	if sd, ok := data.Get(key + "_stdev").Float(); ok && sd > 0 {
		return evidence.NotStated[int64](fmt.Sprintf("drawn around %s with a standard deviation of %s", data.Get(key).Text, data.Get(key+"_stdev").Text))
	}
	return x.Count("config.spec.data."+key, data.Get(key))
}

// load is the strategy.
func (x draft) load() {
	l := &x.Record.Load
	st := x.n.Get("config", "strategy")
	name, _ := st.Get("type_").String()
	switch name {
	case "synchronous":
		l.Concurrency = evidence.Derived(int64(1), "strategy synchronous: one request after another")
		x.Outstanding("strategy synchronous")
	case "concurrent", "throughput":
		key := "max_concurrency"
		if st.Get("streams").IsNumber() {
			key = "streams"
		}
		x.ClosedLoop("config.strategy."+key, st.Get(key))
		x.Outstanding("strategy " + name)
	case "constant", "poisson", "async":
		if x.OpenLoop("config.strategy.rate", st.Get("rate")) {
			l.Arrivals = evidence.Stated(name, "“config.strategy.type_” in the file")
			x.Fact("config.strategy.max_concurrency", st.Get("max_concurrency"))
		}
	}
}

func (x draft) state() {
	s := &x.Record.State
	x.Window("duration", x.n.Get("duration"), window)
	if n := x.n.Get("warmup_duration"); n.IsNumber() {
		s.Warmup = evidence.Stated(n.Text+" s, outside of the window", "“warmup_duration” in the file")
	}
	s.Drain = x.drain()
}

// drain is what the tool does with requests in flight at the end, which depends
// on what ended the run.
func (x draft) drain() evidence.Known[string] {
	counted, others := false, 0
	for _, c := range x.n.Get("config", "constraints").Fields {
		if c.Key == "max_requests" {
			counted = true
		} else if c.Value.Has() {
			others++
		}
	}
	const cut = "what is in flight at the end of the window is cancelled and counted as incomplete"
	switch {
	case counted && others == 0:
		return evidence.Stated("a run that ends by a number of requests waits for the last one", "the tool's code")
	case counted:
		return evidence.Stated("a run that ends by its number of requests waits for the last one; if another of its limits ended it, "+cut, "the tool's code")
	case others > 0:
		return evidence.Stated("none: "+cut, "the tool's code")
	}
	return evidence.NotStated[string]("the file does not say what ended the run: by a number of requests the tool waits for the last one, else " + cut)
}
