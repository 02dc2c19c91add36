package aiperf

import (
	"context"
	"fmt"
	"math"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/ingest/summarize"
	"benchline/runner/reqlog"
)

// byTool is the token source of the rows.
const byTool = "AIPerf: client tokenizer, or the endpoint's usage by option"

// unknownWhole ends the summary of records that show no gap.
const unknownWhole = " Whether these are all of the run's is not in the file."

// readRequests computes a record from the records of requests. They are
// streamed: a row is gone when the next one is read.
func readRequests(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	x := draft{Draft: foreign.NewDraft(f, tool)}
	r := rows{d: x.Draft, phases: map[string]int{}, errors: map[string]int64{}}
	rows, found := foreign.Stream(ctx, f, func(each func(foreign.Node) error) foreign.Values { return foreign.Values{Each: each} }, r.row)
	figures, err := summarize.Rows(rows, summarize.Foreign{Latencies: []measure.MetricID{"ttft", "ttfa", "tpot", "e2e"}, Gaps: true, Clock: true,
		Events: "Computed from the file's records of requests: the first token is the tool's first chunk with content, the last one its last; the start is when a worker began the request.",
		From:   "counted from the records of requests in the file"})
	if err != nil {
		return nil, *found, fmt.Errorf("%s: %w", f.Name(), err)
	}
	if r.n == 0 {
		return nil, *found, &adapter.RefusedError{Why: "there is no record of a request in it"}
	}
	x.fill(figures, r)
	return []foreign.Part{{Draft: x.Draft, Title: fmt.Sprintf("%s: records of %s requests", tool, measure.FormatCount(r.n))}}, *found, nil
}

// fill puts what the rows gave into the record.
func (x draft) fill(f summarize.Figures, r rows) {
	rec := &x.Record
	rec.Subject.Tool = evidence.Derived(tool, "by the keys of the file; it does not state its version")
	if r.first > 0 {
		rec.Subject.Started = x.Stamp("metadata.request_start_ns, the first", foreign.Node{Kind: foreign.Number, Text: fmt.Sprint(r.first)})
	}
	rec.Values, rec.Distributions = f.Values, f.Distributions
	rec.Workload.InputTokens, rec.Workload.OutputTokens = f.Inputs, f.Outputs
	if f.TokenSource != "" {
		rec.Workload.TokenSource = evidence.Derived(f.TokenSource, "by the tool's documentation")
	}
	rec.State.Window = f.Window
	if f.Cached.PromptTokens > 0 {
		rec.State.Cache.Measured = evidence.Derived(f.Cached, "summed over the records of requests that have both counts")
	}
	const from = "counted from the records of requests in the file, which may not be all of the run's"
	rec.Outcomes.Completed = evidence.Derived(f.Ledger.Completed, from)
	rec.Outcomes.Failed = evidence.Derived(f.Ledger.Failed, from)
	rec.Outcomes.Cancelled = evidence.Derived(f.Ledger.Cancelled, from)
	rec.Outcomes.WarmupSent = evidence.Derived(r.warmup, from)
	rec.Summary = fmt.Sprintf("%s records of requests: %s completed, %s with an error, %s cancelled."+unknownWhole,
		measure.FormatCount(r.n), measure.FormatCount(f.Ledger.Completed), measure.FormatCount(f.Ledger.Failed), measure.FormatCount(f.Ledger.Cancelled))
	if missing := r.highest - r.lowest + 1 - r.sessions; r.sessions > 0 && missing > 0 {
		x.FactText("session_num", fmt.Sprintf("from %d to %d, and %d sessions have a record: at least %d of the run's are not in the file", r.lowest, r.highest, r.sessions, missing), "the records of requests in the file")
		rec.Summary = strings.TrimSuffix(rec.Summary, unknownWhole) + fmt.Sprintf(" By their numbers at least %d more were made.", missing)
	}
	for _, class := range sortedKeys(r.errors) {
		rec.Errors = append(rec.Errors, evidence.ErrorClass{Outcome: string(reqlog.Failed), Class: class, N: r.errors[class]})
	}
}

// rows turns records of requests into rows of a log.
type rows struct {
	d      *foreign.Draft
	n      int64
	warmup int64
	first  int64 // the earliest start, ns since 1970
	base   int64 // subtracted from all times
	phases map[string]int
	errors map[string]int64
	// sessions are those of which the first turn is in the file; lowest and
	// highest are their numbers.
	sessions, lowest, highest int64
}

