package guidellm

import (
	"math"
	"slices"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

func stats() []foreign.Statistic {
	return []foreign.Statistic{{Stat: measure.Mean, Key: "mean"}, {Stat: measure.P50, Key: "median"}, {Stat: measure.P90, Key: "percentiles.p90"},
		{Stat: measure.P95, Key: "percentiles.p95"}, {Stat: measure.P99, Key: "percentiles.p99"}, {Stat: measure.StatMax, Key: "max"}}
}

func latencyWords() []string {
	return []string{"time_to_first_token_ms", "time_to_first_output_token_ms", "inter_token_latency_ms", "request_latency"}
}

// emptyMeans is why a zero of a split without values is no measurement.
const emptyMeans = "the tool writes 0.0 in all statistics of a split without values (its count is 0)"

// rates are means over time. The sums that stand beside them in the file are
// given as their parts, so that one can see whether they are quotients of them.
func (x draft) rates() {
	for _, q := range []struct{ word, sum, unit, what, per string }{
		{"output_tokens_per_second", "output_token_count", "output tokens", "output tokens of successful requests", "tokens/s"},
		{"tokens_per_second", "total_token_count", "input + output tokens", "input and output tokens of successful requests", "tokens/s"},
		{"requests_per_second", "", "requests", "successful requests", "requests/s"},
	} {
		m := x.n.Get("metrics", q.word, "successful")
		f := x.Word(q.word)
		f.Number, f.Key, f.Unit = m.Get("mean"), "metrics."+q.word+".successful.mean", q.per
		f.Window, f.Population = x.Record.State.Window, x.population()
		if count, ok := m.Get("count").Int(); ok && count == 0 {
			f.ZeroMeans = emptyMeans
		}
		const beside = "stands beside the rate in the file; the tool does not divide it by the window"
		if sum, rule, ok := x.sum(q.sum); ok {
			f.Numerator = evidence.Derived(evidence.Term{Amount: sum, Unit: q.unit, What: q.what}, rule+beside)
		}
		if w, ok := x.Record.State.Window.Get(); ok {
			f.Denominator = evidence.Derived(evidence.Term{Amount: w.Seconds, Unit: "s", What: "duration: " + window}, beside)
		}
		x.Claim(f)
		x.others(q.word, []string{"mean"})
	}
}

// sum is the sum of a metric over successful requests, or their number for none:
// as the file has it, or as its mean times their number, which must be whole.
func (x draft) sum(metric string) (float64, string, bool) {
	n, counted := x.Record.Outcomes.Completed.Get()
	if metric == "" {
		return float64(n), "", counted
	}
	m := x.n.Get("metrics", metric, "successful")
	if sum, ok := m.Get("total_sum").Float(); ok {
		return sum, "", true
	}
	mean, ok := m.Get("mean").Float()
	sum := math.Round(mean * float64(n))
	if !ok || !counted || math.Abs(mean*float64(n)-sum) > 1e-3 {
		return 0, "", false
	}
	return sum, "mean × number of requests, which is whole; ", true
}

func (x draft) population() evidence.Known[evidence.Population] {
	return x.Completed(okay, "request_totals.successful")
}

func (x draft) latencies() {
	for _, word := range latencyWords() {
		m := x.n.Get("metrics", word, "successful")
		f := x.Word(word)
		f.Unit, f.Window, f.Population = "ms", x.Record.State.Window, x.population()
		switch word {
		case "request_latency":
			f.Unit = "s"
		case "inter_token_latency_ms":
			f.Population = evidence.NotStated[evidence.Population]("successful requests with at least two tokens, weighted by tokens; the file counts the weights")
		}
		if count, counted := m.Get("count").Int(); counted && count == 0 {
			f.ZeroMeans = emptyMeans
		}
		x.Statistics(f, stats(), func(stat string) (foreign.Node, string) {
			return m.Get(strings.Split(stat, ".")...), "metrics." + word + ".successful." + stat
		})
		x.others(word, []string{"mean", "median", "max", "p50", "p90", "p95", "p99"})
	}
}

// others keeps what a record has no place for of a metric's successful split, in
// one line: the other statistics, or all of them. A split without values has none.
func (x draft) others(word string, has []string) {
	m := x.n.Get("metrics", word, "successful")
	if count, ok := m.Get("count").Int(); !m.IsObject() || ok && count == 0 {
		return
	}
	var parts []string
	add := func(fields []foreign.Field) {
		for _, f := range fields {
			if !slices.Contains(has, f.Key) && f.Value.IsNumber() {
				parts = append(parts, f.Key+" "+f.Value.Text)
			}
		}
	}
	add(m.Fields)
	add(m.Get("percentiles").Fields)
	if high, ok := m.Get("max").Float(); ok && high == 0 && strings.HasSuffix(word, "_ms") && !slices.Contains(has, "mean") {
		x.Gap(word, "the file has 0 in all statistics here, and the tool writes 0.0 for each request that has no such time")
		return
	}
	const most = 1000 // bytes
	text := strings.Join(parts, ", ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	if text != "" {
		x.FactText(word, text, "“metrics."+word+".successful” in the file")
	}
}

// facts keeps the metrics that have no place in a record, and what else tells a
// reader how the run was made.
func (x draft) facts() {
	const most = 100
	for i, f := range x.n.Get("metrics").Fields {
		switch f.Key {
		case "request_totals", "prompt_token_count", "output_token_count", "output_tokens_per_second", "tokens_per_second", "requests_per_second":
			continue
		}
		if !slices.Contains(latencyWords(), f.Key) && i < most {
			x.others(f.Key, nil)
		}
	}
	for _, key := range []string{"queued_time_avg", "resolve_targeted_start_delay_avg", "request_targeted_start_delay_avg"} {
		x.Fact("scheduler_metrics."+key, x.n.Get("scheduler_metrics", key))
	}
	x.Fact("config.requests.random_seed", x.n.Get("config", "requests", "random_seed"))
	x.Fact("config.spec.seed.value", x.report.Get("config", "spec", "seed", "value"))
	x.Fact("config.backend.request_format", x.n.Get("config", "backend", "request_format"))
	x.Fact("config.prefer_response_metrics", x.n.Get("config", "prefer_response_metrics"))
	x.Fact("cooldown_duration", x.n.Get("cooldown_duration"))
}
