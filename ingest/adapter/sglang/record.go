package sglang

import (
	"fmt"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// draft is one run on its way to be a record.
type draft struct {
	*foreign.Draft
	n foreign.Node
}

func record(f *foreign.File, n foreign.Node, c *columns) (*foreign.Draft, string, error) {
	x := draft{Draft: foreign.NewDraft(f, tool), n: n}
	x.subject()
	x.load()
	x.workload()
	x.state()
	x.rates()
	x.latencies()
	x.facts()
	err := x.recompute(c)
	return x.Draft, x.title(), err
}

func (x draft) subject() {
	r := &x.Record
	r.Subject.Tool = evidence.Derived(tool, "by the keys of the file; it does not state its version")
	if info := x.n.Get("server_info"); info.IsObject() {
		r.Subject.Model = x.Text("server_info.model_path", info.Get("model_path"))
	}
	r.Outcomes.Completed = x.Count("completed", x.n.Get("completed"))
	r.Outcomes.Failed = evidence.NotStated[int64]("the SGLang file has no count of failures, and counts any answer with HTTP 200 as completed")
	r.Limits = append(r.Limits, limits.FailuresInside(any200).Record()...)
	if n, ok := r.Outcomes.Completed.Get(); ok {
		r.Summary = fmt.Sprintf("%s requests counted as completed; how many were asked for, and how many failed, is not in the file.", measure.FormatCount(n))
	}
}

// load says what was asked for: an arrival rate, or a number outstanding.
func (x draft) load() {
	l := &x.Record.Load
	rate, limit := x.n.Get("request_rate"), x.n.Get("max_concurrency")
	limitN, limited := limit.Int()
	l.PeakOpen = x.Count("max_concurrent_requests", x.n.Get("max_concurrent_requests"))
	perSec, finite := rate.Float()
	const none = "no rate limit: “request_rate” is infinite"
	switch {
	case finite && perSec > 0:
		l.Mode = evidence.Derived("open loop", "“request_rate” is a number")
		l.Rate = evidence.Stated(rate.Text+" requests per 1s", "“request_rate” in the file: as asked, not as sent")
		l.RatePerSec = evidence.Stated(perSec, "“request_rate” in the file: as asked, not as sent")
		l.Arrivals = evidence.Derived("poisson", "the tool draws exponential gaps for a finite rate")
		l.Concurrency = evidence.NotApplicable[int64]("an arrival rate was asked for")
		if limited {
			l.Concurrency = evidence.NotApplicable[int64](fmt.Sprintf("an arrival rate was asked for, with a cap of %d outstanding", limitN))
			x.Fact("max_concurrency", limit)
		}
	case rate.IsInfinite():
		l.Rate, l.RatePerSec = evidence.NotApplicable[string](none), evidence.NotApplicable[float64](none)
		if limited {
			l.Mode = evidence.Derived("closed loop", "“request_rate” is infinite and “max_concurrency” is a number")
			l.Concurrency = x.Count("max_concurrency", limit)
			l.Arrivals = evidence.NotApplicable[string]("the next request is sent when one ends")
			return
		}
		if limit.Kind == foreign.Null {
			l.Mode = evidence.Derived("open loop", "“request_rate” is infinite and there is no cap: all requests at once")
			l.Arrivals = evidence.Derived("all at once", "“request_rate” is infinite and there is no cap")
			l.Concurrency = evidence.NotApplicable[int64]("there is no cap: “max_concurrency” is null")
		}
	default:
		l.Concurrency, l.Rate = x.Count("max_concurrency", limit), x.Text("request_rate", rate)
	}
}

// workload is the dataset. The asked lengths are only those of a dataset that
// has them: the keys stand in the file whatever the dataset was.
func (x draft) workload() {
	w := &x.Record.Workload
	w.Prompts = x.Text("dataset_name", x.n.Get("dataset_name"))
	w.TokenSource = evidence.Derived(counted, "by the tool's code; the file does not say which")
	name, _ := x.n.Get("dataset_name").String()
	ratio, hasRatio := x.n.Get("random_range_ratio").Float()
	if strings.HasPrefix(name, "random") && hasRatio && ratio == 1 {
		w.InputTokensAsked, w.OutputTokensAsked = x.Count("random_input_len", x.n.Get("random_input_len")), x.Count("random_output_len", x.n.Get("random_output_len"))
	} else {
		why := "the lengths of dataset “" + name + "” are not one number"
		if strings.HasPrefix(name, "random") && hasRatio {
			why = fmt.Sprintf("drawn evenly from %g of the stated length up to it", ratio)
		}
		w.InputTokensAsked, w.OutputTokensAsked = evidence.NotStated[int64](why), evidence.NotStated[int64](why)
		x.Fact("random_input_len", x.n.Get("random_input_len"))
		x.Fact("random_output_len", x.n.Get("random_output_len"))
	}
	total := func(key string) evidence.Known[evidence.Spread] {
		if n := x.n.Get(key); n.IsNumber() {
			x.Fact(key, n)
			return evidence.NotStated[evidence.Spread]("the file has only the sum, “" + key + "”: " + n.Text)
		}
		return evidence.NotStated[evidence.Spread](x.Missing())
	}
	w.InputTokens, w.OutputTokens = total("total_input_tokens"), total("total_output_tokens")
	x.Fact("total_output_tokens_retokenized", x.n.Get("total_output_tokens_retokenized"))
	out, ok1 := x.n.Get("total_output_tokens").Int()
	again, ok2 := x.n.Get("total_output_tokens_retokenized").Int()
	if ok1 && ok2 {
		found := limits.TokenCountsDisagree(limits.Tally{Tokens: out, By: "the tool's own sum"}, limits.Tally{Tokens: again, By: "its tokenizer on the answers' texts"})
		x.Record.Limits = append(x.Record.Limits, found.Record()...)
	}
}

func (x draft) state() {
	s := &x.Record.State
	if d, ok := x.n.Get("duration").Float(); ok && d > 0 {
		s.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: d}, "“duration” in the file: "+whole)
		s.Drain = evidence.Stated("the tool waits for every request; the time is inside of the window", "the tool's code")
	}
	s.Warmup = evidence.NotStated[string]("the file does not say; by default the tool sends its first prompt once, cut to 32 tokens")
	report := x.n.Get("cache_report")
	prompt, ok1 := report.Get("total_prompt_tokens").Int()
	cached, ok2 := report.Get("total_cached_tokens").Int()
	completed, ok3 := x.Record.Outcomes.Completed.Get()
	if ok1 && ok2 && ok3 && prompt > 0 && cached >= 0 && cached <= prompt {
		s.Cache.Measured = evidence.Stated(evidence.CacheMeasure{CachedTokens: cached, PromptTokens: prompt, Requests: completed, Of: completed}, "“cache_report” in the file, as the server counted")
	}
}

