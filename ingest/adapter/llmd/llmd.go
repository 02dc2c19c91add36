// Package llmd reads llm-d Benchmark Reports, version 0.2, as YAML and as JSON.
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

// Version is the version of what this adapter makes of a file.
const Version = 2

// Adapter reads Benchmark Reports. The zero Adapter is ready to use.
type Adapter struct{}

var (
	_ adapter.Adapter = Adapter{}
	_ adapter.Definer = Adapter{}
	_ adapter.Beside  = Adapter{}
)

// ID is "llmd" and [Version].
func (Adapter) ID() adapter.ID { return adapter.ID{Name: "llmd", Version: Version} }

// Companions is import.toml.
func (Adapter) Companions() []string { return []string{foreign.ImportName} }

// Sniff claims YAML or JSON with results and, below them or near the top, what
// only a report has.
func (Adapter) Sniff(prefix []byte, _ string) adapter.Match {
	m := adapter.Match{Want: `YAML or JSON with "results" at its top and "request_performance", "observability" or "component_health" below it`}
	if isJSON(prefix) {
		if foreign.Mentions(prefix, `"results"`, `"scenario"`) || foreign.Mentions(prefix, `"results"`, `"request_performance"`) {
			n, ok := foreign.Head(prefix)
			m.Is = ok && isReport(n)
		}
		return m
	}
	m.Is = yamlTop(prefix)
	return m
}

func isJSON(prefix []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(prefix, []byte("\ufeff"))), []byte("{"))
}

// yamlTop reports whether the text has "results:" at its margin with one of a
// report's keys right below.
func yamlTop(prefix []byte) bool {
	inResults := false
	for line := range bytes.Lines(bytes.TrimPrefix(prefix, []byte("\ufeff"))) {
		text := string(bytes.TrimRight(line, "\r\n "))
		switch {
		case text == "results:":
			inResults = true
		case text != "" && text[0] != ' ' && text[0] != '-' && text[0] != '#':
			inResults = false
		case inResults:
			switch strings.TrimSpace(text) {
			case "request_performance:", "observability:", "component_health:":
				return true
			}
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

// Read yields the file's one record.
func (a Adapter) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	return foreign.ReadParts(ctx, s, a.ID(), sink, func(f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
		prefix, err := s.Prefix()
		if err != nil {
			return nil, nil, err
		}
		var report foreign.Node
		var found []adapter.Diagnostic
		if isJSON(prefix) {
			found, err = foreign.ReadJSON(ctx, f.Name(), f, foreign.Values{Each: func(n foreign.Node) error {
				if isReport(n) && !report.Has() {
					report = n
				}
				return nil
			}})
		} else {
			report, err = readYAML(f)
		}
		if err != nil {
			return nil, found, err
		}
		if !report.Get("results", "request_performance", "aggregate").IsObject() {
			return nil, found, &adapter.RefusedError{Why: "the report has no results.request_performance.aggregate: there are no figures of requests in it"}
		}
		return []foreign.Part{a.part(f, report)}, found, nil
	})
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

func (a Adapter) part(f *foreign.File, n foreign.Node) foreign.Part {
	d := foreign.NewDraft(f, tool)
	stack(d, n.Get("scenario", "stack"))
	loadOf(d, n.Get("scenario", "load", "standardized"))
	run(d, n.Get("run"))
	agg := n.Get("results", "request_performance", "aggregate")
	outcomes(d, agg.Get("requests"))
	a.latencies(d, agg.Get("latency"))
	a.rates(d, agg.Get("throughput"))
	d.Fact("version", n.Get("version"))
	hit := n.Get("results", "observability", "vllm_prefix_cache_hit_rate", "components")
	for _, c := range hit.Items {
		d.Fact("vllm_prefix_cache_hit_rate, mean, "+c.Get("statistics", "units").Text, c.Get("statistics", "mean"))
	}
	title := "llm-d Benchmark Report: " + strings.TrimSuffix(strings.TrimSuffix(f.Source.Name, ".yaml"), ".json")
	if text, ok := n.Get("run", "description").String(); ok {
		title += ", " + text
	}
	return foreign.Part{Draft: d, Title: title}
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
		if p := std.Get("accelerator", "parallelism"); p.IsObject() {
			var words []string
			for _, field := range p.Fields {
				words = append(words, field.Key+" "+field.Value.Text)
			}
			s.Parallelism = evidence.Stated(strings.Join(words, ", "), "“accelerator.parallelism” in the file")
		}
		for _, key := range []string{"replicas", "role"} {
			d.Fact("stack."+key, std.Get(key))
		}
		d.Fact("stack.accelerator.count", std.Get("accelerator", "count"))
	}
}
