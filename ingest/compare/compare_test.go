package compare_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

func said[T any](v T) evidence.Known[T] { return evidence.Stated(v, "test") }

func spread(n int64) evidence.Known[evidence.Spread] {
	return said(evidence.Spread{Min: n, Median: n, Max: n, N: 10, Sum: 10 * n})
}

// record states everything.
func record(slug string, change ...func(*evidence.Record)) evidence.Record {
	no := evidence.NotApplicable[string]("closed loop")
	window := said(evidence.Window{Rule: measure.ObservationWindow, Seconds: 10})
	of := said(evidence.Population{Rule: "completed requests", N: 100})
	r := evidence.Record{
		Slug: slug, Class: evidence.ReportBacked, Kind: evidence.RunRecord, Family: "f",
		Subject: evidence.Subject{Profile: "B0", Model: said("m"), ModelRevision: said("1"), Tokenizer: said("t"), Engine: said("e"), EngineVersion: said("1"),
			Precision: said("BF16"), Parallelism: said("TP1"), Hardware: said("2 × GH200"), Accelerators: said(int64(2))},
		Workload: evidence.Workload{InputTokensAsked: said(int64(128)), OutputTokensAsked: said(int64(512)), InputTokens: spread(128), OutputTokens: spread(512),
			TokenSource: said("usage"), Requests: said(int64(100))},
		Load:  evidence.Load{Mode: said("closed loop"), Concurrency: said(int64(16)), Rate: no, Arrivals: no},
		State: evidence.State{Cache: evidence.Cache{Kind: measure.CacheCold, Declared: true}, Objectives: no},
		Values: []evidence.Value{
			{Metric: "output_token_rate", Amount: evidence.Amount{Kind: evidence.Exact, X: 100}, Rule: "tokens ÷ window", Window: window, Population: of},
			{Metric: "ttft_p50", Amount: evidence.Amount{Kind: evidence.Exact, X: 0.1}, Rule: "nearest rank", Window: window, Population: of},
		},
	}
	for _, f := range change {
		f(&r)
	}
	return r
}

