package vllm

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
)

// heading is the first line of a printed result; SGLang's has it too.
const heading = " Serving Benchmark Result "

// mostBlocks bounds the results of one log: each is a page.
const mostBlocks = 10_000

func isHeading(line string) bool {
	return strings.HasPrefix(line, "====") && strings.Contains(line, heading)
}

func isRule(line string) bool { return len(line) >= 20 && strings.Trim(line, "=") == "" }

// isPrinted reports whether a text has the tool's heading at the beginning of a
// line, and the next line is not SGLang's.
func isPrinted(prefix []byte) bool {
	if !bytes.Contains(prefix, []byte(heading)) {
		return false
	}
	below := false
	for line := range strings.Lines(string(prefix)) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		if below {
			return strings.Contains(line, ":") && !strings.HasPrefix(line, "Backend:")
		}
		below = isHeading(line)
	}
	return false
}

// printed is the dialect of the printed block: labels in the place of keys.
func printed() dialect {
	d := milliseconds()
	d.labels = map[string]string{"completed": "Successful requests", "failed": "Failed requests", "duration": "Benchmark duration (s)", "max_concurrency": "Maximum request concurrency",
		"request_rate": "Request rate configured (RPS)", "burstiness": "Burstiness factor", "total_input_tokens": "Total input tokens", "total_output_tokens": "Total generated tokens",
		"request_throughput": "Request throughput (req/s)", "request_goodput": "Request goodput (req/s)", "output_throughput": "Output token throughput (tok/s)",
		"total_token_throughput": "Total token throughput (tok/s)", "max_concurrent_requests": "Peak concurrent requests"}
	for _, s := range stats() {
		for _, w := range latencyWords() {
			d.labels[s.Key+"_"+w+d.suffix] = strings.ToUpper(s.Key[:1]) + s.Key[1:] + " " + strings.ToUpper(w) + " (ms)"
		}
	}
	return d
}

// readPrinted reads the blocks of a log. What the tool printed of its load before
// a block, since the last one, belongs to it; all other lines are left out.
func readPrinted(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	b := blocks{before: map[string]foreign.Node{}}
	for l, err := range adapter.TextLines(ctx, f) {
		if err != nil {
			return nil, nil, err
		}
		if err := b.line(strings.TrimSpace(l.Text), l.N); err != nil {
			return nil, nil, err
		}
	}
	var found []adapter.Diagnostic
	if b.open {
		found = append(found, adapter.Diagnostic{File: f.Name(), Line: b.all[len(b.all)-1].Line, Msg: "the result that begins here does not end: it has what was printed of it"})
	}
	if b.others > 0 {
		found = append(found, adapter.Diagnostic{File: f.Name(), Msg: fmt.Sprintf("%d lines outside of the printed results are left out", b.others)})
	}
	var parts []foreign.Part
	for _, n := range b.all {
		d := printed()
		if total := "Total Token throughput (tok/s)"; n.Get(total).Has() { // until 2025
			d.labels["total_token_throughput"] = total
		}
		p, err := online(f, d, n, &columns{})
		if err != nil {
			return nil, found, err
		}
		parts = append(parts, p)
	}
	return foreign.Numbered(parts), found, nil
}

// blocks are the results of a log while it is read.
type blocks struct {
	all    []foreign.Node
	before map[string]foreign.Node // what was printed of the load since the last block
	open   bool
	others int
}

func (b *blocks) line(text string, number int64) error {
	switch {
	case isHeading(text):
		if len(b.all) == mostBlocks {
			return &adapter.RefusedError{Why: fmt.Sprintf("it has more than %d results, each of which would be a page", mostBlocks), Hint: "split the log"}
		}
		b.begin(number)
		return nil
	case b.open && isRule(text):
		b.open = false
		return nil
	case text == "":
		return nil
	}
	label, value, ok := strings.Cut(text, ":")
	n := foreign.Scalar(strings.TrimSpace(value), number)
	switch {
	case b.open && ok && len(label) < mostLabel:
		b.put(label, n)
	case b.open: // a heading between dashes
	case ok && b.isLoad(label):
		b.before[label] = n
	default:
		b.others++
	}
	return nil
}

// mostLabel is the longest label of a line, in bytes; the tool pads to 40.
const mostLabel = 80

// begin opens a block with what was printed of its load.
func (b *blocks) begin(line int64) {
	n := foreign.Node{Kind: foreign.Object, Line: line}
	for _, label := range []string{"Traffic request rate", "Burstiness factor", "Maximum request concurrency"} {
		v, ok := b.before[label]
		if !ok {
			continue
		}
		switch label {
		case "Traffic request rate":
			label = "Request rate configured (RPS)"
		case "Burstiness factor": // "1.0 (Poisson process)"
			v.Text, _, _ = strings.Cut(v.Text, " ")
		case "Maximum request concurrency":
			if v.Text == "None" {
				v = foreign.Node{Kind: foreign.Null, Line: v.Line}
			}
		}
		n.Fields = append(n.Fields, foreign.Field{Key: label, Value: v})
	}
	b.all, b.open = append(b.all, n), true
	clear(b.before)
}

func (b *blocks) isLoad(label string) bool {
	return label == "Traffic request rate" || label == "Burstiness factor" || label == "Maximum request concurrency"
}

// put adds a line to the open block; what the block itself says goes before what
// was printed earlier.
func (b *blocks) put(label string, n foreign.Node) {
	at := &b.all[len(b.all)-1]
	for i := range at.Fields {
		if at.Fields[i].Key == label {
			at.Fields[i].Value = n
			return
		}
	}
	if len(at.Fields) < foreign.MostRest {
		at.Fields = append(at.Fields, foreign.Field{Key: label, Value: n})
	}
}
