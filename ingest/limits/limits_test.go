package limits_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// example is a finding with what it is about, and for one that applies a part of
// its sentence.
type example struct {
	what    string
	found   limits.Finding
	says    string
	applies bool
}

func yes(what string, f limits.Finding, says string) example { return example{what, f, says, true} }

func no(what string, f limits.Finding) example { return example{what, f, "", false} }

// n is a count that a source states, gap one that it does not.
func n(x int64) evidence.Known[int64] { return evidence.Stated(x, "report") }

func gap() evidence.Known[int64] { return evidence.NotStated[int64]("nobody said") }

func text(s string) evidence.Known[string] { return evidence.Stated(s, "plan") }

func noText() evidence.Known[string] { return evidence.NotStated[string]("nobody said") }

// examples has for every code the facts that trigger it, and the nearest ones
// that do not. TestEveryCode holds that no code lacks either.
func examples() map[evidence.Code][]example {
	all := map[evidence.Code][]example{}
	for _, some := range []map[evidence.Code][]example{validity(), outcomes(), percentiles(), load(), windows(), caches(), tokens(), stated(), contradictions()} {
		for code, es := range some {
			all[code] = append(all[code], es...)
		}
	}
	return all
}

func validity() map[evidence.Code][]example {
	whole := reqlog.Ledger{Planned: 100, Sent: 100, Completed: 100}
	ledger := func(change func(rows, manifest *reqlog.Ledger)) limits.Finding {
		rows, manifest := whole, whole
		change(&rows, &manifest)
		return limits.LedgerUnbalanced(rows, manifest, 0)
	}
	return map[evidence.Code][]example{
		evidence.LedgerUnbalanced: {
			yes("an outcome is missing", ledger(func(r, _ *reqlog.Ledger) { r.Completed = 99 }), "100 sent, but the outcomes add up to 99"),
			yes("a request is missing", ledger(func(r, _ *reqlog.Ledger) { r.Planned = 101 }), "101 planned, but 100 sent and 0 never sent"),
			yes("the manifest counts otherwise", ledger(func(_, m *reqlog.Ledger) { m.Completed, m.Failed = 99, 1 }), "99 completed against 100"),
			yes("a row of no phase", limits.LedgerUnbalanced(whole, whole, 1), "1 row of the log belong"),
			no("a failure is no fault", ledger(func(r, m *reqlog.Ledger) { r.Completed, r.Failed = 99, 1; *m = *r })),
			no("one was never sent", ledger(func(r, m *reqlog.Ledger) { r.Planned, r.NeverSent = 101, 1; *m = *r })),
		},
		evidence.ClientVoid: {
			yes("void", limits.ClientVoid(reqlog.Void, []string{"Sends were late.", "So were timers."}), "voids this run: Sends were late; So were timers."),
			no("suspect", limits.ClientVoid(reqlog.Suspect, []string{"Sends were late."})),
		},
		evidence.ClientSuspect: {
			yes("suspect", limits.ClientSuspect(reqlog.Suspect, nil), "no reason recorded"),
			no("void", limits.ClientSuspect(reqlog.Void, nil)), no("too few", limits.ClientSuspect(reqlog.Unjudged, nil)),
		},
		evidence.ClientUnjudged: {
			yes("too few", limits.ClientUnjudged(reqlog.Unjudged, []string{"12 requests."}), "was late: 12 requests."),
			no("sound", limits.ClientUnjudged(reqlog.Sound, nil)),
		},
		evidence.SimulatedEndpoint: {yes("simulated", limits.SimulatedEndpoint(true), "no real system"), no("not", limits.SimulatedEndpoint(false))},
		evidence.Interruption: {
			yes("interrupted", limits.Interruption(true, "Ctrl-C."), "(Ctrl-C)"), yes("without a word", limits.Interruption(true, ""), "no reason recorded"),
			no("a note is no interruption", limits.Interruption(false, "a note")),
		},
		evidence.WallClockStepped: {
			yes("forwards", limits.WallClockStepped(51*time.Millisecond), "moved by +51.00 ms"), yes("back", limits.WallClockStepped(-2*time.Second), "−2.000 s"),
			no("slewed", limits.WallClockStepped(-50*time.Millisecond)),
		},
		evidence.UnverifiedMLPerf: {yes("no result ID", limits.UnverifiedMLPerf(false), "not verified by MLCommons"), no("a result ID", limits.UnverifiedMLPerf(true))},
	}
}

