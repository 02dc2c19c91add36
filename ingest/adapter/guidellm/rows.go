package guidellm

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

// kind is the split that a request stands in.
type kind uint8

const (
	succeeded kind = iota
	errored
	incomplete
)

// request is what is kept of one: seconds since 1970, NaN where there is none.
type request struct {
	start, firstIteration, firstToken, lastToken, end float64
	iterations, tokenIterations                       int64 // −1: not there
	in, out                                           int64 // −1: not there
	kind                                              kind
}

// requestOf reads a request; false: it has no usable start.
func requestOf(n foreign.Node, k kind) (request, bool) {
	t := n.Get("info", "timings")
	if !t.Has() {
		t = n.Get("scheduler_info", "request_timings")
	}
	r := request{kind: k, start: moment(t.Get("request_start"), n.Get("request_start_time")), firstIteration: moment(t.Get("first_request_iteration")),
		firstToken: moment(t.Get("first_token_iteration"), t.Get("first_iteration"), n.Get("first_token_time")),
		lastToken:  moment(t.Get("last_token_iteration"), t.Get("last_iteration"), n.Get("last_token_time")),
		end:        moment(t.Get("request_end"), n.Get("request_end_time")),
		iterations: count(t.Get("request_iterations")), tokenIterations: count(t.Get("token_iterations")),
		in: count(n.Get("prompt_tokens")), out: count(n.Get("output_tokens"))}
	return r, !math.IsNaN(r.start)
}

// moment is the first of the values that is a time since 1970.
func moment(ns ...foreign.Node) float64 {
	for _, n := range ns {
		if x, ok := n.Float(); ok && x > 1e8 && x < 1e11 {
			return x
		}
	}
	return math.NaN()
}

func count(n foreign.Node) int64 {
	if i, ok := n.Int(); ok && i >= 0 {
		return i
	}
	return -1
}

// others is how many iterations of a stream hold no token with a tool that takes
// every token for one: a role, an end, a count of tokens.
const others = 3

// skips reports whether the tool left out iterations that hold tokens.
func (b benchmark) skips() bool {
	for _, r := range b.rows {
		if r.kind == succeeded && r.tokenIterations >= 0 && r.iterations > r.tokenIterations+others && !math.IsNaN(r.firstIteration) && r.out > r.tokenIterations+others {
			return true
		}
	}
	return false
}

// recompute computes what the requests allow. Rates only where all requests are
// there: a report may hold a sample of them.
func (x draft) recompute(b benchmark) error {
	if len(b.rows) == 0 {
		return nil
	}
	if b.odd > 0 {
		x.Note(x.n.Line, fmt.Sprintf("%d requests without a usable start are in the counts alone", b.odd))
	}
	total, ok := x.Record.Outcomes.Sent.Get()
	whole := ok && total == int64(len(b.rows)) && b.odd == 0
	if !whole {
		x.Note(x.n.Line, fmt.Sprintf("the report holds %d of its requests: latencies are of these, and no rate is computed", len(b.rows)))
	}
	skips := b.skips()
	events := "Computed from the requests in the file; the first and last token are the iterations that the tool took for tokens."
	if skips {
		events = "Computed from the requests in the file. The tool left out iterations of the stream that hold tokens (it took fewer for tokens than there are output tokens), so the first token is the stream's first iteration, which may hold a role and no token; the last token is the last iteration that the tool took for one."
		x.Gap("first token of the tool", "the tool's time to first token begins the count at a later token: it took fewer iterations of the stream for tokens than there are output tokens, as it does with reasoning")
	}
	f, err := summarize.Rows(b.log(skips), summarize.Foreign{Latencies: []measure.MetricID{"ttft", "tpot", "e2e"}, Clock: whole, Events: events, From: "counted from the requests in the file"})
	if err != nil {
		return err
	}
	for _, v := range f.Values {
		x.Recomputed(v)
	}
	x.Record.Distributions = f.Distributions
	if whole && f.Ledger.Failed > 0 {
		x.Record.Errors = []evidence.ErrorClass{{Outcome: string(reqlog.Failed), Class: "errored; its text is not kept", N: f.Ledger.Failed}}
	}
	return nil
}

// log is the requests as rows of a log.
func (b benchmark) log(skips bool) iter.Seq2[reqlog.Row, error] {
	base := math.Inf(1)
	for _, r := range b.rows {
		if !math.IsNaN(r.start) {
			base = min(base, r.start)
		}
	}
	return func(yield func(reqlog.Row, error) bool) {
		for i, r := range b.rows {
			if math.IsNaN(r.start) {
				continue
			}
			if !yield(r.row(int64(i), base, skips), nil) {
				return
			}
		}
	}
}

func (r request) row(seq int64, base float64, skips bool) reqlog.Row {
	at := func(t float64) *int64 {
		if math.IsNaN(t) || math.Abs(t-base) > 1e9 {
			return nil
		}
		ns := int64(math.Round((t - base) * 1e9))
		return &ns
	}
	row := reqlog.Row{Seq: seq, Phase: reqlog.MeasurePhase, Attempts: 1, SentNS: at(r.start), EndNS: at(r.end), FirstTokenNS: at(r.firstToken), LastTokenNS: at(r.lastToken),
		TokenSource: tool + ": usage, else iterations"}
	if row.SentNS != nil {
		row.DueNS = *row.SentNS
	}
	if skips {
		row.FirstTokenNS = at(r.firstIteration)
	}
	row.Outcome = map[kind]reqlog.Outcome{succeeded: reqlog.Completed, errored: reqlog.Failed, incomplete: reqlog.Unresolved}[r.kind]
	if r.in >= 0 {
		row.InputTokens = &r.in
	}
	if r.out >= 0 {
		row.OutputTokens = &r.out
	}
	row.Chunks = int32(max(0, min(r.iterations, math.MaxInt32))) //nolint:gosec // bounded by the line itself
	return row
}
