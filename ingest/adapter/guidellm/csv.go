package guidellm

import (
	"context"
	"fmt"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/adapter/grid"
)

// readCSV reads the rows below the three rows of headings. Each becomes what the
// JSON would have had.
//
// What stands in JSON in a cell (backend, constraints, the run's metadata) is
// read as that JSON.
func readCSV(ctx context.Context, f *foreign.File) ([]benchmark, []adapter.Diagnostic, error) {
	var heads [3][]string
	var all []benchmark
	var found []adapter.Diagnostic
	n := 0
	for row, err := range grid.CSV(ctx, f, ',') {
		if err != nil {
			return nil, found, err
		}
		if n < len(heads) {
			heads[n] = row.Cells
			n++
			continue
		}
		if len(row.Cells) != len(heads[1]) {
			found = append(found, adapter.Diagnostic{File: f.Name(), Line: row.Line, Msg: fmt.Sprintf("a row with %d cells below %d headings: what is missing is not stated", len(row.Cells), len(heads[1]))})
		}
		if len(all) >= mostBenchmarks {
			return nil, found, &adapter.RefusedError{Why: fmt.Sprintf("there are more than %d rows in it", mostBenchmarks)}
		}
		all = append(all, benchmark{node: nodeOf(row, heads)})
	}
	return all, found, nil
}

// metrics maps a group of headings and a heading to the metric of the JSON.
func metricsOf() map[[2]string]string {
	return map[[2]string]string{
		{"Request Latency", "Successful Sec"}:                "request_latency",
		{"Streaming Iterations", "Successful Count"}:         "request_streaming_iterations_count",
		{"Time to First Token", "Successful ms"}:             "time_to_first_token_ms",
		{"Time per Output Token", "Successful ms"}:           "time_per_output_token_ms",
		{"Inter Token Latency", "Successful ms"}:             "inter_token_latency_ms",
		{"Server Throughput", "Successful Requests/Sec"}:     "requests_per_second",
		{"Server Throughput", "Successful Concurrency"}:      "request_concurrency",
		{"Token Metrics", "Successful Input Tokens"}:         "prompt_token_count",
		{"Token Metrics", "Successful Output Tokens"}:        "output_token_count",
		{"Token Metrics", "Successful Total Tokens"}:         "total_token_count",
		{"Token Throughput", "Successful Output Tokens/Sec"}: "output_tokens_per_second",
		{"Token Throughput", "Successful Total Tokens/Sec"}:  "tokens_per_second",
		{"Token Streaming", "Successful Output Tokens/Iter"}: "output_tokens_per_iteration",
		{"Token Streaming", "Successful Iter Tokens/Iter"}:   "iter_tokens_per_iteration",
		{"Time to First Output Token", "Successful ms"}:      "time_to_first_output_token_ms",
	}
}

// percentileKeys are the percentiles of a list in a cell, in their order.
func percentileKeys() []string {
	return []string{"p001", "p01", "p05", "p10", "p25", "p50", "p75", "p90", "p95", "p99", "p999"}
}

// nodeOf is a row as a benchmark of the JSON.
func nodeOf(row grid.Row, heads [3][]string) foreign.Node {
	root := foreign.Node{Kind: foreign.Object, Line: row.Line}
	names := metricsOf()
	for i, text := range row.Cells {
		group, name, stat := cell(heads[0], i), cell(heads[1], i), cell(heads[2], i)
		value := foreign.Scalar(text, row.Line)
		if !value.Has() {
			continue
		}
		if metric, ok := names[[2]string{group, name}]; ok {
			putStatistic(&root, metric, stat, text, value)
			continue
		}
		putCell(&root, group, name, text, value)
	}
	return root
}

// putCell puts a cell that is no statistic where the JSON has its value.
func putCell(root *foreign.Node, group, name, text string, value foreign.Node) {
	switch group + "/" + name {
	case "Run Info/Run ID":
		put(root, value, "config", "run_id")
	case "Run Info/Backend":
		putFrom(root, text, value.Line, []string{"model"}, "config", "backend", "model")
	case "Benchmark/Strategy":
		putStrategy(root, text, value.Line)
	case "Benchmark/Constraints":
		putFrom(root, text, value.Line, nil, "config", "constraints")
	case "Timings/Start Time":
		put(root, value, "start_time")
	case "Timings/Duration":
		put(root, value, "duration")
	case "Timings/Warmup":
		put(root, value, "warmup_duration")
	case "Timings/Cooldown":
		put(root, value, "cooldown_duration")
	case "Request Counts/Successful", "Request Counts/Incomplete", "Request Counts/Errored", "Request Counts/Total":
		put(root, value, "metrics", "request_totals", strings.ToLower(name))
	case "Scheduler Metrics/Queued Time Avg", "Scheduler Metrics/Resolve Targeted Start Delay Avg", "Scheduler Metrics/Request Targeted Start Delay Avg":
		put(root, value, "scheduler_metrics", strings.ToLower(strings.ReplaceAll(name, " ", "_")))
	case "Runtime Info/Metadata":
		putFrom(root, text, value.Line, []string{"guidellm_version"}, "metadata", "guidellm_version")
	}
}

func cell(cells []string, i int) string {
	if i < len(cells) {
		return cells[i]
	}
	return ""
}

// put sets a value below the keys. What is there already stays.
func put(n *foreign.Node, value foreign.Node, keys ...string) {
	for _, key := range keys {
		at := -1
		for i := range n.Fields {
			if n.Fields[i].Key == key {
				at = i
			}
		}
		if at < 0 {
			n.Fields = append(n.Fields, foreign.Field{Key: key, Value: foreign.Node{Kind: foreign.Object, Line: value.Line}})
			at = len(n.Fields) - 1
		}
		n = &n.Fields[at].Value
	}
	if len(n.Fields) == 0 {
		*n = value
	}
}

func putStatistic(root *foreign.Node, metric, stat, text string, value foreign.Node) {
	at := []string{"metrics", metric, "successful"}
	switch stat {
	case "Mean", "Median":
		put(root, value, append(at, strings.ToLower(stat))...)
	case "Std Dev":
		put(root, value, append(at, "std_dev")...)
	case "Percentiles":
		list := strings.Split(strings.Trim(text, "[] "), ",")
		keys := percentileKeys()
		if len(list) != len(keys) {
			return // of another version: which percentile each is can't be told
		}
		for i, item := range list {
			put(root, foreign.Scalar(strings.TrimSpace(item), value.Line), append(at, "percentiles", keys[i])...)
		}
	}
}

// putFrom takes a value of the JSON in a cell, at a path in it; nil: all of it.
func putFrom(root *foreign.Node, text string, line int64, at []string, keys ...string) {
	n, _ := foreign.Head([]byte(text))
	if v := n.Get(at...); v.Has() {
		v.Line = line
		put(root, v, keys...)
	}
}

// putStrategy reads "synchronous", "constant@2.00" or the JSON of a strategy.
func putStrategy(root *foreign.Node, text string, line int64) {
	if n, ok := foreign.Head([]byte(text)); ok && n.IsObject() {
		put(root, n, "config", "strategy")
		return
	}
	name, rate, _ := strings.Cut(text, "@")
	put(root, foreign.Scalar(name, line), "config", "strategy", "type_")
	if r := foreign.Scalar(rate, line); r.IsNumber() {
		put(root, r, "config", "strategy", "rate")
	}
}
