package compare_test

import (
	"slices"
	"strings"
	"testing"

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
	r := evidence.Record{
		Slug: slug, Class: evidence.ReportBacked, Kind: evidence.RunRecord, Family: "f",
		Subject: evidence.Subject{Profile: "B0", Model: said("m"), ModelRevision: said("1"), Tokenizer: said("t"), Engine: said("e"), EngineVersion: said("1"),
			Precision: said("BF16"), Parallelism: said("TP1"), Hardware: said("2 × GH200"), Accelerators: said(int64(2)), Quality: said("check: passed"),
			Tool: said("benchline 1")},
		Workload: evidence.Workload{InputTokensAsked: said(int64(128)), OutputTokensAsked: said(int64(512)), InputTokens: spread(128), OutputTokens: spread(512),
			TokenSource: said("usage"), Requests: said(int64(100))},
		Load:  evidence.Load{Mode: said("closed loop"), Concurrency: said(int64(16)), Rate: no, Arrivals: no},
		State: evidence.State{Cache: evidence.Cache{Kind: measure.CacheCold, Declared: true}, Objectives: no, Complete: said("complete")},
		Values: []evidence.Value{
			value("output_token_rate", 100, func(v *evidence.Value) {
				v.Numerator, v.Denominator = said(evidence.Term{Amount: 1000, Unit: "output tokens"}), said(evidence.Term{Amount: 10, Unit: "s"})
			}),
			value("ttft_p50", 0.1, func(v *evidence.Value) {
				v.Numerator, v.Denominator = said(evidence.Term{Amount: 50, Unit: "rank"}), said(evidence.Term{Amount: 100, Unit: "requests"})
			}),
		},
	}
	for _, key := range []string{"client_location", "interconnect", "host_cpu", "host_memory", "driver", "runtime", "cache_config", "decoding", "sampling"} {
		fact(key, "as usual")(&r)
	}
	for _, f := range change {
		f(&r)
	}
	return r
}

// value is a figure of 100 requests over ten seconds, under the registry's
// definition.
func value(id measure.MetricID, x float64, change ...func(*evidence.Value)) evidence.Value {
	m, _ := measure.Lookup(id)
	v := evidence.Value{Metric: id, Amount: evidence.Amount{Kind: evidence.Exact, X: x}, Rule: m.Definition,
		Window:     said(evidence.Window{Rule: measure.ObservationWindow, Seconds: 10}),
		Population: said(evidence.Population{Rule: "completed requests", N: 100}),
		Interval:   evidence.NotApplicable[evidence.Interval]("none")}
	for _, f := range change {
		f(&v)
	}
	return v
}

// fact states a fact, or takes it away where the value is empty.
func fact(key, v string) func(*evidence.Record) {
	return func(r *evidence.Record) {
		r.Facts = slices.DeleteFunc(slices.Clone(r.Facts), func(f evidence.Fact) bool { return f.Key == key })
		known := said(v)
		if v == "" {
			known = evidence.NotStated[string]("lost")
		}
		r.Facts = append(r.Facts, evidence.Fact{Key: key, Label: strings.ReplaceAll(key, "_", " "), Value: known})
	}
}

