package consistency_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/consistency"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// record is a record of which nothing is stated.
func record() evidence.Record { return evidence.Unstated("nobody said") }

func n(x int64) evidence.Known[int64] { return evidence.Stated(x, "report") }

// value is a figure as a source writes it, in its base unit.
func value(id measure.MetricID, written string) evidence.Value {
	x, err := strconv.ParseFloat(strings.ReplaceAll(written, ",", ""), 64)
	if err != nil {
		panic(err)
	}
	v := evidence.UnstatedValue(id, evidence.Amount{Kind: evidence.Exact, X: x}, "rule", "nobody said")
	v.Original = &evidence.Original{Number: written}
	return v
}

func over(v evidence.Value, seconds float64) evidence.Value {
	v.Denominator = evidence.Stated(evidence.Term{Amount: seconds, Unit: "s", What: "stated by source"}, "report")
	return v
}

func counted(v evidence.Value, amount float64) evidence.Value {
	v.Numerator = evidence.Stated(evidence.Term{Amount: amount, Unit: "output tokens", What: "output tokens"}, "report")
	return v
}

// find returns the notes of one code.
func find(limits []evidence.Limit, code evidence.Code) []evidence.Limit {
	var out []evidence.Limit
	for _, l := range limits {
		if l.Code == code {
			out = append(out, l)
		}
	}
	return out
}

func spread(sum int64) evidence.Known[evidence.Spread] {
	return evidence.Stated(evidence.Spread{Min: 1, Median: 1, Max: 1, N: 1, Sum: sum}, "report")
}

// changed is a record after a change.
func changed(change func(*evidence.Record)) evidence.Record {
	r := record()
	change(&r)
	return r
}

// soak is the case that the target check was made for.
func soak(r *evidence.Record) {
	r.Outcomes.Completed, r.Workload.OutputTokensAsked = n(2252), n(16384)
	r.Values = []evidence.Value{over(value("output_token_rate", "1,267.90"), 29100.679)}
}

