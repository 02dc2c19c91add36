// Package sglang reads the JSON Lines that SGLang's bench_serving appends its
// results to, one object a run. The key set has grown over the years: each key
// may be missing, and what is missing is not stated.
//
// # Limits
//
// The file has no count of failures and none of what was asked for. Its token
// counts may be the requested maximum, so that no time per token is computed from
// its per-request arrays; its native path's gaps are per token by division, so
// that no chunk gap is.
package sglang

import (
	"context"
	"strconv"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
)

// Version is the version of what this adapter makes of a file.
const Version = 2

// Adapter reads SGLang's result files. The zero Adapter is ready to use.
type Adapter struct{}

var (
	_ adapter.Adapter = Adapter{}
	_ adapter.Definer = Adapter{}
	_ adapter.Beside  = Adapter{}
)

// ID is "sglang" and [Version].
func (Adapter) ID() adapter.ID { return adapter.ID{Name: "sglang", Version: Version} }

// Companions is import.toml.
func (Adapter) Companions() []string { return []string{foreign.ImportName} }

// Sniff claims JSON objects with the keys of a result.
func (Adapter) Sniff(prefix []byte, _ string) adapter.Match {
	m := adapter.Match{Want: `SGLang JSON Lines with "backend", "completed", "duration" and "total_output_tokens_retokenized"`}
	if !foreign.Mentions(prefix, `"total_output_tokens_retokenized"`) {
		return m
	}
	n, ok := foreign.Head(prefix)
	m.Is = ok && isResult(n)
	return m
}

func isResult(n foreign.Node) bool {
	for _, k := range []string{"backend", "completed", "duration", "total_output_tokens_retokenized"} {
		if n.Get(k).Kind == foreign.Absent {
			return false
		}
	}
	return true
}

// Read yields a record for each run of the file.
func (a Adapter) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	return foreign.ReadParts(ctx, s, a.ID(), sink, func(f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
		var parts []foreign.Part
		var c *columns
		var strangers []adapter.Diagnostic
		found, err := foreign.ReadJSON(ctx, f.Name(), f, foreign.Values{
			Begin: func() foreign.Shape { c = &columns{}; return c.shape() },
			Each: func(n foreign.Node) error {
				if !isResult(n) {
					strangers = append(strangers, adapter.Diagnostic{File: f.Name(), Line: n.Line, Msg: "an object without the keys of a run is left out"})
					return nil
				}
				d, title, err := record(f, n, c)
				parts = append(parts, foreign.Part{Draft: d, Part: strconv.Itoa(len(parts) + 1), Title: title})
				return err
			}})
		if len(parts) == 1 {
			parts[0].Part = ""
		}
		return parts, append(found, strangers...), err
	})
}
