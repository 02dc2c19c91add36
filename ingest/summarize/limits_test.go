package summarize

import (
	"slices"
	"testing"

	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// quiet is a run that triggers nothing.
func quiet() seen {
	l := reqlog.Ledger{Planned: 100, Sent: 100, Completed: 100}
	return seen{
		stated: l, ledger: l, verdict: reqlog.Sound, concurrency: 4, peak: 4, onTime: 100, planned: true, warmup: limits.Warmup{Planned: 4},
		cache:   reported(0),
		askedIn: 50, askedOut: 20, inputs: evidence.Spread{Min: 50, Median: 50, Max: 50, N: 100, Sum: 5000},
		outputs: evidence.Spread{Min: 20, Median: 20, Max: 20, N: 100, Sum: 2000}, tokens: 2000, chunks: 2000, gaps: 1900, prompts: 100,
		precision: evidence.Stated("bf16", byPlan), quality: evidence.NotStated[string]("none"),
	}
}

// reported is a cache declared cold of which the endpoint reports hits.
func reported(cached int64) evidence.Cache {
	return evidence.Cache{Kind: measure.CacheCold, Declared: true,
		Measured: evidence.Derived(evidence.CacheMeasure{CachedTokens: cached, PromptTokens: 5000, Requests: 100, Of: 100}, "usage")}
}

func TestQuietRunHasNoLimits(t *testing.T) {
	if got := decide(quiet()).record(); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
	if void, why := decide(quiet()).void(); void {
		t.Errorf("void: %s", why)
	}
}

// TestFindings has for each code that is decided on a run what of the run it is
// decided on. What triggers it exactly is tested in package limits.
func TestFindings(t *testing.T) {
	open := func(s *seen) { s.open, s.rate = true, "20.00 requests/s" }
	tests := map[evidence.Code]func(*seen){
		evidence.LedgerUnbalanced:      func(s *seen) { s.oddRows = 1 },
		evidence.ClientVoid:            func(s *seen) { s.verdict = reqlog.Void },
		evidence.ClientSuspect:         func(s *seen) { s.verdict = reqlog.Suspect },
		evidence.ClientUnjudged:        func(s *seen) { s.verdict = reqlog.Unjudged },
		evidence.SimulatedEndpoint:     func(s *seen) { s.simulated = true },
		evidence.Interruption:          func(s *seen) { s.interrupted = true },
		evidence.WallClockStepped:      func(s *seen) { s.wallStep = 51_000_000 },
		evidence.UnresolvedTail:        func(s *seen) { s.ledger.Completed, s.ledger.Unresolved = 97, 3 },
		evidence.FailuresExcluded:      func(s *seen) { s.ledger.Completed, s.ledger.Rejected = 97, 3 },
		evidence.SentAgain:             func(s *seen) { s.resent = 1 },
		evidence.StreamWithoutDone:     func(s *seen) { s.noDone = 5 },
		evidence.DrainDominates:        func(s *seen) { s.drainShare = 0.21 },
		evidence.CacheContradicted:     func(s *seen) { s.cache = reported(5000) },
		evidence.CacheUnstated:         func(s *seen) { s.cache = evidence.UnstatedCache("nobody said") },
		evidence.CacheUnreported:       func(s *seen) { s.cache.Measured = evidence.NotStated[evidence.CacheMeasure]("not reported") },
		evidence.PromptsRepeated:       func(s *seen) { s.promptsAgain = 6 },
		evidence.UsageMissing:          func(s *seen) { s.noCount = 1 },
		evidence.PromptLengthDiffers:   func(s *seen) { s.inputs.Max = 61 },
		evidence.OutputShort:           func(s *seen) { s.outputs.Min = 19 },
		evidence.OneTokenOutputs:       func(s *seen) { s.underTwo = 2 },
		evidence.ChunkNotToken:         func(s *seen) { s.chunks = 500 },
		evidence.StreamBundled:         func(s *seen) { s.nearGaps = 1000 },
		evidence.FirstTokenReasoning:   func(s *seen) { s.notAnswer = 1 },
		evidence.FavourableUpperBound:  func(s *seen) { s.notStated = []string{"precision"} },
		evidence.QualityGateMissing:    func(s *seen) { s.precision = evidence.Stated("fp8", byPlan) },
		evidence.WarmupInWindow:        func(s *seen) { s.warmup.Open = 1 },
		evidence.OfferedRateNotReached: func(s *seen) { open(s); s.onTime = 98 },
		evidence.ConcurrencyNotReached: func(s *seen) { s.peak = 3 },
		evidence.QueueGrows:            func(s *seen) { open(s); s.quarters, s.early, s.late = true, 4, 11 },
	}
	for code, change := range tests {
		s := quiet()
		change(&s)
		got := decide(s).record()
		if !slices.Contains(codes(got), code) {
			t.Errorf("%s: not triggered; got %v", code, got)
		}
		if at := decide(s).at("ttft_p50", code); len(at) != 1 || at[0].Where != "ttft_p50" {
			t.Errorf("%s: at a figure %v", code, at)
		}
	}
	var all []limits.Finding
	for _, change := range []func(*seen){func(*seen) {}, func(s *seen) { open(s); s.quarters = true }} {
		s := quiet()
		change(&s)
		all = append(all, s.findings()...)
	}
	for _, f := range all {
		if f.Code() != "" && tests[f.Code()] == nil {
			t.Errorf("%s: has no test", f.Code())
		}
	}
}

// TestStrongestFirst: the limits of a record stand in the order of the list.
func TestStrongestFirst(t *testing.T) {
	s := quiet()
	s.noDone, s.simulated, s.drainShare, s.oddRows = 1, true, 0.5, 1
	if got, want := codes(decide(s).record()), []evidence.Code{evidence.LedgerUnbalanced, evidence.SimulatedEndpoint, evidence.DrainDominates, evidence.StreamWithoutDone}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestWhatDependsOnTheLoad: an open loop has no concurrency to reach, a closed
// one no rate and no queue.
func TestWhatDependsOnTheLoad(t *testing.T) {
	s := quiet()
	s.open, s.peak = true, 3
	s.early, s.late = 4, 11 // not known
	if got := decide(s).record(); len(got) > 0 {
		t.Errorf("open loop: %v", got)
	}
	s = quiet()
	s.onTime, s.quarters, s.early, s.late = 0, true, 4, 11
	if got := decide(s).record(); len(got) > 0 {
		t.Errorf("closed loop: %v", got)
	}
	s = quiet()
	s.planned, s.warmup = false, limits.Warmup{} // rows of another tool
	if got := decide(s).record(); len(got) > 0 {
		t.Errorf("without a plan: %v", got)
	}
}

func TestVoid(t *testing.T) {
	s := quiet()
	s.ledger.Completed, s.verdict, s.reasons = 98, reqlog.Void, []string{"a", "b."}
	void, why := decide(s).void()
	if want := "the ledger does not balance: 100 sent, but the outcomes add up to 98; client timing void: a; b"; !void || why != want {
		t.Errorf("got %v, %q, want %q", void, why, want)
	}
}

func TestFigureLimits(t *testing.T) {
	rows := make([]reqlog.Row, 0, 400)
	for i := range int64(380) {
		rows = append(rows, done(i, 0, 0, 100+i, 1000+i, 100))
	}
	rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 1000, 2000), testSpec())
	v := value(t, rec, "ttft_p99")
	if got := codes(v.Limits); v.Amount.Kind != evidence.Exact || !slices.Equal(got, []evidence.Code{evidence.WarmupInWindow}) { // the log has no warm-up
		t.Errorf("380 completed: got %+v, %v", v.Amount, v.Limits)
	}
	if iv := known(t, "interval", v.Interval); iv.Low > v.Amount.X || iv.High < v.Amount.X || iv.N != 380 {
		t.Errorf("got interval %+v around %v", iv, v.Amount.X)
	}
	enough := rows[:368]
	rec = summarized(t, enough, manifest(enough, closedPoint(1), 0, 1000, 2000), testSpec())
	if a := value(t, rec, "ttft_p99").Amount; a.Kind != evidence.Exact {
		t.Errorf("368 completed: got %+v", a)
	}
	fewer := rows[:367]
	rec = summarized(t, fewer, manifest(fewer, closedPoint(1), 0, 1000, 2000), testSpec())
	amount(t, rec, "ttft_p99", evidence.Amount{Kind: evidence.TooFew, N: 367, Need: 368})
	hasLimit(t, value(t, rec, "ttft_p99").Limits, evidence.TooFewRequests, true)
	exact(t, rec, "ttft_max", 0.466)

	// Five of 385 leave the p99 without an upper end, three of 383 do not.
	for i := range int64(5) {
		rows = append(rows, ended(400+i, 0, -1, 2000, reqlog.Unresolved, ""))
	}
	three := rows[:383]
	rec = summarized(t, three, manifest(three, closedPoint(1), 0, 1000, 2000), testSpec())
	v = value(t, rec, "ttft_p99")
	hasLimit(t, v.Limits, evidence.CompletionConditioned, true)
	hasLimit(t, v.Limits, evidence.UnboundedPercentile, false)
	if v.Amount.Kind != evidence.Exact || v.Completed == nil {
		t.Errorf("got %+v", v)
	}
	rec = summarized(t, rows, manifest(rows, closedPoint(1), 0, 1000, 2000), testSpec())
	v = value(t, rec, "ttft_p99")
	hasLimit(t, v.Limits, evidence.UnboundedPercentile, true)
	hasLimit(t, v.Limits, evidence.TooFewRequests, false)
	if v.Amount.Kind != evidence.AtLeast || v.Amount.X != 2 || v.Completed == nil || v.Completed.Amount.Kind != evidence.Exact {
		t.Errorf("got %+v, completed-only %+v", v.Amount, v.Completed)
	}
	if of := known(t, "population", v.Population); of.N != 385 || len(of.Excluded) != 0 {
		t.Errorf("got population %+v", of)
	}
	hasLimit(t, value(t, rec, "output_token_rate").Limits, evidence.UnresolvedTail, true)
	hasLimit(t, value(t, rec, "output_token_rate").Limits, evidence.DrainDominates, true)
}