// figure changes the i-th value.
func figure(i int, change func(*evidence.Value)) func(*evidence.Record) {
	return func(r *evidence.Record) {
		r.Values = slices.Clone(r.Values)
		change(&r.Values[i])
	}
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
		{"one thing", func(r *evidence.Record) { r.Load.Concurrency = said(int64(32)) }, compare.Controlled, []string{"concurrency"}, "only the concurrency differs; all else is stated and equal."},
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
			compare.Confounded, []string{"profile", "asked input length"}, "between these two profiles the asked input length differs as well"},
		{"profiles and the client's place", func(r *evidence.Record) { r.Subject.Profile = "E16"; fact("client_location", "another town")(r) },
			compare.Confounded, []string{"profile", "client location"}, "the client location differs as well"},
		{"profiles and the client's machine", func(r *evidence.Record) { r.Subject.Profile = "E16"; fact("client_cpu", "another")(r) },
			compare.SystemsRatio, []string{"profile"}, ""},
		{"actual lengths", func(r *evidence.Record) { r.Workload.OutputTokens = spread(490) }, compare.Controlled, []string{"actual output length"}, "only the"},
		{"nearly the same lengths", func(r *evidence.Record) { r.Workload.OutputTokens = spread(505) }, compare.Controlled, []string{}, "nothing differs"},
		{"load mode", func(r *evidence.Record) {
			r.Load = evidence.Load{Mode: said("open loop"), Concurrency: evidence.NotApplicable[int64]("open"), Rate: said("5/s"), Arrivals: said("poisson")}
		}, compare.Confounded, []string{"load", "concurrency", "offered rate", "arrivals"}, "differ"},
		{"cache", func(r *evidence.Record) { r.State.Cache.Kind = measure.CacheWarm }, compare.Controlled, []string{"cache state"}, "only the cache state"},
		{"cache not stated", func(r *evidence.Record) { r.State.Cache = evidence.Cache{Kind: measure.CacheUnstated} }, compare.Confounded, []string{"cache state"}, "may differ"},
		{"cache contradicted", func(r *evidence.Record) {
			r.Limits = []evidence.Limit{{Code: evidence.CacheContradicted, Args: []string{"cold", "93.0 %"}, Where: "record"}}
		}, compare.Confounded, []string{"cache state"}, "the cache state is not stated"},
		// The derived p1-c128 against the raw archive's.
		{"class", func(r *evidence.Record) { r.Class = evidence.DerivedClass }, compare.NotComparable, []string{"evidence class"}, "the evidence class differs"},
		{"simulated", func(r *evidence.Record) { r.Class, r.Subject.Profile = evidence.Simulated, "sim" }, compare.NotComparable, []string{"evidence class"}, "class"},
		{"token source", func(r *evidence.Record) { r.Workload.TokenSource = said("tokenizer:x") }, compare.NotComparable, []string{"token source"}, "token source"},
		{"token source, with a remark", func(r *evidence.Record) {
			r.Workload.TokenSource = said("usage (none for 1 of 100 completed requests)")
		}, compare.Controlled, []string{}, ""},
		{"summary and run", func(r *evidence.Record) { r.Kind = evidence.RepeatsRecord }, compare.NotComparable, []string{"kind of record"}, ""},
		{"void", func(r *evidence.Record) { r.Void, r.VoidWhy = true, "the client was the bottleneck" }, compare.NotComparable, []string{"validity"}, "b is void"},
		{"interrupted", func(r *evidence.Record) { r.State.Complete = said("interrupted: Ctrl-C") }, compare.NotComparable, []string{"completeness"}, "the completeness differs"},
		{"completeness not stated", func(r *evidence.Record) { r.State.Complete = evidence.NotStated[string]("x") }, compare.Confounded, []string{"completeness"}, ""},
		{"definitions", func(r *evidence.Record) {
			figure(0, func(v *evidence.Value) { v.Rule = "another" })(r)
			figure(1, func(v *evidence.Value) {
				v.Window = said(evidence.Window{Rule: measure.SteadyWindow, Seconds: 1})
			})(r)
		}, compare.NotComparable, []string{"definition", "window"}, "there is no metric whose two figures were made alike (definition and window)"},
		{"claims", func(r *evidence.Record) {
			for i := range r.Values {
				figure(i, func(v *evidence.Value) { v.Amount = evidence.Amount{Kind: evidence.Quoted, Text: "up to 9"} })(r)
			}
		}, compare.NotComparable, []string{"a quoted claim"}, ""},
		{"no window anywhere", func(r *evidence.Record) {
			for i := range r.Values {
				figure(i, func(v *evidence.Value) { v.Window = evidence.NotStated[evidence.Window]("lost") })(r)
			}
		}, compare.Confounded, []string{"duration"}, "the duration is not stated"},
		{"no metric", func(r *evidence.Record) { r.Values = nil }, compare.NotComparable, []string{"metric"}, "no metric in common"},
		{"a fact of the list", fact("driver", "570"), compare.Controlled, []string{"driver"}, "only the driver"},
		{"a fact of the list not stated", fact("driver", ""), compare.Confounded, []string{"driver"}, "the driver is not stated"},
		{"an optional fact of one side", fact("slots", "8"), compare.Confounded, []string{"slots"}, "the slots is not stated"},
		{"a fact that no list names", fact("os", "another"), compare.Controlled, []string{"os"}, "only the os"},
		{"a remark", fact("how_it_is_known", "by letter"), compare.Controlled, []string{}, ""},
		{"precision, with a check", func(r *evidence.Record) { r.Subject.Precision = said("FP8") }, compare.Controlled, []string{"precision"}, ""},
		{"precision, without", func(r *evidence.Record) {
			r.Subject.Precision, r.Subject.Quality = said("FP8"), evidence.NotStated[string]("the plan declares no quality check")
		}, compare.Confounded, []string{"precision", "quality check"}, "Not stated on a side: quality check."},
		{"full precision, without", func(r *evidence.Record) {
			r.Subject.Precision, r.Subject.Quality = said("fp16"), evidence.NotStated[string]("x")
		}, compare.Controlled, []string{"precision"}, ""},
		{"no check at one precision", func(r *evidence.Record) { r.Subject.Quality = evidence.NotStated[string]("x") }, compare.Controlled, []string{}, ""},
	}
	a := record("a", fact("os", "one"))
	for _, test := range tests {
		b := record("b", test.change)
		v := compare.Compare(a, b)
		if v.Kind != test.kind || !slices.Equal(v.Why, test.why) || !strings.Contains(v.Sentence, test.sentence) {
			t.Errorf("%s: got %s because of %q: %s\nwant %s because of %q", test.name, v.Kind, v.Why, v.Sentence, test.kind, test.why)
		}
		if numbers := len(v.Metrics) > 0; numbers != v.Numbers() {
			t.Errorf("%s: %s with metrics %v", test.name, v.Kind, v.Metrics)
		}
		if v.Kind != compare.Controlled && v.Kind != compare.SystemsRatio && len(v.Needs) == 0 {
			t.Errorf("%s: %s, and nothing is said of what would be needed", test.name, v.Sentence)
		}
	}
}

