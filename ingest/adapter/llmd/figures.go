package llmd

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

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
	switch {
	case d.OpenLoop("rate_qps", rate):
		d.Fact("concurrency", concurrency)
	case concurrency.Has() && !concurrency.IsInfinite():
		d.ClosedLoop("concurrency", concurrency)
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

func stats() []foreign.Statistic {
	return []foreign.Statistic{{Stat: measure.Mean, Key: "mean"}, {Stat: measure.P50, Key: "p50"}, {Stat: measure.P90, Key: "p90"}, {Stat: measure.P95, Key: "p95"},
		{Stat: measure.P99, Key: "p99"}, {Stat: measure.StatMax, Key: "max"}}
}

// latencies claims the times with the units that stand beside them.
func latencies(d *foreign.Draft, n foreign.Node) {
	for _, word := range []string{"request_latency", "time_to_first_token", "time_per_output_token", "inter_token_latency"} {
		v, f := n.Get(word), d.Word(word)
		f.Unit = strings.TrimSuffix(v.Get("units").Text, "/token")
		d.Statistics(f, stats(), func(stat string) (foreign.Node, string) { return v.Get(stat), "latency." + word + "." + stat })
	}
	norm := n.Get("normalized_time_per_output_token")
	d.Fact("latency.normalized_time_per_output_token.mean, "+norm.Get("units").Text, norm.Get("mean"))
}

// rates claims the means of the rates. Other statistics of a rate are of rates
// over some shorter time that the report does not name.
func rates(d *foreign.Draft, n foreign.Node) {
	for _, word := range []string{"output_token_rate", "total_token_rate", "request_rate"} {
		v, f := n.Get(word), d.Word(word)
		f.Number, f.Key, f.Unit = v.Get("mean"), "throughput."+word+".mean", v.Get("units").Text
		d.Claim(f)
	}
	in := n.Get("input_token_rate")
	d.Fact("throughput.input_token_rate.mean, "+in.Get("units").Text, in.Get("mean"))
}
