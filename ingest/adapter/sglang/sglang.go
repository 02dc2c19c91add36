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

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
)

// New is the adapter of SGLang's result files.
func New() foreign.Format {
	return foreign.Format{Name: "sglang", Version: 5, Words: words(), Parts: read,
		Want: `SGLang JSON Lines with "backend", "completed", "duration" and "total_output_tokens_retokenized"`,
		Claims: func(prefix []byte) bool {
			if !foreign.Mentions(prefix, `"total_output_tokens_retokenized"`) {
				return false
			}
			n, ok := foreign.Head(prefix)
			return ok && isResult(n)
		}}
}

func isResult(n foreign.Node) bool {
	for _, k := range []string{"backend", "completed", "duration", "total_output_tokens_retokenized"} {
		if n.Get(k).Kind == foreign.Absent {
			return false
		}
	}
	return true
}

// read makes a part of each run of the file.
func read(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	var parts []foreign.Part
	var c *columns
	var strangers []adapter.Diagnostic
	found, err := f.ReadJSON(ctx, foreign.Values{
		Begin: func() foreign.Shape { c = &columns{}; return c.shape() },
		Each: func(n foreign.Node) error {
			if !isResult(n) {
				strangers = append(strangers, adapter.Diagnostic{File: f.Name(), Line: n.Line, Msg: "an object without the keys of a run is left out"})
				return nil
			}
			p, err := record(f, n, c)
			parts = append(parts, p)
			return err
		}})
	return foreign.Numbered(parts), append(found, strangers...), err
}
