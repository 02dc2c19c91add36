package aiperf

import (
	"slices"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

func stats() []foreign.Statistic {
	return []foreign.Statistic{{Stat: measure.Mean, Key: "avg"}, {Stat: measure.P50, Key: "p50"}, {Stat: measure.P90, Key: "p90"}, {Stat: measure.P95, Key: "p95"},
		{Stat: measure.P99, Key: "p99"}, {Stat: measure.StatMax, Key: "max"}}
}

func latencyTags() []string {
	return []string{"time_to_first_token", "time_to_first_output_token", "inter_token_latency", "request_latency", "inter_chunk_latency"}
}

func rateTags() []string {
	return []string{"output_token_throughput", "total_token_throughput", "request_throughput", "goodput"}
}

func (x draft) rates() {
	for _, tag := range rateTags() {
		f := x.OverWindow(x.Word(tag), "benchmark_duration", window)
		f.Number, f.Key, f.Unit, f.Population = x.avg(tag), tag+".avg", x.unit(tag), x.population()
		count, unit := "total_osl", "output tokens"
		switch tag {
		case "request_throughput":
			count, unit = "request_count", "requests"
		case "goodput":
			count, unit = "good_request_count", "good requests"
		}
		n, ok := x.avg(count).Float()
		in, hasIn := x.avg("total_isl").Float()
		switch what := x.Define(tag).Population; {
		case tag == "total_token_throughput" && ok && hasIn:
			f.Numerator = evidence.Derived(evidence.Term{Amount: in + n, Unit: "input + output tokens", What: what}, "“total_isl” and “total_osl” in the file")
		case tag != "total_token_throughput" && ok:
			f.Numerator = evidence.Stated(evidence.Term{Amount: n, Unit: unit, What: what}, "“"+count+"” in the file")
		}
		x.Claim(f)
	}
}

func (x draft) unit(tag string) string {
	u, _ := x.n.Get(tag, "unit").String()
	return u
}

func (x draft) population() evidence.Known[evidence.Population] {
	return x.Completed(valid, "request_count")
}

func (x draft) latencies() {
	for _, tag := range latencyTags() {
		f := x.Word(tag)
		f.Unit, f.Window = x.unit(tag), x.Record.State.Window
		switch tag {
		case "time_to_first_token", "request_latency":
			f.Population = x.population()
		case "inter_chunk_latency":
			f.Population = evidence.NotStated[evidence.Population]("gaps are pooled; the file does not say how many there were")
		default:
			f.Population = evidence.NotStated[evidence.Population]("valid requests that have one; the file does not say how many")
		}
		x.Statistics(f, stats(), func(stat string) (foreign.Node, string) { return x.n.Get(tag, stat), tag + "." + stat })
		x.others(tag)
	}
}

// others keeps a metric's statistics that have no place in a record, in one line.
func (x draft) others(tag string) {
	has := map[string]bool{"unit": true}
	if slices.Contains(latencyTags(), tag) {
		for _, s := range stats() {
			has[s.Key] = true
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
