package inferenceperf

import (
	"fmt"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// server reads a Prometheus report.
func server(f *foreign.File, n foreign.Node) foreign.Part {
	d := foreign.NewDraft(f, serverTool)
	d.Record.Subject.Tool = evidence.Derived(tool, "the keys of the file are those of its reports")
	ok := n.Get("successes")
	const counted = "the server's counters say how much it saw in the scrape window; what the client sent is not in this file"
	o := &d.Record.Outcomes
	o.Sent, o.Completed, o.Failed = evidence.NotStated[int64](counted), evidence.NotStated[int64](counted), evidence.NotStated[int64](counted)
	o.Unresolved = evidence.NotStated[int64](counted)
	d.Record.Workload.TokenSource = evidence.Derived("the server's own counters", "the file is a report of the server's metrics")
	d.Fact("successes.count", ok.Get("count"))
	people := evidence.NotStated[evidence.Population]("requests that the server saw in its scrape window; the count among the facts need not be theirs")
	for _, def := range serverWords() {
		f := foreign.FigureOf(def)
		f.Population, f.ZeroMeans = people, notFound
		f.Key = "successes." + def.Word
		if quantity, _, _ := measure.Kind(def.Metric); quantity == measure.Time {
			f.Unit = "s"
			d.Statistics(f, stats(), func(stat string) (foreign.Node, string) {
				return ok.Get(def.Word, stat), "successes." + def.Word + "." + stat
			})
			continue
		}
		f.Unit = "requests/s"
		if def.Metric == "output_token_rate" {
			f.Unit = "tokens/s"
		}
		f.Number = ok.Get(strings.Split(def.Word, ".")...)
		d.Claim(f)
	}
	d.Fact("successes.prompt_len.rate", ok.Get("prompt_len", "rate"))
	perRequest(d, ok)
	others(d, ok)
	return foreign.Part{Draft: d, Title: d.FileTitle(f)}
}

// perRequest keeps the mean lengths that the rates imply.
func perRequest(d *foreign.Draft, ok foreign.Node) {
	requests, known := ok.Get("rate").Float()
	for _, key := range []string{"prompt_len", "output_len"} {
		if tokens, has := ok.Get(key, "rate").Float(); has && known && requests > 0 && tokens > 0 {
			d.FactText("successes."+key+", rate ÷ rate", fmt.Sprintf("%.1f tokens a request", tokens/requests), "“successes."+key+".rate” ÷ “successes.rate”")
		}
	}
}

// notFound is what a zero means in a Prometheus report.
const notFound = "inference-perf writes 0 where the server has no such metric"

// others keeps what comes near to no metric. A 0 may be a metric that was not
// found; a mean of a length that is 0 is one for certain.
func others(d *foreign.Draft, ok foreign.Node) {
	for _, key := range []string{"prompt_len", "output_len", "queue_len", "kv_cache_usage_percentage", "num_requests_swapped", "num_preemptions_total", "prefix_cache_hit_percent"} {
		v := ok.Get(key)
		for _, s := range stats() {
			x, isNumber := v.Get(s.Key).Float()
			at := "successes." + key + "." + s.Key
			switch {
			case isNumber && x == 0:
				d.Gap(at, "not stated: the file has 0 here, and "+notFound)
			case key == "prompt_len" || key == "output_len":
				if isNumber {
					d.Gap(at, "the file has "+v.Get(s.Key).Text+" here, which the tool computes from counters of different windows and is no mean length; rate ÷ rate is among the facts")
				}
			default:
				d.Fact(at, v.Get(s.Key))
			}
		}
	}
}
