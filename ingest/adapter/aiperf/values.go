package aiperf

import (
	"slices"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// statistic is a key of a metric and what it means.
type statistic struct {
	key  string
	stat measure.Stat
}

func statistics() []statistic {
	return []statistic{{"avg", measure.Mean}, {"p50", measure.P50}, {"p90", measure.P90}, {"p95", measure.P95}, {"p99", measure.P99}, {"max", measure.StatMax}}
}

func latencyTags() []string {
	return []string{"time_to_first_token", "time_to_first_output_token", "inter_token_latency", "request_latency", "inter_chunk_latency"}
}

func rateTags() []string { return []string{"output_token_throughput", "request_throughput", "goodput"} }

func (x draft) rates() {
	for _, tag := range rateTags() {
		d := definition(tag)
		f := foreign.Figure{Metric: d.Metric, Number: x.avg(tag), Key: tag + ".avg", Unit: x.unit(tag), Rule: foreign.RuleOf(d), Window: x.Record.State.Window, Population: x.population()}
		count, unit := map[string]string{"output_token_throughput": "total_osl", "request_throughput": "request_count", "goodput": "good_request_count"}[tag], "requests"
		if tag == "output_token_throughput" {
			unit = "output tokens"
		}
		if n, ok := x.avg(count).Float(); ok {
			f.Numerator = evidence.Stated(evidence.Term{Amount: n, Unit: unit, What: d.Population}, "“"+count+"” in the file")
		}
		if w, ok := x.Record.State.Window.Get(); ok {
			f.Denominator = evidence.Stated(evidence.Term{Amount: w.Seconds, Unit: "s", What: "benchmark_duration: " + window}, "“benchmark_duration” in the file")
		}
		x.Claim(f)
	}
}

func (x draft) unit(tag string) string {
	u, _ := x.n.Get(tag, "unit").String()
	return u
}

func (x draft) population() evidence.Known[evidence.Population] {
	n, ok := x.Record.Outcomes.Completed.Get()
	if !ok {
		return evidence.NotStated[evidence.Population]("the file has no usable “request_count”")
	}
	return evidence.Derived(evidence.Population{Rule: valid, N: n}, "“request_count” in the file")
}

func (x draft) latencies() {
	for _, tag := range latencyTags() {
		d := definition(tag)
		rule := foreign.RuleOf(d)
		for _, s := range statistics() {
			f := foreign.Figure{Metric: measure.ID(d.Metric, s.stat), Number: x.n.Get(tag, s.key), Key: tag + "." + s.key, Unit: x.unit(tag), Rule: rule, Window: x.Record.State.Window}
			switch tag {
			case "time_to_first_token", "request_latency":
				f.Population = x.population()
			case "inter_chunk_latency":
				f.Population = evidence.NotStated[evidence.Population]("gaps are pooled; the file does not say how many there were")
			default:
				f.Population = evidence.NotStated[evidence.Population]("valid requests that have one; the file does not say how many")
			}
			x.Claim(f)
		}
		x.others(tag)
	}
}

// others keeps a metric's statistics that have no place in a record, in one line.
func (x draft) others(tag string) {
	has := map[string]bool{"unit": true}
	if slices.Contains(latencyTags(), tag) {
		for _, s := range statistics() {
			has[s.key] = true
		}
	}
	var parts []string
	for _, f := range x.n.Get(tag).Fields {
		if !has[f.Key] && f.Value.IsNumber() {
			parts = append(parts, f.Key+" "+f.Value.Text)
		}
	}
	if len(parts) == 0 {
		return
	}
	text := strings.Join(parts, ", ")
	if u := x.unit(tag); u != "" {
		text += " (" + u + ")"
	}
	const most = 1000 // bytes; a metric of the tool has a dozen statistics
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	x.FactText(tag, text, "“"+tag+"” in the file")
}

// facts keeps the metrics that have no place in a record.
func (x draft) facts() {
	const most = 100
	kept := 0
	for _, f := range x.n.Fields {
		if !f.Value.IsObject() || slices.Contains(latencyTags(), f.Key) || slices.Contains(rateTags(), f.Key) || !f.Value.Get("unit").Has() {
			continue
		}
		switch f.Key {
		case "request_count", "benchmark_duration", "error_request_count", "total_isl", "total_osl":
			continue
		}
		if kept++; kept <= most {
			x.others(f.Key)
		}
	}
	x.Fact("end_time", x.n.Get("end_time"))
	x.Fact("schema_version", x.n.Get("schema_version"))
	x.Fact("input_config.endpoint.type", x.config("endpoint", "type"))
	x.Fact("input_config.endpoint.streaming", x.config("endpoint", "streaming"))
	x.Fact("input_config.endpoint.timeout_seconds", x.config("endpoint", "timeout_seconds"))
}
