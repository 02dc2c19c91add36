package evidence_test

import (
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// sample is a record with something in every field.
func sample() evidence.Record {
	str := func(s string) evidence.Known[string] { return evidence.Stated(s, "plan") }
	none := evidence.NotStated[string]("nobody said")
	n := func(x int64) evidence.Known[int64] { return evidence.Stated(x, "log") }
	cache := evidence.Cache{Kind: measure.CacheShared, Share: 0.5, Declared: true,
		Measured: evidence.Derived(evidence.CacheMeasure{CachedTokens: 640, PromptTokens: 1280, Requests: 10, Of: 10}, "sums of usage")}
	window := evidence.Derived(evidence.Window{Rule: measure.ObservationWindow, FromNS: 5, ToNS: 2_000_000_005, Seconds: 2}, "from the manifest")
	return evidence.Record{
		Slug: "demo-r1", Title: "Demo <b> & more", Summary: "A sentence.", Class: evidence.Simulated, Kind: evidence.RunRecord, Family: "demo",
		Void: true, VoidWhy: "the ledger does not balance",
		Subject: evidence.Subject{Profile: "B0", Model: str("m"), ModelRevision: none, Tokenizer: none, Engine: str("sim"), EngineVersion: none,
			Precision: none, Parallelism: none, Hardware: none, Accelerators: evidence.NotApplicable[int64]("simulated"), Quality: none,
			Started: str("2026-11-29T17:23:00Z"), Tool: str("benchline"), SourceRunID: str("demo-r1")},
		Workload: evidence.Workload{InputTokensAsked: n(128), InputTokens: evidence.Derived(evidence.Spread{Min: 128, Median: 128, Max: 130, N: 10, Sum: 1290}, "usage"),
			OutputTokensAsked: n(32), OutputTokens: evidence.NotStated[evidence.Spread]("no usage"), TokenSource: str("usage"), Prompts: str("seed 1"), Requests: n(10)},
		Load: evidence.Load{Mode: str("closed loop"), Concurrency: n(4), Rate: evidence.NotApplicable[string]("closed loop"),
			RatePerSec: evidence.NotApplicable[float64]("closed loop"), Arrivals: evidence.NotApplicable[string]("closed loop"), PeakOpen: n(4)},
		State: evidence.State{Cache: cache, Warmup: str("none"), Window: window, Drain: str("5 s"), Objectives: none,
			TTFTLimit: evidence.Stated(0.5, "plan"), E2ELimit: evidence.NotStated[float64]("plan has none"), Complete: str("complete")},
		Outcomes: evidence.Outcomes{Planned: n(10), Sent: n(10), Completed: n(9), Failed: n(0), Rejected: n(0), TimedOut: n(0), Cancelled: n(0), Unresolved: n(1), NeverSent: n(0), WarmupSent: n(0)},
		Values: []evidence.Value{
			{Metric: "output_token_rate", Amount: evidence.Amount{Kind: evidence.Exact, X: 144}, Numerator: evidence.Derived(evidence.Term{Amount: 288, Unit: "output tokens", What: "by usage"}, "sum"),
				Denominator: evidence.Derived(evidence.Term{Amount: 2, Unit: "s", What: "window"}, "window"), Window: window,
				Population: evidence.Derived(evidence.Population{Rule: "completed", N: 9, Excluded: []evidence.Excluded{{Reason: "unresolved", N: 1}}}, "log"),
				Cache:      cache, Interval: evidence.NotApplicable[evidence.Interval]("one run"), Rule: "tokens ÷ window",
				Limits: []evidence.Limit{{Code: evidence.UnresolvedTail, Args: []string{"1", "10"}, Where: "output_token_rate"}}},
			{Metric: "ttft_p99", Amount: evidence.Amount{Kind: evidence.AtLeast, X: 0.25}, Numerator: evidence.Derived(evidence.Term{Amount: 10, Unit: "rank", What: "⌈0.99 · 10⌉"}, "nearest rank"),
				Denominator: evidence.Derived(evidence.Term{Amount: 10, Unit: "requests", What: "sent"}, "log"), Window: window,
				Population: evidence.Derived(evidence.Population{Rule: "sent", N: 10}, "log"), Cache: cache,
				Completed: &evidence.Conditioned{Amount: evidence.Amount{Kind: evidence.Exact, X: 0.24}, N: 9, Rule: "nearest rank of the completed"},
				Bounds:    &evidence.Bounds{Lower: evidence.Amount{Kind: evidence.AtLeast, X: 0.25}, Upper: evidence.Amount{Kind: evidence.Unbounded}, N: 10, Rule: "all sent"},
				Interval:  evidence.Derived(evidence.Interval{Low: 0.1, High: 0.3, Kind: "order statistics, 95 %", N: 10}, "binomial"), Rule: "nearest rank",
				Original: &evidence.Original{Number: "250", Unit: "ms", Key: "p99_ttft_ms"}},
		},
		Distributions: []evidence.Distribution{{Metric: "ttft", Start: "sent", N: 10, Finished: 9, Open: 1, Steps: []evidence.Step{{X: 0.1, Share: 0.5}, {X: 0.25, Share: 0.9}}, OpenAges: []float64{1.5}}},
		Timeline:      &evidence.Timeline{BinSeconds: 1, InFlight: []int64{4, 1}, Due: []int64{8, 2}, Ended: []int64{5, 4}},
		Client:        &evidence.Client{Verdict: "sound", Facts: []evidence.Fact{{Key: "cpu_share", Label: "CPU share", Value: str("3 %")}}},
		Errors:        []evidence.ErrorClass{{Outcome: "failed", Class: "empty", N: 1, Example: "an example\u2028with a line separator"}},
		Limits:        []evidence.Limit{{Code: evidence.SimulatedEndpoint, Where: "record"}},
		Facts:         []evidence.Fact{{Key: "engine_version", Label: "Engine version", Value: none}},
		Sources:       []evidence.Source{{Name: "run", Supports: "all figures", Published: none, Reviewed: none, Licence: none, File: "requests.parquet", SHA256: strings.Repeat("ab", 32), Adapter: "own 1"}},
		Files:         []evidence.File{{Name: "requests.parquet", Path: "logs/demo-r1/requests.parquet", Bytes: 10, SHA256: strings.Repeat("ab", 32), What: "log"}},
		PlanTOML:      "name = \"demo\"\n",
	}
}
