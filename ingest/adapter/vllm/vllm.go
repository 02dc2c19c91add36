// Package vllm reads the results of vLLM's benchmarks: `vllm bench serve` with
// and without per-request arrays, several results appended to one file, the runs
// of a sweep, the block that it prints at the end, wherever that stands in a log,
// the dialect in seconds that forks write (InferenceX), and the offline `vllm
// bench throughput`.
//
// The aggregates are claims under the tool's definitions. Where the arrays of
// --save-detailed are there, latencies, rates and gaps are computed anew from
// them, and the tool's figures stand beside.
//
// # Limits
//
// The times in the arrays are those of the tool's events: its first chunk may
// hold a role and no token. Requests that failed have no times. The file does
// not say when requests were sent unless it has the arrays, so that the offered
// rate can't be checked; what is shown of it is the plan's. A printed block does
// not say how many requests were asked for.
package vllm

import (
	"context"
	"fmt"
	"os"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
)

// New is the adapter of vLLM's result files.
func New() foreign.Format {
	return foreign.Format{Name: "vllm", Version: 5, Words: words(), Parts: read,
		Want: `vLLM bench JSON with "num_prompts", "completed", "duration" and latencies as "mean_ttft_ms" or "median_ttft", or its printed "Serving Benchmark Result"`,
		Claims: func(prefix []byte) bool {
			return isPrinted(prefix) || isJSON(prefix)
		}}
}

// isJSON claims a JSON object with the keys of a result, or a list of them.
func isJSON(prefix []byte) bool {
	if !foreign.Mentions(prefix, `"num_prompts"`, `"completed"`) && !foreign.Mentions(prefix, `"total_num_tokens"`) {
		return false
	}
	n, ok := foreign.Head(prefix)
	if !ok {
		return false
	}
	if n.Kind == foreign.List && len(n.Items) > 0 {
		n = n.Items[0]
	}
	_, ok = which(n)
	return ok
}

// read makes a part of each result of the file.
func read(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	prefix, err := f.Source.Prefix()
	if err != nil {
		return nil, nil, err
	}
	if isPrinted(prefix) {
		return readPrinted(ctx, f)
	}
	r := results{file: f}
	found, err := f.ReadJSON(ctx, foreign.Values{
		Begin: r.begin,
		Each: func(n foreign.Node) error {
			if n.Kind != foreign.List {
				return r.add(n)
			}
			for _, item := range n.Items {
				if err := r.add(item); err != nil {
					return err
				}
			}
			return nil
		}})
	r.drop()
	if err != nil {
		return nil, found, err
	}
	if n := runsBeside(f.Source); n > 0 && f.Source.Name == "summary.json" {
		return nil, found, &adapter.RefusedError{Why: fmt.Sprintf("it is the summary of the %d runs beside it (run=N.json), which are read themselves", n)}
	}
	return foreign.Numbered(r.parts), append(found, r.strangers...), nil
}

// runsBeside counts the runs of a sweep in the source's folder.
func runsBeside(s adapter.Source) int {
	if s.FS != nil {
		return 0
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return 0
	}
	n := 0
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "run=") && strings.HasSuffix(e.Name(), ".json") {
			n++
		}
	}
	return n
}

// results are the parts of a file. Each is made as soon as its result was read:
// its rows are not kept beside those of the next.
type results struct {
	file      *foreign.File
	rows      columns // of the result that is being read
	parts     []foreign.Part
	strangers []adapter.Diagnostic
}

func (r *results) begin() foreign.Shape {
	r.drop()
	return r.rows.shape()
}

// add makes a part of a result.
func (r *results) add(n foreign.Node) error {
	d, ok := which(n)
	if !ok {
		r.strangers = append(r.strangers, adapter.Diagnostic{File: r.file.Name(), Line: n.Line, Msg: "an object without the keys of a result is left out"})
		return nil
	}
	var p foreign.Part
	var err error
	if d.offline {
		p = batch(r.file, d, n)
	} else {
		p, err = online(r.file, d, n, &r.rows)
	}
	r.parts = append(r.parts, p)
	r.drop()
	return err
}

// drop forgets the rows.
func (r *results) drop() {
	r.rows.gaps.Close() //nolint:errcheck // nothing is written any more
	r.rows = columns{}
}
