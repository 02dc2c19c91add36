package inferenceperf

import (
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// server reads a Prometheus report.
func server(d *foreign.Draft, n foreign.Node) {
	ok := n.Get("successes")
	const counted = "the server's counters say how much it saw in the scrape window; what the client sent is not in this file"
	o := &d.Record.Outcomes
	o.Sent, o.Completed, o.Failed = evidence.NotStated[int64](counted), evidence.NotStated[int64](counted), evidence.NotStated[int64](counted)
	o.Unresolved = evidence.NotStated[int64](counted)
	d.Record.Workload.TokenSource = evidence.Derived("the server's own counters", "the file is a report of the server's metrics")
	d.Fact("successes.count", ok.Get("count"))
	people := evidence.NotStated[evidence.Population]("requests that the server saw in its scrape window; the count among the facts need not be theirs")
	for _, def := range serverDefinitions() {
		if def.Word == "rate" {
			d.Claim(foreign.Figure{Metric: def.Metric, Number: ok.Get("rate"), Key: "successes.rate", Unit: "requests/s", Rule: foreign.RuleOf(def), Undefined: foreign.Undefined(def), Population: people, ZeroMeans: notFound})
			continue
		}
		v, rule := ok.Get(def.Word), foreign.RuleOf(def)
		for _, s := range stats() {
			serverFigure(d, v.Get(s.key), foreign.Figure{Metric: measure.ID(def.Metric, s.stat), Key: "successes." + def.Word + "." + s.key,
				Unit: "s", Rule: rule, Undefined: foreign.Undefined(def), Population: people, ZeroMeans: notFound})
		}
	}
	outRate := serverDefinitions()[3]
	outRate.Word, outRate.Metric, outRate.End = "output_len.rate", "output_token_rate", "output tokens by the second, by the server's counters"
	serverFigure(d, ok.Get("output_len", "rate"), foreign.Figure{Metric: "output_token_rate", Key: "successes.output_len.rate", Unit: "tokens/s",
		Rule: foreign.RuleOf(outRate), Population: people, ZeroMeans: notFound})
	d.Fact("successes.prompt_len.rate", ok.Get("prompt_len", "rate"))
	others(d, ok)
}

// notFound is what a zero means in a Prometheus report.
const notFound = "inference-perf writes 0 where the server has no such metric"

func serverFigure(d *foreign.Draft, n foreign.Node, f foreign.Figure) {
	f.Number = n
	d.Claim(f)
}

// others keeps what comes near to no metric. A 0 may be a metric that was not
// found; a mean of a length that is 0 is one for certain.
func others(d *foreign.Draft, ok foreign.Node) {
	for _, key := range []string{"prompt_len", "output_len", "queue_len", "kv_cache_usage_percentage", "num_requests_swapped", "num_preemptions_total", "prefix_cache_hit_percent"} {
		v := ok.Get(key)
		for _, s := range stats() {
			x, isNumber := v.Get(s.key).Float()
			at := "successes." + key + "." + s.key
			switch {
			case isNumber && x == 0:
				d.Gap(at, "not stated: the file has 0 here, and "+notFound)
			case key == "prompt_len" || key == "output_len":
				if isNumber {
					d.Gap(at, "the file has "+v.Get(s.key).Text+" here, which the tool computes from counters of different windows and is no mean length; rate ÷ rate is among the facts")
				}
			default:
				d.Fact(at, v.Get(s.key))
			}
		}
	}
}
