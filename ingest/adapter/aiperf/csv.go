package aiperf

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/adapter/grid"
)

// isCSV reports whether the bytes begin as the tool's CSV does: a row of
// statistics under the heading Metric.
func isCSV(prefix []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(prefix, []byte("\xef\xbb\xbf")), []byte("\n"))
	cells := strings.Split(strings.TrimSpace(string(line)), ",")
	return len(cells) > 2 && cells[0] == "Metric" && cells[1] == "avg" && slices.Contains(cells, "p99") && bytes.Contains(prefix, []byte("Request Latency"))
}

// readCSV reads the two tables of the CSV: statistics, and single values. They
// become what the JSON would have had.
func readCSV(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	root := foreign.Node{Kind: foreign.Object, Line: 1}
	var head []string
	var found []adapter.Diagnostic
	for row, err := range grid.CSV(ctx, f, ',') {
		if err != nil {
			return nil, found, err
		}
		if row.Cells[0] == "Metric" {
			head = row.Cells
			continue
		}
		metric, ok := metricOf(row, head)
		if !ok {
			found = append(found, adapter.Diagnostic{File: f.Name(), Line: row.Line, Msg: "a row that is no metric is left out"})
			continue
		}
		root.Fields = append(root.Fields, metric)
	}
	p := record(f, root)
	if len(p.Draft.Record.Values) == 0 {
		return nil, found, &adapter.RefusedError{Why: "there is no metric of AIPerf in it"}
	}
	return []foreign.Part{p}, found, nil
}

// metricOf is a row as a metric of the JSON: "Time to First Token (ms)" is
// time_to_first_token with its unit.
func metricOf(row grid.Row, head []string) (foreign.Field, bool) {
	name, rest, ok := strings.Cut(row.Cells[0], " (")
	unit, _ := strings.CutSuffix(rest, ")")
	tag := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "_")
	if !ok || tag == "" || len(head) == 0 {
		return foreign.Field{}, false
	}
	m := foreign.Node{Kind: foreign.Object, Line: row.Line}
	m.Fields = append(m.Fields, foreign.Field{Key: "unit", Value: foreign.Node{Kind: foreign.Text, Text: unit, Line: row.Line}})
	for i := 1; i < len(row.Cells) && i < len(head); i++ {
		key := head[i]
		if key == "Value" {
			key = "avg"
		}
		if row.Cells[i] == "" || row.Cells[i] == "N/A" {
			continue
		}
		n := foreign.Scalar(strings.ReplaceAll(row.Cells[i], ",", ""), row.Line)
		m.Fields = append(m.Fields, foreign.Field{Key: key, Value: n})
	}
	return foreign.Field{Key: tag, Value: m}, true
}

func sortedKeys(m map[string]int64) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
