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

func record(f *foreign.File, n foreign.Node, c *columns) (foreign.Part, error) {
	x := draft{Draft: foreign.NewDraft(f, tool), n: n}
	x.subject()
	x.load()
	x.workload()
	x.state()
	x.rates()
	x.latencies()
	x.Rest(n, placed)
	err := x.recompute(c)
	return foreign.Part{Draft: x.Draft, Title: x.title()}, err
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

func (x draft) load() {
	x.RateAndCap("request_rate", x.n.Get("request_rate"), "max_concurrency", x.n.Get("max_concurrency"), evidence.Derived("poisson", "the tool draws exponential gaps for a finite rate"))
	x.Record.Load.PeakOpen = x.Count("max_concurrent_requests", x.n.Get("max_concurrent_requests"))
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
	w.InputTokens = x.OnlySum("total_input_tokens", x.n.Get("total_input_tokens"))
	w.OutputTokens = x.OnlySum("total_output_tokens", x.n.Get("total_output_tokens"))
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
	if x.Window("duration", x.n.Get("duration"), x.window()) {
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

// asksServer reports whether the file is of a version that asks the server for
// its state before it stops its clock: those write what they asked for, also
// where it is null.
func (x draft) asksServer() bool {
	return x.n.Get("accept_length").Kind != foreign.Absent || x.n.Get("server_info").Kind != foreign.Absent
}

// window is what the file's duration spans.
func (x draft) window() string {
	if x.asksServer() {
		return "from " + andMore
	}
	return early
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
		f := x.OverWindow(x.Word(q.word), "duration", x.window())
		f.Number, f.Unit, f.Population = x.n.Get(q.word), q.per, x.population()
		if x.asksServer() {
			f.CountedOver, f.TimedOver = asked, andMore
		}
		if q.known {
			f.Numerator = evidence.Derived(evidence.Term{Amount: q.amount, Unit: q.unit, What: x.Define(q.word).Population}, "the counts in the file")
		}
		x.Claim(f)
	}
}

func (x draft) population() evidence.Known[evidence.Population] {
	return x.Completed(ok200, "completed")
}

// stats are the tool's keys for the statistics of a latency.
func stats() []foreign.Statistic {
	return []foreign.Statistic{{Stat: measure.Mean, Key: "mean"}, {Stat: measure.P50, Key: "median"}, {Stat: measure.P90, Key: "p90"}, {Stat: measure.P95, Key: "p95"},
		{Stat: measure.P99, Key: "p99"}, {Stat: measure.StatMax, Key: "max"}}
}

func latencyWords() []string { return []string{"ttft", "tpot", "itl", "e2e_latency"} }

func (x draft) latencies() {
	for _, word := range latencyWords() {
		f := x.Word(word)
		f.Unit, f.Window, f.ZeroMeans = "ms", x.Record.State.Window, "the tool writes 0 where no request had text"
		if word == "ttft" || word == "e2e_latency" {
			f.Population = x.population()
		}
		x.Statistics(f, stats(), func(stat string) (foreign.Node, string) {
			key := stat + "_" + word + "_ms"
			return x.n.Get(key), key
		})
	}
}

// placed reports whether a key of the file has a place in the record.
func placed(key string) bool {
	switch key {
	case "completed", "duration", "request_rate", "max_concurrency", "max_concurrent_requests", "dataset_name", "total_input_tokens", "total_output_tokens",
		"total_output_tokens_retokenized", "random_input_len", "random_output_len", "output_throughput", "total_throughput", "request_throughput":
		return true
	}
	for _, word := range latencyWords() {
		for _, s := range stats() {
			if key == s.Key+"_"+word+"_ms" {
				return true
			}
		}
	}
	return false
}

func (x draft) title() string {
	var also []string
	if name, ok := x.n.Get("dataset_name").String(); ok {
		also = append(also, "dataset "+name)
	}
	if x.n.Get("request_rate").IsInfinite() {
		also = append(also, "no rate limit")
	}
	return x.LoadTitle(foreign.Heading{Also: strings.Join(also, ", "), Cap: x.n.Get("max_concurrency"), Requests: x.Record.Outcomes.Completed})
}