// TestMLPerf: an MLPerf result is compared with nothing but its like.
func TestMLPerf(t *testing.T) {
	mlperf := func(scenario string) func(*evidence.Record) {
		return func(r *evidence.Record) {
			for key, v := range map[string]string{"MLPerf version": "v4.1", "division": "closed", "category": "available", "benchmark": "llama2-70b-99", "Scenario": scenario} {
				fact(key, v)(r)
			}
		}
	}
	offline := record("a", mlperf("Offline"))
	for _, test := range []struct {
		name string
		b    evidence.Record
		kind compare.Kind
		why  []string
	}{
		{"another tool's", record("b"), compare.NotComparable, []string{"formal benchmark"}},
		{"another scenario", record("b", mlperf("Server")), compare.NotComparable, []string{"MLPerf scenario"}},
		{"another division", record("b", mlperf("Offline"), fact("division", "open")), compare.NotComparable, []string{"MLPerf division"}},
		{"category not stated", record("b", mlperf("Offline"), fact("category", "")), compare.Confounded, []string{"MLPerf category"}},
		{"the like", record("b", mlperf("Offline")), compare.Controlled, []string{}},
	} {
		if v := compare.Compare(offline, test.b); v.Kind != test.kind || !slices.Equal(v.Why, test.why) {
			t.Errorf("%s: got %s because of %q", test.name, v.Sentence, v.Why)
		}
	}
	for name, mark := range map[string]func(*evidence.Record){
		"reader":         func(r *evidence.Record) { r.Sources = []evidence.Source{{Adapter: "mlperf 1"}} },
		"client":         func(r *evidence.Record) { r.Subject.Tool = said("MLPerf LoadGen") },
		"limit":          func(r *evidence.Record) { r.Limits = []evidence.Limit{{Code: evidence.UnverifiedMLPerf}} },
		"limit of value": figure(0, func(v *evidence.Value) { v.Limits = []evidence.Limit{{Code: evidence.UnverifiedMLPerf}} }),
	} {
		if v := compare.Compare(record("a"), record("b", mark)); v.Kind != compare.NotComparable || v.Why[0] != "formal benchmark" {
			t.Errorf("%s: got %s", name, v.Sentence)
		}
	}
}

