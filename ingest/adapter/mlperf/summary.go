package mlperf

import (
	"context"
	"io"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
)

// The headings of a LoadGen summary.
const (
	headResults = "MLPerf Results Summary"
	headStats   = "Additional Stats"
	headParams  = "Test Parameters Used"
)

// log is what a LoadGen file says, by label: the lines of a summary, or the
// keys of a detail log.
type log struct {
	entries map[string]foreign.Node
	// said are lines that are no "label : value": warnings, early stopping.
	said []said
	// started reports whether the file's first heading was there.
	started bool
}

type said struct {
	under, text string
	line        int64
}

func (l *log) get(label string) foreign.Node { return l.entries[label] }

// put keeps the first value of a label; LoadGen prints one of them twice.
func (l *log) put(label, value string, line int64) {
	if _, ok := l.entries[label]; ok || len(l.entries) >= mostLabels {
		return
	}
	n := foreign.Node{Kind: foreign.Text, Text: value, Line: line}
	if n.IsNumber() {
		n.Kind = foreign.Number
	}
	l.entries[label] = n
}

// The bounds of what is kept of a file: other lines, and labels.
const (
	mostSaid   = 200
	mostLabels = 2000
)

// readSummary reads mlperf_log_summary.txt. Labels of the parameters are kept
// under "param ": they are what was asked for.
func readSummary(ctx context.Context, r io.Reader) (*log, error) {
	l := &log{entries: map[string]foreign.Node{}}
	section, under := "", ""
	for line, err := range adapter.TextLines(ctx, r) {
		if err != nil {
			return nil, err
		}
		text := strings.TrimSpace(line.Text)
		label, value, ok := strings.Cut(text, ":")
		label, value = strings.TrimSpace(label), strings.TrimSpace(value)
		switch {
		case text == "" || strings.Trim(text, "=") == "":
		case text == headResults || text == headStats || text == headParams:
			section, l.started = text, true
		case !l.started:
		case ok && value == "": // "TTFT Early Stopping Result:"
			under = label
		case !ok || strings.HasPrefix(text, "*") || label == "WARNING":
			if !strings.HasPrefix(text, "*") {
				under = ""
			}
			if len(l.said) < mostSaid {
				l.said = append(l.said, said{under: under, text: text, line: line.N})
			}
		case section == headParams:
			l.put("param "+label, value, line.N)
		default:
			l.put(label, value, line.N)
		}
	}
	return l, nil
}