func outcomes() map[evidence.Code][]example {
	with := func(sent, completed, failed, open evidence.Known[int64]) evidence.Outcomes {
		o := evidence.Unstated("nobody said").Outcomes
		o.Sent, o.Completed, o.Failed, o.Unresolved = sent, completed, failed, open
		return o
	}
	return map[evidence.Code][]example{
		evidence.UnresolvedTail: {
			yes("38 open", limits.UnresolvedTail(n(38), n(2290)), "38 of 2,290 sent"), yes("of an unknown number", limits.UnresolvedTail(n(38), gap()), "unstated number"),
			no("none open", limits.UnresolvedTail(n(0), n(100))), no("nobody says", limits.UnresolvedTail(gap(), n(100))),
		},
		evidence.FailuresExcluded: {
			yes("three kinds", limits.FailuresExcluded(1, 2, 4), "7 requests that failed"), yes("one", limits.FailuresExcluded(0, 0, 1), "1 request that"),
			no("none", limits.FailuresExcluded(0, 0, 0)),
		},
		evidence.FailuresInside: {yes("any 200", limits.FailuresInside("any answer with HTTP 200"), "completed: any answer with HTTP 200."), no("as we count", limits.FailuresInside(""))},
		evidence.OutcomesNotStated: {
			yes("only the completed", limits.OutcomesNotStated(with(gap(), n(100), gap(), gap())), "how many requests were sent, failed and were still open."),
			yes("102 unaccounted for", limits.OutcomesNotStated(with(n(1000), n(898), gap(), gap())), "how many requests failed and were still open."),
			no("all of them", limits.OutcomesNotStated(with(n(100), n(80), n(5), n(15)))),
			no("none can be open", limits.OutcomesNotStated(with(n(100), n(95), n(5), gap()))),
		},
		evidence.SentAgain:         {yes("one of many", limits.SentAgain(1, 200), "1 of 200 sent requests"), no("none", limits.SentAgain(0, 200))},
		evidence.StreamWithoutDone: {yes("one", limits.StreamWithoutDone(1), "1 completed stream ended"), no("none", limits.StreamWithoutDone(0))},
	}
}

func percentiles() map[evidence.Code][]example {
	p95 := func(kind evidence.AmountKind, x float64, b *evidence.Bounds) evidence.Value {
		return evidence.Value{Metric: "ttft_p95", Amount: evidence.Amount{Kind: kind, X: x}, Bounds: b}
	}
	ended := &evidence.Bounds{Lower: evidence.Amount{Kind: evidence.Exact, X: 1}, Upper: evidence.Amount{Kind: evidence.Exact, X: 2}}
	rate := evidence.Value{Metric: "output_token_rate", Amount: evidence.Amount{Kind: evidence.AtLeast, X: 10}}
	return map[evidence.Code][]example{
		evidence.UnboundedPercentile: {
			yes("a lower end", limits.UnboundedPercentile(p95(evidence.AtLeast, 60, nil)), "at least 60.00 s"),
			yes("none at all", limits.UnboundedPercentile(p95(evidence.Unbounded, 0, nil)), "it can be anything"),
			no("a number", limits.UnboundedPercentile(p95(evidence.Exact, 60, nil))), no("two ends", limits.UnboundedPercentile(p95(evidence.AtLeast, 1, ended))),
			no("a rate is no percentile", limits.UnboundedPercentile(rate)),
		},
		evidence.CompletionConditioned: {yes("15 open", limits.CompletionConditioned(80, 15), "80 completed requests alone"), no("none open", limits.CompletionConditioned(80, 0))},
		evidence.TooFewRequests: {
			yes("p99 of 367", limits.TooFewRequests(measure.P99, 367), "needs 368 requests; the figure has 367"), no("p99 of 368", limits.TooFewRequests(measure.P99, 368)),
			no("a median of 3", limits.TooFewRequests(measure.P50, 3)), no("a maximum of 3", limits.TooFewRequests(measure.StatMax, 3)), no("a mean", limits.TooFewRequests(measure.Mean, 3)),
		},
		evidence.FewRepeats:        {yes("five", limits.FewRepeats(5), "has 5"), no("six", limits.FewRepeats(6))},
		evidence.MeanNotPercentile: {yes("a mean alone", limits.MeanNotPercentile(measure.Mean, false), "Only the mean"), no("beside a percentile", limits.MeanNotPercentile(measure.Mean, true)), no("a median", limits.MeanNotPercentile(measure.P50, false))},
	}
}