func (x draft) rates() {
	in, hasIn := x.n.Get("total_input_tokens").Float()
	out, hasOut := x.n.Get("total_output_tokens").Float()
	done, hasDone := x.n.Get("completed").Float()
	for _, q := range []struct {
		word, unit, per string
		amount          float64
		known           bool
	}{
		{"output_throughput", "output tokens", "tokens/s", out, hasOut},
		{"total_throughput", "input + output tokens", "tokens/s", in + out, hasIn && hasOut},
		{"request_throughput", "requests", "requests/s", done, hasDone},
	} {
		d := definition(q.word)
		f := foreign.Figure{Metric: d.Metric, Number: x.n.Get(q.word), Key: q.word, Unit: q.per, Rule: foreign.RuleOf(d), Window: x.Record.State.Window, Population: x.population(),
			CountedOver: asked, TimedOver: andMore}
		if q.known {
			f.Numerator = evidence.Derived(evidence.Term{Amount: q.amount, Unit: q.unit, What: d.Population}, "the counts in the file")
		}
		if w, ok := x.Record.State.Window.Get(); ok {
			f.Denominator = evidence.Stated(evidence.Term{Amount: w.Seconds, Unit: "s", What: "duration: " + whole}, "“duration” in the file")
		}
		x.Claim(f)
	}
}

func (x draft) population() evidence.Known[evidence.Population] {
	n, ok := x.Record.Outcomes.Completed.Get()
	if !ok {
		return evidence.NotStated[evidence.Population]("the file has no usable “completed”")
	}
	return evidence.Derived(evidence.Population{Rule: ok200, N: n}, "“completed” in the file")
}

// keys are the tool's keys for the statistics of a latency.
func keys() []struct {
	prefix string
	stat   measure.Stat
} {
	return []struct {
		prefix string
		stat   measure.Stat
	}{{"mean", measure.Mean}, {"median", measure.P50}, {"p90", measure.P90}, {"p95", measure.P95}, {"p99", measure.P99}, {"max", measure.StatMax}}
}

func (x draft) latencies() {
	for _, word := range []string{"ttft", "tpot", "itl", "e2e_latency"} {
		d := definition(word)
		rule := foreign.RuleOf(d)
		for _, k := range keys() {
			key := k.prefix + "_" + word + "_ms"
			f := foreign.Figure{Metric: measure.ID(d.Metric, k.stat), Number: x.n.Get(key), Key: key, Unit: "ms", Rule: rule, Window: x.Record.State.Window,
				ZeroMeans: "the tool writes 0 where no request had text"}
			if word == "ttft" || word == "e2e_latency" {
				f.Population = x.population()
			}
			x.Claim(f)
		}
	}
}

// facts keeps every other plain value of the run.
func (x draft) facts() {
	has := map[string]bool{"completed": true, "duration": true, "request_rate": true, "max_concurrency": true, "max_concurrent_requests": true, "dataset_name": true,
		"total_input_tokens": true, "total_output_tokens": true, "total_output_tokens_retokenized": true, "random_input_len": true, "random_output_len": true,
		"output_throughput": true, "total_throughput": true, "request_throughput": true}
	for _, word := range []string{"ttft", "tpot", "itl", "e2e_latency"} {
		for _, k := range keys() {
			has[k.prefix+"_"+word+"_ms"] = true
		}
	}
	const most = 100
	for i, f := range x.n.Fields {
		if i < most && !has[f.Key] {
			x.Fact(f.Key, f.Value)
		}
	}
}

func (x draft) title() string {
	parts := []string{}
	if name, ok := x.n.Get("dataset_name").String(); ok {
		parts = append(parts, "dataset "+name)
	}
	if rate, ok := x.Record.Load.RatePerSec.Get(); ok {
		parts = append(parts, fmt.Sprintf("%g/s asked", rate))
	} else if x.n.Get("request_rate").IsInfinite() {
		parts = append(parts, "no rate limit")
	}
	if c, ok := x.n.Get("max_concurrency").Int(); ok {
		parts = append(parts, fmt.Sprintf("at most %d outstanding", c))
	}
	if n, ok := x.n.Get("completed").Int(); ok {
		parts = append(parts, measure.FormatCount(n)+" requests")
	}
	return tool + ": " + strings.Join(parts, ", ")
}
