package vllm

import (
	"fmt"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// rates are the tool's quotients, each with what the file has of its parts.
func (x draft) rates() {
	in, hasIn := x.n.Get("total_input_tokens").Float()
	out, hasOut := x.n.Get("total_output_tokens").Float()
	completed, hasCompleted := x.n.Get("completed").Float()
	good, hasGood := x.n.Get("good_completed").Float()
	const of = " of successful requests, as the tool counts them"
	for _, q := range []struct {
		word, unit, what string
		amount           float64
		known            bool
	}{
		{"output_throughput", "output tokens", "output tokens" + of, out, hasOut},
		{"total_token_throughput", "input + output tokens", "input and output tokens" + of, in + out, hasIn && hasOut},
		{"request_throughput", "requests", "successful requests", completed, hasCompleted},
		{"request_goodput", "good requests", "successful requests within the limits of --goodput", good, hasGood},
	} {
		d := x.of(q.word)
		f := foreign.Figure{Metric: d.Metric, Number: x.n.Get(q.word), Key: q.word, Unit: rateUnit(q.word), Rule: foreign.RuleOf(d), Window: x.Record.State.Window, Denominator: x.seconds()}
		if q.known {
			f.Numerator = evidence.Derived(evidence.Term{Amount: q.amount, Unit: q.unit, What: q.what}, "the counts in the file")
		}
		f.Population = x.successes()
		x.Claim(f)
	}
}

func rateUnit(word string) string {
	if strings.HasPrefix(word, "request_") {
		return "requests/s"
	}
	return "tokens/s"
}

// seconds is the file's duration as a denominator.
func (x draft) seconds() evidence.Known[evidence.Term] {
	w, ok := x.Record.State.Window.Get()
	if !ok {
		return evidence.NotStated[evidence.Term]("the file has no usable “duration”")
	}
	return evidence.Stated(evidence.Term{Amount: w.Seconds, Unit: "s", What: "duration: " + serve}, "“duration” in the file")
}

// successes is the population of all aggregates.
func (x draft) successes() evidence.Known[evidence.Population] {
	n, ok := x.Record.Outcomes.Completed.Get()
	if !ok {
		return evidence.NotStated[evidence.Population]("the file has no usable “completed”")
	}
	return evidence.Derived(evidence.Population{Rule: successes, N: n}, "“completed” in the file")
}

// latencies are the tool's statistics. Other statistics are kept as facts.
func (x draft) latencies() {
	for _, word := range latencyWords() {
		d := x.of(word)
		for _, s := range stats() {
			key := s.prefix + "_" + word + x.suffix
			f := foreign.Figure{Metric: measure.ID(d.Metric, s.stat), Number: x.n.Get(key), Key: key, Unit: x.unit, Rule: foreign.RuleOf(d), Window: x.Record.State.Window,
				ZeroMeans: "the tool writes 0 where no request had a value"}
			f.Population = x.successes()
			if word == "itl" {
				f.Population = evidence.NotStated[evidence.Population]("gaps between chunks are pooled; the file does not say how many there were")
			}
			if word == "tpot" {
				f.Population = evidence.NotStated[evidence.Population]("successful requests with more than one output token; the file does not say how many")
			}
			x.Claim(f)
		}
	}
}

// facts keeps every other plain value of the file under its own key.
func (x draft) facts() {
	kept := 0
	for _, f := range x.n.Fields {
		if known(f.Key, x.suffix) || f.Value.Kind == foreign.List || f.Value.Kind == foreign.Object {
			continue
		}
		if zero, ok := f.Value.Float(); f.Key == "rtfx" && ok && zero == 0 {
			continue // a figure of audio benchmarks; 0 in all others
		}
		if kept++; kept > mostFacts {
			x.Note(f.Value.Line, fmt.Sprintf("more than %d keys that are not the tool's; the rest is left out", mostFacts))
			return
		}
		x.Fact(f.Key, f.Value)
	}
}

// mostFacts bounds what a record keeps of a file's other keys.
const mostFacts = 100

// known reports whether a key has a place in the record.
func known(key, suffix string) bool {
	switch key {
	case "model_id", "tokenizer_id", "date", "request_rate", "max_concurrency", "max_concurrent_requests", "num_prompts", "completed", "failed", "duration",
		"total_input_tokens", "total_output_tokens", "output_throughput", "total_token_throughput", "request_throughput", "request_goodput", "burstiness":
		return true
	}
	for _, s := range stats() {
		for _, w := range latencyWords() {
			if key == s.prefix+"_"+w+suffix {
				return true
			}
		}
	}
	return false
}

// offline makes the record of a result of bench throughput, and its title.
func offline(f *foreign.File, d dialect, n foreign.Node) (*foreign.Draft, string) {
	x := draft{Draft: foreign.NewDraft(f, d.tool), dialect: d, n: n}
	r := &x.Record
	r.Subject.Tool = evidence.Derived(d.tool, "by the keys of the file; it does not state its version")
	r.Workload.Requests = x.Count("num_requests", n.Get("num_requests"))
	r.Load.Mode = evidence.NotApplicable[string]("an offline batch: there are no arrivals")
	if s, ok := n.Get("elapsed_time").Float(); ok && s > 0 {
		r.State.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: s}, "“elapsed_time” in the file: the whole batch")
	}
	for _, q := range []struct{ word, count, unit, what, rateUnit string }{
		{"tokens_per_second", "total_num_tokens", "input + output tokens", "input and output tokens of all requests", "tokens/s"},
		{"requests_per_second", "num_requests", "requests", "all requests of the batch", "requests/s"},
	} {
		def := x.of(q.word)
		fig := foreign.Figure{Metric: def.Metric, Number: n.Get(q.word), Key: q.word, Unit: q.rateUnit, Rule: foreign.RuleOf(def), Window: r.State.Window}
		if w, ok := r.State.Window.Get(); ok {
			fig.Denominator = evidence.Stated(evidence.Term{Amount: w.Seconds, Unit: "s", What: "elapsed time of the whole batch"}, "“elapsed_time” in the file")
		}
		if c, ok := n.Get(q.count).Float(); ok {
			fig.Numerator = evidence.Stated(evidence.Term{Amount: c, Unit: q.unit, What: q.what}, "“"+q.count+"” in the file")
		}
		x.Claim(fig)
	}
	x.Fact("total_num_tokens", n.Get("total_num_tokens"))
	return x.Draft, d.tool + ": " + n.Get("num_requests").Text + " requests"
}