func load() map[evidence.Code][]example {
	return map[evidence.Code][]example{
		evidence.OfferedRateNotReached: {
			yes("98 of 100", limits.OfferedRateNotReached("20.00 requests/s", 98, 100), "sent on time: 98 of 100 planned requests"),
			yes("one number sent", limits.SentBelowPlanned("50 requests/s", 1200, 3000), "at most 1,200 of 3,000 planned requests"), no("enough sent", limits.SentBelowPlanned("50 requests/s", 2970, 3000)),
			yes("two rates", limits.SentRateBelowAsked("104 requests/s", 104, 72.6), "at most 72.6 requests/s"),
			no("99 of 100", limits.OfferedRateNotReached("20.00 requests/s", 99, 100)), no("as asked", limits.SentRateBelowAsked("104 requests/s", 104, 103.9)),
		},
		evidence.ConcurrencyNotReached: {yes("three of four", limits.ConcurrencyNotReached(4, 3), "Asked for 4 requests outstanding; the most seen in flight were 3"), no("four", limits.ConcurrencyNotReached(4, 4))},
		evidence.QueueGrows: {
			yes("few", limits.QueueGrows(4, 11), "rose from 4.0 to 11.0"), yes("many", limits.QueueGrows(400, 501), "rose from 400.0"), yes("from nothing", limits.QueueGrows(0, 4), "from 0.0 to 4.0"),
			no("within chance", limits.QueueGrows(4, 10)), no("a quarter", limits.QueueGrows(400, 500)), no("falling", limits.QueueGrows(11, 4)),
		},
		evidence.RequestsVaryInSeries: {yes("128 and 512", limits.RequestsVaryInSeries([]int64{128, 512, 128}), "with 128 and 512 requests"), no("128 throughout", limits.RequestsVaryInSeries([]int64{128, 128}))},
	}
}

func windows() map[evidence.Code][]example {
	seconds := evidence.Stated(evidence.Term{Amount: 60, Unit: "s"}, "report")
	return map[evidence.Code][]example{
		evidence.DrainDominates: {
			yes("21 %", limits.DrainDominates(0.21, ""), "21.0 % of the observation window"), yes("by another way", limits.DrainDominates(0.5, "by the plan"), "50.0 % (by the plan)"),
			no("a fifth", limits.DrainDominates(0.2, "")),
		},
		evidence.WarmupInWindow: {
			yes("none made", limits.WarmupInWindow(limits.Warmup{}), "no request was sent before"), yes("still open", limits.WarmupInWindow(limits.Warmup{Planned: 16, Open: 1}), "1 request of the warm-up"),
			yes("the source says so", limits.WarmupInWindow(limits.Warmup{Planned: 16, Said: "by its own word"}), "by its own word"),
			no("made and over", limits.WarmupInWindow(limits.Warmup{Planned: 16})),
		},
		evidence.WindowMismatch: {
			yes("trimmed", limits.WindowMismatch("trimmed requests", "the whole run"), "of trimmed requests; the time that it is divided by is that of the whole run"),
			yes("two lengths", limits.WindowNotDenominator(28_800, 29_100.679), "28800 s"), yes("eleven for each hundred", limits.SteadyCutsRequests(100, 11), "the whole of 100 requests"),
			no("nothing said", limits.WindowMismatch("", "")), no("rounded", limits.WindowNotDenominator(29_100.679, 29_100.7)), no("ten for each hundred", limits.SteadyCutsRequests(100, 10)),
		},
		evidence.DurationNotStated: {
			yes("a rate without seconds", limits.DurationNotStated(evidence.NotStated[evidence.Term]("nobody said")), "No elapsed time"), no("with", limits.DurationNotStated(seconds)),
		},
	}
}

