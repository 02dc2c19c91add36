// Package llmd reads llm-d Benchmark Reports, versions 0.1 and 0.2, as YAML and as
// JSON.
//
// A report is a form: the figures in it were made by another tool, which it
// names, and whose definitions hold. It has a unit beside each figure.
package llmd

import (
	"bytes"
	"context"
	"io"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
)

// New is the adapter of Benchmark Reports: YAML or JSON with results and, below
// them, what only a report has.
func New() foreign.Format {
	return foreign.Format{Name: "llmd", Version: 4, Words: words(), Parts: read, Claims: claims,
		Want: `llm-d Benchmark Report: YAML or JSON with "results" at its top and "request_performance", "observability" or "component_health" below it, or "scenario" and "metrics" with "latency" and "throughput"`}
}

func claims(prefix []byte) bool {
	if !isJSON(prefix) {
		return yamlTop(prefix)
	}
	if !foreign.Mentions(prefix, `"results"`) && !foreign.Mentions(prefix, `"metrics"`, `"time_to_first_token"`) {
		return false
	}
	n, ok := foreign.Head(prefix)
	return ok && (isReport(n) || isFirst(n))
}

func isJSON(prefix []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(prefix, []byte("\ufeff"))), []byte("{"))
}

// yamlTop reports whether the text has "results:" or "metrics:" at its margin
// with a report's keys right below.
func yamlTop(prefix []byte) bool {
	top, latency := "", false
	for line := range bytes.Lines(bytes.TrimPrefix(prefix, []byte("\ufeff"))) {
		text := string(bytes.TrimRight(line, "\r\n "))
		if text != "" && text[0] != ' ' && text[0] != '-' && text[0] != '#' {
			top, _, _ = strings.Cut(text, ":")
			continue
		}
		key, _, _ := strings.Cut(strings.TrimSpace(text), ":")
		switch top + "." + key {
		case "results.request_performance", "results.observability", "results.component_health":
			return true
		case "metrics.latency":
			latency = true
		case "metrics.throughput":
			return latency
		}
	}
	return false
}

func isReport(n foreign.Node) bool {
	r := n.Get("results")
	return r.IsObject() && (r.Get("request_performance").Has() || r.Get("observability").Has() || r.Get("component_health").Has())
}

// mostBytes bounds a YAML report: it is held whole.
const mostBytes = 32 << 20

// read makes the file's one part.
func read(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	prefix, err := f.Source.Prefix()
	if err != nil {
		return nil, nil, err
	}
	wanted := func(n foreign.Node) bool { return isReport(n) || isFirst(n) }
	if isJSON(prefix) {
		return f.OneJSON(ctx, nil, wanted, func(n foreign.Node) ([]foreign.Part, error) { return parts(f, n) })
	}
	report, err := readYAML(f)
	if err != nil {
		return nil, nil, err
	}
	made, err := parts(f, report)
	return made, nil, err
}

func parts(f *foreign.File, n foreign.Node) ([]foreign.Part, error) {
	switch {
	case isFirst(n):
		return []foreign.Part{first(f, n)}, nil
	case n.Get("results", "request_performance", "aggregate").IsObject():
		return []foreign.Part{part(f, n)}, nil
	}
	return nil, &adapter.RefusedError{Why: "the report has no results.request_performance.aggregate: there are no figures of requests in it"}
}

// readYAML reads a report as YAML.
func readYAML(f *foreign.File) (foreign.Node, error) {
	src, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil {
		return foreign.Node{}, err
	}
	if len(src) > mostBytes {
		return foreign.Node{}, &adapter.RefusedError{Why: "the report is larger than 32 MiB", Hint: "export it as JSON, which is read piece by piece"}
	}
	n, err := parseYAML(strings.ToValidUTF8(string(src), "\ufffd"))
	if err != nil {
		return foreign.Node{}, &adapter.RefusedError{Why: err.Error(), Err: err, Hint: "export the report as JSON"}
	}
	return convert(n), nil
}