func TestEachNoteBothWays(t *testing.T) {
	rate := func(id measure.MetricID, text string) evidence.Value { return value(id, text) }
	type change = func(*evidence.Record)
	for _, c := range []struct {
		code  evidence.Code
		name  string
		hit   change
		clear change
	}{
		{evidence.DurationNotStated, "a rate without seconds",
			func(r *evidence.Record) { r.Values = []evidence.Value{rate("output_token_rate", "10")} },
			func(r *evidence.Record) { r.Values = []evidence.Value{over(rate("output_token_rate", "10"), 5)} }},
		{evidence.DurationNotStated, "a latency has no duration to state",
			func(r *evidence.Record) { r.Values = []evidence.Value{rate("goodput", "10")} },
			func(r *evidence.Record) { r.Values = []evidence.Value{rate("ttft_p50", "10")} }},
		{evidence.DerivedValue, "derived class",
			func(r *evidence.Record) {
				r.Class, r.Values = evidence.DerivedClass, []evidence.Value{rate("goodput", "1")}
			},
			func(r *evidence.Record) {
				r.Class, r.Values = evidence.ReportBacked, []evidence.Value{rate("goodput", "1")}
			}},
		{evidence.MeanNotPercentile, "a mean alone",
			func(r *evidence.Record) { r.Values = []evidence.Value{rate("ttft_mean", "1"), rate("tpot_p50", "1")} },
			func(r *evidence.Record) { r.Values = []evidence.Value{rate("ttft_mean", "1"), rate("ttft_p95", "2")} }},
		{evidence.CompletionConditioned, "unfinished requests",
			func(r *evidence.Record) {
				r.Outcomes.Completed, r.Outcomes.Unresolved, r.Values = n(80), n(15), []evidence.Value{rate("ttft_p95", "1")}
			},
			func(r *evidence.Record) {
				r.Outcomes.Completed, r.Outcomes.Unresolved, r.Values = n(80), n(0), []evidence.Value{rate("ttft_p95", "1")}
			}},
		{evidence.RateContradictsCount, "count, time and rate",
			func(r *evidence.Record) {
				r.Values = []evidence.Value{over(counted(rate("output_token_rate", "240.0"), 12000), 60)}
			},
			func(r *evidence.Record) {
				r.Values = []evidence.Value{over(counted(rate("output_token_rate", "200.0"), 12002), 60)}
			}},
		{evidence.RateContradictsCount, "a time that is rounded itself",
			func(r *evidence.Record) {
				r.Values = []evidence.Value{over(counted(rate("output_token_rate", "18.79"), 85), 4.53)}
			},
			func(r *evidence.Record) { // 85 ÷ 4.535 is 18.74
				r.Values = []evidence.Value{over(counted(rate("output_token_rate", "18.75"), 85), 4.53)}
			}},
		{evidence.NumeratorIsTarget, "to the last digit", soak,
			func(r *evidence.Record) { soak(r); r.Outcomes.Completed = n(2251) }},
		{evidence.NumeratorIsTarget, "without a duration nothing is equal", soak,
			func(r *evidence.Record) { soak(r); r.Values = []evidence.Value{rate("output_token_rate", "1,267.90")} }},
		{evidence.NumeratorIsTarget, "two digits agree by chance", soak,
			func(r *evidence.Record) {
				r.Outcomes.Completed, r.Workload.OutputTokensAsked = n(10), n(100)
				r.Values = []evidence.Value{over(rate("output_token_rate", "20"), 50)}
			}},
		{evidence.RatesContradictLengths, "asked lengths bound from below",
			func(r *evidence.Record) {
				r.Workload.InputTokensAsked, r.Workload.OutputTokensAsked = n(1000), n(100)
				r.Values = []evidence.Value{rate("output_token_rate", "50"), rate("total_token_rate", "450")}
			},
			func(r *evidence.Record) { // shorter outputs raise the ratio
				r.Workload.InputTokensAsked, r.Workload.OutputTokensAsked = n(1000), n(100)
				r.Values = []evidence.Value{rate("output_token_rate", "50"), rate("total_token_rate", "900")}
			}},
		{evidence.RatesContradictLengths, "counted tokens bound from both sides",
			func(r *evidence.Record) {
				r.Workload.InputTokens, r.Workload.OutputTokens = spread(1000), spread(100)
				r.Values = []evidence.Value{rate("output_token_rate", "50"), rate("total_token_rate", "900")}
			},
			func(r *evidence.Record) {
				r.Workload.InputTokens, r.Workload.OutputTokens = spread(1000), spread(100)
				r.Values = []evidence.Value{rate("output_token_rate", "50"), rate("total_token_rate", "550")}
			}},
		{evidence.InFlightImplausible, "more in flight than clients",
			func(r *evidence.Record) {
				r.Load.Concurrency, r.Values = n(16), []evidence.Value{rate("request_rate", "2"), rate("e2e_mean", "12")}
			},
			func(r *evidence.Record) {
				r.Load.Concurrency, r.Values = n(16), []evidence.Value{rate("request_rate", "2"), rate("e2e_mean", "7.9")}
			}},
		{evidence.InFlightImplausible, "clients half idle",
			func(r *evidence.Record) {
				r.Load.Concurrency, r.Values = n(16), []evidence.Value{rate("request_rate", "2"), rate("e2e_p50", "3.9")}
			},
			func(r *evidence.Record) { // the first token alone bounds from above only
				r.Load.Concurrency, r.Values = n(16), []evidence.Value{rate("request_rate", "2"), rate("ttft_p50", "0.1")}
			}},
		{evidence.CountsDoNotAddUp, "parts above the sum",
			func(r *evidence.Record) {
				r.Outcomes.Sent, r.Outcomes.Completed, r.Outcomes.Failed = n(100), n(97), n(5)
			},
			func(r *evidence.Record) { // what is not stated may be the rest
				r.Outcomes.Sent, r.Outcomes.Completed, r.Outcomes.Failed = n(100), n(80), n(5)
			}},
		{evidence.CountsDoNotAddUp, "sent and never sent",
			func(r *evidence.Record) {
				r.Outcomes.Planned, r.Outcomes.Sent, r.Outcomes.NeverSent = n(100), n(90), n(9)
			},
			func(r *evidence.Record) {
				r.Outcomes.Planned, r.Outcomes.Sent, r.Outcomes.NeverSent = n(100), n(90), n(10)
			}},
		{evidence.UnresolvedTail, "open requests",
			func(r *evidence.Record) { r.Outcomes.Unresolved = n(38) }, func(r *evidence.Record) { r.Outcomes.Unresolved = n(0) }},
		{evidence.OfferedRateNotReached, "fewer sent than planned",
			func(r *evidence.Record) {
				r.Load.Rate, r.Outcomes.Planned, r.Outcomes.Sent = evidence.Stated("50/s", "report"), n(3000), n(1200)
			},
			func(r *evidence.Record) {
				r.Load.Rate, r.Outcomes.Planned, r.Outcomes.Sent = evidence.Stated("50/s", "report"), n(3000), n(2971)
			}},
		{evidence.CacheUnstated, "no word on the cache",
			func(r *evidence.Record) { r.Values = []evidence.Value{rate("goodput", "1")} },
			func(r *evidence.Record) {
				r.State.Cache.Kind, r.State.Cache.Declared = measure.CacheCold, true
				r.Values = []evidence.Value{rate("goodput", "1")}
			}},
		{evidence.FavourableUpperBound, "half of the tuple",
			func(r *evidence.Record) { r.Values = []evidence.Value{rate("goodput", "1")} },
			func(r *evidence.Record) {
				r.Workload.InputTokensAsked, r.Workload.OutputTokens, r.Load.Concurrency = n(1), spread(1), n(1)
				r.Subject.Precision = evidence.Stated("fp8", "report")
				r.Values = []evidence.Value{rate("goodput", "1")}
			}},
	} {
		if got := find(consistency.Record(changed(c.hit)), c.code); len(got) == 0 {
			t.Errorf("%s, %s: is not noted", c.code, c.name)
		} else if _, err := got[0].Sentence(); err != nil {
			t.Errorf("%s, %s: %v", c.code, c.name, err)
		}
		if got := find(consistency.Record(changed(c.clear)), c.code); len(got) > 0 {
			t.Errorf("%s, %s: is noted although it does not apply: %v", c.code, c.name, got)
		}
	}
}

