package sglang

import (
	"fmt"
	"iter"
	"math"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/measure"
	"benchline/ingest/summarize"
	"benchline/runner/reqlog"
)

// columns are the arrays of --output-details, one item a request.
type columns struct {
	ttfts, rest []float64 // seconds; NaN: no usable number
	failed      []bool
	inputs      []int64
	odd         int
}

// mostSeconds is the largest time that is taken: nanoseconds of more do not fit.
const mostSeconds = 4e9

func (c *columns) shape() foreign.Shape {
	return foreign.Shape{Skip: []string{"generated_texts", "output_lens"}, Rows: map[string]func(foreign.Node) error{
		"ttfts": func(n foreign.Node) error {
			c.ttfts = append(c.ttfts, c.seconds(n))
			return nil
		},
		"itls": func(n foreign.Node) error {
			sum := 0.0
			for _, item := range n.Items {
				sum += c.seconds(item)
			}
			c.rest = append(c.rest, sum)
			return nil
		},
		"errors": func(n foreign.Node) error { c.failed = append(c.failed, n.Has() && n.Text != ""); return nil },
		"input_lens": func(n foreign.Node) error {
			i, ok := n.Int()
			if !ok || i < 0 {
				i = -1
			}
			c.inputs = append(c.inputs, i)
			return nil
		},
	}}
}

func (c *columns) seconds(n foreign.Node) float64 {
	x, ok := n.Float()
	if !ok || x < 0 || x > mostSeconds {
		c.odd++
		return math.NaN()
	}
	return x
}

// recompute computes what the arrays allow: the first token, and the last one
// as the first plus all gaps.
func (x draft) recompute(c *columns) error {
	n := len(c.ttfts)
	if n == 0 {
		return nil
	}
	if len(c.rest) != n || len(c.failed) > 0 && len(c.failed) != n || len(c.inputs) > 0 && len(c.inputs) != n {
		x.Note(x.n.Line, "the per-request arrays have different lengths: nothing is computed from them")
		return nil
	}
	if completed, ok := x.n.Get("completed").Int(); len(c.failed) == 0 && (!ok || completed != int64(n)) {
		x.Note(x.n.Line, "the file does not say which of the requests failed: nothing is computed from its arrays")
		return nil
	}
	if c.odd > 0 {
		x.Note(x.n.Line, fmt.Sprintf("%d items of the per-request arrays are no usable times and are left out", c.odd))
	}
	f, err := summarize.Rows(c.rows(), summarize.Foreign{Latencies: []measure.MetricID{"ttft", "e2e"},
		Events: "Computed from the file's per-request arrays; the first token is the tool's first chunk with text, the last one is that plus all of the tool's gaps, and a request without text has no value.",
		From:   "counted from the per-request arrays of the file"})
	if err != nil {
		return err
	}
	for _, v := range f.Values {
		x.Recomputed(v)
	}
	x.Record.Distributions = f.Distributions
	return nil
}

func (c *columns) rows() iter.Seq2[reqlog.Row, error] {
	return func(yield func(reqlog.Row, error) bool) {
		for i, ttft := range c.ttfts {
			sent := int64(0)
			r := reqlog.Row{Seq: int64(i), Phase: reqlog.MeasurePhase, Attempts: 1, Outcome: reqlog.Completed, SentNS: &sent}
			if len(c.failed) > 0 && c.failed[i] {
				r.Outcome = reqlog.Failed
			} else if last := ttft + c.rest[i]; ttft > 0 && last <= mostSeconds {
				first, end := int64(math.Round(ttft*1e9)), int64(math.Round(last*1e9))
				r.FirstTokenNS, r.LastTokenNS, r.EndNS = &first, &end, &end
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}
