package mlperf

import (
	"cmp"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// percentiles are LoadGen's own that the metric registry has.
func percentiles() map[measure.Stat]string {
	return map[measure.Stat]string{measure.P50: "50.00", measure.P90: "90.00", measure.P95: "95.00", measure.P99: "99.00"}
}

// claim adds one figure under a word's definition.
func (r *run) claim(id measure.MetricID, word, key, unit string, n foreign.Node) {
	if r.word != word {
		r.word, r.figure = word, r.draft.Word(word)
	}
	f := r.figure
	f.Metric, f.Number, f.Key, f.Unit = id, n, key, unit
	if c, ok := r.draft.Record.Outcomes.Completed.Get(); ok {
		f.Population = evidence.Derived(evidence.Population{Rule: "all samples of the performance run", N: c}, "“result_query_count” × samples per query, in the detail log")
	}
	r.draft.Claim(f)
}

// summary reads what a summary says beside its figures.
func (r *run) summary(l *log) {
	d := r.draft
	for _, key := range []string{"SUT name", "Mode", "Result is", "Performance constraints satisfied", "Min duration satisfied", "Min queries satisfied", "Early stopping satisfied",
		"Scheduled samples per second", "param target_qps", "param samples_per_query", "param min_duration (ms)", "param min_query_count", "param performance_sample_count"} {
		d.Fact(key, l.get(key))
	}
	for _, s := range l.said {
		if s.under != "" || strings.Contains(s.text, "encountered") || strings.HasPrefix(s.text, "WARNING") {
			d.FactText(cmp.Or(s.under, "remark"), s.text, "the file's own words")
		}
	}
	rate := l.get("param target_qps")
	if x, ok := rate.Float(); ok && (r.scenario.Text == "Server" || r.scenario.Text == "Interactive") {
		d.Record.Load.Rate = evidence.Stated(rate.Text+" queries per 1s", "“target_qps” in the file")
		d.Record.Load.RatePerSec = evidence.Stated(x, "“target_qps” in the file")
	}
	if l.get("Mean First Token latency (ns)").Has() {
		r.objectives(l.get("param ttft_latency (ns)"), l.get("param tpot_latency (ns)"))
	}
}

// objectives are the limits that the run was held against, where it has tokens.
func (r *run) objectives(ttft, tpot foreign.Node) {
	if ttft.Has() && tpot.Has() {
		r.draft.Record.State.Objectives = evidence.Stated("p99 of the time to the first token within "+ttft.Text+" ns, of the time per output token within "+tpot.Text+" ns", "the parameters in the file")
	}
}

// summaryFigures claims the figures of a summary.
func (r *run) summaryFigures(l *log) {
	r.claim("request_rate", "Completed samples per second", "Completed samples per second", "samples/s", l.get("Completed samples per second"))
	r.claim("request_rate", "Samples per second", "Samples per second", "samples/s", l.get("Samples per second"))
	r.claim("output_token_rate", "Completed tokens per second", "Completed tokens per second", "tokens/s", l.get("Completed tokens per second"))
	r.claim("output_token_rate", "Tokens per second", "Tokens per second", "tokens/s", l.get("Tokens per second"))
	for _, w := range []struct{ word, lower string }{{"latency", "latency"}, {"First Token latency", "first token latency"}, {"Time to Output Token", "time to output token"}} {
		base := r.draft.Define(w.word).Metric
		figure := func(s measure.Stat, label string) {
			r.claim(measure.ID(base, s), w.word, label, "ns", l.get(label))
		}
		figure(measure.Mean, "Mean "+w.word+" (ns)")
		figure(measure.StatMax, "Max "+w.word+" (ns)")
		for _, s := range measure.Stats() {
			if p := percentiles()[s]; p != "" {
				figure(s, p+" percentile "+w.lower+" (ns)")
			}
		}
	}
}

// detail reads what a detail log says beside its figures.
func (r *run) detail(d *detail) {
	rec := &r.draft.Record
	if v, ok := d.get("loadgen_version").String(); ok {
		r.draft.FactText("loadgen_version", v, "the detail log")
	}
	if v, ok := d.get("test_datetime").String(); ok && strings.HasSuffix(v, "Z") {
		rec.Subject.Started = evidence.Stated(v, "“test_datetime” in the detail log")
	}
	each, ok := d.get("generated_samples_per_query").Int()
	if n, has := d.get("result_query_count").Int(); has && ok && each > 0 && n >= 0 && n < 1<<40 && each < 1<<20 {
		rec.Outcomes.Completed = evidence.Derived(n*each, "“result_query_count” × “generated_samples_per_query” in the detail log; LoadGen waits for every query")
	}
	if n, has := d.get("generated_query_count").Int(); has && ok && each > 0 && n >= 0 && n < 1<<40 && each < 1<<20 {
		r.draft.FactText("generated samples", measure.FormatCount(n*each), "“generated_query_count” × “generated_samples_per_query” in the detail log: drawn before the run, of which it may use a part")
	}
	for _, key := range []string{"power_begin", "power_end", "effective_min_duration_ms", "generated_query_duration", "result_scheduled_samples_per_sec"} {
		r.draft.Fact(key, d.get(key))
	}
	over := d.get("result_overlatency_query_count")
	if limit, ok := d.get("effective_target_latency_ns").Int(); ok && limit == 0 && over.Has() {
		r.draft.Gap("result_overlatency_query_count", "the detail log has "+over.Text+" here: the run had no limit on the whole latency (effective_target_latency_ns is 0), and each query is counted as over it")
	} else {
		r.draft.Fact("result_overlatency_query_count", over)
	}
	r.draft.Fact("result_token_throughput_with_loadgen_overhead", d.get("result_token_throughput_with_loadgen_overhead"))
	if x, ok := d.get("result_token_throughput").Float(); ok && x < 1e-3 {
		r.draft.Gap("result_token_throughput", "the detail log has "+d.get("result_token_throughput").Text+", which is off by a power of ten and known as a fault of LoadGen 5")
	}
	for _, m := range d.messages {
		rec.Errors = append(rec.Errors, evidence.ErrorClass{Outcome: "LoadGen", Class: m.under, N: 1, Example: m.text})
	}
}

// detailFigures claims the figures of a detail log that has no summary.
func (r *run) detailFigures(d *detail) {
	rec := &r.draft.Record
	if x, ok := d.get("effective_target_qps").Float(); ok && (r.scenario.Text == "Server" || r.scenario.Text == "Interactive") {
		rec.Load.Rate = evidence.Stated(d.get("effective_target_qps").Text+" queries per 1s", "“effective_target_qps” in the file")
		rec.Load.RatePerSec = evidence.Stated(x, "“effective_target_qps” in the file")
	}
	for _, key := range []string{"result_validity", "result_perf_constraints_met", "result_min_duration_met", "result_min_queries_met", "early_stopping_met", "sut_name"} {
		r.draft.Fact(key, d.get(key))
	}
	r.claim("request_rate", "Completed samples per second", "result_completed_samples_per_sec", "samples/s", d.get("result_completed_samples_per_sec"))
	r.claim("request_rate", "Samples per second", "result_samples_per_second", "samples/s", d.get("result_samples_per_second"))
	r.claim("output_token_rate", "Completed tokens per second", "result_completed_tokens_per_second", "tokens/s", d.get("result_completed_tokens_per_second"))
	if d.get("result_first_token_mean_latency_ns").Has() {
		r.objectives(d.get("requested_server_ttft_latency"), d.get("requested_server_tpot_latency"))
	}
	for _, w := range []struct{ word, mean, most, before, after string }{
		{"latency", "result_mean_latency_ns", "result_max_latency_ns", "result_", "_percentile_latency_ns"},
		{"First Token latency", "result_first_token_mean_latency_ns", "result_first_token_max_latency_ns", "result_first_token_", "_percentile_latency_ns"},
		{"Time to Output Token", "result_time_to_output_token_mean", "result_time_to_output_token_max", "result_time_per_output_token_", "_percentile_ns"},
	} {
		base := r.draft.Define(w.word).Metric
		r.claim(measure.ID(base, measure.Mean), w.word, w.mean, "ns", d.get(w.mean))
		r.claim(measure.ID(base, measure.StatMax), w.word, w.most, "ns", d.get(w.most))
		for _, s := range measure.Stats() {
			if p := percentiles()[s]; p != "" {
				r.claim(measure.ID(base, s), w.word, w.before+p+w.after, "ns", d.get(w.before+p+w.after))
			}
		}
	}
}