func TestSoakSentence(t *testing.T) {
	got := find(consistency.Record(changed(soak)), evidence.NumeratorIsTarget)
	if len(got) != 1 || got[0].Where != "output_token_rate" {
		t.Fatalf("got %v", got)
	}
	sentence, err := got[0].Sentence()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2,252", "16,384", "36,896,768", "29,100.679", "1,267.90"} {
		if !strings.Contains(sentence, want) {
			t.Errorf("%q does not name %s", sentence, want)
		}
	}
}

// TestEmptyRecordHasNoNotes holds that what is not stated is no contradiction.
func TestEmptyRecordHasNoNotes(t *testing.T) {
	if got := consistency.Record(record()); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}

func TestMediansAreNamed(t *testing.T) {
	r := changed(func(r *evidence.Record) {
		r.Load.Concurrency = n(4)
		r.Outcomes.Completed = n(100)
		r.State.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: 10}, "report")
		r.Workload.OutputTokensAsked = n(11)
		r.Values = []evidence.Value{value("ttft_p50", "1"), value("tpot_p50", "0.1")}
	})
	got := find(consistency.Record(r), evidence.InFlightImplausible)
	if len(got) != 1 {
		t.Fatalf("10 requests/s staying 2 s each with 4 clients: got %v", got)
	}
	if want := []string{"10", "completed by seconds", "2", "TTFT and TPOT over the output target, median, which stands in for a mean here", "20.0", "4"}; !slices.Equal(got[0].Args, want) {
		t.Errorf("got %q, want %q", got[0].Args, want)
	}
}

// TestTrueSteadyStates draws systems for which Little's law and the divisions
// hold exactly: none may be noted.
func TestTrueSteadyStates(t *testing.T) {
	rapid.Check(t, func(d *rapid.T) {
		clients := rapid.Int64Range(1, 500).Draw(d, "clients")
		in, out := rapid.Int64Range(1, 100_000).Draw(d, "in"), rapid.Int64Range(2, 5000).Draw(d, "out")
		stay := rapid.Float64Range(0.01, 900).Draw(d, "stay")
		seconds := rapid.Float64Range(1, 1e5).Draw(d, "seconds")
		pace := float64(clients) / stay
		tokens := pace * float64(out) * seconds
		r := changed(func(r *evidence.Record) {
			r.Load.Concurrency, r.Workload.InputTokensAsked, r.Workload.OutputTokensAsked = n(clients), n(in), n(out)
			rate := evidence.UnstatedValue("output_token_rate", evidence.Amount{Kind: evidence.Exact, X: tokens / seconds}, "rule", "x")
			total := evidence.UnstatedValue("total_token_rate", evidence.Amount{Kind: evidence.Exact, X: tokens / seconds * float64(in+out) / float64(out)}, "rule", "x")
			e2e := evidence.UnstatedValue("e2e_mean", evidence.Amount{Kind: evidence.Exact, X: stay}, "rule", "x")
			r.Values = []evidence.Value{over(counted(rate, tokens), seconds), over(total, seconds), e2e}
		})
		for _, code := range []evidence.Code{evidence.InFlightImplausible, evidence.RatesContradictLengths, evidence.RateContradictsCount, evidence.CountsDoNotAddUp} {
			if got := find(consistency.Record(r), code); len(got) > 0 {
				d.Fatalf("%s is noted: %v", code, got)
			}
		}
	})
}

