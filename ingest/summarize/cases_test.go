package summarize

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"benchline/ingest/evidence"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

const casesDir = "../../../shared/cases/"

// caseRow is a row of the collected cases.
type caseRow struct {
	Phase     string   `json:"phase"`
	SchedMS   int64    `json:"sched_ms"`
	SentMS    int64    `json:"sent_ms"`
	FirstMS   *int64   `json:"first_ms"`
	EndMS     *int64   `json:"end_ms"`
	Status    string   `json:"status"`
	HTTP      *int32   `json:"http"`
	InTok     *int64   `json:"in_tok"`
	OutTok    *int64   `json:"out_tok"`
	TokSrc    string   `json:"tok_src"`
	CachedTok *int64   `json:"cached_tok"`
	PromptID  string   `json:"prompt_id"`
	Run       string   `json:"run"`
	Client    *float64 `json:"out_tok_client"`
	Error     string   `json:"error"`
}

// caseRows reads a case file, or skips the test where the files are not there.
func caseRows(t *testing.T, name string, observedToMS int64) []reqlog.Row {
	t.Helper()
	f, err := os.Open(casesDir + name)
	if err != nil {
		t.Skipf("the collected case %s is not there", name)
	}
	defer func() { _ = f.Close() }() // only read
	var rows []reqlog.Row
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c caseRow
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, c.row(int64(len(rows)), observedToMS))
	}
	if lines.Err() != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", name, len(rows), lines.Err())
	}
	return rows
}

func (c caseRow) row(seq, observedToMS int64) reqlog.Row {
	r := reqlog.Row{Seq: seq, Phase: reqlog.MeasurePhase, DueNS: c.SchedMS * ms, SentNS: ptr(c.SentMS * ms), Attempts: 1,
		HTTPStatus: c.HTTP, InputTokens: c.InTok, OutputTokens: c.OutTok, CachedTokens: c.CachedTok, PromptHash: c.PromptID,
		AskedInputTokens: 50, AskedOutputTokens: 100, InFlightNow: 1, ErrorText: c.Error, SawDone: true, FinishReason: "stop"}
	if c.Phase == "warmup" {
		r.Phase = reqlog.WarmupPhase
	}
	switch c.TokSrc {
	case "server":
		r.TokenSource = "usage"
	case "client":
		r.TokenSource = "tokenizer:client"
	}
	if c.FirstMS != nil {
		r.FirstTokenNS, r.FirstAnswerNS = ptr(*c.FirstMS*ms), ptr(*c.FirstMS*ms)
	}
	end := observedToMS
	if c.EndMS != nil {
		end = *c.EndMS
	}
	r.EndNS = ptr(end * ms)
	switch c.Status {
	case "ok":
		r.Outcome = reqlog.Completed
		if c.FirstMS != nil {
			r.LastTokenNS = r.EndNS
		}
	case "http_error":
		r.Outcome, r.ErrorClass = reqlog.Failed, "http_status"
	case "client_timeout":
		r.Outcome, r.ErrorClass = reqlog.TimedOut, "total"
	case "unfinished":
		r.Outcome = reqlog.Unresolved
	}
	return r
}

func TestC09SeveralTokensInAChunk(t *testing.T) {
	row := done(0, 0, 0, 100, 500, 20)
	row.Chunks, row.ChunkGapsNS = 5, []int64{100 * ms, 100 * ms, 100 * ms, 100 * ms}
	rows := []reqlog.Row{row}
	rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 500, 500), testSpec())
	exact(t, rec, "tpot_mean", 0.4/19)
	exact(t, rec, "output_token_rate", 40)
	exact(t, rec, "chunk_gap_p50", 0.1)
	hasLimit(t, value(t, rec, "chunk_gap_p50").Limits, evidence.ChunkNotToken, true)
	if rule := value(t, rec, "chunk_gap_p50").Rule; !strings.Contains(rule, "not a delay per token") {
		t.Errorf("got rule %q", rule)
	}
}