func TestMetricsOneByOne(t *testing.T) {
	both := func(name string, x, y func(*evidence.Record), want map[measure.MetricID]string) {
		t.Helper()
		v := compare.Compare(record("a", x), record("b", y))
		if v.Kind != compare.Controlled {
			t.Errorf("%s: got %s", name, v.Sentence)
		}
		for _, m := range v.Figures {
			got := strings.Join(append(slices.Clone(m.Differs), m.NotStated...), ", ")
			if got != want[m.Metric] {
				t.Errorf("%s: %s: got %q, want %q", name, m.Metric, got, want[m.Metric])
			}
			if may := slices.Contains(v.Metrics, m.Metric); may != (want[m.Metric] == "") {
				t.Errorf("%s: %s: a number may be shown: %t", name, m.Metric, may)
			}
		}
	}
	nothing := func(*evidence.Record) {}
	type only = map[measure.MetricID]string
	both("alike", nothing, nothing, only{})
	both("population", nothing, figure(1, func(v *evidence.Value) {
		v.Population = said(evidence.Population{Rule: "all sent requests", N: 100})
	}), only{"ttft_p50": "population"})
	both("numerator of the rate", nothing, figure(0, func(v *evidence.Value) {
		v.Numerator = said(evidence.Term{Amount: 5, Unit: "output and reasoning tokens"})
	}), only{"output_token_rate": "numerator"})
	both("a window that is lost", nothing, figure(0, func(v *evidence.Value) {
		v.Window = evidence.NotStated[evidence.Window]("lost")
	}), only{"output_token_rate": "duration"})
	both("windows in the source's words", figure(0, func(v *evidence.Value) {
		v.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: 10}, "the whole test")
	}), figure(0, func(v *evidence.Value) {
		v.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: 10}, "the steady part")
	}), only{"output_token_rate": "window"})
	both("a definition that is not stated", nothing, figure(1, func(v *evidence.Value) {
		v.Limits = []evidence.Limit{{Code: evidence.DefinitionNotStated, Args: []string{"start"}}}
	}), only{"ttft_p50": "definition"})
	both("missing", nothing, func(r *evidence.Record) { r.Values = r.Values[:1] }, only{"ttft_p50": "missing on b"})
	goodput := func(limits evidence.Known[string]) func(*evidence.Record) {
		return func(r *evidence.Record) {
			r.Values, r.State.Objectives = append(slices.Clone(r.Values), value("goodput", 3, func(v *evidence.Value) {
				v.Numerator, v.Denominator = said(evidence.Term{Amount: 30, Unit: "requests"}), said(evidence.Term{Amount: 10, Unit: "s"})
			})), limits
		}
	}
	both("objectives", goodput(said("1 s")), goodput(said("2 s")), only{"goodput": "objectives"})
	both("objectives not stated", goodput(said("1 s")), goodput(evidence.NotStated[string]("x")), only{"goodput": "objectives"})
	both("the same objectives", goodput(said("1 s")), goodput(said("1 s")), only{})
}

// TestOverAll: a quantile over finished and open requests is that of the
// finished ones where none is open, whatever the words.
func TestOverAll(t *testing.T) {
	m, _ := measure.Lookup("ttft_p50")
	open := figure(1, func(v *evidence.Value) {
		v.Rule = m.Definition + " Here the rank is taken over unfinished requests as well."
		v.Population = said(evidence.Population{Rule: "finished and open requests", N: 103})
		v.Completed = &evidence.Conditioned{N: 100}
	})
	at := func(low, high float64) func(*evidence.Record) {
		return figure(1, func(v *evidence.Value) {
			v.Bounds = &evidence.Bounds{Lower: evidence.Amount{Kind: evidence.Exact, X: low}, Upper: evidence.Amount{Kind: evidence.Exact, X: high}}
		})
	}
	b := record("b", open)
	if v := compare.Compare(record("a", at(0.1, 0.1)), b); !slices.Contains(v.Metrics, "ttft_p50") {
		t.Errorf("none open: got %+v", v.Figures)
	}
	if v := compare.Compare(record("a", at(0.1, 0.2)), b); slices.Contains(v.Metrics, "ttft_p50") {
		t.Error("of the completed alone: may be compared")
	}
	if v := compare.Compare(record("a"), b); slices.Contains(v.Metrics, "ttft_p50") {
		t.Error("not known whether some were open: may be compared")
	}
}

