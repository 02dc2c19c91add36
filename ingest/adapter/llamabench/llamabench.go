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
	"io"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/adapter/grid"
)

// Version is the version of what this adapter makes of a file.
const Version = 2

// Adapter reads output of llama-bench. The zero Adapter is ready to use.
type Adapter struct{}

var (
	_ adapter.Adapter = Adapter{}
	_ adapter.Definer = Adapter{}
	_ adapter.Beside  = Adapter{}
)

// ID is "llamabench" and [Version].
func (Adapter) ID() adapter.ID { return adapter.ID{Name: "llamabench", Version: Version} }

// Companions is import.toml.
func (Adapter) Companions() []string { return []string{foreign.ImportName} }

// form is one of the ways in which the tool prints.
type form uint8

const (
	noForm form = iota
	formJSON
	formCSV
	formMarkdown
)

// Sniff claims tests with their keys as JSON or as a CSV header, and the tool's
// Markdown table.
func (Adapter) Sniff(prefix []byte, _ string) adapter.Match {
	return adapter.Match{Is: formOf(prefix) != noForm, Want: `"avg_ts" with "n_prompt" and "n_gen" in JSON or a CSV header, or a Markdown table with "model", "params", "test" and "t/s"`}
}

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

// Read yields a record a test.
func (a Adapter) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	return foreign.ReadParts(ctx, s, a.ID(), sink, func(f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
		prefix, err := s.Prefix()
		if err != nil {
			return nil, nil, err
		}
		t := &tests{a: a, file: f}
		var found []adapter.Diagnostic
		switch formOf(prefix) {
		case formCSV:
			err = t.csv(ctx, f)
		case formMarkdown:
			err = t.markdown(ctx, f)
		case formJSON, noForm:
			found, err = t.json(ctx, f)
		}
		return t.parts, found, err
	})
}

// mostTests bounds the tests of one file: each is a page.
const mostTests = 10_000

type tests struct {
	a     Adapter
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

func (t *tests) json(ctx context.Context, r io.Reader) ([]adapter.Diagnostic, error) {
	begin := func() foreign.Shape { return foreign.Shape{Rows: map[string]func(foreign.Node) error{"": t.add}} }
	return foreign.ReadJSON(ctx, t.file.Name(), r, foreign.Values{Begin: begin, Each: t.add})
}

// csv makes of each row the object that the JSON form has.
func (t *tests) csv(ctx context.Context, r io.Reader) error {
	var header []string
	for row, err := range grid.CSV(ctx, r, ',') {
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
				n.Fields = append(n.Fields, foreign.Field{Key: key, Value: scalar(cell, row.Line)})
			}
		}
		if err := t.add(n); err != nil {
			return err
		}
	}
	return nil
}

func scalar(text string, line int64) foreign.Node {
	n := foreign.Node{Kind: foreign.Text, Text: text, Line: line}
	if n.IsNumber() {
		n.Kind = foreign.Number
	}
	return n
}
