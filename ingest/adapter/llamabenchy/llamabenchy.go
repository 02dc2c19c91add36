// Package llamabenchy reads results of llama-benchy, as JSON and as the Markdown
// table that it prints.
//
// A record is one pair of prompt and answer lengths at one concurrency. In JSON
// every figure has the values of all repetitions, so that the time to the first
// token is computed anew from them. In the table the rows of the prompt (pp) and
// of the answer (tg) stand one below the other: they are joined by their order,
// which is the only thing that says which belong together.
package llamabenchy

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// New is the adapter of results of llama-benchy: JSON with the tool's keys, and its
// Markdown table.
func New() foreign.Format {
	return foreign.Format{Name: "llamabenchy", Version: 4, Words: words(), Parts: read, Claims: claims,
		Want: `llama-benchy JSON with "benchmarks" and "latency_mode", or a Markdown table with "t/s (total)" and "e2e_ttft (ms)"`}
}

func claims(prefix []byte) bool {
	if foreign.Mentions(prefix, `"latency_mode"`, `"benchmarks"`) {
		n, ok := foreign.Head(prefix)
		return ok && isResult(n)
	}
	if foreign.Mentions(prefix, "t/s (total)", "e2e_ttft (ms)") {
		for line := range bytes.Lines(prefix) {
			if isHeader(strings.Split(string(line), "|")) {
				return true
			}
		}
	}
	return false
}

func isResult(n foreign.Node) bool {
	return n.Get("latency_mode").Has() && n.Get("benchmarks").Kind == foreign.List
}

func isHeader(cells []string) bool {
	found := 0
	for _, c := range cells {
		switch strings.TrimSpace(c) {
		case "test", "t/s (total)", "e2e_ttft (ms)":
			found++
		}
	}
	return found == 3
}

// read makes a part of each pair of lengths at each concurrency.
func read(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	prefix, err := f.Source.Prefix()
	if err != nil {
		return nil, nil, err
	}
	if !foreign.Mentions(prefix, `"latency_mode"`) {
		return table(ctx, f)
	}
	shape := func() foreign.Shape {
		return foreign.Shape{Skip: []string{"benchmarks.*.throughput_over_time", "benchmarks.*.requests_throughput_over_time"}}
	}
	return f.OneJSON(ctx, shape, isResult, func(n foreign.Node) (parts []foreign.Part, _ error) {
		for i, b := range n.Get("benchmarks").Items {
			if b.Get("concurrency").Has() {
				parts = append(parts, part(f, n, b, i+1))
			}
		}
		return parts, nil
	})
}

// draft is a record of which the load is known.
func draft(f *foreign.File, concurrency foreign.Node) *foreign.Draft {
	d := foreign.NewDraft(f, tool)
	d.Record.Subject.Tool = evidence.Derived(tool, "the file's keys")
	d.ClosedLoop("concurrency", concurrency)
	d.Outstanding("a batch of as many requests as the concurrency, repeated")
	d.Record.Load.Arrivals = evidence.Derived("a batch at once, repeated", "the tool's documentation")
	return d
}

// part makes the record of one entry of the JSON form.
func part(f *foreign.File, n, b foreign.Node, number int) foreign.Part {
	d := draft(f, b.Get("concurrency"))
	r := &d.Record
	if v := n.Get("version"); v.Has() {
		r.Subject.Tool = evidence.Derived(tool+" "+v.Text, "the file's keys, and “version” in it")
	}
	r.Subject.Model = d.Text("model", n.Get("model"))
	r.Subject.Started = d.Stamp("timestamp", n.Get("timestamp"))
	r.Workload.InputTokensAsked = d.Count("prompt_size", b.Get("prompt_size"))
	r.Workload.OutputTokensAsked = d.Count("response_size", b.Get("response_size"))
	for _, key := range []string{"timestamp", "latency_mode", "latency_ms", "prefix_caching_enabled", "max_concurrency"} {
		d.Fact(key, n.Get(key))
	}
	for _, key := range []string{"context_size", "is_context_prefill_phase"} {
		d.Fact(key, b.Get(key))
	}
	for _, key := range []string{"pp_throughput", "pp_req_throughput", "tg_req_throughput", "peak_throughput", "peak_req_throughput", "ttfr", "est_ppt"} {
		d.Fact(key+".mean", b.Get(key, "mean"))
	}
	for _, key := range []string{"tg_throughput", "e2e_ttft"} {
		d.Fact(key+".std", b.Get(key, "std"))
	}
	claim(d, "output_token_rate", "tg_throughput", "tg_throughput.mean", "tokens/s", b.Get("tg_throughput", "mean"))
	claim(d, "ttft_mean", "e2e_ttft", "e2e_ttft.mean", "ms", b.Get("e2e_ttft", "mean"))
	var values []float64
	for _, v := range b.Get("e2e_ttft", "values").Items {
		if x, ok := foreign.Convert(v.Text, "ms", "ttft_mean"); ok && x >= 0 {
			values = append(values, x)
		}
	}
	if len(values) == len(b.Get("e2e_ttft", "values").Items) {
		d.FromRows(foreign.Sample{Metric: "ttft", Values: values, Who: "requests of all repetitions that have a value", Rule: foreign.SpanOf(d.Define("e2e_ttft"))})
	}
	title := fmt.Sprintf("llama-benchy %s+%s tokens, %s at once", b.Get("prompt_size").Text, b.Get("response_size").Text, b.Get("concurrency").Text)
	if c, ok := b.Get("context_size").Int(); ok && c > 0 {
		title += fmt.Sprintf(", context %d", c)
	}
	if b.Get("is_context_prefill_phase").Text == "true" {
		title += ", filling the context"
	}
	return foreign.Part{Draft: d, Part: fmt.Sprintf("run %d", number), Title: title}
}

func claim(d *foreign.Draft, id measure.MetricID, word, key, unit string, n foreign.Node) {
	f := d.Word(word)
	f.Metric, f.Number, f.Key, f.Unit = id, n, key, unit
	d.Claim(f)
}