func TestDefinitionsArePulledApart(t *testing.T) {
	time := func(start, end, requests, percentiles string) string {
		return "“ttft” as T defines it: " + evidence.RuleParts{Start: start, End: end, Requests: requests, Window: "the run; all of it", Percentiles: percentiles}.Says() + "."
	}
	own, _ := measure.Lookup("ttft_p50")
	due, _ := measure.Lookup("ttft_due_p50")
	for _, test := range []struct {
		name, a, b string
		want       []string
	}{
		{"alike", time("sent; or so", "chunk", "ok", "linear"), time("sent; or so", "chunk", "ok", "linear"), []string{}},
		{"clock", time("sent", "chunk", "ok", "linear"), time("begun", "chunk", "ok", "linear"), []string{"clock start"}},
		{"percentiles", time("sent", "chunk", "ok", "linear"), time("sent", "chunk", "ok", "nearest rank"), []string{"percentile rule"}},
		{"several", time("sent", "chunk", "ok", "linear"), time("begun", "done", "all", "linear"), []string{"clock start", "clock end", "population"}},
		{"clocks of our own", own.Definition, due.Definition, []string{"clock start"}},
		{"ours and theirs", own.Definition, time("sent", "chunk", "ok", "linear"), []string{"clock start", "clock end", "population", "percentile rule"}},
		{"unknown words", "As the source has it.", time("sent", "chunk", "ok", "linear"), []string{"definition"}},
		{"two unknown", "As the source has it.", "Otherwise.", []string{"definition"}},
		{"another name for the same", strings.Replace(time("sent", "chunk", "ok", "linear"), "T", "U", 1), time("sent", "chunk", "ok", "linear"), []string{"definition"}},
	} {
		rule := func(s string) func(*evidence.Record) {
			return figure(1, func(v *evidence.Value) { v.Rule = s })
		}
		for _, m := range compare.Compare(record("a", rule(test.a)), record("b", rule(test.b))).Figures {
			if m.Metric == "ttft_p50" && !slices.Equal(m.Differs, test.want) {
				t.Errorf("%s: got %q, want %q", test.name, m.Differs, test.want)
			}
		}
	}
}

// inInvocation makes a record one of a plan's invocation.
func inInvocation(plan, stamp string) func(*evidence.Record) {
	return func(r *evidence.Record) {
		r.PlanTOML, r.Subject.SourceRunID = plan, said("p-"+stamp+"-i128-o512-c16-r1")
	}
}

func TestOneInvocationSharesItsGaps(t *testing.T) {
	lost := func(r *evidence.Record) { r.Subject.Hardware = evidence.NotStated[string]("lost") }
	wide := func(r *evidence.Record) { r.Load.Concurrency = said(int64(32)) }
	const plan, first, second = "name = \"p\"", "20261129t172301z", "20261130t172301z"
	a := record("a", lost, inInvocation(plan, first))
	v := compare.Compare(a, record("b", lost, wide, inInvocation(plan, first)))
	if v.Kind != compare.Controlled || !strings.Contains(v.Sentence, "one invocation of one plan") {
		t.Errorf("got %s: %s", v.Kind, v.Sentence)
	}
	for name, b := range map[string]evidence.Record{
		"stated on one side":   record("b", wide, inInvocation(plan, first)),
		"another plan":         record("b", lost, wide, inInvocation("name = \"q\"", first)),
		"another invocation":   record("b", lost, wide, inInvocation(plan, second)),
		"a run without a time": record("b", lost, wide, inInvocation(plan, "x")),
		"no plan":              record("b", lost, wide),
	} {
		if v := compare.Compare(a, b); v.Kind != compare.Confounded || !slices.Contains(v.Why, "hardware") {
			t.Errorf("%s: got %s: %s", name, v.Kind, v.Sentence)
		}
	}
	nobody := func(r *evidence.Record) { r.Subject.Profile = "" }
	if v := compare.Compare(record("a", nobody, inInvocation(plan, first)), record("b", nobody, inInvocation(plan, first))); v.Kind != compare.Confounded {
		t.Errorf("profiles that nobody names: got %s", v.Sentence)
	}
}