func TestVerdicts(t *testing.T) {
	tests := []struct {
		name     string
		change   func(*evidence.Record)
		kind     compare.Kind
		why      []string
		sentence string
	}{
		{"nothing", func(*evidence.Record) {}, compare.Controlled, []string{}, "nothing differs"},
		{"one thing", func(r *evidence.Record) { r.Load.Concurrency = said(int64(32)) }, compare.Controlled, []string{"concurrency"}, "only the concurrency differs"},
		{"a profile that is not named", func(r *evidence.Record) { r.Subject.Profile = "" }, compare.Confounded, []string{"profile"}, "profile is not stated"},
		// p1-c128 against p1-c64: the request count changed with the concurrency.
		{"two things", func(r *evidence.Record) { r.Load.Concurrency, r.Workload.Requests = said(int64(64)), said(int64(640)) },
			compare.Confounded, []string{"request count", "concurrency"}, "request count and concurrency differ"},
		{"one thing and a gap", func(r *evidence.Record) {
			r.Load.Concurrency, r.Subject.Precision = said(int64(64)), evidence.NotStated[string]("lost")
		}, compare.Confounded, []string{"concurrency", "precision"}, "Not stated on a side: precision."},
		{"a gap", func(r *evidence.Record) { r.Subject.Engine = evidence.NotStated[string]("lost") }, compare.Confounded, []string{"engine"}, "engine is not stated, so it may differ"},
		// e16-short-c16-run1 against b0-short-c16.
		{"profiles", func(r *evidence.Record) {
			r.Subject.Profile, r.Subject.Precision, r.Subject.EngineVersion = "E16", said("FP8"), evidence.NotStated[string]("lost")
		}, compare.SystemsRatio, []string{"profile"}, "neither a ranking of model quality nor the isolated gain"},
		{"profiles and workload", func(r *evidence.Record) { r.Subject.Profile, r.Workload.InputTokensAsked = "E16", said(int64(512)) },
			compare.Confounded, []string{"profile", "input tokens asked"}, "differ"},
		{"actual lengths", func(r *evidence.Record) { r.Workload.OutputTokens = spread(490) }, compare.Controlled, []string{"output tokens, actual"}, "only the"},
		{"nearly the same lengths", func(r *evidence.Record) { r.Workload.OutputTokens = spread(505) }, compare.Controlled, []string{}, "nothing differs"},
		{"load mode", func(r *evidence.Record) {
			r.Load = evidence.Load{Mode: said("open loop"), Concurrency: evidence.NotApplicable[int64]("open"), Rate: said("5/s"), Arrivals: said("poisson")}
		}, compare.Confounded, []string{"load", "concurrency", "offered rate", "arrivals"}, "differ"},
		{"cache", func(r *evidence.Record) { r.State.Cache.Kind = measure.CacheWarm }, compare.Controlled, []string{"cache state"}, "only the cache state"},
		{"cache not stated", func(r *evidence.Record) { r.State.Cache = evidence.Cache{Kind: measure.CacheUnstated} }, compare.Confounded, []string{"cache state"}, "may differ"},
		// The derived p1-c128 against the raw archive's.
		{"class", func(r *evidence.Record) { r.Class = evidence.DerivedClass }, compare.NotComparable, []string{"evidence class"}, "the evidence class differs"},
		{"simulated", func(r *evidence.Record) { r.Class, r.Subject.Profile = evidence.Simulated, "sim" }, compare.NotComparable, []string{"evidence class"}, "class"},
		{"token source", func(r *evidence.Record) { r.Workload.TokenSource = said("tokenizer:x") }, compare.NotComparable, []string{"token source"}, "token source"},
		{"token source, with a remark", func(r *evidence.Record) {
			r.Workload.TokenSource = said("usage (none for 1 of 100 completed requests)")
		}, compare.Controlled, []string{}, ""},
		{"summary and run", func(r *evidence.Record) { r.Kind = evidence.RepeatsRecord }, compare.NotComparable, []string{"kind of record"}, ""},
		{"void", func(r *evidence.Record) { r.Void = true }, compare.NotComparable, []string{"void"}, "b is void"},
		{"definitions", func(r *evidence.Record) {
			r.Values = slices.Clone(r.Values)
			r.Values[0].Rule = "another"
			r.Values[1].Window = said(evidence.Window{Rule: measure.SteadyWindow, Seconds: 1})
		}, compare.NotComparable, []string{"definition", "window"}, "of no metric have both a figure under one rule (definition and window)"},
		{"no metric", func(r *evidence.Record) { r.Values = nil }, compare.NotComparable, []string{"metric"}, "no metric in common"},
		{"a fact", func(r *evidence.Record) {
			r.Facts = []evidence.Fact{{Key: "driver", Label: "Driver", Value: said("580")}}
		}, compare.Controlled, []string{"driver"}, "only the driver"},
	}
	a := record("a", func(r *evidence.Record) {
		r.Facts = []evidence.Fact{{Key: "driver", Label: "Driver", Value: said("570")}, {Key: "os", Label: "OS", Value: evidence.NotStated[string]("x")}}
	})
	for _, test := range tests {
		b := record("b", test.change)
		v := compare.Compare(a, b)
		if v.Kind != test.kind || !slices.Equal(v.Why, test.why) || !strings.Contains(v.Sentence, test.sentence) {
			t.Errorf("%s: got %s because of %q: %s\nwant %s because of %q", test.name, v.Kind, v.Why, v.Sentence, test.kind, test.why)
		}
		if numbers := len(v.Metrics) > 0; numbers != v.Numbers() {
			t.Errorf("%s: %s with metrics %v", test.name, v.Kind, v.Metrics)
		}
	}
}

func TestOnlyLikeFiguresAreShared(t *testing.T) {
	b := record("b", func(r *evidence.Record) {
		r.Values = slices.Clone(r.Values)
		r.Values[1].Population = said(evidence.Population{Rule: "all sent requests", N: 100})
	})
	v := compare.Compare(record("a"), b)
	if !slices.Equal(v.Metrics, []measure.MetricID{"output_token_rate"}) {
		t.Errorf("got %v", v.Metrics)
	}
}

func TestOnePlanSharesItsGaps(t *testing.T) {
	lost := func(r *evidence.Record) {
		r.PlanTOML, r.Subject.Hardware = "name = \"p\"", evidence.NotStated[string]("lost")
	}
	a := record("a", lost)
	b := record("b", lost, func(r *evidence.Record) { r.Load.Concurrency = said(int64(32)) })
	if v := compare.Compare(a, b); v.Kind != compare.Controlled {
		t.Errorf("got %s: %s", v.Kind, v.Sentence)
	}
	one := b
	one.Subject.Hardware = said("2 × GH200")
	if v := compare.Compare(a, one); v.Kind != compare.Confounded || !slices.Contains(v.Why, "hardware") {
		t.Errorf("stated on one side: got %s: %s", v.Kind, v.Sentence)
	}
	b.PlanTOML = "name = \"q\""
	if v := compare.Compare(a, b); v.Kind != compare.Confounded || !slices.Contains(v.Why, "hardware") {
		t.Errorf("got %s: %s", v.Kind, v.Sentence)
	}
}

