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
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Version is the version of what this adapter makes of a file.
const Version = 2

// Adapter reads files of llmperf. The zero Adapter is ready to use.
type Adapter struct{}

var (
	_ adapter.Adapter = Adapter{}
	_ adapter.Definer = Adapter{}
	_ adapter.Beside  = Adapter{}
)

// ID is "llmperf" and [Version].
func (Adapter) ID() adapter.ID { return adapter.ID{Name: "llmperf", Version: Version} }

// Companions is import.toml.
func (Adapter) Companions() []string { return []string{foreign.ImportName} }

// Sniff claims a summary, an object of summaries, or a list of rows.
func (Adapter) Sniff(prefix []byte, _ string) adapter.Match {
	m := adapter.Match{Want: `JSON with "num_concurrent_requests" and "results_…" keys, or rows with "end_to_end_latency_s" and "ttft_s"`}
	summary := foreign.Mentions(prefix, `"num_concurrent_requests"`, `"results_ttft_s_`)
	rows := foreign.Mentions(prefix, `"end_to_end_latency_s"`, `"ttft_s"`, `"error_code"`)
	if !summary && !rows {
		return m
	}
	n, ok := foreign.Head(prefix)
	switch {
	case !ok:
	case n.Kind == foreign.List:
		m.Is = len(n.Items) > 0 && isRow(n.Items[0])
	default:
		m.Is = isSummary(n) || isKeyed(n)
	}
	return m
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

// Read yields a record for each summary, or one for all rows.
func (a Adapter) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	return foreign.ReadParts(ctx, s, a.ID(), sink, func(f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
		var parts []foreign.Part
		rows := newRows(f)
		begin := func() foreign.Shape { return foreign.Shape{Rows: map[string]func(foreign.Node) error{"": rows.add}} }
		found, err := foreign.ReadJSON(ctx, f.Name(), f, foreign.Values{Begin: begin, Each: func(n foreign.Node) error {
			switch {
			case n.Kind == foreign.List:
			case isSummary(n):
				parts = append(parts, a.summary(f, n, ""))
			case isKeyed(n):
				for _, k := range n.Fields {
					if isSummary(k.Value) {
						parts = append(parts, a.summary(f, k.Value, k.Key))
					}
				}
			}
			return nil
		}})
		if err == nil && rows.n > 0 {
			parts = append(parts, rows.part(a))
		}
		return parts, found, err
	})
}

// summary makes the record of one summary; key is its concurrency where the
// file holds several.
func (a Adapter) summary(f *foreign.File, n foreign.Node, key string) foreign.Part {
	d := foreign.NewDraft(f, tool)
	r := &d.Record
	r.Subject.Tool = evidence.Derived(tool, "the keys of the file are those of its summaries")
	r.Subject.Model = d.Text("model", n.Get("model"))
	r.Workload.InputTokensAsked = d.Count("mean_input_tokens", n.Get("mean_input_tokens"))
	r.Workload.OutputTokensAsked = d.Count("mean_output_tokens", n.Get("mean_output_tokens"))
	r.Workload.TokenSource = evidence.Derived("the Llama tokenizer on the text, whatever the model is", "how llmperf counts")
	r.Load.Concurrency = d.Count("num_concurrent_requests", n.Get("num_concurrent_requests"))
	r.Load.Mode = evidence.Derived("closed loop", "“num_concurrent_requests” is there: so many requests are kept open")
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
	a.figures(d, n)
	title := "llmperf: " + strings.TrimSuffix(f.Source.Name, ".json")
	if key != "" {
		return foreign.Part{Draft: d, Part: "c" + key, Title: title + ", " + key + " concurrent requests"}
	}
	return foreign.Part{Draft: d, Title: title}
}

// figures claims what a summary has figures of.
func (a Adapter) figures(d *foreign.Draft, n foreign.Node) {
	people := evidence.NotStated[evidence.Population](d.Missing())
	requests := evidence.NotStated[evidence.Term](d.Missing())
	if c, ok := d.Record.Outcomes.Completed.Get(); ok {
		people = evidence.Stated(evidence.Population{Rule: "requests without an error code", N: c}, "“results_num_completed_requests” in the file")
		requests = evidence.Stated(evidence.Term{Amount: float64(c), Unit: "requests", What: "requests without an error code"}, "“results_num_completed_requests” in the file")
	}
	for _, def := range a.Definitions() {
		rule := foreign.RuleOf(def)
		quantity, _, _ := measure.Kind(def.Metric)
		switch quantity {
		case measure.Time:
			for _, s := range stats() {
				key := "results_" + def.Word + "_" + s.key
				d.Claim(foreign.Figure{Metric: measure.ID(def.Metric, s.stat), Number: n.Get(key), Key: key, Unit: "s", Rule: rule, Undefined: foreign.Undefined(def), Population: people})
			}
		case measure.RequestRate:
			d.Claim(foreign.Figure{Metric: def.Metric, Number: n.Get("results_" + def.Word), Key: "results_" + def.Word, Unit: "requests/min", Rule: rule, Undefined: foreign.Undefined(def), Population: people, Numerator: requests})
		case measure.OutputTokenRate, measure.TotalTokenRate, measure.GoodRate:
			d.Claim(foreign.Figure{Metric: def.Metric, Number: n.Get("results_" + def.Word), Key: "results_" + def.Word, Unit: "tokens/s", Rule: rule, Undefined: foreign.Undefined(def), Population: people})
		}
	}
}

type statKey struct {
	stat measure.Stat
	key  string
}

func stats() []statKey {
	return []statKey{{measure.Mean, "mean"}, {measure.P50, "quantiles_p50"}, {measure.P90, "quantiles_p90"}, {measure.P95, "quantiles_p95"}, {measure.P99, "quantiles_p99"}, {measure.StatMax, "max"}}
}
