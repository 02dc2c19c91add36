// Package inferenceperf reads the reports of inference-perf: of one stage, of
// all stages together, and of the server's own metrics (Prometheus).
//
// The three have the same three keys at the top. A stage says which rate was
// asked for, which was reached, and how late requests were started; no latency
// of the tool contains that delay, and the record says so. A summary mixes the
// stages. A Prometheus report counts what the server saw, whoever sent it, over a
// window that is not the client's, and writes 0 for metrics that it did not find:
// its figures are read as the server's, and such zeros as not stated.
//
// The list of single requests is computed anew. Its times are those of a clock
// that begins anywhere.
//
// # Limits
//
// The list does not say when a request was due, nor of which stage it was: what
// it gives is of all stages together. Its tool stamps lines of the stream, in
// early versions also such as hold no token.
package inferenceperf

import (
	"context"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// New is the adapter of reports of inference-perf.
func New() foreign.Format {
	return foreign.Format{Name: "inferenceperf", Version: 4, Words: words(), Parts: read, Claims: claims,
		Want: `inference-perf JSON with "load_summary" and "successes" at its top, or its list of requests with "start_time", "end_time", "request" and "info"`}
}

func claims(prefix []byte) bool {
	if isList(prefix) {
		return true
	}
	if !foreign.Mentions(prefix, `"load_summary"`, `"successes"`) {
		return false
	}
	n, ok := foreign.Head(prefix)
	return ok && isReport(n)
}

func isReport(n foreign.Node) bool {
	return n.Get("load_summary").IsObject() && n.Get("successes").IsObject()
}

// read makes the part of a report, or of the list of requests.
func read(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	prefix, err := f.Source.Prefix()
	if err != nil {
		return nil, nil, err
	}
	if isList(prefix) {
		return readRequests(ctx, f)
	}
	return f.OneJSON(ctx, nil, isReport, func(n foreign.Node) ([]foreign.Part, error) {
		if n.Get("successes", "rate").Has() && !n.Get("successes", "latency").Has() {
			return []foreign.Part{server(f, n)}, nil
		}
		return []foreign.Part{client(f, n)}, nil
	})
}

// client reads a stage or a summary.
func client(f *foreign.File, n foreign.Node) foreign.Part {
	d := foreign.NewDraft(f, tool)
	load, ok, bad := n.Get("load_summary"), n.Get("successes"), n.Get("failures")
	r := &d.Record
	r.Subject.Tool = evidence.Derived(tool, "the keys of the file are those of its reports")
	r.Outcomes.Sent = d.Count("load_summary.count", load.Get("count"))
	r.Outcomes.Completed = d.Count("successes.count", ok.Get("count"))
	r.Outcomes.Failed = d.Count("failures.count", bad.Get("count"))
	r.Outcomes.Unresolved = evidence.NotStated[int64]("requests that are cancelled when a stage ends are in no report of the tool")
	r.Workload.TokenSource = evidence.NotStated[string](counted)
	r.Workload.InputTokens = lengths(d, ok, r.Outcomes.Completed, "prompt_len", "prompt_tokens")
	r.Workload.OutputTokens = lengths(d, ok, r.Outcomes.Completed, "output_len", "output_tokens")
	d.Fact("benchmark_time_seconds", n.Get("benchmark_time_seconds"))
	d.Fact("successes.token_count_mismatches", ok.Get("token_count_mismatches"))
	if n, has := ok.Get("token_count_mismatches").Int(); has {
		done, _ := r.Outcomes.Completed.Get()
		r.Limits = append(r.Limits, limits.TokenMiscounts(n, done, "the client's tokenizer", "the endpoint's usage").Record()...)
	}
	failures(d, bad)
	offered(d, load)
	latencies(d, n)
	stamped(d, n)
	rates(d, n)
	r.Summary = summary(d, load)
	return foreign.Part{Draft: d, Title: d.FileTitle(f)}
}

// lengths reads a distribution of token counts, whose key changed its name.
func lengths(d *foreign.Draft, ok foreign.Node, n evidence.Known[int64], keys ...string) evidence.Known[evidence.Spread] {
	for _, key := range keys {
		if v := ok.Get(key); v.Has() {
			return d.Spread("successes."+key, foreign.Spread{Min: v.Get("min"), Median: v.Get("median"), Max: v.Get("max"), Mean: v.Get("mean")}, n)
		}
	}
	return evidence.NotStated[evidence.Spread](d.Missing())
}

// failures keeps the classes of failures that newer files have.
func failures(d *foreign.Draft, bad foreign.Node) {
	for _, class := range bad.Get("by_label").Fields {
		n, ok := class.Value.Get("count").Int()
		if !ok || n < 0 {
			continue
		}
		e := evidence.ErrorClass{Outcome: "failed", Class: class.Key, N: n}
		if m := class.Value.Get("messages"); len(m.Items) > 0 {
			e.Example, _ = d.Text("message", m.Items[0]).Get()
		}
		d.Record.Errors = append(d.Record.Errors, e)
	}
}

func stats() []foreign.Statistic {
	return []foreign.Statistic{{Stat: measure.Mean, Key: "mean"}, {Stat: measure.P50, Key: "median"}, {Stat: measure.P90, Key: "p90"}, {Stat: measure.P95, Key: "p95"},
		{Stat: measure.P99, Key: "p99"}, {Stat: measure.StatMax, Key: "max"}}
}

// distribution claims the statistics of one word, which stand at a path.
func distribution(d *foreign.Draft, path string, v foreign.Node, f foreign.Figure, people evidence.Known[evidence.Population]) {
	f.Unit, f.Population = "s", people
	d.Statistics(f, stats(), func(stat string) (foreign.Node, string) { return v.Get(stat), path + "." + stat })
}
