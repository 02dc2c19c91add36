package llmd

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// loadOf reads what was asked of the endpoint.
func loadOf(d *foreign.Draft, n foreign.Node) {
	r := &d.Record
	name := strings.TrimSpace(n.Get("tool").Text + " " + n.Get("tool_version").Text)
	if name != "" {
		r.Subject.Tool = evidence.Stated(name, "“scenario.load.standardized.tool” in the file")
	}
	r.Workload.InputTokensAsked = asked(d, "input_seq_len", n.Get("input_seq_len"))
	r.Workload.OutputTokensAsked = asked(d, "output_seq_len", n.Get("output_seq_len"))
	rate, concurrency := n.Get("rate_qps"), n.Get("concurrency")
	x, hasRate := rate.Float()
	switch {
	case hasRate:
		r.Load.Mode = evidence.Derived("open loop", "“rate_qps” is there: requests were due at a rate")
		r.Load.Rate = evidence.Stated(rate.Text+" queries per 1s", "“rate_qps” in the file")
		r.Load.RatePerSec = evidence.Stated(x, "“rate_qps” in the file")
		d.Fact("concurrency", concurrency)
	case concurrency.Has() && !concurrency.IsInfinite():
		r.Load.Concurrency = d.Count("concurrency", concurrency)
		r.Load.Mode = evidence.Derived("closed loop", "“concurrency” is there, and no rate")
	}
	for _, key := range []string{"source", "stage", "parallelism"} {
		d.Fact("load."+key, n.Get(key))
	}
	d.Fact("prefix.prefix_len", n.Get("prefix", "prefix_len", "value"))
	d.Fact("prefix.num_groups", n.Get("prefix", "num_groups"))
}

// asked is a length that was asked for: the value itself where it is fixed.
func asked(d *foreign.Draft, key string, n foreign.Node) evidence.Known[int64] {
	kind := n.Get("distribution").Text
	if kind == "fixed" {
		return d.Count(key, n.Get("value"))
	}
	if kind != "" {
		d.FactText(key, fmt.Sprintf("%s, value %s, standard deviation %s", kind, n.Get("value").Text, n.Get("std_dev").Text), "the file")
		return evidence.NotStated[int64]("drawn from a distribution (" + kind + "), which stands among the facts")
	}
	return evidence.NotStated[int64](d.Missing())
}

// run reads when it was.
func run(d *foreign.Draft, n foreign.Node) {
	r := &d.Record
	r.Subject.SourceRunID = d.Text("run.uid", n.Get("uid"))
	start, end := n.Get("time", "start").Text, n.Get("time", "end").Text
	from, err1 := time.Parse(time.RFC3339Nano, start)
	to, err2 := time.Parse(time.RFC3339Nano, end)
	if err1 == nil {
		r.Subject.Started = evidence.Stated(from.UTC().Format(time.RFC3339Nano), "“run.time.start” in the file")
	}
	took, ok := seconds(n.Get("time", "duration").Text)
	if !ok {
		return
	}
	r.State.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: took}, "“run.time.duration”; what it spans is not stated")
	if err1 == nil && err2 == nil {
		if whole := to.Sub(from).Seconds(); whole > took*1.05+1 || whole < took*0.95-1 {
			d.Note(n.Get("time").Line, fmt.Sprintf("run.time.duration is %g s, and from start to end are %g s", took, whole))
		}
	}
}

// seconds reads a duration of ISO 8601 in hours, minutes and seconds.
func seconds(text string) (float64, bool) {
	m := regexp.MustCompile(`^PT(?:([0-9]{1,6})H)?(?:([0-9]{1,6})M)?(?:([0-9]{1,9}(?:\.[0-9]{1,18})?)S)?$`).FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	took := 0.0
	for i, scale := range []float64{3600, 60, 1} {
		if m[i+1] == "" {
			continue
		}
		x, err := strconv.ParseFloat(m[i+1], 64)
		if err != nil {
			return 0, false
		}
		took += x * scale
	}
	return took, took > 0
}

// outcomes reads how many requests there were.
func outcomes(d *foreign.Draft, n foreign.Node) {
	r := &d.Record
	o := &r.Outcomes
	o.Sent = d.Count("requests.total", n.Get("total"))
	o.Failed = d.Count("requests.failures", n.Get("failures"))
	o.Unresolved = d.Count("requests.incomplete", n.Get("incomplete"))
	sent, ok1 := o.Sent.Get()
	failed, ok2 := o.Failed.Get()
	open, ok3 := o.Unresolved.Get()
	done := evidence.NotStated[int64]("the report gives those sent and those that failed; the rest need not have completed")
	if ok1 && ok2 && ok3 && sent >= failed+open {
		done = evidence.Derived(sent-failed-open, "sent less failed less incomplete")
	}
	o.Completed = done
	of := func(key string) foreign.Spread {
		v := n.Get(key)
		return foreign.Spread{Min: v.Get("min"), Median: v.Get("p50"), Max: v.Get("max"), Mean: v.Get("mean")}
	}
	r.Workload.InputTokens = d.Spread("requests.input_length", of("input_length"), done)
	r.Workload.OutputTokens = d.Spread("requests.output_length", of("output_length"), done)
}

// define is the definition of a word.
func (a Adapter) define(word string) adapter.Definition {
	for _, d := range a.Definitions() {
		if d.Word == word {
			return d
		}
	}
	return adapter.Definition{Tool: tool, Word: word}
}

type statKey struct {
	stat measure.Stat
	key  string
}

func stats() []statKey {
	return []statKey{{measure.Mean, "mean"}, {measure.P50, "p50"}, {measure.P90, "p90"}, {measure.P95, "p95"}, {measure.P99, "p99"}, {measure.StatMax, "max"}}
}

// latencies claims the times with the units that stand beside them.
func (a Adapter) latencies(d *foreign.Draft, n foreign.Node) {
	for _, word := range []string{"request_latency", "time_to_first_token", "time_per_output_token", "inter_token_latency"} {
		def, v := a.define(word), n.Get(word)
		unit := v.Get("units").Text
		if of, ok := strings.CutSuffix(unit, "/token"); ok {
			unit = of
		}
		rule := foreign.RuleOf(def)
		for _, s := range stats() {
			d.Claim(foreign.Figure{Metric: measure.ID(def.Metric, s.stat), Number: v.Get(s.key), Key: "latency." + word + "." + s.key, Unit: unit,
				Rule: rule, Undefined: foreign.Undefined(def)})
		}
	}
	norm := n.Get("normalized_time_per_output_token")
	d.Fact("latency.normalized_time_per_output_token.mean, "+norm.Get("units").Text, norm.Get("mean"))
}

// rates claims the means of the rates. Other statistics of a rate are of rates
// over some shorter time that the report does not name.
func (a Adapter) rates(d *foreign.Draft, n foreign.Node) {
	for _, word := range []string{"output_token_rate", "total_token_rate", "request_rate"} {
		def, v := a.define(word), n.Get(word)
		d.Claim(foreign.Figure{Metric: def.Metric, Number: v.Get("mean"), Key: "throughput." + word + ".mean", Unit: v.Get("units").Text,
			Rule: foreign.RuleOf(def), Undefined: foreign.Undefined(def)})
	}
	in := n.Get("input_token_rate")
	d.Fact("throughput.input_token_rate.mean, "+in.Get("units").Text, in.Get("mean"))
}
