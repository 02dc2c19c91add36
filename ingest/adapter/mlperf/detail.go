package mlperf

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
)

// mllog marks the lines of a detail log that say something.
const mllog = ":::MLLOG "

// mostMessages bounds the errors and warnings that are kept of a detail log.
const mostMessages = 20

// detail is what mlperf_log_detail.txt says.
type detail struct {
	log
	errors, warnings int64
	messages         []said
	diagnostics      []adapter.Diagnostic
}

// readDetail reads a detail log, of any size: one JSON object a line, of which
// the numbers and words are kept by their keys. Lists (sample indices) are not.
func readDetail(ctx context.Context, file string, r io.Reader) (*detail, error) {
	d := &detail{log: log{entries: map[string]foreign.Node{}}}
	broken := int64(0)
	for line, err := range adapter.TextLines(ctx, r) {
		if err != nil {
			return nil, err
		}
		text, ok := strings.CutPrefix(line.Text, mllog)
		if !ok {
			continue
		}
		d.started = true
		if line.Cut {
			continue // a list of samples
		}
		var m message
		if err := json.Unmarshal([]byte(text), &m); err != nil || m.Key == "" {
			if broken++; broken == 1 {
				d.diagnostics = append(d.diagnostics, adapter.Diagnostic{File: file, Line: line.N, Msg: "a line that is not whole is left out"})
			}
			continue
		}
		d.keep(m, line.N)
	}
	if broken > 1 {
		d.diagnostics = append(d.diagnostics, adapter.Diagnostic{File: file, Msg: fmt.Sprintf("%d lines that are not whole are left out", broken)})
	}
	return d, nil
}

// message is one line of a detail log.
type message struct {
	Key      string          `json:"key"`
	Value    json.RawMessage `json:"value"`
	Metadata struct {
		IsError   bool `json:"is_error"`
		IsWarning bool `json:"is_warning"`
	} `json:"metadata"`
}

func (d *detail) keep(m message, line int64) {
	v := scalar(m.Value)
	v.Line = line
	switch {
	case m.Metadata.IsError:
		d.errors++
		d.remember(m.Key, v)
	case m.Metadata.IsWarning:
		d.warnings++
		d.remember(m.Key, v)
	}
	if _, ok := d.entries[m.Key]; !ok && v.Kind != foreign.Absent && len(d.entries) < mostLabels {
		d.entries[m.Key] = v
	}
}

// scalar is a number, a word or a text; anything else is nothing.
func scalar(raw json.RawMessage) foreign.Node {
	var text string
	switch {
	case len(raw) == 0:
	case raw[0] == '"':
		if json.Unmarshal(raw, &text) == nil {
			return foreign.Node{Kind: foreign.Text, Text: text}
		}
	case raw[0] == 't' || raw[0] == 'f':
		return foreign.Node{Kind: foreign.Bool, Text: string(raw)}
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		return foreign.Node{Kind: foreign.Number, Text: string(raw)}
	}
	return foreign.Node{}
}

func (d *detail) remember(key string, v foreign.Node) {
	if len(d.messages) < mostMessages {
		d.messages = append(d.messages, said{under: key, text: v.Text, line: v.Line})
	}
}
