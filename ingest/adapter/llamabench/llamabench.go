// Package llamabench reads what llama-bench of llama.cpp prints: JSON, JSON
// Lines, CSV and Markdown.
//
// Each test is a record: there are no requests, so nothing but the load of one
// sequence joins a test of the prompt (pp) and one of generation (tg). A tg test
// gives a rate of output tokens. A pp test gives one of input tokens, for which
// there is no metric: it is a fact. A pg test mixes both in one number and is a
// fact too.
package llamabench

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/adapter/grid"
)

// New is the adapter of output of llama-bench: tests with their keys as JSON or as
// a CSV header, and the tool's Markdown table.
func New() foreign.Format {
	return foreign.Format{Name: "llamabench", Version: 3, Words: words(), Parts: read,
		Want:   `llama-bench: "avg_ts" with "n_prompt" and "n_gen" in JSON or a CSV header, or a Markdown table with "model", "params", "test" and "t/s"`,
		Claims: func(prefix []byte) bool { return formOf(prefix) != noForm }}
}

// form is one of the ways in which the tool prints.
type form uint8

const (
	noForm form = iota
	formJSON
	formCSV
	formMarkdown
)

func formOf(prefix []byte) form {
	prefix = bytes.TrimPrefix(prefix, []byte("\ufeff"))
	switch {
	case foreign.Mentions(prefix, "avg_ts", "n_prompt", "n_gen"):
		if isHeader(prefix) {
			return formCSV
		}
		n, ok := foreign.Head(prefix)
		if ok && n.Kind == foreign.List && len(n.Items) > 0 {
			n = n.Items[0]
		}
		if ok && isTest(n) {
			return formJSON
		}
	case foreign.Mentions(prefix, "| test", "| params", "t/s |"), foreign.Mentions(prefix, " params |", " test |", "t/s |"):
		for line := range bytes.Lines(prefix) {
			if bytes.HasPrefix(line, []byte("|")) && isMarkdown(strings.Split(string(line), "|")) {
				return formMarkdown
			}
		}
	}
	return noForm
}

func isTest(n foreign.Node) bool {
	return n.Get("n_prompt").Has() && n.Get("n_gen").Has() && n.Get("avg_ts").Kind != foreign.Absent
}

// isHeader reports whether the first line that says something is the CSV header.
func isHeader(prefix []byte) bool {
	line, _, _ := bytes.Cut(prefix, []byte("\n"))
	cells, err := csv.NewReader(bytes.NewReader(line)).Read()
	if err != nil {
		return false
	}
	found := 0
	for _, c := range cells {
		if c == "avg_ts" || c == "n_prompt" || c == "n_gen" {
			found++
		}
	}
	return found == 3
}

func isMarkdown(cells []string) bool {
	found := 0
	for _, c := range cells {
		switch strings.TrimSpace(c) {
		case "model", "size", "params", "test", "t/s":
			found++
		}
	}
	return found == 5
}

// read makes a part of each test.
func read(ctx context.Context, f *foreign.File) (_ []foreign.Part, found []adapter.Diagnostic, err error) {
	prefix, err := f.Source.Prefix()
	if err != nil {
		return nil, nil, err
	}
	t := &tests{file: f}
	switch formOf(prefix) {
	case formCSV:
		err = t.csv(ctx)
	case formMarkdown:
		err = t.markdown(ctx)
	case formJSON, noForm:
		begin := func() foreign.Shape { return foreign.Shape{Rows: map[string]func(foreign.Node) error{"": t.add}} }
		found, err = f.ReadJSON(ctx, foreign.Values{Begin: begin, Each: t.add})
	}
	return t.parts, found, err
}

// mostTests bounds the tests of one file: each is a page.
const mostTests = 10_000

type tests struct {
	file  *foreign.File
	parts []foreign.Part
}

func (t *tests) add(n foreign.Node) error {
	if !isTest(n) {
		return nil
	}
	if len(t.parts) >= mostTests {
		return &adapter.RefusedError{Why: fmt.Sprintf("it has more than %d tests, each of which would be a page", mostTests), Hint: "split the file"}
	}
	t.parts = append(t.parts, t.part(n))
	return nil
}

// csv makes of each row the object that the JSON form has.
func (t *tests) csv(ctx context.Context) error {
	var header []string
	for row, err := range grid.CSV(ctx, t.file, ',') {
		if err != nil {
			return err
		}
		if header == nil {
			header = row.Cells
			continue
		}
		n := foreign.Node{Kind: foreign.Object, Line: row.Line}
		for i, key := range header {
			if cell, ok := row.Cell(i); ok && cell != "" {
				n.Fields = append(n.Fields, foreign.Field{Key: key, Value: foreign.Scalar(cell, row.Line)})
			}
		}
		if err := t.add(n); err != nil {
			return err
		}
	}
	return nil
}
