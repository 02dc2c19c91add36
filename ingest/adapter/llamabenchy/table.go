package llamabenchy

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/adapter/grid"
	"benchline/ingest/measure"
)

// mostRecords bounds the records of one page.
const mostRecords = 10_000

// row is a row of the tool's table: "pp4096 @ d8192 (c10)".
type row struct {
	cells       map[string]string
	line        int64
	kind        string // "pp" or "tg"
	tokens, at  string
	concurrency string
	context     bool // the row is about filling the context
}

func parseRow(header []string, r grid.Row) (row, bool) {
	out := row{cells: map[string]string{}, line: r.Line}
	for i, key := range header {
		out.cells[key], _ = r.Cell(i)
	}
	m := regexp.MustCompile(`^(ctx_)?(pp|tg)([0-9]{0,9})(?: @ d([0-9]{1,9}))?(?: \(c([0-9]{1,6})\))?$`).FindStringSubmatch(out.cells["test"])
	if m == nil {
		return out, false
	}
	out.context, out.kind, out.tokens, out.at, out.concurrency = m[1] != "", m[2], m[3], m[4], m[5]
	return out, true
}

// table reads the Markdown form.
func table(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	tables, err := grid.Markdown(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	var parts []foreign.Part
	var found []adapter.Diagnostic
	for _, t := range tables {
		if !isHeader(t.Header) {
			continue
		}
		var open *row
		flush := func(tg *row) {
			if open != nil || tg != nil {
				parts = append(parts, joined(f, open, tg, len(parts)+1))
			}
			open = nil
		}
		for _, r := range t.Rows {
			w, ok := parseRow(t.Header, r)
			switch {
			case len(parts) > mostRecords:
				return nil, found, &adapter.RefusedError{Why: fmt.Sprintf("it has more than %d results, each of which would be a page", mostRecords)}
			case !ok:
				found = append(found, adapter.Diagnostic{File: f.Name(), Line: r.Line, Msg: "a row whose test is not known is left out"})
			case w.kind == "tg" && open != nil && open.concurrency == w.concurrency && open.context == w.context && open.at == w.at:
				flush(&w)
			case w.kind == "tg":
				flush(nil)
				flush(&w)
			default:
				flush(nil)
				open = &w
			}
		}
		flush(nil)
	}
	return parts, found, nil
}

// joined makes the record of a row of the prompt and a row of the answer; either
// may be missing.
func joined(f *foreign.File, pp, tg *row, number int) foreign.Part {
	some := pp
	if some == nil {
		some = tg
	}
	d := draft(f, foreign.Scalar(some.concurrency, some.line))
	r := &d.Record
	r.Subject.Model = d.Text("model", foreign.Node{Kind: foreign.Text, Text: some.cells["model"], Line: some.line})
	var words []string
	if pp != nil {
		words = append(words, pp.cells["test"])
		r.Workload.InputTokensAsked = d.Count("test", foreign.Scalar(pp.tokens, pp.line))
		cell(d, pp, "e2e_ttft (ms)", "ttft_mean", "e2e_ttft", "ms")
		for _, key := range []string{"t/s (total)", "t/s (req)", "ttfr (ms)", "est_ppt (ms)"} {
			fact(d, pp, key)
		}
	}
	if tg != nil {
		words = append(words, tg.cells["test"])
		r.Workload.OutputTokensAsked = d.Count("test", foreign.Scalar(tg.tokens, tg.line))
		cell(d, tg, "t/s (total)", "output_token_rate", "tg_throughput", "tokens/s")
		for _, key := range []string{"t/s (req)", "peak t/s", "peak t/s (req)"} {
			fact(d, tg, key)
		}
	}
	if pp != nil && tg != nil {
		d.FactText("joined", fmt.Sprintf("lines %d and %d", pp.line, tg.line), "by the order of the rows: nothing else says which belong together")
	}
	if some.at != "" {
		d.FactText("context_size", some.at, "“test” in the file")
	}
	return foreign.Part{Draft: d, Part: fmt.Sprintf("run %d", number), Title: "llama-benchy " + strings.Join(words, " and ")}
}

// cell claims the mean of a cell "mean ± deviation".
func cell(d *foreign.Draft, r *row, key string, id measure.MetricID, word, unit string) {
	mean, dev, _ := strings.Cut(r.cells[key], "±")
	claim(d, id, word, key+" of "+r.cells["test"], unit, foreign.Scalar(strings.TrimSpace(mean), r.line))
	if dev = strings.TrimSpace(dev); dev != "" {
		d.FactText("± of "+key+", "+r.kind+", "+unit, dev, "the cell in the file: standard deviation over the repetitions' values")
	}
}

func fact(d *foreign.Draft, r *row, key string) {
	if text := r.cells[key]; text != "" {
		d.FactText(key+", "+r.kind, text, "the cell of "+r.cells["test"]+" in the file")
	}
}