// cache is a declared state, with cached tokens out of 5,000 where that is not negative.
func cache(k measure.CacheKind, share float64, cached int64) evidence.Cache {
	c := evidence.Cache{Kind: k, Share: share, Declared: k != measure.CacheUnstated, Measured: evidence.NotStated[evidence.CacheMeasure]("not reported")}
	if cached >= 0 {
		c.Measured = evidence.Stated(evidence.CacheMeasure{CachedTokens: cached, PromptTokens: 5000, Requests: 100, Of: 100}, "usage")
	}
	return c
}

func caches() map[evidence.Code][]example {
	none := cache(measure.CacheCold, 0, -1)
	none.Measured = evidence.NotApplicable[evidence.CacheMeasure]("no request completed")
	shorter := []limits.PromptWait{{Tokens: 1024, TTFT: 0.31}, {Tokens: 2048, TTFT: 0.35}}
	return map[evidence.Code][]example{
		evidence.CacheContradicted: {
			yes("cold", limits.CacheContradicted(cache(measure.CacheCold, 0, 501)), "declared cold, but the endpoint reported 10.0 %"), no("cold", limits.CacheContradicted(cache(measure.CacheCold, 0, 500))),
			yes("warm", limits.CacheContradicted(cache(measure.CacheWarm, 0, 2499)), "declared warm"), no("warm", limits.CacheContradicted(cache(measure.CacheWarm, 0, 2500))),
			yes("too little shared", limits.CacheContradicted(cache(measure.CacheShared, 0.5, 1249)), "shared prefix"), no("enough shared", limits.CacheContradicted(cache(measure.CacheShared, 0.5, 1250))),
			yes("too much shared", limits.CacheContradicted(cache(measure.CacheShared, 0.5, 3751)), "75.0 %"), no("not too much", limits.CacheContradicted(cache(measure.CacheShared, 0.5, 3750))),
			yes("disabled", limits.CacheContradicted(cache(measure.CacheDisabled, 0, 1)), "< 0.1 %"), no("disabled", limits.CacheContradicted(cache(measure.CacheDisabled, 0, 0))),
			no("not declared", limits.CacheContradicted(cache(measure.CacheUnstated, 0, 5000))), no("not measured", limits.CacheContradicted(cache(measure.CacheCold, 0, -1))),
		},
		evidence.CacheUnstated: {
			yes("neither", limits.CacheUnstated(cache(measure.CacheUnstated, 0, -1)), "Neither"),
			no("measured", limits.CacheUnstated(cache(measure.CacheUnstated, 0, 0))), no("declared", limits.CacheUnstated(cache(measure.CacheCold, 0, -1))),
		},
		evidence.CacheUnreported: {
			yes("declared only", limits.CacheUnreported(cache(measure.CacheCold, 0, -1)), "declared state (cold)"),
			no("reported", limits.CacheUnreported(cache(measure.CacheCold, 0, 0))), no("nothing to report", limits.CacheUnreported(none)),
		},
		evidence.PromptsRepeated: {
			yes("cold", limits.PromptsRepeated(cache(measure.CacheCold, 0, -1), 4, 4), "4 of 4 measured prompts"), yes("nothing declared", limits.PromptsRepeated(cache(measure.CacheUnstated, 0, -1), 1, 4), "1 of 4"),
			no("one in twenty", limits.PromptsRepeated(cache(measure.CacheCold, 0, -1), 4, 80)), no("warm repeats on purpose", limits.PromptsRepeated(cache(measure.CacheWarm, 0, -1), 4, 4)),
		},
		evidence.FastLongPrompt: {
			yes("no slower", limits.FastLongPrompt(limits.PromptWait{Tokens: 16_384, TTFT: 0.30}, shorter), "16,384 tokens got their first token as fast as prompts of 1,024"),
			no("slower", limits.FastLongPrompt(limits.PromptWait{Tokens: 16_384, TTFT: 0.36}, shorter)), no("hardly longer", limits.FastLongPrompt(limits.PromptWait{Tokens: 2047, TTFT: 0.30}, shorter)),
		},
	}
}

