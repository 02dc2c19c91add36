// Package vllm reads the results of vLLM's benchmarks: `vllm bench serve` with
// and without per-request arrays, several results appended to one file, the runs
// of a sweep, the dialect in seconds that forks write (InferenceX), and the
// offline `vllm bench throughput`.
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
// rate can't be checked; what is shown of it is the plan's.
package vllm

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
)

// Version is the version of what this adapter makes of a file.
const Version = 1

// Adapter reads vLLM's result files. The zero Adapter is ready to use.
type Adapter struct{}

var (
	_ adapter.Adapter = Adapter{}
	_ adapter.Definer = Adapter{}
	_ adapter.Beside  = Adapter{}
)

// ID is "vllm" and [Version].
func (Adapter) ID() adapter.ID { return adapter.ID{Name: "vllm", Version: Version} }

// Companions is import.toml.
func (Adapter) Companions() []string { return []string{foreign.ImportName} }

// Sniff claims a JSON object with the keys of a result, or a list of them.
func (Adapter) Sniff(prefix []byte, _ string) adapter.Match {
	m := adapter.Match{Want: `vLLM bench JSON with "num_prompts", "completed", "duration" and latencies as "mean_ttft_ms" or "median_ttft"`}
	if !foreign.Mentions(prefix, `"num_prompts"`, `"completed"`) && !foreign.Mentions(prefix, `"total_num_tokens"`) {
		return m
	}
	n, ok := foreign.Head(prefix)
	if !ok {
		return m
	}
	if n.Kind == foreign.List && len(n.Items) > 0 {
		n = n.Items[0]
	}
	_, m.Is = which(n)
	return m
}

// Read yields a record for each result of the file.
func (a Adapter) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	return foreign.ReadParts(ctx, s, a.ID(), sink, func(f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
		var nodes []result
		var c *columns
		add := func(n foreign.Node) {
			nodes = append(nodes, result{n, c})
			c = &columns{}
		}
		found, err := foreign.ReadJSON(ctx, f.Name(), f, foreign.Values{
			Begin: func() foreign.Shape { c = &columns{}; return c.shape() },
			Each: func(n foreign.Node) error {
				if n.Kind != foreign.List {
					add(n)
					return nil
				}
				for _, item := range n.Items {
					add(item)
				}
				return nil
			}})
		if err != nil {
			return nil, found, err
		}
		if n := runsBeside(s); n > 0 && s.Name == "summary.json" {
			return nil, found, &adapter.RefusedError{Why: fmt.Sprintf("it is the summary of the %d runs beside it (run=N.json), which are read themselves", n)}
		}
		parts, err := a.parts(f, nodes, &found)
		return parts, found, err
	})
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

// result is one result of a file and its arrays.
type result struct {
	node foreign.Node
	rows *columns
}

func (a Adapter) parts(f *foreign.File, results []result, found *[]adapter.Diagnostic) ([]foreign.Part, error) {
	var parts []foreign.Part
	for i, r := range results {
		d, ok := which(r.node)
		if !ok {
			*found = append(*found, adapter.Diagnostic{File: f.Name(), Line: r.node.Line, Msg: "an object without the keys of a result is left out"})
			continue
		}
		p := foreign.Part{}
		if len(results) > 1 {
			p.Part = strconv.Itoa(i + 1)
		}
		var err error
		if d.suffix == "" && d.unit == "" {
			p.Draft, p.Title = offline(f, d, r.node)
		} else if p.Draft, p.Title, err = online(f, d, r); err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}
