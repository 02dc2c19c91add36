// Package aiperf reads what NVIDIA's AIPerf exports: the aggregate of a run as
// JSON (profile_export_aiperf.json) or CSV, and the records of its requests as
// JSON Lines (profile_export.jsonl).
//
// The aggregate's figures are claims under AIPerf's definitions. The records are
// computed anew under ours; they are a file, and so a record, of their own: that
// the two are of one run is said by neither.
//
// # Limits
//
// Moments of the aggregate have no zone and are kept as they stand. Its first and
// last times are floats of nanoseconds, too coarse to subtract; its own duration
// is taken. Token counts are the client's tokenizer's unless the run was made
// with the endpoint's, which the file does not say for each request.
package aiperf

import (
	"context"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
)

// New is the adapter of AIPerf's exports.
func New() foreign.Format {
	return foreign.Format{Name: "aiperf", Version: 4, Words: words(), Parts: read,
		Want:   `AIPerf JSON with "request_throughput", "request_latency" and "benchmark_duration", its JSON Lines with "metadata" and "metrics", or its CSV with Metric,avg`,
		Claims: func(prefix []byte) bool { return formOf(prefix) != none }}
}

// form is one of the tool's exports.
type form int

const (
	none form = iota
	aggregate
	requests
	csvAggregate
)

func formOf(prefix []byte) form {
	if foreign.Mentions(prefix, `"benchmark_phase"`, `"request_start_ns"`) {
		if n, ok := foreign.Head(prefix); ok && n.Get("metadata", "request_start_ns").Has() && n.Get("metrics").IsObject() {
			return requests
		}
	}
	if foreign.Mentions(prefix, `"request_latency"`, `"request_throughput"`) {
		n, ok := foreign.Head(prefix)
		unit := n.Get("request_latency", "unit").Has() && n.Get("request_throughput", "unit").Has()
		if ok && unit && (n.Get("benchmark_duration").Has() || n.Get("min_request_timestamp").Has() || n.Get("aiperf_version").Has()) {
			return aggregate
		}
	}
	if isCSV(prefix) {
		return csvAggregate
	}
	return none
}

// read makes the part of an export.
func read(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	prefix, err := f.Source.Prefix()
	if err != nil {
		return nil, nil, err
	}
	switch formOf(prefix) {
	case requests:
		return readRequests(ctx, f)
	case csvAggregate:
		return readCSV(ctx, f)
	case aggregate:
		shape := func() foreign.Shape {
			return foreign.Shape{Skip: []string{"telemetry_data.summary", "server_metrics_data"}}
		}
		return f.OneJSON(ctx, shape, foreign.Node.IsObject, func(n foreign.Node) ([]foreign.Part, error) { return []foreign.Part{record(f, n)}, nil })
	case none:
	}
	return nil, nil, &adapter.RefusedError{Why: "it is no export of AIPerf"}
}