// TestSummariesOfTheSameInvocations: summaries share gaps if their runs were made
// in the same invocations.
func TestSummariesOfTheSameInvocations(t *testing.T) {
	summary := func(slug string, stamps ...string) evidence.Record {
		return record(slug, func(r *evidence.Record) {
			r.Kind, r.PlanTOML, r.Subject.Hardware = evidence.RepeatsRecord, "name = \"p\"", evidence.NotStated[string]("lost")
			for _, s := range stamps {
				r.Members = append(r.Members, evidence.Member{Slug: "p-" + s + "-" + slug + "-r1"})
			}
		})
	}
	const first, second = "20261129t172301z", "20261130t172301z"
	if v := compare.Compare(summary("a", first, second), summary("b", second, first, first)); v.Kind != compare.Controlled {
		t.Errorf("got %s", v.Sentence)
	}
	if v := compare.Compare(summary("a", first, second), summary("b", first)); v.Kind != compare.Confounded {
		t.Errorf("got %s", v.Sentence)
	}
}

func TestRequestCounts(t *testing.T) {
	set := func(k evidence.Known[int64]) func(*evidence.Record) {
		return func(r *evidence.Record) { r.Workload.Requests = k }
	}
	follows := func(n int64) func(*evidence.Record) { return set(evidence.Derived(n, "as many as fell due")) }
	repeats := func(n int64, rule string) func(*evidence.Record) {
		return func(r *evidence.Record) {
			r.Kind, r.Workload.Requests, r.Members = evidence.RepeatsRecord, evidence.Derived(n, rule), make([]evidence.Member, 2)
		}
	}
	for _, test := range []struct {
		name string
		a, b func(*evidence.Record)
		why  []string
	}{
		{"a duration makes none", follows(100), follows(190), []string{}},
		{"one fixed, one not", follows(100), set(said(int64(100))), []string{"request count"}},
		{"sums over repeats of a duration", repeats(200, "sum over 2 runs"), repeats(380, "sum over 2 runs"), []string{}},
		{"the same in each run", repeats(200, "sum over 2 runs"+evidence.EachFixed), repeats(200, "sum over 2 runs"+evidence.EachFixed), []string{}},
		// What p1-c128 against p1-c64 is, with repeats.
		{"more in each run", repeats(200, "sum over 2 runs"+evidence.EachFixed), repeats(800, "sum over 2 runs"+evidence.EachFixed), []string{"request count"}},
	} {
		if v := compare.Compare(record("a", test.a), record("b", test.b)); v.Kind != compare.Controlled || !slices.Equal(v.Why, test.why) {
			t.Errorf("%s: got %s", test.name, v.Sentence)
		}
	}
}