func tokens() map[evidence.Code][]example {
	tally := func(a, b int64) limits.Finding {
		return limits.TokenCountsDisagree(limits.Tally{Tokens: a, By: "usage"}, limits.Tally{Tokens: b, By: "a tokenizer"})
	}
	return map[evidence.Code][]example{
		evidence.UsageMissing:        {yes("one", limits.UsageMissing(1, 100), "1 of 100 completed requests"), no("none", limits.UsageMissing(0, 100))},
		evidence.PromptLengthDiffers: {yes("longer", limits.PromptLengthDiffers(50, 50, 61, 9), "asked for 50 input tokens; the endpoint counted 50 to 61 ("), yes("all alike", limits.PromptLengthDiffers(80, 84, 84, 9), "counted 84 ("), no("as asked", limits.PromptLengthDiffers(50, 50, 50, 9)), no("not counted", limits.PromptLengthDiffers(50, 0, 0, 0))},
		evidence.OutputShort:         {yes("shorter", limits.OutputShort(20, 19, 20, 9), "maximum was 20 tokens; completed requests returned 19 to 20"), no("full", limits.OutputShort(20, 20, 20, 9)), no("not counted", limits.OutputShort(20, 0, 0, 0))},
		evidence.OneTokenOutputs:     {yes("two", limits.OneTokenOutputs(2), "the 2 completed requests with"), no("none", limits.OneTokenOutputs(0))},
		evidence.ChunkNotToken: {
			yes("four a chunk", limits.ChunkNotToken(2000, 500), "2,000 tokens arrived in 500 chunks"), yes("empty chunks", limits.ChunkNotToken(2000, 2101), "2,101 chunks"),
			no("an end mark more", limits.ChunkNotToken(2000, 1905)), no("no stream", limits.ChunkNotToken(2000, 0)),
		},
		evidence.StreamBundled: {
			yes("51 of 100", limits.StreamBundled(51, 100), "51 of 100 gaps"), no("half", limits.StreamBundled(50, 100)), no("too few to tell", limits.StreamBundled(99, 99)),
		},
		evidence.FirstTokenReasoning: {yes("all", limits.FirstTokenReasoning(80, 80), "In 80 of 80 completed requests"), no("none", limits.FirstTokenReasoning(0, 80))},
		evidence.TokenCountsDisagree: {
			yes("two counts", tally(1023, 300), "1,023 tokens by usage, but 300 by a tokenizer"), yes("per request", limits.TokenMiscounts(6, 10, "usage", "a tokenizer"), "tokens of 6 of 10 requests"),
			no("special tokens", tally(1000, 980)), no("alike per request", limits.TokenMiscounts(0, 10, "usage", "a tokenizer")),
		},
	}
}

func stated() map[evidence.Code][]example {
	whether := func(b bool) *bool { return &b }
	return map[evidence.Code][]example{
		evidence.FavourableUpperBound: {yes("two missing", limits.FavourableUpperBound([]string{"precision", "input length"}), "Not stated: precision, input length."), no("all there", limits.FavourableUpperBound(nil))},
		evidence.QualityGateMissing: {
			yes("by precision", limits.QualityGateMissing(nil, text("fp8 (e4m3)"), noText()), "Precision fp8 (e4m3)"), yes("by the plan's word", limits.QualityGateMissing(whether(true), noText(), noText()), "quantised, as the plan says"),
			no("checked", limits.QualityGateMissing(whether(true), text("int4"), text("MMLU: 0.71"))), no("bf16", limits.QualityGateMissing(nil, text("BF16"), noText())),
			no("the plan says not", limits.QualityGateMissing(whether(false), text("fp8"), noText())), no("not stated", limits.QualityGateMissing(nil, noText(), noText())),
		},
		evidence.DefinitionNotStated: {yes("a word alone", limits.DefinitionNotStated("from when to when"), "this figure: from when to when."), no("defined", limits.DefinitionNotStated(""))},
		evidence.DerivedValue:        {yes("derived", limits.DerivedValue(evidence.DerivedClass), "calls this figure derived"), no("from a report", limits.DerivedValue(evidence.ReportBacked))},
	}
}

// rate is a figure as a source writes it, with the parts beside it.
func rate(written string, x, numerator, seconds float64) evidence.Value {
	v := evidence.UnstatedValue("output_token_rate", evidence.Amount{Kind: evidence.Exact, X: x}, "rule", "nobody said")
	v.Original = &evidence.Original{Number: written}
	v.Numerator = evidence.Stated(evidence.Term{Amount: numerator, Unit: "output tokens"}, "report")
	v.Denominator = evidence.Stated(evidence.Term{Amount: seconds, Unit: "s"}, "report")
	return v
}

