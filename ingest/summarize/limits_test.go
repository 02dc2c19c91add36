package summarize

import (
	"slices"
	"strings"
	"testing"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// quiet is a run that triggers nothing.
func quiet(t *testing.T) seen {
	t.Helper()
	cache, err := measure.DeclaredCache(measure.CacheCold, 0)
	if err != nil {
		t.Fatal(err)
	}
	l := reqlog.Ledger{Planned: 100, Sent: 100, Completed: 100}
	return seen{
		stated: l, ledger: l, verdict: reqlog.Sound, concurrency: 4, peak: 4, onTime: 100, cache: cache,
		cached:  evidence.CacheMeasure{CachedTokens: 0, PromptTokens: 5000, Requests: 100, Of: 100},
		askedIn: 50, askedOut: 20, inputs: evidence.Spread{Min: 50, Median: 50, Max: 50, N: 100, Sum: 5000},
		outputs: evidence.Spread{Min: 20, Median: 20, Max: 20, N: 100, Sum: 2000}, tokens: 2000, chunks: 2000,
	}
}

func declared(t *testing.T, k measure.CacheKind, share float64) measure.CacheState {
	t.Helper()
	c, err := measure.DeclaredCache(k, share)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestQuietRunHasNoLimits(t *testing.T) {
	if got := recordLimits(quiet(t)); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
	if void, why := quiet(t).void(); void {
		t.Errorf("void: %s", why)
	}
}

// TestTriggers has for each code what triggers it, with its sentence, and the
// nearest case that does not.
func TestTriggers(t *testing.T) {
	tests := []struct {
		code     evidence.Code
		hit      func(*seen)
		sentence string // part of it
		miss     func(*seen)
	}{
		{evidence.LedgerUnbalanced, func(s *seen) { s.ledger.Completed = 99 }, "100 sent, but the outcomes add up to 99",
			func(s *seen) { s.ledger.Completed, s.ledger.Failed = 99, 1; s.stated = s.ledger }},
		{evidence.LedgerUnbalanced, func(s *seen) { s.ledger.Planned = 101 }, "101 planned, but 100 sent and 0 never sent",
			func(s *seen) { s.ledger.Planned, s.ledger.NeverSent = 101, 1; s.stated = s.ledger }},
		{evidence.LedgerUnbalanced, func(s *seen) { s.stated.Completed, s.stated.Failed = 99, 1 }, "99 completed against 100", func(*seen) {}},
		{evidence.LedgerUnbalanced, func(s *seen) { s.oddRows = 1 }, "belong to no phase", func(*seen) {}},
		{evidence.ClientVoid, func(s *seen) { s.verdict, s.reasons = reqlog.Void, []string{"Sends were late."} }, "voids this run: Sends were late.",
			func(s *seen) { s.verdict = reqlog.Suspect }},
		{evidence.ClientSuspect, func(s *seen) { s.verdict = reqlog.Suspect }, "no reason recorded", func(s *seen) { s.verdict = reqlog.Void }},
		{evidence.SimulatedEndpoint, func(s *seen) { s.simulated = true }, "not from a model", func(*seen) {}},
		{evidence.Interruption, func(s *seen) { s.interrupted, s.note = true, "Ctrl-C." }, "(Ctrl-C)", func(s *seen) { s.note = "a note" }},
		{evidence.UnresolvedTail, func(s *seen) { s.ledger.Unresolved = 3 }, "3 of 100 sent", func(s *seen) { s.ledger.Cancelled = 3 }},
		{evidence.CacheContradicted, func(s *seen) { s.cached.CachedTokens = 501 }, "declared cold, but the endpoint reported 10.0 %",
			func(s *seen) { s.cached.CachedTokens = 500 }},
		{evidence.CacheContradicted, func(s *seen) { s.cache = declared(t, measure.CacheWarm, 0); s.cached.CachedTokens = 2499 }, "declared warm",
			func(s *seen) { s.cache = declared(t, measure.CacheWarm, 0); s.cached.CachedTokens = 2500 }},
		{evidence.CacheContradicted, func(s *seen) { s.cache = declared(t, measure.CacheShared, 0.5); s.cached.CachedTokens = 1249 }, "shared prefix",
			func(s *seen) { s.cache = declared(t, measure.CacheShared, 0.5); s.cached.CachedTokens = 1250 }},
		{evidence.CacheContradicted, func(s *seen) { s.cache = declared(t, measure.CacheShared, 0.5); s.cached.CachedTokens = 3751 }, "75.0 %",
			func(s *seen) { s.cache = declared(t, measure.CacheShared, 0.5); s.cached.CachedTokens = 3750 }},
		{evidence.CacheContradicted, func(s *seen) { s.cache = declared(t, measure.CacheDisabled, 0); s.cached.CachedTokens = 1 }, "< 0.1 %",
			func(s *seen) { s.cache = declared(t, measure.CacheDisabled, 0) }},
		{evidence.CacheUnstated, func(s *seen) { s.cache = measure.UnstatedCache(); s.cached = evidence.CacheMeasure{Of: 100} }, "Neither",
			func(s *seen) { s.cache = measure.UnstatedCache() }},
		{evidence.CacheUnreported, func(s *seen) { s.cached = evidence.CacheMeasure{Of: 100} }, "declared state (cold)",
			func(s *seen) { s.cached.Requests = 1 }},
		{evidence.OfferedRateNotReached, func(s *seen) { s.open, s.rate, s.onTime = true, "20.00 requests/s", 98 }, "98 of 100 planned requests were sent on time",
			func(s *seen) { s.open, s.onTime = true, 99 }},
		{evidence.ConcurrencyNotReached, func(s *seen) { s.peak = 3 }, "Asked for 4 requests outstanding; at most 3", func(s *seen) { s.open, s.peak = true, 3 }},
		{evidence.FailuresExcluded, func(s *seen) { s.ledger.Failed, s.ledger.Rejected, s.ledger.TimedOut = 1, 2, 4 }, "7 requests failed",
			func(s *seen) { s.ledger.Cancelled = 4 }},
		{evidence.QueueGrows, func(s *seen) { s.open, s.quarters, s.early, s.late = true, true, 4, 11 }, "rose from 4.0 to 11.0",
			func(s *seen) { s.open, s.quarters, s.early, s.late = true, true, 4, 10 }},
		{evidence.QueueGrows, func(s *seen) { s.open, s.quarters, s.early, s.late = true, true, 400, 501 }, "rose from 400.0",
			func(s *seen) { s.open, s.quarters, s.early, s.late = true, true, 400, 500 }},
		{evidence.QueueGrows, func(s *seen) { s.open, s.quarters, s.early, s.late = true, true, 0, 4 }, "from 0.0 to 4.0",
			func(s *seen) { s.open, s.early, s.late = true, 0, 4 }},
		{evidence.QueueGrows, func(s *seen) { s.open, s.quarters, s.early, s.late = true, true, 1, 9 }, "from 1.0",
			func(s *seen) { s.quarters, s.early, s.late = true, 1, 9 }},
		{evidence.DrainDominates, func(s *seen) { s.drainShare = 0.21 }, "21.0 % of the observation window", func(s *seen) { s.drainShare = 0.2 }},
		{evidence.UsageMissing, func(s *seen) { s.noCount = 1 }, "1 of 100 completed", func(*seen) {}},
		{evidence.PromptLengthDiffers, func(s *seen) { s.inputs.Max = 61 }, "asked for 50 input tokens; the endpoint counted 50 to 61",
			func(s *seen) { s.inputs = evidence.Spread{} }},
		{evidence.OutputShort, func(s *seen) { s.outputs.Min = 19 }, "maximum was 20 tokens; completed requests returned 19 to 20",
			func(s *seen) { s.outputs = evidence.Spread{} }},
		{evidence.OneTokenOutputs, func(s *seen) { s.underTwo = 2 }, "2 completed requests", func(*seen) {}},
		{evidence.ChunkNotToken, func(s *seen) { s.chunks = 500 }, "2,000 tokens arrived in 500 chunks", func(s *seen) { s.chunks = 1905 }},
		{evidence.ChunkNotToken, func(s *seen) { s.chunks = 2101 }, "2,101 chunks", func(s *seen) { s.tokens, s.chunks = 0, 0 }},
		{evidence.FavourableUpperBound, func(s *seen) { s.notStated = []string{"precision", "input length"} }, "Not stated: precision, input length.", func(*seen) {}},
		{evidence.QualityGateMissing, func(s *seen) { s.noQuality = true }, "No quality check", func(*seen) {}},
		{evidence.WallClockStepped, func(s *seen) { s.wallStep = 51_000_000 }, "moved by +51.00 ms", func(s *seen) { s.wallStep = -50_000_000 }},
		{evidence.StreamWithoutDone, func(s *seen) { s.noDone = 5 }, "5 completed streams", func(*seen) {}},
	}
	tested := map[evidence.Code]bool{}
	for _, test := range tests {
		tested[test.code] = true
		s := quiet(t)
		test.hit(&s)
		i := slices.IndexFunc(recordLimits(s), func(l evidence.Limit) bool { return l.Code == test.code })
		if i < 0 {
			t.Errorf("%s: not triggered", test.code)
		} else if got, err := recordLimits(s)[i].Sentence(); err != nil || !strings.Contains(got, test.sentence) {
			t.Errorf("%s: got %q, %v, want %q in it", test.code, got, err, test.sentence)
		}
		s = quiet(t)
		test.miss(&s)
		if slices.Contains(codes(recordLimits(s)), test.code) {
			t.Errorf("%s: triggered by the case that should not", test.code)
		}
	}
	for _, tr := range triggers() {
		if !tested[tr.code] {
			t.Errorf("%s: has no test", tr.code)
		}
	}
}

// TestTriggersAreInTheList: each trigger's code is in the closed list, once,
// and those that are decided at a figure are not decided for the run as well.
func TestTriggersAreInTheList(t *testing.T) {
	seen := map[evidence.Code]bool{evidence.UnboundedPercentile: true, evidence.CompletionConditioned: true,
		evidence.TooFewRequests: true, evidence.FewRepeats: true, evidence.FastLongPrompt: true}
	for _, tr := range triggers() {
		if _, ok := evidence.Info(tr.code); !ok || seen[tr.code] {
			t.Errorf("%s: in the list %v, decided twice %v", tr.code, ok, seen[tr.code])
		}
		seen[tr.code] = true
	}
}

func TestVoid(t *testing.T) {
	s := quiet(t)
	s.ledger.Completed, s.verdict, s.reasons = 98, reqlog.Void, []string{"a", "b."}
	void, why := s.void()
	if want := "the ledger does not balance: 100 sent, but the outcomes add up to 98; the load generator was the bottleneck: a; b"; !void || why != want {
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
	if v.Amount.Kind != evidence.Exact || len(v.Limits) != 0 {
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