func TestC10UsageMissing(t *testing.T) {
	row := done(0, 0, 0, 100, 300, 0)
	row.OutputTokens, row.InputTokens, row.TokenSource, row.Chunks = nil, nil, "", 3
	rows := []reqlog.Row{row}
	rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 300, 1000), testSpec())
	want := evidence.Amount{Kind: evidence.Undefined, Reason: "token count missing for 1 of 1 completed requests"}
	amount(t, rec, "output_token_rate", want)
	amount(t, rec, "total_token_rate", want)
	exact(t, rec, "request_rate", 1)
	exact(t, rec, "ttft_mean", 0.1)
	hasLimit(t, rec.Limits, evidence.UsageMissing, true)
	if _, ok := rec.Workload.OutputTokens.Get(); ok {
		t.Error("the record has output lengths that nobody counted")
	}
}

func TestC11OneTokenSource(t *testing.T) {
	rows := caseRows(t, "c11-counts.rows.jsonl", 1000)
	rows[3].OutputTokens, rows[3].TokenSource = ptr(int64(101)), "tokenizer:client"
	rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 500, 1000), testSpec())
	v := value(t, rec, "output_token_rate")
	amount(t, rec, "output_token_rate", evidence.Amount{Kind: evidence.AtLeast, X: 300}) // row 4 was not counted
	if n := known(t, "numerator", v.Numerator); n.What != "output tokens of 3 completed requests, by usage" {
		t.Errorf("got numerator %+v", n)
	}
	of := known(t, "population", v.Population)
	if of.N != 3 || len(of.Excluded) != 1 || of.Excluded[0].N != 1 {
		t.Errorf("got population %+v", of)
	}
	hasLimit(t, v.Limits, evidence.UsageMissing, true)
	exact(t, rec, "request_rate", 4)
}

func TestC12OutputsOfZeroAndOne(t *testing.T) {
	rows := caseRows(t, "c12-zero-one.rows.jsonl", 600)
	rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 100, 600), testSpec())
	exact(t, rec, "ttft_mean", 0.1)
	exact(t, rec, "ttft_max", 0.1)
	if of := known(t, "population", value(t, rec, "ttft_mean").Population); of.N != 2 || of.Excluded[0].Reason != "completed without a token" {
		t.Errorf("got %+v", of)
	}
	exact(t, rec, "tpot_mean", 0.05)
	if of := known(t, "population", value(t, rec, "tpot_mean").Population); of.N != 1 {
		t.Errorf("got %+v", of)
	}
	if n := known(t, "numerator", value(t, rec, "output_token_rate").Numerator); n.Amount != 12 {
		t.Errorf("got %v output tokens, want 12", n.Amount)
	}
	hasLimit(t, rec.Limits, evidence.OneTokenOutputs, true)
}

func TestC15StillOpenAtTheEnd(t *testing.T) {
	rows := caseRows(t, "c15-in-flight.rows.jsonl", 10_000)
	rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 10_000, 10_000), testSpec())
	exact(t, rec, "output_token_rate", 20)
	if sent, open := known(t, "sent", rec.Outcomes.Sent), known(t, "unresolved", rec.Outcomes.Unresolved); sent != 4 || open != 2 {
		t.Errorf("got %d sent, %d unresolved", sent, open)
	}
	// Ages 5.0 and 0.5 s beside 4.0 and 7.0 s.
	e2e := value(t, rec, "e2e_p50")
	if e2e.Amount != (evidence.Amount{Kind: evidence.AtLeast, X: 4}) || e2e.Bounds == nil || e2e.Bounds.N != 4 {
		t.Errorf("got %+v", e2e)
	}
	if alone := e2e.Completed; alone == nil || alone.N != 2 || alone.Amount != (evidence.Amount{Kind: evidence.Exact, X: 4}) {
		t.Errorf("got %+v of the completed alone", alone)
	}
	if b := e2e.Bounds; b.Lower.X != 4 || b.Upper.X != 7 {
		t.Errorf("got bounds %+v", b)
	}
	hasLimit(t, e2e.Limits, evidence.CompletionConditioned, true)
	longest := value(t, rec, "e2e_max")
	if longest.Amount != (evidence.Amount{Kind: evidence.AtLeast, X: 7}) {
		t.Errorf("got %+v", longest.Amount)
	}
	if c := longest.Completed; c == nil || c.Amount.X != 7 || c.N != 2 {
		t.Errorf("got completed-only %+v", c)
	}
	for _, d := range rec.Distributions {
		if d.Metric == "e2e" && (d.Open != 2 || len(d.OpenAges) != 2 || d.OpenAges[1] != 5) {
			t.Errorf("got %+v", d)
		}
	}
	hasLimit(t, rec.Limits, evidence.UnresolvedTail, true)
}

