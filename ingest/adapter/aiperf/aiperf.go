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

// Version is the version of what this adapter makes of a file.
const Version = 2

// Adapter reads AIPerf's exports. The zero Adapter is ready to use.
type Adapter struct{}

var (
	_ adapter.Adapter = Adapter{}
	_ adapter.Definer = Adapter{}
	_ adapter.Beside  = Adapter{}
)

// ID is "aiperf" and [Version].
func (Adapter) ID() adapter.ID { return adapter.ID{Name: "aiperf", Version: Version} }

// Companions is import.toml.
func (Adapter) Companions() []string { return []string{foreign.ImportName} }

// form is one of the tool's exports.
type form int

const (
	none form = iota
	aggregate
	requests
	csvAggregate
)

// Sniff claims the three exports.
func (Adapter) Sniff(prefix []byte, _ string) adapter.Match {
	return adapter.Match{Is: formOf(prefix) != none,
		Want: `AIPerf JSON with "request_throughput", "request_latency" and "benchmark_duration", its JSON Lines with "metadata" and "metrics", or its CSV with Metric,avg`}
}

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

// Read yields the record of an export.
func (a Adapter) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	prefix, err := s.Prefix()
	if err != nil {
		return nil, err
	}
	return foreign.ReadParts(ctx, s, a.ID(), sink, func(f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
		switch formOf(prefix) {
		case requests:
			return readRequests(ctx, f)
		case csvAggregate:
			return readCSV(ctx, f)
		case aggregate:
			return readAggregate(ctx, f)
		case none:
		}
		return nil, nil, &adapter.RefusedError{Why: "it is no export of AIPerf"}
	})
}

func readAggregate(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	var parts []foreign.Part
	found, err := foreign.ReadJSON(ctx, f.Name(), f, foreign.Values{
		Begin: func() foreign.Shape { return foreign.Shape{Skip: []string{"telemetry_data", "server_metrics_data"}} },
		Each: func(n foreign.Node) error {
			if len(parts) == 0 && n.IsObject() {
				d, title := record(f, n)
				parts = append(parts, foreign.Part{Draft: d, Title: title})
			}
			return nil
		}})
	return parts, found, err
}
