package runner

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"benchline/runner/internal/target"
	"benchline/runner/reqlog"
)

// journal is what a run records into.
type journal interface {
	Sent(seq int64, phase reqlog.Phase, dueNS, sentNS int64, askedIn, askedOut int64, requestID, promptHash string) error
	Ended(reqlog.Row) error
}

// live is what progress is told, read while it changes.
type live struct {
	planned                            atomic.Int64 // -1: not a count
	due, sent, completed, ended, never atomic.Int64
	inFlight                           atomic.Int64
	tokens, tokenChunks                atomic.Int64 // of completed requests
	chunks                             atomic.Int64 // as they come
}

// reset begins another part of the run.
func (l *live) reset(planned int64) {
	l.planned.Store(planned)
	for _, n := range []*atomic.Int64{&l.due, &l.sent, &l.completed, &l.ended, &l.never, &l.tokens, &l.tokenChunks, &l.chunks} {
		n.Store(0)
	}
}

// recorder writes the rows of one part of a run and counts them.
type recorder struct {
	log      journal
	live     *live
	phase    reqlog.Phase
	keepText bool
	fail     func(error) // stops the run; told once

	mu          sync.Mutex
	err         error
	ledger      reqlog.Ledger
	lags        lags
	gaps, close int64 // all gaps; those under 1 ms
	maxInFlight int64
	lastSentNS  int64
	lastEndNS   int64
	open        []reqlog.Row // unresolved, held until observation has ended
}

// plan counts requests that are due or, under a count, planned.
func (r *recorder) plan(n int64) {
	r.mu.Lock()
	r.ledger.Planned += n
	r.mu.Unlock()
}

func (r *recorder) broken(err error) {
	if err == nil {
		return
	}
	r.mu.Lock()
	first := r.err == nil
	if first {
		r.err = fmt.Errorf("%w: %w", ErrLog, err)
	}
	r.mu.Unlock()
	if first {
		r.fail(r.err)
	}
}

// sent records that an attempt began.
func (r *recorder) sent(it *item, dueNS, sentNS int64, id string) {
	r.broken(r.log.Sent(it.seq, r.phase, dueNS, sentNS, it.tokens, it.maxTokens, id, it.hash))
}

// never records a request that was due and not sent.
func (r *recorder) never(seq, dueNS, nowNS, askedIn, askedOut int64, why string) {
	row := reqlog.Row{Seq: seq, Phase: r.phase, DueNS: dueNS, EndNS: &nowNS, Outcome: reqlog.NeverSent, ErrorClass: why,
		AskedInputTokens: askedIn, AskedOutputTokens: askedOut}
	r.live.never.Add(1)
	r.mu.Lock()
	r.ledger.NeverSent++
	r.mu.Unlock()
	r.broken(r.log.Ended(row))
}

// ended records what became of a request that was sent.
func (r *recorder) ended(row reqlog.Row) {
	r.mu.Lock()
	r.ledger.Sent++
	first := *row.SentNS
	if row.FirstSentNS != nil {
		first = *row.FirstSentNS
	}
	r.lags = append(r.lags, max(0, first-row.DueNS))
	r.gaps += int64(len(row.ChunkGapsNS))
	for _, g := range row.ChunkGapsNS {
		if g < int64(time.Millisecond) {
			r.close++
		}
	}
	r.maxInFlight = max(r.maxInFlight, int64(row.InFlightNow))
	r.lastSentNS = max(r.lastSentNS, first)
	if row.Outcome == reqlog.Unresolved {
		r.open = append(r.open, row)
		r.mu.Unlock()
		return
	}
	r.lastEndNS = max(r.lastEndNS, *row.EndNS)
	count(&r.ledger, row.Outcome)
	r.mu.Unlock()
	r.live.ended.Add(1)
	if row.Outcome == reqlog.Completed {
		r.live.completed.Add(1)
		if row.OutputTokens != nil {
			r.live.tokens.Add(*row.OutputTokens)
			r.live.tokenChunks.Add(int64(row.Chunks))
		}
	}
	r.broken(r.log.Ended(row))
}