func TestC16WarmupApart(t *testing.T) {
	rows := caseRows(t, "c16-warmup.rows.jsonl", 8500)
	m := manifest(rows, closedPoint(1), 6000, 7500, 8500)
	m.Windows.WarmupFromNS = ptr(int64(0))
	rec := summarized(t, rows, m, testSpec())
	exact(t, rec, "output_token_rate", 160)
	exact(t, rec, "ttft_mean", 0.1)
	if n := known(t, "warm-up", rec.Outcomes.WarmupSent); n != 2 {
		t.Errorf("got %d warm-up requests", n)
	}
	if words := known(t, "warm-up", rec.State.Warmup); words != "2 requests sent, 2 of them completed, over 6.000 s, before the measured phase; in no figure" {
		t.Errorf("got %q", words)
	}
	if words := known(t, "prompts", rec.Workload.Prompts); !strings.Contains(words, "4 of 4 measured prompts were also sent in warm-up") {
		t.Errorf("got %q", words)
	}
}

func TestC17CacheAsMeasured(t *testing.T) {
	all := caseRows(t, "c17-same-seed.rows.jsonl", 1000)
	test := func(rows []reqlog.Row, cached int64, contradicted bool) {
		t.Helper()
		rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 100, 1000), testSpec())
		if c := known(t, "cache", rec.State.Cache.Measured); c.CachedTokens != cached || c.PromptTokens != 2048 {
			t.Errorf("got %+v", c)
		}
		hasLimit(t, rec.Limits, evidence.CacheContradicted, contradicted)
	}
	test(all[:2], 0, false)
	test(all[2:], 1792, true)
}

func TestC18FromDueAndFromSent(t *testing.T) {
	rows := caseRows(t, "c18-client-queue.rows.jsonl", 4000)
	rec := summarized(t, rows, manifest(rows, openPoint(10), 0, 3000, 4000), testSpec())
	exact(t, rec, "ttft_mean", 0.2)
	exact(t, rec, "ttft_max", 0.2)
	exact(t, rec, "ttft_due_mean", 1.55)
	exact(t, rec, "ttft_due_max", 2.9)
	exact(t, rec, "send_lag_mean", 1.35)
	exact(t, rec, "send_lag_max", 2.7)
	hasLimit(t, rec.Limits, evidence.OfferedRateNotReached, true)
}

func TestC19AskedRateNotReached(t *testing.T) {
	var rows []reqlog.Row
	for i := range int64(3000) {
		due := i * 20
		switch {
		case i%5 > 1:
			rows = append(rows, ended(i, due, -1, 0, reqlog.NeverSent, ""))
		case len(rows) >= 2980:
			rows = append(rows, ended(i, due, -1, 60_000, reqlog.Unresolved, ""))
		default:
			rows = append(rows, done(i, due, due, due+10, due+100, 100))
		}
	}
	rec := summarized(t, rows, manifest(rows, openPoint(50), 0, 60_000, 60_000), testSpec())
	exact(t, rec, "sent_rate", 20)
	exact(t, rec, "request_rate", 1192.0/60)
	o := rec.Outcomes
	if known(t, "never sent", o.NeverSent) != 1800 || known(t, "unresolved", o.Unresolved) != 8 {
		t.Errorf("got %+v", o)
	}
	v := value(t, rec, "ttft_p50")
	hasLimit(t, v.Limits, evidence.OfferedRateNotReached, true)
	for _, l := range v.Limits {
		if l.Code == evidence.OfferedRateNotReached && (l.Args[0] != "50.00 requests/s" || l.Args[1] != "1,200 of 3,000 planned requests") {
			t.Errorf("got %q", l.Args)
		}
	}
}