func TestNeeds(t *testing.T) {
	for _, test := range []struct {
		name string
		b    func(*evidence.Record)
		want []string
	}{
		{"controlled", func(r *evidence.Record) { r.Load.Concurrency = said(int64(32)) }, []string{}},
		{"requests", func(r *evidence.Record) { r.Load.Concurrency, r.Workload.Requests = said(int64(64)), said(int64(640)) }, []string{"Run a with 640 requests."}},
		{"fewer requests", func(r *evidence.Record) { r.Load.Concurrency, r.Workload.Requests = said(int64(64)), said(int64(64)) }, []string{"Run b with 100 requests."}},
		{"others", func(r *evidence.Record) {
			r.Subject.Engine, r.Load.Concurrency, r.Workload.InputTokensAsked = said("f"), said(int64(64)), said(int64(64))
		}, []string{"Run one side again with the other's asked input length and concurrency."}},
		{"gaps", func(r *evidence.Record) {
			r.Subject.Engine, r.Subject.Hardware = evidence.NotStated[string]("lost"), evidence.NotStated[string]("lost")
		}, []string{"State for b: engine and hardware."}},
		{"class", func(r *evidence.Record) { r.Class = evidence.VendorStated }, []string{"Run both under one plan: one is report-backed evidence, the other vendor-stated."}},
		{"derived", func(r *evidence.Record) { r.Class = evidence.DerivedClass }, []string{"Find the records from which b was worked out, or run both again under one plan."}},
		{"simulated", func(r *evidence.Record) { r.Class = evidence.Simulated }, []string{"Run b against a real endpoint: a simulated one says nothing of any system."}},
		{"void", func(r *evidence.Record) { r.Void = true }, []string{"Run b again: a void record has no figure to compare."}},
		{"interrupted", func(r *evidence.Record) { r.State.Complete = said("interrupted: x") }, []string{"Run b again to its planned end."}},
		{"kind", func(r *evidence.Record) { r.Kind = evidence.RepeatsRecord }, []string{"Compare a run with a run, or a summary with a summary."}},
		{"tokens", func(r *evidence.Record) { r.Workload.TokenSource = said("chunks") }, []string{"Count the tokens of both in one way: by the endpoint's usage, or with one named tokenizer."}},
		{"benchmark", fact("MLPerf version", "v5.0"), []string{"Nothing makes these comparable: an MLPerf result is compared with MLPerf results only."}},
		{"metric", func(r *evidence.Record) { r.Values = nil }, []string{"Measure one metric on both sides."}},
		{"ratio across precisions", func(r *evidence.Record) {
			r.Subject.Profile, r.Subject.Precision, r.Subject.Quality = "E16", said("FP4"), evidence.NotStated[string]("none")
		}, []string{"Declare a quality check of b: the precisions differ."}},
		{"ratio with gaps", func(r *evidence.Record) {
			r.Subject.Profile, r.Subject.Engine, r.Load.Arrivals = "E16", evidence.NotStated[string]("lost"), evidence.NotStated[string]("lost")
		}, []string{"State for b: arrivals."}},
		{"systems under two loads", func(r *evidence.Record) { r.Subject.Profile, r.Load.Concurrency = "E16", said(int64(64)) }, []string{"Run one side again with the other's concurrency."}},
	} {
		if v := compare.Compare(record("a"), record("b", test.b)); !slices.Equal(v.Needs, test.want) {
			t.Errorf("%s: got %q, want %q (%s)", test.name, v.Needs, test.want, v.Sentence)
		}
	}
	gap := func(r *evidence.Record) {
		r.Subject.Engine = evidence.NotStated[string]("lost")
		for i := range r.Values {
			figure(i, func(v *evidence.Value) { v.Window = evidence.NotStated[evidence.Window]("lost") })(r)
		}
	}
	v := compare.Compare(record("a", gap), record("b", gap))
	if want := []string{"State for both: engine and duration."}; !slices.Equal(v.Needs, want) || !slices.Equal(v.NotStated, []string{"engine", "duration"}) {
		t.Errorf("gaps of both: got %q, want %q; not stated %q", v.Needs, want, v.NotStated)
	}
}

// TestTheTableIsStable: a machine that reads the table finds the same lines in
// the same order for any two records, and each key once.
func TestTheTableIsStable(t *testing.T) {
	keys := func(v compare.Verdict) []string {
		var out []string
		for _, d := range v.Dimensions {
			out = append(out, d.Key)
			if !slices.Contains(compare.Groups(), d.Group) || d.Name == "" || d.A == "" && d.Key != "evidence_class" || d.B == "" {
				t.Errorf("line %+v", d)
			}
		}
		return out
	}
	full := keys(compare.Compare(record("a"), record("b")))
	bare := keys(compare.Compare(evidence.Unstated("nothing is left"), evidence.Record{Class: evidence.OwnRun}))
	if !slices.Equal(full, bare) {
		t.Errorf("got\n%q\nand\n%q", full, bare)
	}
	seen := map[string]bool{}
	for _, k := range full {
		if seen[k] || strings.ContainsAny(k, " ,") {
			t.Errorf("key %q", k)
		}
		seen[k] = true
	}
}