// convert makes the value that JSON would have given.
func convert(n *node) foreign.Node {
	out := foreign.Node{Line: int64(n.line)}
	switch n.shape {
	case mapping:
		out.Kind = foreign.Object
		for i, key := range n.keys {
			out.Fields = append(out.Fields, foreign.Field{Key: key, Value: convert(n.kids[i])})
		}
	case list:
		out.Kind = foreign.List
		for _, kid := range n.kids {
			out.Items = append(out.Items, convert(kid))
		}
	case quoted:
		out.Kind, out.Text = foreign.Text, n.text
	case scalar:
		text, ok := n.value()
		out.Kind, out.Text = foreign.Text, text
		switch {
		case !ok:
			out.Kind = foreign.Null
		case strings.EqualFold(text, ".inf") || strings.EqualFold(text, "-.inf") || strings.EqualFold(text, ".nan"):
			out.Kind, out.Text = foreign.NotFinite, strings.ReplaceAll(text, ".", "")
		case text == "true" || text == "false":
			out.Kind = foreign.Bool
		case out.IsNumber():
			out.Kind = foreign.Number
		}
	}
	return out
}

func part(f *foreign.File, n foreign.Node) foreign.Part {
	d := foreign.NewDraft(f, tool)
	stack(d, n.Get("scenario", "stack"))
	loadOf(d, n.Get("scenario", "load", "standardized"))
	run(d, n.Get("run"))
	agg := n.Get("results", "request_performance", "aggregate")
	outcomes(d, agg.Get("requests"))
	latencies(d, agg.Get("latency"))
	rates(d, agg.Get("throughput"))
	d.Fact("version", n.Get("version"))
	hit := n.Get("results", "observability", "vllm_prefix_cache_hit_rate", "components")
	for _, c := range hit.Items {
		d.Fact("vllm_prefix_cache_hit_rate, mean, "+c.Get("statistics", "units").Text, c.Get("statistics", "mean"))
	}
	return foreign.Part{Draft: d, Title: titleOf(d, f, n.Get("run", "description"))}
}

func titleOf(d *foreign.Draft, f *foreign.File, description foreign.Node) string {
	if text, ok := description.String(); ok {
		return d.FileTitle(f, text)
	}
	return d.FileTitle(f)
}

// stack reads which parts made up the endpoint.
func stack(d *foreign.Draft, n foreign.Node) {
	s := &d.Record.Subject
	engines := 0
	for _, c := range n.Items {
		std := c.Get("standardized")
		if k := std.Get("kind").Text; k != "inference_engine" {
			d.Fact("stack, "+std.Get("tool").Text, std.Get("tool_version"))
			continue
		}
		if engines++; engines > 1 {
			d.Note(std.Line, "the report has several inference engines; the record states the first, and the others are in the file")
			continue
		}
		s.Model = d.Text("model.name", std.Get("model", "name"))
		s.Engine = d.Text("tool", std.Get("tool"))
		s.EngineVersion = d.Text("tool_version", std.Get("tool_version"))
		s.Hardware = d.Text("accelerator.model", std.Get("accelerator", "model"))
		s.Accelerators = evidence.NotStated[int64]("“accelerator.count” is of one replica or of all: the report does not say")
		s.Parallelism = parallelism(d, "accelerator.parallelism", std.Get("accelerator", "parallelism"))
		for _, key := range []string{"replicas", "role"} {
			d.Fact("stack."+key, std.Get(key))
		}
		d.Fact("stack.accelerator.count", std.Get("accelerator", "count"))
	}
}

// parallelism is an object of kinds and degrees, as a text.
func parallelism(d *foreign.Draft, key string, n foreign.Node) evidence.Known[string] {
	if !n.IsObject() {
		return evidence.NotStated[string](d.Missing())
	}
	var kinds []string
	for _, field := range n.Fields {
		kinds = append(kinds, field.Key+" "+field.Value.Text)
	}
	return evidence.Stated(strings.Join(kinds, ", "), "“"+key+"” in the file")
}
