package inferenceperf

import (
	"context"
	"fmt"
	"math"
	"slices"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/ingest/summarize"
	"benchline/runner/reqlog"
)

// isList reports whether a file begins as the list of requests does. A prompt
// may be longer than what is looked at, so that what stands behind it is not
// asked for.
func isList(prefix []byte) bool {
	if !foreign.Mentions(prefix, `"start_time"`, `"end_time"`, `"request"`) {
		return false
	}
	n, ok := foreign.Head(prefix)
	if !ok || n.Kind != foreign.List || len(n.Items) == 0 {
		return false
	}
	first := n.Items[0]
	return first.Get("start_time").IsNumber() && first.Get("end_time").IsNumber() && first.Get("request").Kind != foreign.Absent
}

// requests are the rows of the list as rows of a log.
type requests struct {
	draft  *foreign.Draft
	n      int64
	base   float64 // the first start; all times are from it
	unary  int64   // completed requests without times of tokens
	extra  int64   // completed requests with more times than tokens
	errors map[string]int64
}

// readRequests computes a record from the list of requests, row by row.
func readRequests(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	r := requests{draft: foreign.NewDraft(f, tool), errors: map[string]int64{}}
	rows, found := foreign.Stream(ctx, f, listed, r.row)
	figures, err := summarize.Rows(rows, summarize.Foreign{Latencies: []measure.MetricID{"ttft", "tpot", "e2e"}, Clock: true,
		Events: "Computed from the file's list of requests; the first and the last token are the first and the last line of the stream that the tool stamped, and the start is when the worker started the request, not when it was due.",
		From:   "counted in the file's list of requests"})
	if err != nil {
		return nil, *found, fmt.Errorf("%s: %w", f.Name(), err)
	}
	if r.n == 0 {
		return nil, *found, &adapter.RefusedError{Why: "there is no request in it"}
	}
	r.fill(figures)
	return []foreign.Part{{Draft: r.draft, Title: r.draft.FileTitle(f, measure.FormatCount(r.n)+" requests")}}, *found, nil
}

// listed is where requests stand: in a list, with texts that are read over.
func listed(each func(foreign.Node) error) foreign.Values {
	shape := foreign.Shape{Skip: []string{"*.request", "*.response", "*.info.response_metrics.response_chunks", "*.info.response_metrics.chunk_times"},
		Rows: map[string]func(foreign.Node) error{"": each}}
	return foreign.Values{Begin: func() foreign.Shape { return shape }, Each: func(foreign.Node) error { return nil }}
}

// mostSeconds is the longest time from the first start that is taken:
// nanoseconds of more do not fit.
const mostSeconds = 4e9

// row is one request; false: it is none.
func (r *requests) row(n foreign.Node) (reqlog.Row, bool) {
	start, ok := n.Get("start_time").Float()
	if r.n == 0 && ok {
		r.base = start
	}
	if !ok || math.Abs(start-r.base) > mostSeconds {
		r.draft.Note(n.Line, "a request without a usable start is left out")
		return reqlog.Row{}, false
	}
	r.n++
	at := func(t foreign.Node) *int64 {
		x, ok := t.Float()
		if !ok || x < start || x-r.base > mostSeconds {
			return nil
		}
		ns := int64(math.Round((x - r.base) * 1e9))
		return &ns
	}
	row := reqlog.Row{Seq: r.n, Phase: reqlog.MeasurePhase, Attempts: 1, Outcome: reqlog.Completed, SentNS: at(n.Get("start_time")), EndNS: at(n.Get("end_time")), TokenSource: counted}
	row.DueNS = *row.SentNS
	if fault := n.Get("error"); fault.Has() {
		row.Outcome = reqlog.Failed
		r.fault(fault)
		return row, true
	}
	info := n.Get("info")
	answer := info
	if m := info.Get("response_metrics"); m.IsObject() { // since 0.6
		answer = m
	}
	row.InputTokens, row.OutputTokens = countOf(info.Get("input_tokens")), countOf(answer.Get("output_tokens"))
	times := answer.Get("output_token_times").Items
	if len(times) == 0 {
		r.unary++
		row.LastTokenNS = row.EndNS // all of the answer came at once
		return row, true
	}
	row.FirstTokenNS, row.LastTokenNS = at(times[0]), at(times[len(times)-1])
	if row.OutputTokens != nil && int64(len(times)) > *row.OutputTokens {
		r.extra++
	}
	return row, true
}

func countOf(n foreign.Node) *int64 {
	i, ok := n.Int()
	if !ok || i < 0 {
		return nil
	}
	return &i
}

// mostClasses bounds the classes of errors that are told apart.
const mostClasses = 50

func (r *requests) fault(n foreign.Node) {
	kind, ok := r.draft.Text("error_type", n.Get("error_type")).Get()
	if _, known := r.errors[kind]; !ok || !known && len(r.errors) >= mostClasses {
		kind = "others"
	}
	r.errors[kind]++
}

// fill puts what the rows gave into the record.
func (r *requests) fill(f summarize.Figures) {
	rec := &r.draft.Record
	const from = "counted in the file's list of requests; one that was cancelled when a stage ended is in no report of the tool"
	rec.Subject.Tool = evidence.Derived(tool, "the keys of the file are those of its list of requests")
	rec.Subject.Started = evidence.NotStated[string]("the times of the list are those of a clock that begins anywhere")
	rec.Outcomes.Sent = evidence.NotStated[int64]("the list has the requests that ended; one that was cancelled when a stage ended is in no report of the tool")
	rec.Outcomes.Unresolved = evidence.NotStated[int64]("requests that are cancelled when a stage ends are in no report of the tool")
	rec.Outcomes.Completed, rec.Outcomes.Failed = evidence.Derived(f.Ledger.Completed, from), evidence.Derived(f.Ledger.Failed, from)
	rec.Values, rec.Distributions, rec.State.Window = f.Values, f.Distributions, f.Window
	rec.Workload.InputTokens, rec.Workload.OutputTokens = f.Inputs, f.Outputs
	rec.Workload.TokenSource = evidence.NotStated[string](counted)
	const many = "the list is of all stages together, and does not say what was asked for"
	rec.Load.Mode, rec.Load.Rate, rec.Load.RatePerSec = evidence.NotStated[string](many), evidence.NotStated[string](many), evidence.NotStated[float64](many)
	rec.Summary = fmt.Sprintf("%s requests in the list: %s completed, %s with an error.", measure.FormatCount(r.n), measure.FormatCount(f.Ledger.Completed), measure.FormatCount(f.Ledger.Failed))
	var classes []string
	for class := range r.errors {
		classes = append(classes, class)
	}
	slices.Sort(classes)
	for _, class := range classes {
		rec.Errors = append(rec.Errors, evidence.ErrorClass{Outcome: string(reqlog.Failed), Class: class, N: r.errors[class]})
	}
	if r.unary > 0 {
		r.draft.Gap("output_token_times", fmt.Sprintf("%d completed requests have no times of tokens, as without streaming: their end is that of the answer, and they are in no figure of a first token or a time per token", r.unary))
	}
	if r.extra > 0 {
		r.draft.FactText("output_token_times", fmt.Sprintf("in %d of %d completed requests there are more times than output tokens: lines without a token were stamped too", r.extra, f.Ledger.Completed), "the list of requests")
	}
}
