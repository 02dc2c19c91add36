package trtllm

import (
	"context"
	"io"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
)

// block is one report of the tool: the lines of its sections by their labels.
type block struct {
	entries map[string]foreign.Node
	heads   map[string]bool
	line    int64 // where it begins
}

func newBlock(line int64) *block {
	return &block{entries: map[string]foreign.Node{}, heads: map[string]bool{}, line: line}
}

func (b *block) get(label string) foreign.Node { return b.entries[label] }

// The bounds of what is kept of a file.
const (
	mostBlocks = 1000
	mostLabels = 500
)

// overview is the section with the results; a block without it has none.
const overview = "PERFORMANCE OVERVIEW"

// readBlocks reads the reports of a console log. A section is a line "= NAME"
// below a line of "="; what stands outside of sections is the program's log. A
// section that comes again begins the next report.
func readBlocks(ctx context.Context, r io.Reader) ([]*block, error) {
	var out []*block
	var now *block
	ruled, open := false, false
	for l, err := range adapter.TextLines(ctx, r) {
		if err != nil {
			return nil, err
		}
		text := strings.TrimSpace(l.Text)
		if len(text) >= 20 && strings.Trim(text, "=") == "" {
			ruled = true
			continue
		}
		name, isHead := strings.CutPrefix(text, "= ")
		switch {
		case ruled && isHead:
			name = strings.TrimSpace(name)
			if now == nil || now.heads[name] {
				if len(out) == mostBlocks {
					return out, nil
				}
				now = newBlock(l.N)
				out = append(out, now)
			}
			now.heads[name], open = true, true
		case ruled && text == "": // the rule below the last section
			ruled = false
		case isLog(text):
			open = false
		case now != nil && open:
			now.put(text, l.N)
		}
		ruled = ruled && isHead
	}
	return out, nil
}

// isLog reports whether a line is the program's log: "[TRT-LLM] [I] …" or one
// that begins with a time.
func isLog(text string) bool {
	return strings.HasPrefix(text, "[TensorRT-LLM]") || strings.Contains(text, "] [TRT-LLM] [")
}

func (b *block) put(text string, line int64) {
	label, value, ok := strings.Cut(text, ":")
	label, value = strings.Join(strings.Fields(label), " "), strings.TrimSpace(value)
	if !ok || label == "" || len(b.entries) >= mostLabels {
		return
	}
	if _, ok := b.entries[label]; ok {
		return
	}
	b.entries[label] = foreign.Scalar(value, line)
}
