// Package guidellm reads GuideLLM's reports: JSON of report version 1 and 2, and
// the CSV with three rows of headings. Each benchmark of a report (each rate of
// its sweep) is a record.
//
// Where the report has its requests, they are computed anew. The tool's first
// token is not always the first token: until version 0.6 an iteration with
// reasoning was none. Where iterations of the stream outnumber those that the
// tool took for tokens, the first iteration of the stream stands for the first
// token; the record says so.
//
// # Limits
//
// The first iteration of a stream may hold a role and no token, so that a time to
// first token that begins there may be short by as much. Times are floats of
// seconds since 1970, which hold a quarter of a microsecond.
package guidellm

import (
	"bytes"
	"context"
	"strconv"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
)

// New is the adapter of GuideLLM's reports. A JSON report is known by its version
// or its benchmarks, the CSV by its groups of headings.
func New() foreign.Format {
	return foreign.Format{Name: "guidellm", Version: 4, Words: words(), Parts: read,
		Want:   `GuideLLM JSON with "metadata.guidellm_version" or benchmarks of type "generative_benchmark", or its CSV with headings Run Info, Benchmark, Timings`,
		Claims: func(prefix []byte) bool { return isCSV(prefix) || isJSON(prefix) }}
}

func isJSON(prefix []byte) bool {
	if !foreign.Mentions(prefix, `"guidellm_version"`) && !foreign.Mentions(prefix, `"generative_benchmark"`) {
		return false
	}
	n, ok := foreign.Head(prefix)
	if !ok {
		return false
	}
	if n.Get("metadata", "guidellm_version").Has() {
		return true
	}
	items := n.Get("benchmarks").Items
	return len(items) > 0 && items[0].Get("type_").Text == "generative_benchmark"
}

func isCSV(prefix []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(prefix, []byte("\xef\xbb\xbf")), []byte("\n"))
	return bytes.HasPrefix(line, []byte("Run Info,")) && foreign.Mentions(line, ",Benchmark,", ",Timings,", ",Request Counts,")
}

// read makes a part of each benchmark of the report.
func read(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	prefix, err := f.Source.Prefix()
	if err != nil {
		return nil, nil, err
	}
	var all []benchmark
	var report foreign.Node
	var found []adapter.Diagnostic
	if isCSV(prefix) {
		all, found, err = readCSV(ctx, f)
	} else {
		all, report, found, err = readJSON(ctx, f)
	}
	if err != nil {
		return nil, found, err
	}
	var parts []foreign.Part
	for _, b := range all {
		p, err := record(f, report, b)
		if err != nil {
			return nil, found, err
		}
		parts = append(parts, p)
	}
	return foreign.Numbered(parts), found, nil
}

// benchmark is one benchmark of a report and its requests.
type benchmark struct {
	node foreign.Node
	rows []request
	odd  int // requests without usable times
}

// mostBenchmarks bounds the benchmarks of one report.
const mostBenchmarks = 10_000

func readJSON(ctx context.Context, f *foreign.File) ([]benchmark, foreign.Node, []adapter.Diagnostic, error) {
	var all []benchmark
	var report foreign.Node
	var b benchmark
	row := func(k kind) func(foreign.Node) error {
		return func(n foreign.Node) error {
			r, ok := requestOf(n, k)
			if !ok {
				b.odd++
			}
			b.rows = append(b.rows, r)
			return nil
		}
	}
	shape := foreign.Shape{Skip: skipped(), Rows: map[string]func(foreign.Node) error{
		"benchmarks.*.requests.successful": row(succeeded), "benchmarks.*.requests.errored": row(errored), "benchmarks.*.requests.incomplete": row(incomplete),
		"benchmarks": func(n foreign.Node) error {
			if len(all) >= mostBenchmarks {
				return &adapter.RefusedError{Why: "there are more than " + strconv.Itoa(mostBenchmarks) + " benchmarks in the report"}
			}
			b.node = n
			all, b = append(all, b), benchmark{}
			return nil
		}}}
	found, err := f.ReadJSON(ctx, foreign.Values{Begin: func() foreign.Shape { b = benchmark{}; return shape },
		Each: func(n foreign.Node) error {
			if n.Get("metadata").Has() {
				report = n
			}
			return nil
		}})
	return all, report, found, err
}

// skipped are the parts of a report that are read over: texts, and metrics of
// other media.
func skipped() []string {
	var out []string
	for _, split := range []string{"successful", "errored", "incomplete"} {
		for _, key := range []string{"output", "request_args", "prompt"} {
			out = append(out, "benchmarks.*.requests."+split+".*."+key)
		}
	}
	for _, medium := range []string{"text", "image", "video", "audio"} {
		out = append(out, "benchmarks.*.metrics."+medium)
	}
	return append(out, "benchmarks.*.requests.total")
}
