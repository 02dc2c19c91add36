// Package llmperf reads the result files of llmperf: summaries, summaries kept
// by concurrency, and the rows of single requests.
//
// A row has durations and token counts, but no times: what a request waited can
// be computed anew, what the endpoint delivered in a second cannot. Rows of
// requests that failed have 0 for their durations and 1 for their tokens; they
// are counted as failed and are in no figure.
package llmperf

import (
	"context"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// New is the adapter of files of llmperf: a summary, an object of summaries, or a
// list of rows.
func New() foreign.Format {
	return foreign.Format{Name: "llmperf", Version: 5, Words: words(), Parts: read, Claims: claims,
		Want: `JSON with "num_concurrent_requests" and "results_…" keys, or rows with "end_to_end_latency_s" and "ttft_s"`}
}

func claims(prefix []byte) bool {
	summary := foreign.Mentions(prefix, `"num_concurrent_requests"`, `"results_ttft_s_`)
	rows := foreign.Mentions(prefix, `"end_to_end_latency_s"`, `"ttft_s"`, `"error_code"`)
	if !summary && !rows {
		return false
	}
	n, ok := foreign.Head(prefix)
	if n.Kind == foreign.List {
		return ok && len(n.Items) > 0 && isRow(n.Items[0])
	}
	return ok && (isSummary(n) || isKeyed(n))
}

func isSummary(n foreign.Node) bool {
	return n.Get("num_concurrent_requests").Has() && (n.Get("results_ttft_s_quantiles_p50").Has() || n.Get("results_num_completed_requests").Has() || n.Get("results_ttft_s_mean").Has())
}

func isKeyed(n foreign.Node) bool {
	return len(n.Fields) > 0 && n.Fields[0].Value.IsObject() && n.Fields[0].Value.Get("num_concurrent_requests").Has()
}

func isRow(n foreign.Node) bool {
	return n.Get("end_to_end_latency_s").Kind != foreign.Absent && n.Get("ttft_s").Kind != foreign.Absent
}

// read makes a part of each summary, or one of all rows.
func read(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	var parts []foreign.Part
	rows := newRows(f)
	begin := func() foreign.Shape { return foreign.Shape{Rows: map[string]func(foreign.Node) error{"": rows.add}} }
	found, err := f.ReadJSON(ctx, foreign.Values{Begin: begin, Each: func(n foreign.Node) error {
		switch {
		case n.Kind == foreign.List:
		case isSummary(n):
			parts = append(parts, summary(f, n, ""))
		case isKeyed(n):
			for _, k := range n.Fields {
				if isSummary(k.Value) {
					parts = append(parts, summary(f, k.Value, k.Key))
				}
			}
		}
		return nil
	}})
	if err == nil && rows.n > 0 {
		parts = append(parts, rows.part())
	}
	return parts, found, err
}

// summary makes the record of one summary; key is its concurrency where the
// file holds several.
func summary(f *foreign.File, n foreign.Node, key string) foreign.Part {
	d := foreign.NewDraft(f, tool)
	r := &d.Record
	r.Subject.Tool = evidence.Derived(tool, "the keys of the file are those of its summaries")
	r.Subject.Model = d.Text("model", n.Get("model"))
	r.Subject.Started = written(d, n.Get("timestamp"))
	r.Workload.InputTokensAsked = d.Count("mean_input_tokens", n.Get("mean_input_tokens"))
	r.Workload.OutputTokensAsked = d.Count("mean_output_tokens", n.Get("mean_output_tokens"))
	r.Workload.TokenSource = evidence.Derived(counted, "how llmperf counts")
	d.ClosedLoop("num_concurrent_requests", n.Get("num_concurrent_requests"))
	r.Outcomes.Completed = d.Count("results_num_completed_requests", n.Get("results_num_completed_requests"))
	r.Outcomes.Failed = d.Count("results_number_errors", n.Get("results_number_errors"))
	r.Outcomes.Sent = evidence.NotStated[int64]("“results_num_requests_started” counts the requests that came back; what was open at the end is in no file of llmperf")
	for _, k := range []string{"version", "name", "framework", "api", "timestamp", "stddev_input_tokens", "stddev_output_tokens", "results_num_requests_started", "results_error_rate",
		"results_error_code_frequency", "results_request_output_throughput_token_per_s_mean", "results_request_output_throughput_token_per_s_quantiles_p50"} {
		d.Fact(k, n.Get(k))
	}
	spread := func(word string) evidence.Known[evidence.Spread] {
		get := func(end string) foreign.Node { return n.Get("results_" + word + "_" + end) }
		return d.Spread("results_"+word, foreign.Spread{Min: get("min"), Median: get("quantiles_p50"), Max: get("max"), Mean: get("mean")}, r.Outcomes.Completed)
	}
	r.Workload.InputTokens, r.Workload.OutputTokens = spread("number_input_tokens"), spread("number_output_tokens")
	figures(d, n)
	r.Summary = d.Ended("with an error")
	p := foreign.Part{Draft: d, Title: d.FileTitle(f)}
	if key != "" {
		p.Part, p.Title = "c"+key, d.FileTitle(f, key+" concurrent requests")
	}
	return p
}

// written is when the summary was: the tool stamps it when the run is over.
func written(d *foreign.Draft, n foreign.Node) evidence.Known[string] {
	if at, ok := d.Stamp("timestamp", n).Get(); ok {
		return evidence.Derived(at, "“timestamp” in the file, seconds since 1970: when the result was written")
	}
	return evidence.NotStated[string](d.Missing())
}

// figures claims what a summary has figures of.
func figures(d *foreign.Draft, n foreign.Node) {
	people := d.Completed("requests without an error code", "results_num_completed_requests")
	for _, def := range words() {
		f := foreign.FigureOf(def)
		f.Key, f.Population = "results_"+def.Word, people
		f.Number = n.Get(f.Key)
		switch quantity, _, _ := measure.Kind(def.Metric); quantity {
		case measure.Time:
			f.Unit = "s"
			d.Statistics(f, stats(), func(stat string) (foreign.Node, string) {
				key := "results_" + def.Word + "_" + stat
				return n.Get(key), key
			})
		case measure.RequestRate:
			f.Unit = "requests/min"
			if p, ok := people.Get(); ok {
				f.Numerator = evidence.Stated(evidence.Term{Amount: float64(p.N), Unit: "requests", What: p.Rule}, people.Note())
			}
			d.Claim(f)
		case measure.OutputTokenRate, measure.TotalTokenRate, measure.GoodRate:
			f.Unit = "tokens/s"
			d.Claim(f)
		}
	}
}

func stats() []foreign.Statistic {
	return []foreign.Statistic{{Stat: measure.Mean, Key: "mean"}, {Stat: measure.P50, Key: "quantiles_p50"}, {Stat: measure.P90, Key: "quantiles_p90"},
		{Stat: measure.P95, Key: "quantiles_p95"}, {Stat: measure.P99, Key: "quantiles_p99"}, {Stat: measure.StatMax, Key: "max"}}
}
