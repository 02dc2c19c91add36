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
// # Limits
//
// The report of single requests (per_request_lifecycle_metrics.json) is not read.
package inferenceperf

import (
	"context"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// Version is the version of what this adapter makes of a file.
const Version = 2

// Adapter reads reports of inference-perf. The zero Adapter is ready to use.
type Adapter struct{}

var (
	_ adapter.Adapter = Adapter{}
	_ adapter.Definer = Adapter{}
	_ adapter.Beside  = Adapter{}
)

// ID is "inferenceperf" and [Version].
func (Adapter) ID() adapter.ID { return adapter.ID{Name: "inferenceperf", Version: Version} }

// Companions is import.toml.
func (Adapter) Companions() []string { return []string{foreign.ImportName} }

// Sniff claims an object with load_summary, successes and failures.
func (Adapter) Sniff(prefix []byte, _ string) adapter.Match {
	m := adapter.Match{Want: `JSON with "load_summary" and "successes" at its top`}
	if !foreign.Mentions(prefix, `"load_summary"`, `"successes"`) {
		return m
	}
	n, ok := foreign.Head(prefix)
	m.Is = ok && isReport(n)
	return m
}

func isReport(n foreign.Node) bool {
	return n.Get("load_summary").IsObject() && n.Get("successes").IsObject()
}

// Read yields one record a report.
func (a Adapter) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	return foreign.ReadParts(ctx, s, a.ID(), sink, func(f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
		var parts []foreign.Part
		found, err := foreign.ReadJSON(ctx, f.Name(), f, foreign.Values{Each: func(n foreign.Node) error {
			if !isReport(n) || len(parts) > 0 {
				return nil
			}
			parts = append(parts, a.part(f, n))
			return nil
		}})
		return parts, found, err
	})
}

// part makes a report's record.
func (a Adapter) part(f *foreign.File, n foreign.Node) foreign.Part {
	d := foreign.NewDraft(f, tool)
	d.Record.Subject.Tool = evidence.Derived(tool, "the keys of the file are those of its reports")
	what := strings.TrimSuffix(f.Source.Name, ".json")
	if n.Get("successes", "rate").Has() && !n.Get("successes", "latency").Has() {
		server(d, n)
		return foreign.Part{Draft: d, Title: "inference-perf, the server's metrics: " + what}
	}
	a.client(d, n)
	return foreign.Part{Draft: d, Title: "inference-perf: " + what}
}

// client reads a stage or a summary.
func (a Adapter) client(d *foreign.Draft, n foreign.Node) {
	load, ok, bad := n.Get("load_summary"), n.Get("successes"), n.Get("failures")
	r := &d.Record
	r.Outcomes.Sent = d.Count("load_summary.count", load.Get("count"))
	r.Outcomes.Completed = d.Count("successes.count", ok.Get("count"))
	r.Outcomes.Failed = d.Count("failures.count", bad.Get("count"))
	r.Outcomes.Unresolved = evidence.NotStated[int64]("requests that are cancelled when a stage ends are in no report of the tool")
	r.Workload.TokenSource = evidence.NotStated[string]("the client's tokenizer, unless use_server_output_tokens was set; the file does not say which")
	r.Workload.InputTokens = lengths(d, ok, r.Outcomes.Completed, "prompt_len", "prompt_tokens")
	r.Workload.OutputTokens = lengths(d, ok, r.Outcomes.Completed, "output_len", "output_tokens")
	d.Fact("benchmark_time_seconds", n.Get("benchmark_time_seconds"))
	d.Fact("successes.token_count_mismatches", ok.Get("token_count_mismatches"))
	if n, has := ok.Get("token_count_mismatches").Int(); has {
		done, _ := r.Outcomes.Completed.Get()
		r.Limits = append(r.Limits, limits.TokenMiscounts(n, done, "the client's tokenizer", "the endpoint's usage").Record()...)
	}
	failures(d, bad)
	a.offered(d, load)
	a.latencies(d, n)
	a.rates(d, n)
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

// Stats are the statistics of a distribution and their keys.
func stats() []struct {
	stat measure.Stat
	key  string
} {
	return []struct {
		stat measure.Stat
		key  string
	}{{measure.Mean, "mean"}, {measure.P50, "median"}, {measure.P90, "p90"}, {measure.P95, "p95"}, {measure.P99, "p99"}, {measure.StatMax, "max"}}
}

// distribution claims the statistics of one word.
func distribution(d *foreign.Draft, path string, v foreign.Node, def adapter.Definition, people evidence.Known[evidence.Population]) {
	rule := foreign.RuleOf(def)
	for _, s := range stats() {
		d.Claim(foreign.Figure{Metric: measure.ID(def.Metric, s.stat), Number: v.Get(s.key), Key: path + "." + s.key, Unit: "s",
			Rule: rule, Undefined: foreign.Undefined(def), Population: people})
	}
}