func TestDurationMakesNoRequestCount(t *testing.T) {
	follows := func(n int64) func(*evidence.Record) {
		return func(r *evidence.Record) { r.Workload.Requests = evidence.Derived(n, "as many as fell due") }
	}
	if v := compare.Compare(record("a", follows(100)), record("b", follows(190))); v.Kind != compare.Controlled || len(v.Why) > 0 {
		t.Errorf("got %s: %s", v.Kind, v.Sentence)
	}
}

// TestSymmetric: changing sides changes no verdict.
func TestSymmetric(t *testing.T) {
	changes := []func(*evidence.Record){
		func(r *evidence.Record) { r.Load.Concurrency = said(int64(32)) },
		func(r *evidence.Record) { r.Subject.Profile = "E16" },
		func(r *evidence.Record) { r.Subject.Engine = evidence.NotStated[string]("lost") },
		func(r *evidence.Record) { r.Class = evidence.OwnRun },
		func(r *evidence.Record) { r.Void = true },
		func(r *evidence.Record) { r.State.Cache.Kind = measure.CacheWarm },
		func(r *evidence.Record) { r.Workload.InputTokens = spread(64) },
		func(r *evidence.Record) { r.Values = r.Values[:1] },
	}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(slug string) evidence.Record {
			r := record(slug)
			for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(changes)-1), 0, 4).Draw(t, slug) {
				changes[i](&r)
			}
			return r
		}
		a, b := draw("a"), draw("b")
		v, w := compare.Compare(a, b), compare.Compare(b, a)
		if v.Kind != w.Kind || !slices.Equal(v.Why, w.Why) || !slices.Equal(v.Metrics, w.Metrics) {
			t.Fatalf("got %s %q and %s %q", v.Kind, v.Why, w.Kind, w.Why)
		}
		for i, d := range v.Dimensions {
			if e := w.Dimensions[i]; d.A != e.B || d.B != e.A || d.State != e.State {
				t.Fatalf("got %+v and %+v", d, e)
			}
		}
		if self := compare.Compare(a, a); !a.Void && self.Kind == compare.NotComparable {
			t.Fatalf("a record is not comparable with itself: %s", self.Sentence)
		}
	})
}

func TestFastLongPrompts(t *testing.T) {
	at := func(slug string, tokens int64, ttft float64, change ...func(*evidence.Record)) evidence.Record {
		return record(slug, append(change, func(r *evidence.Record) {
			r.Workload.InputTokensAsked = said(tokens)
			r.Values = slices.Clone(r.Values)
			r.Values[1].Amount.X = ttft
		})...)
	}
	got := compare.FastLongPrompts([]evidence.Record{
		at("short", 128, 0.10), at("mid", 512, 0.40), at("long", 4096, 0.10),
		at("nearly", 200, 0.05), // not twice as long as the short one
		at("warm", 8192, 0.01, func(r *evidence.Record) { r.State.Cache.Kind = measure.CacheWarm }),
		at("busier", 8192, 0.01, func(r *evidence.Record) { r.Load.Concurrency = said(int64(99)) }),
		at("void", 8192, 0.01, func(r *evidence.Record) { r.Void = true }),
	})
	if len(got) != 1 || !slices.Equal(got["long"].Args, []string{"4,096", "128"}) {
		t.Errorf("got %+v", got)
	}
	if s, err := got["long"].Sentence(); err != nil || !strings.Contains(s, "4,096 tokens got their first token as fast as prompts of 128") {
		t.Errorf("got %q, %v", s, err)
	}
	if got := compare.FastLongPrompts(nil); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

// TestUnnamedProfiles holds that two profiles which nobody names are not one.
func TestUnnamedProfiles(t *testing.T) {
	unnamed := func(r *evidence.Record) { r.Subject.Profile = "" }
	if v := compare.Compare(record("a", unnamed), record("b", unnamed)); v.Kind != compare.Confounded || v.Numbers() {
		t.Errorf("got %s: %s", v.Kind, v.Sentence)
	}
}