// settle records what is unresolved, now that observation has ended.
func (r *recorder) settle(observedTo int64) {
	for _, row := range r.open {
		row.EndNS = &observedTo
		r.ledger.Unresolved++
		r.broken(r.log.Ended(row))
	}
	r.open = nil
}

// observed adds what the rows say of the client to its health.
func (r *recorder) observed(h *reqlog.Health) {
	h.SendLagP50NS, h.SendLagP99NS, h.SendLagMaxNS = r.lags.quantile(500), r.lags.quantile(990), r.lags.quantile(1000)
	sends, gaps := int64(len(r.lags)), r.gaps
	h.Sends, h.Gaps = &sends, &gaps
	h.MaxInFlight = r.maxInFlight
	if r.gaps > 0 {
		share := float64(r.close) / float64(r.gaps)
		h.SubMSGapShare = &share
	}
}

func count(l *reqlog.Ledger, o reqlog.Outcome) {
	switch o {
	case reqlog.Completed:
		l.Completed++
	case reqlog.Failed:
		l.Failed++
	case reqlog.Rejected:
		l.Rejected++
	case reqlog.TimedOut:
		l.TimedOut++
	case reqlog.Cancelled:
		l.Cancelled++
	case reqlog.Unresolved:
		l.Unresolved++
	case reqlog.NeverSent:
		l.NeverSent++
	}
}

// row puts a result into the columns of the log.
func row(it *item, phase reqlog.Phase, dueNS int64, inFlight int64, res *target.Result, keepText bool) reqlog.Row {
	r := reqlog.Row{
		Seq: it.seq, Phase: phase, DueNS: dueNS,
		SentNS: res.Sent.Pointer(), FirstSentNS: res.FirstSent.Pointer(), Attempts: int32(res.Attempts), //nolint:gosec // 1 or 2
		HeadersNS: res.Headers.Pointer(), FirstByteNS: res.FirstByte.Pointer(),
		FirstTokenNS: res.FirstToken.Pointer(), FirstAnswerNS: res.FirstAnswer.Pointer(),
		LastTokenNS: res.LastToken.Pointer(), EndNS: res.End.Pointer(),
		Outcome: reqlog.Outcome(res.Outcome), ErrorClass: string(res.Class), ErrorText: res.ErrorText,
		AskedInputTokens: it.tokens, AskedOutputTokens: it.maxTokens,
		InputTokens: res.Input, OutputTokens: res.Output, ReasoningTokens: res.Reasoning, CachedTokens: res.Cached,
		FinishReason: res.Finish, SawDone: res.SawDone,
		Chunks: int32(min(res.Chunks, 1<<31-1)), ChunkGapsNS: res.Gaps, GapsRecorded: true, //nolint:gosec // bounded
		ServerPrefillNS: nanoseconds(res.Prefill), ServerDecodeNS: nanoseconds(res.Decode), RetryAfter: nanoseconds(res.RetryAfter),
		RequestID: res.RequestID, PromptHash: it.hash, InFlightNow: int32(inFlight), //nolint:gosec // bounded by open files
	}
	if res.Output != nil || res.Input != nil {
		r.TokenSource = "usage"
	}
	if res.Connected {
		r.ConnReused = &res.Reused
		if !res.Reused {
			r.ConnectNS = nanoseconds(&res.ConnectTime)
		}
	}
	if res.Status != 0 {
		status := int32(res.Status) //nolint:gosec // three digits
		r.HTTPStatus = &status
	}
	if keepText {
		r.PromptText, r.AnswerText = it.text, res.Answer
	}
	return r
}

func nanoseconds(d *time.Duration) *int64 {
	if d == nil {
		return nil
	}
	ns := int64(*d)
	return &ns
}