// TestRounding draws quotients as a source would print them: rounding alone is
// no contradiction, one more in the last place is.
func TestRounding(t *testing.T) {
	rapid.Check(t, func(d *rapid.T) {
		tokens, seconds := rapid.Float64Range(1, 1e7).Draw(d, "tokens"), rapid.Float64Range(1, 1e5).Draw(d, "seconds")
		seconds += 1.0 / 7 // no time that may have been rounded to two digits
		places := rapid.IntRange(0, 4).Draw(d, "places")
		text := strconv.FormatFloat(tokens/seconds, 'f', places, 64)
		r := changed(func(r *evidence.Record) {
			r.Values = []evidence.Value{over(counted(value("output_token_rate", text), tokens), seconds)}
		})
		if got := find(consistency.Record(r), evidence.RateContradictsCount); len(got) > 0 {
			d.Fatalf("%s is noted: %v", text, got)
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			d.Fatal(err)
		}
		off := strconv.FormatFloat(x+1.6*math.Pow10(-places), 'f', places, 64)
		r.Values[0] = over(counted(value("output_token_rate", off), tokens), seconds)
		if got := find(consistency.Record(r), evidence.RateContradictsCount); len(got) == 0 {
			d.Fatalf("%s is not noted; the quotient is %v", off, tokens/seconds)
		}
	})
}

func TestApply(t *testing.T) {
	r := changed(soak)
	got := consistency.Apply(consistency.Apply(r))
	if len(r.Values[0].Limits) > 0 || len(r.Limits) > 0 {
		t.Error("the record given was changed")
	}
	if n := len(find(got.Values[0].Limits, evidence.NumeratorIsTarget)); n != 1 {
		t.Errorf("the figure has the note %d times", n)
	}
	if len(find(got.Limits, evidence.CacheUnstated)) != 1 || len(find(got.Limits, evidence.NumeratorIsTarget)) != 0 {
		t.Errorf("record's notes %v", got.Limits)
	}
}

func TestSeries(t *testing.T) {
	point := func(slug, family string, clients, requests int64) evidence.Record {
		return changed(func(r *evidence.Record) {
			r.Slug, r.Family, r.Kind = slug, family, evidence.RunRecord
			r.Load.Concurrency, r.Workload.Requests = n(clients), n(requests)
		})
	}
	ladder := []evidence.Record{point("a", "l", 16, 128), point("b", "l", 64, 128), point("c", "l", 128, 512), point("other", "m", 16, 512)}
	got := consistency.Series(ladder)
	if len(got) != 3 {
		t.Fatalf("got notes on %d records: %v", len(got), got)
	}
	for slug, ls := range got {
		if fmt.Sprint(ls) != "[{requests-vary-in-series [128 and 512] record}]" {
			t.Errorf("%s: %v", slug, ls)
		}
	}
	ladder[2].Workload.Requests = evidence.Derived(int64(512), "pace × duration")
	if got := consistency.Series(ladder); len(got) > 0 {
		t.Errorf("a count that follows from a duration is noted: %v", got)
	}
	ladder[2].Workload.Requests = evidence.NotStated[int64]("nobody said")
	if got := consistency.Series(ladder); len(got) > 0 {
		t.Errorf("a count that is not stated is noted: %v", got)
	}
	ladder[2].Workload.Requests, ladder[2].Workload.OutputTokensAsked = n(512), n(1)
	if got := consistency.Series(ladder); len(got) > 0 {
		t.Errorf("points of two workloads are noted: %v", got)
	}
}
