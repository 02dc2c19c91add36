package vllm

import (
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
)

// rates are the tool's quotients, each with what the file has of its parts.
func (x draft) rates() {
	in, hasIn := x.get("total_input_tokens").Float()
	out, hasOut := x.get("total_output_tokens").Float()
	completed, hasCompleted := x.get("completed").Float()
	good, hasGood := x.get("good_completed").Float()
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
		f := x.OverWindow(x.Word(q.word), x.label("duration"), serve)
		f.Number, f.Key, f.Unit, f.Population = x.get(q.word), x.label(q.word), rateUnit(q.word), x.successes()
		if q.known {
			f.Numerator = evidence.Derived(evidence.Term{Amount: q.amount, Unit: q.unit, What: q.what}, "the counts in the file")
		}
		x.Claim(f)
	}
}

func rateUnit(word string) string {
	if strings.HasPrefix(word, "request_") {
		return "requests/s"
	}
	return "tokens/s"
}

// successes is the population of all aggregates.
func (x draft) successes() evidence.Known[evidence.Population] {
	return x.Completed(successes, x.label("completed"))
}

// latencies are the tool's statistics.
func (x draft) latencies() {
	for _, word := range latencyWords() {
		f := x.Word(word)
		f.Unit, f.Window, f.Population = x.unit, x.Record.State.Window, x.successes()
		f.ZeroMeans = "the tool writes 0 where no request had a value"
		switch word {
		case "itl":
			f.Population = evidence.NotStated[evidence.Population]("gaps between chunks are pooled; the file does not say how many there were")
		case "tpot":
			f.Population = evidence.NotStated[evidence.Population]("successful requests with more than one output token; the file does not say how many")
		}
		x.Statistics(f, stats(), func(stat string) (foreign.Node, string) {
			key := stat + "_" + word + x.suffix
			return x.get(key), x.label(key)
		})
	}
}

// placed reports whether a key of the file has a place in the record.
func (x draft) placed(key string) bool {
	if zero, ok := x.n.Get(key).Float(); key == "rtfx" && ok && zero == 0 {
		return true // a figure of audio benchmarks; 0 in all others
	}
	for _, known := range placedKeys(x.suffix) {
		if key == x.label(known) {
			return true
		}
	}
	return false
}

// placedKeys are the keys of the JSON that have a place in a record.
func placedKeys(suffix string) []string {
	keys := []string{"model_id", "tokenizer_id", "date", "request_rate", "max_concurrency", "max_concurrent_requests", "num_prompts", "completed", "failed", "duration",
		"total_input_tokens", "total_output_tokens", "output_throughput", "total_token_throughput", "request_throughput", "request_goodput", "burstiness"}
	for _, s := range stats() {
		for _, w := range latencyWords() {
			keys = append(keys, s.Key+"_"+w+suffix)
		}
	}
	return keys
}

// batch makes the record of a result of bench throughput.
func batch(f *foreign.File, d dialect, n foreign.Node) foreign.Part {
	x := draft{Draft: foreign.NewDraft(f, d.tool), dialect: d, n: n}
	r := &x.Record
	r.Subject.Tool = evidence.Derived(d.tool, "by the keys of the file; it does not state its version")
	r.Workload.Requests = x.count("num_requests")
	r.Load.Mode = evidence.NotApplicable[string]("an offline batch: there are no arrivals")
	const whole = "the whole batch"
	x.Window("elapsed_time", n.Get("elapsed_time"), whole)
	for _, q := range []struct{ word, count, unit, what, rateUnit string }{
		{"tokens_per_second", "total_num_tokens", "input + output tokens", "input and output tokens of all requests", "tokens/s"},
		{"requests_per_second", "num_requests", "requests", "all requests of the batch", "requests/s"},
	} {
		f := x.OverWindow(x.Word(q.word), "elapsed_time", whole)
		f.Number, f.Unit = n.Get(q.word), q.rateUnit
		if c, ok := n.Get(q.count).Float(); ok {
			f.Numerator = evidence.Stated(evidence.Term{Amount: c, Unit: q.unit, What: q.what}, "“"+q.count+"” in the file")
		}
		x.Claim(f)
	}
	x.Fact("total_num_tokens", n.Get("total_num_tokens"))
	return foreign.Part{Draft: x.Draft, Title: x.LoadTitle(foreign.Heading{Requests: r.Workload.Requests})}
}