// session counts sessions of the profiling phase, which the tool numbers as it
// begins them.
func (r *rows) session(meta foreign.Node) {
	n, ok := meta.Get("session_num").Int()
	turn, hasTurn := meta.Get("turn_index").Int()
	if !ok || n < 0 || n > math.MaxInt32 || hasTurn && turn > 0 {
		return
	}
	if r.sessions++; r.sessions == 1 {
		r.lowest, r.highest = n, n
	}
	r.lowest, r.highest = min(r.lowest, n), max(r.highest, n)
}

// row is one record; false: it is none.
func (r *rows) row(n foreign.Node) (reqlog.Row, bool) {
	meta := n.Get("metadata")
	start, ok := meta.Get("request_start_ns").Int()
	if !ok || !n.Get("metrics").IsObject() || start < 0 {
		r.d.Note(n.Line, "a record without its start or its metrics is left out")
		return reqlog.Row{}, false
	}
	if r.n++; r.base == 0 {
		r.base = start
	}
	if r.first == 0 || start < r.first {
		r.first = start
	}
	sent := start - r.base
	row := reqlog.Row{Seq: r.n, Phase: reqlog.MeasurePhase, DueNS: sent, SentNS: &sent, Attempts: 1, Outcome: reqlog.Completed, TokenSource: byTool}
	if phase, _ := meta.Get("benchmark_phase").String(); phase == "warmup" {
		row.Phase = reqlog.WarmupPhase
		r.warmup++
	} else {
		r.session(meta)
	}
	if end, ok := meta.Get("request_end_ns").Int(); ok && end >= start {
		at := end - r.base
		row.EndNS = &at
	}
	switch fault := n.Get("error"); {
	case meta.Get("was_cancelled").Text == "true":
		row.Outcome = reqlog.Cancelled
	case fault.Has():
		row.Outcome = reqlog.Failed
		r.fault(fault)
	}
	r.times(&row, n.Get("metrics"), sent)
	return row, true
}

func (r *rows) fault(n foreign.Node) {
	kind, ok := n.Get("type").String()
	if !ok || len(kind) > 80 {
		kind = "not named"
	}
	const most = 50
	if _, known := r.errors[kind]; !known && len(r.errors) >= most {
		kind = "others"
	}
	r.errors[kind]++
}

// times are the metrics of a request as offsets and counts.
func (r *rows) times(row *reqlog.Row, m foreign.Node, sent int64) {
	at := func(tag string) *int64 {
		d, ok := duration(m.Get(tag))
		if !ok {
			return nil
		}
		d += sent
		return &d
	}
	row.FirstTokenNS, row.FirstAnswerNS = at("time_to_first_token"), at("time_to_first_output_token")
	if row.Outcome == reqlog.Completed {
		row.LastTokenNS = at("request_latency")
	}
	row.InputTokens, row.OutputTokens = count(m.Get("input_sequence_length")), count(m.Get("output_sequence_length"))
	row.CachedTokens, row.ReasoningTokens = count(m.Get("usage_prompt_cache_read_tokens")), count(m.Get("reasoning_token_count"))
	gaps := m.Get("inter_chunk_latency")
	if gaps.Get("value").Kind != foreign.List {
		return
	}
	row.GapsRecorded = true
	row.ChunkGapsNS = make([]int64, 0, len(gaps.Get("value").Items))
	for _, item := range gaps.Get("value").Items {
		if ns, ok := nanoseconds(item, gaps.Get("unit")); ok {
			row.ChunkGapsNS = append(row.ChunkGapsNS, ns)
		}
	}
	row.Chunks = int32(min(len(row.ChunkGapsNS)+1, math.MaxInt32)) //nolint:gosec // bounded by the line itself
}

// duration is a metric of one request in nanoseconds.
func duration(n foreign.Node) (int64, bool) { return nanoseconds(n.Get("value"), n.Get("unit")) }

func nanoseconds(n, unit foreign.Node) (int64, bool) {
	u, _ := unit.String()
	per, ok := foreign.Nanoseconds(u)
	x, isNumber := n.Float()
	if x *= per; !ok || !isNumber || x < 0 || x > 1e18 {
		return 0, false
	}
	return int64(math.Round(x)), true
}

func count(n foreign.Node) *int64 {
	i, ok := n.Get("value").Int()
	if !ok || i < 0 {
		return nil
	}
	return &i
}