func TestC22TimeLimitIsCensoring(t *testing.T) {
	rows := caseRows(t, "c22-timeouts.rows.jsonl", 300_000)
	rec := summarized(t, rows, manifest(rows, closedPoint(10), 0, 100, 300_000), testSpec())
	p50 := value(t, rec, "e2e_p50")
	if p50.Amount != (evidence.Amount{Kind: evidence.Exact, X: 280}) {
		t.Errorf("got %+v, want 280 over all ten", p50.Amount)
	}
	if alone := p50.Completed; alone == nil || alone.N != 5 || alone.Amount.X != 240 {
		t.Errorf("got %+v, want the completed requests' median 240 of 5", alone)
	}
	if b := p50.Bounds; b.N != 10 || b.Lower.X != 280 || b.Upper.X != 280 || b.Upper.Kind != evidence.Exact {
		t.Errorf("got bounds %+v, want 280 of ten", b)
	}
	hasLimit(t, p50.Limits, evidence.CompletionConditioned, true)
	p90 := value(t, rec, "e2e_p90")
	if p90.Amount != (evidence.Amount{Kind: evidence.AtLeast, X: 300}) || p90.Bounds.Upper.Kind != evidence.Unbounded {
		t.Errorf("got %+v", p90)
	}
	hasLimit(t, p90.Limits, evidence.TooFewRequests, true)
	if p90.Completed == nil || p90.Completed.Amount.Kind != evidence.TooFew {
		t.Errorf("got completed-only %+v", p90.Completed)
	}
	if got := rec.Errors; len(got) != 1 || got[0].N != 5 || got[0].Outcome != "timed out" || got[0].Class != "total" {
		t.Errorf("got errors %+v", got)
	}
}

func TestC39OneErrorClass(t *testing.T) {
	rows := caseRows(t, "c39-errors.jsonl", 1000)
	var many []reqlog.Row
	for range 50 {
		many = append(many, rows...)
	}
	rec := summarized(t, many, manifest(many, closedPoint(1), 0, 500, 1000), testSpec())
	if len(rec.Errors) != 1 || rec.Errors[0].N != int64(len(many)) || rec.Errors[0].Example == "" {
		t.Errorf("got %d classes: %+v", len(rec.Errors), rec.Errors)
	}
}

func TestC40ClockStep(t *testing.T) {
	rows := []reqlog.Row{done(0, 5000, 5000, 5200, 6200, 100)}
	m := manifest(rows, closedPoint(1), 5000, 6000, 6200)
	m.Health.WallStepNS = -2_000 * ms
	rec := summarized(t, rows, m, testSpec())
	exact(t, rec, "ttft_mean", 0.2)
	exact(t, rec, "e2e_mean", 1.2)
	for _, l := range rec.Limits {
		if l.Code == evidence.WallClockStepped && l.Args[0] != "−2.000 s" {
			t.Errorf("got %q", l.Args)
		}
	}
	hasLimit(t, rec.Limits, evidence.WallClockStepped, true)
}

func TestGoodput(t *testing.T) {
	spec := testSpec()
	spec.Objectives = &plan.Objectives{TTFT: 100 * time.Millisecond, EndToEnd: time.Second}
	rows := []reqlog.Row{
		done(0, 0, 0, 100, 1000, 10), // at both limits
		done(1, 0, 0, 101, 900, 10),
		done(2, 0, 0, 50, 1001, 10),
		done(3, 0, 50, 120, 900, 10), // good from sent, not from due
		ended(4, 0, -1, 10, reqlog.Failed, "x"),
	}
	rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 900, 2000), spec)
	exact(t, rec, "goodput", 1)
	rec = summarized(t, rows, manifest(rows, openPoint(5), 0, 900, 2000), spec)
	exact(t, rec, "goodput", 0.5)
	if of := known(t, "population", value(t, rec, "goodput").Population); of.N != 1 {
		t.Errorf("got %+v", of)
	}
	rec = summarized(t, rows, manifest(rows, openPoint(5), 0, 900, 2000), testSpec())
	for _, v := range rec.Values {
		if v.Metric == "goodput" {
			t.Error("goodput without objectives")
		}
	}
}
