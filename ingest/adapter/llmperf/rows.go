package llmperf

import (
	"fmt"
	"slices"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
)

// mostRows bounds the rows of one file: four numbers of each are kept.
const mostRows = 20_000_000

// rows gathers the rows of single requests.
type rows struct {
	file              *foreign.File
	draft             *foreign.Draft
	n, broken         int64
	failed, rejected  int64
	oneToken, noCount int64
	ttft, e2e, tpot   []float64
	in, out           []int64
	errors            map[string]int
	classes           []evidence.ErrorClass
	outsideRange      int64
}

func newRows(f *foreign.File) *rows {
	return &rows{file: f, draft: foreign.NewDraft(f, tool), errors: map[string]int{}}
}

// add takes one row.
func (r *rows) add(n foreign.Node) error {
	if !isRow(n) {
		r.broken++
		return nil
	}
	if r.n++; r.n > mostRows {
		return fmt.Errorf("%s: there are more than %d rows", r.file.Name(), mostRows)
	}
	if code := n.Get("error_code"); code.Has() {
		r.fail(code, n.Get("error_msg"))
		return nil
	}
	first, ok1 := n.Get("ttft_s").Float()
	end, ok2 := n.Get("end_to_end_latency_s").Float()
	if !ok1 || !ok2 || first < 0 || end < first {
		r.outsideRange++
		return nil
	}
	r.ttft, r.e2e = append(r.ttft, first), append(r.e2e, end)
	if c, ok := n.Get("number_input_tokens").Int(); ok && c >= 0 {
		r.in = append(r.in, c)
	}
	switch c, ok := n.Get("number_output_tokens").Int(); {
	case !ok || c < 0:
		r.noCount++
	case c < 2:
		r.out = append(r.out, c)
		r.oneToken++
	default:
		r.out = append(r.out, c)
		r.tpot = append(r.tpot, (end-first)/float64(c-1))
	}
	return nil
}

// mostClasses bounds the classes of errors that are told apart.
const mostClasses = 50

// fail takes a row with an error. llmperf keeps the HTTP status of the answer as
// the code, so that an endpoint that turned the request away is told from one that
// broke.
func (r *rows) fail(code, msg foreign.Node) {
	outcome := "failed"
	if code.Text == "429" || code.Text == "503" {
		outcome = "rejected"
		r.rejected++
	} else {
		r.failed++
	}
	i, ok := r.errors[code.Text]
	if !ok {
		if len(r.classes) == mostClasses {
			return
		}
		i = len(r.classes)
		r.errors[code.Text] = i
		example, _ := r.draft.Text("error_msg", msg).Get()
		r.classes = append(r.classes, evidence.ErrorClass{Outcome: outcome, Class: "error code " + code.Text, Example: example})
	}
	r.classes[i].N++
}

// part makes the record of the rows.
func (r *rows) part() foreign.Part {
	d := r.draft
	rec := &d.Record
	rec.Subject.Tool = evidence.Derived(tool, "the keys of the rows are those of its files")
	rec.Workload.TokenSource = evidence.Derived(counted, "how llmperf counts")
	rec.Outcomes.Failed = evidence.Derived(r.failed, "rows with an error code other than 429 and 503")
	rec.Outcomes.Rejected = evidence.Derived(r.rejected, "rows with the error code 429 or 503, which is the HTTP status")
	rec.Outcomes.Completed = evidence.Derived(r.n-r.failed-r.rejected, "rows without an error code")
	rec.Outcomes.Sent = evidence.NotStated[int64]("the file has a row for each request that came back; what was open at the end is in no file of llmperf")
	rec.Errors = r.classes
	rec.Summary = d.Ended("with an error")
	if s, ok := foreign.SpreadOf(r.in, "“number_input_tokens” of the rows without an error code"); ok {
		rec.Workload.InputTokens = s
	}
	if s, ok := foreign.SpreadOf(r.out, "“number_output_tokens” of the rows without an error code"); ok {
		rec.Workload.OutputTokens = s
	}
	const noTimes = "the rows have durations and no times"
	rec.State.Window = evidence.NotStated[evidence.Window](noTimes)
	rec.Subject.Started = evidence.NotStated[string](noTimes)
	if r.broken+r.outsideRange > 0 {
		d.Note(0, fmt.Sprintf("%d rows are no rows of llmperf, and %d without an error code have no usable durations: they are in no figure", r.broken, r.outsideRange))
	}
	out := []evidence.Excluded{{Reason: "failed", N: r.failed}, {Reason: "rejected", N: r.rejected}, {Reason: "without usable durations", N: r.outsideRange}}
	const who = "requests without an error code"
	d.FromRows(foreign.Sample{Metric: "ttft", Values: r.ttft, Who: who, Excluded: out, Rule: foreign.SpanOf(d.Define("ttft_s"))})
	d.FromRows(foreign.Sample{Metric: "e2e", Values: r.e2e, Who: who, Excluded: out, Rule: foreign.SpanOf(d.Define("end_to_end_latency_s"))})
	few := append(slices.Clone(out), evidence.Excluded{Reason: "completed with fewer than two output tokens", N: r.oneToken}, evidence.Excluded{Reason: "completed without a token count", N: r.noCount})
	d.FromRows(foreign.Sample{Metric: "tpot", Values: r.tpot, Who: who + " with at least two output tokens", Excluded: few,
		Rule: "(end_to_end_latency_s − ttft_s) ÷ (number_output_tokens − 1), one value a request: the first token's wait is not in it, as it is in the file's own inter_token_latency_s; the time to the end of the stream is, and the Llama tokenizer counted."})
	return foreign.Part{Draft: d, Title: d.FileTitle(r.file, "single requests")}
}
