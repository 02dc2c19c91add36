package vllm

import (
	"fmt"
	"iter"
	"math"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/ingest/summarize"
	"benchline/runner/reqlog"
)

// columns are the arrays of --save-detailed, one item a request.
type columns struct {
	inputs, outputs []int64 // −1: no count
	ttfts, starts   []float64
	latencies       []float64
	failed          []bool              // by errors
	gaps            summarize.Durations // of all requests, one after another
	gapsOf          []int32             // how many of them each request has
	odd             int                 // items that are not what they should be
}

// shape hands the arrays over item by item, and leaves texts unread.
func (c *columns) shape() foreign.Shape {
	count := func(to *[]int64) func(foreign.Node) error {
		return func(n foreign.Node) error {
			i, ok := n.Int()
			if !ok || i < 0 {
				i = -1
				c.odd++
			}
			*to = append(*to, i)
			return nil
		}
	}
	seconds := func(to *[]float64) func(foreign.Node) error {
		return func(n foreign.Node) error {
			x, ok := n.Float()
			if !ok || math.Abs(x) > mostSeconds {
				x = math.NaN()
				c.odd++
			}
			*to = append(*to, x)
			return nil
		}
	}
	return foreign.Shape{Skip: []string{"generated_texts"}, Rows: map[string]func(foreign.Node) error{
		"input_lens": count(&c.inputs), "output_lens": count(&c.outputs), "ttfts": seconds(&c.ttfts), "start_times": seconds(&c.starts),
		"latencies": seconds(&c.latencies),
		"errors":    func(n foreign.Node) error { c.failed = append(c.failed, n.Text != "" && n.Has()); return nil },
		"itls": func(n foreign.Node) error {
			kept := int32(0)
			for _, item := range n.Items {
				x, ok := item.Float()
				if !ok || x < 0 || x >= mostSeconds {
					c.odd++
					continue
				}
				if err := c.gaps.Add(ns(x)); err != nil {
					return err
				}
				kept++
			}
			c.gapsOf = append(c.gapsOf, kept)
			return nil
		}}}
}

// mostSeconds is the largest time that is taken from an array: nanoseconds of
// more do not fit.
const mostSeconds = 9e9

// usable says why the arrays can't be computed from; empty: they can.
func (c *columns) usable(completed int64, known bool) string {
	n := len(c.ttfts)
	switch {
	case n == 0:
		return "none"
	case len(c.outputs) != n, len(c.inputs) > 0 && len(c.inputs) != n, len(c.starts) > 0 && len(c.starts) != n, len(c.gapsOf) > 0 && len(c.gapsOf) != n,
		len(c.latencies) > 0 && len(c.latencies) != n, len(c.failed) > 0 && len(c.failed) != n:
		return "the per-request arrays have different lengths"
	case len(c.gapsOf) == 0 && len(c.latencies) == 0:
		return "the per-request arrays hold neither gaps nor latencies, so that no request has an end"
	case len(c.failed) == 0 && (!known || completed != int64(n)):
		return "the file does not say which of the requests failed"
	}
	return ""
}

// recompute computes what the arrays allow under our definitions. The tool's
// own figures stay beside.
func (x draft) recompute(c *columns) error {
	completed, known := x.get("completed").Int()
	why := c.usable(completed, known)
	if why == "none" {
		return nil
	}
	if why != "" {
		x.Note(x.n.Line, why+": nothing is computed from them")
		return nil
	}
	if c.odd > 0 {
		x.Note(x.n.Line, fmt.Sprintf("%d items of the per-request arrays are no usable numbers and are left out", c.odd))
	}
	f, err := summarize.Rows(c.rows(), summarize.Foreign{
		Latencies: []measure.MetricID{"ttft", "tpot", "e2e"}, Gaps: len(c.gapsOf) > 0, Clock: len(c.starts) > 0,
		Events: "Computed from the file's per-request arrays; the first token is the tool's first chunk with choices, which may hold a role and no token, and the start is after the wait for a free slot.",
		From:   "counted from the per-request arrays of the file"})
	if err != nil {
		return err
	}
	for _, v := range f.Values {
		x.Recomputed(v)
	}
	x.Record.Distributions = f.Distributions
	x.Record.Workload.InputTokens, x.Record.Workload.OutputTokens = f.Inputs, f.Outputs
	if f.Ledger.Failed > 0 {
		x.Record.Errors = []evidence.ErrorClass{{Outcome: string(reqlog.Failed), Class: "error of the tool's client or of the endpoint; its text is not kept", N: f.Ledger.Failed}}
	}
	return nil
}

// rows are the requests as rows of a log. Where there are no start times, each
// begins at 0.
func (c *columns) rows() iter.Seq2[reqlog.Row, error] {
	first := math.Inf(1)
	for _, s := range c.starts {
		if !math.IsNaN(s) {
			first = min(first, s)
		}
	}
	return func(yield func(reqlog.Row, error) bool) {
		all := c.gaps.Reader()
		for i := range c.ttfts {
			gaps, err := c.next(all, i)
			if err != nil {
				yield(reqlog.Row{}, err)
				return
			}
			if !yield(c.row(i, first, gaps), nil) {
				return
			}
		}
	}
}

// next are the gaps of the next request.
func (c *columns) next(all *summarize.DurationReader, i int) ([]int64, error) {
	if len(c.gapsOf) == 0 {
		return nil, nil
	}
	gaps := make([]int64, c.gapsOf[i])
	for k := range gaps {
		var err error
		if gaps[k], err = all.Next(); err != nil {
			return nil, fmt.Errorf("reading gaps again: %w", err)
		}
	}
	return gaps, nil
}

func (c *columns) row(i int, first float64, gaps []int64) reqlog.Row {
	r := reqlog.Row{Seq: int64(i), Phase: reqlog.MeasurePhase, Attempts: 1, Outcome: reqlog.Completed, TokenSource: tool}
	sent := int64(0)
	if len(c.starts) > 0 && !math.IsNaN(c.starts[i]) {
		sent = ns(c.starts[i] - first)
	}
	r.DueNS, r.SentNS = sent, &sent
	if len(c.failed) > 0 && c.failed[i] {
		r.Outcome = reqlog.Failed
		return r
	}
	if len(c.inputs) > 0 && c.inputs[i] >= 0 {
		r.InputTokens = &c.inputs[i]
	}
	if c.outputs[i] >= 0 {
		r.OutputTokens = &c.outputs[i]
	}
	ttft := c.ttfts[i]
	if math.IsNaN(ttft) || ttft <= 0 { // the tool's 0 is "no chunk"
		return r
	}
	latency := ttft
	if len(c.gapsOf) > 0 {
		r.ChunkGapsNS, r.GapsRecorded = gaps, true
		r.Chunks = int32(min(len(r.ChunkGapsNS)+1, math.MaxInt32)) //nolint:gosec // bounded by the line itself
		for _, g := range r.ChunkGapsNS {
			latency += float64(g) / 1e9
		}
	}
	if len(c.latencies) > 0 && !math.IsNaN(c.latencies[i]) {
		latency = c.latencies[i]
	}
	if latency >= mostSeconds {
		return r
	}
	at, end := sent+ns(ttft), sent+ns(latency)
	r.FirstTokenNS, r.LastTokenNS, r.EndNS = &at, &end, &end
	return r
}

func ns(seconds float64) int64 { return int64(math.Round(seconds * 1e9)) }
