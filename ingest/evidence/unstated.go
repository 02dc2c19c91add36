package evidence

import "benchline/ingest/measure"

// Unstated returns a record in which nothing is stated, each gap with the same
// reason. It is what a reader of a foreign format starts from, so that what it
// does not find stays a gap. It has no name, kind, class or source yet.
func Unstated(reason string) Record {
	s, n := NotStated[string](reason), NotStated[int64](reason)
	f, sp := NotStated[float64](reason), NotStated[Spread](reason)
	return Record{
		Subject: Subject{Model: s, ModelRevision: s, Tokenizer: s, Engine: s, EngineVersion: s, Precision: s, Parallelism: s,
			Hardware: s, Accelerators: n, Quality: s, Started: s, Tool: s, SourceRunID: s},
		Workload: Workload{InputTokensAsked: n, InputTokens: sp, OutputTokensAsked: n, OutputTokens: sp, TokenSource: s, Prompts: s, Requests: n},
		Load:     Load{Mode: s, Concurrency: n, Rate: s, RatePerSec: f, Arrivals: s, PeakOpen: n},
		State: State{Cache: UnstatedCache(reason), Warmup: s, Window: NotStated[Window](reason), Drain: s, Objectives: s,
			TTFTLimit: f, E2ELimit: f, Complete: s},
		Outcomes: Outcomes{Planned: n, Sent: n, Completed: n, Failed: n, Rejected: n, TimedOut: n, Cancelled: n, Unresolved: n, NeverSent: n, WarmupSent: n},
	}
}

// UnstatedValue is a figure of which nothing but the metric and its amount is known.
func UnstatedValue(id measure.MetricID, a Amount, rule, reason string) Value {
	return Value{Metric: id, Amount: a, Numerator: NotStated[Term](reason), Denominator: NotStated[Term](reason),
		Window: NotStated[Window](reason), Population: NotStated[Population](reason), Cache: UnstatedCache(reason),
		Interval: NotStated[Interval](reason), Rule: rule}
}

// UnstatedCache is a cache state of which nothing is known.
func UnstatedCache(reason string) Cache {
	return Cache{Kind: measure.CacheUnstated, Measured: NotStated[CacheMeasure](reason)}
}