func contradictions() map[evidence.Code][]example {
	sums := func(change func(*evidence.Outcomes)) limits.Finding {
		o := evidence.Unstated("nobody said").Outcomes
		change(&o)
		return limits.CountsDoNotAddUp(o)
	}
	pace := limits.Estimate{X: 2, Words: "as stated"}
	stay := func(x float64, whole bool) limits.Estimate { return limits.Estimate{X: x, Words: "mean", Whole: whole} }
	return map[evidence.Code][]example{
		evidence.RateContradictsCount: {yes("200 is not 240", limits.RateContradictsCount(rate("240.0", 240, 12_000, 60)), "12,000 divided by 60 s is 200, but the source gives 240"), no("rounded", limits.RateContradictsCount(rate("200.0", 200, 12_002, 60)))},
		evidence.NumeratorIsTarget: {
			yes("to the last digit", limits.NumeratorIsTarget(rate("1,267.90", 1267.9, 0, 29_100.679), 2252, 16_384), "36,896,768"), no("one request less", limits.NumeratorIsTarget(rate("1,267.90", 1267.9, 0, 29_100.679), 2251, 16_384)),
			no("two digits agree by chance", limits.NumeratorIsTarget(rate("20", 20, 0, 50), 10, 100)),
		},
		evidence.RatesContradictLengths: {
			yes("counted", limits.RatesContradictLengths(900, 50, 1000, 100, true), "18 times the output rate; it should be 11 by the counted tokens"), yes("asked", limits.RatesContradictLengths(450, 50, 1000, 100, false), "at least 11"),
			no("counted", limits.RatesContradictLengths(550, 50, 1000, 100, true)), no("shorter outputs raise it", limits.RatesContradictLengths(900, 50, 1000, 100, false)),
		},
		evidence.InFlightImplausible: {
			yes("more than clients", limits.InFlightImplausible(pace, stay(12, true), 16), "would keep 24.0 requests in flight; 16 were"), yes("half idle", limits.InFlightImplausible(pace, stay(3.9, true), 16), "7.8"),
			no("busy", limits.InFlightImplausible(pace, stay(7.9, true), 16)), no("the first token bounds from above only", limits.InFlightImplausible(pace, stay(0.1, false), 16)),
		},
		evidence.CountsDoNotAddUp: {
			yes("parts above the sum", sums(func(o *evidence.Outcomes) { o.Sent, o.Completed, o.Failed = n(100), n(97), n(5) }), "add up to 102, the total is 100"),
			yes("sent and never sent", sums(func(o *evidence.Outcomes) { o.Planned, o.Sent, o.NeverSent = n(100), n(90), n(9) }), "planned requests are 100"),
			no("what is not stated may be the rest", sums(func(o *evidence.Outcomes) { o.Sent, o.Completed, o.Failed = n(100), n(80), n(5) })),
		},
	}
}

// TestTriggers runs every example.
func TestTriggers(t *testing.T) {
	for code, es := range examples() {
		for _, e := range es {
			t.Run(fmt.Sprintf("%s/%s", code, e.what), func(t *testing.T) {
				if e.found.Code() != code {
					t.Fatalf("the trigger decides on %s", e.found.Code())
				}
				got := e.found.At("ttft_p50")
				if len(got) > 0 != e.applies || e.found.Applies() != e.applies {
					t.Fatalf("applies: %t, want %t", e.found.Applies(), e.applies)
				}
				if !e.applies {
					return
				}
				if got[0].Where != "ttft_p50" || e.found.Record()[0].Where != "record" {
					t.Errorf("where: %+v", got)
				}
				sentence, err := got[0].Sentence()
				if err != nil || !strings.Contains(sentence, e.says) {
					t.Errorf("says %q, %v; want %q in it", sentence, err, e.says)
				}
				for _, wrong := range []string{"1 requests", "1 rows", "1 tokens ", " to 84 to"} {
					if strings.Contains(" "+sentence, " "+wrong) {
						t.Errorf("%q has %q", sentence, wrong)
					}
				}
			})
		}
	}
}
