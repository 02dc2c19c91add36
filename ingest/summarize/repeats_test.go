package summarize

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// repeatRun is the sealed record of one run of a point: n requests of 100
// output tokens each in one second, the last open ones unresolved.
func repeatRun(t *testing.T, repeat int, n, open int64, change ...func(*reqlog.Manifest)) evidence.Record {
	t.Helper()
	var rows []reqlog.Row
	for i := range n {
		rows = append(rows, done(i, 0, 0, 100+int64(repeat), 900, 100))
	}
	for i := range open {
		rows = append(rows, ended(n+i, 0, -1, 1000, reqlog.Unresolved, ""))
	}
	m := manifest(rows, closedPoint(1), 0, 900, 1000)
	m.RunID = fmt.Sprintf("test-20261129t1723%02dz-i50-o100-r%d", repeat, repeat)
	m.Repeat, m.Repeats = repeat, 3
	m.WallStart = m.WallStart.Add(ns(int64(repeat) * 60e9))
	m.Facts = []reqlog.Fact{{Key: "driver", By: "host", Value: ptr("570")}}
	for _, f := range change {
		f(&m)
	}
	return sealed(t, summarized(t, rows, m, testSpec()))
}

func repeatsOf(t *testing.T, runs ...evidence.Record) evidence.Record {
	t.Helper()
	rec, err := Repeats(runs)
	if err != nil {
		t.Fatal(err)
	}
	return sealed(t, rec)
}

func TestRepeatsOfThree(t *testing.T) {
	rec := repeatsOf(t, repeatRun(t, 3, 12, 0), repeatRun(t, 1, 10, 0), repeatRun(t, 2, 11, 0))
	if rec.Slug != "test-20261129t172301z-i50-o100-repeats" || rec.Kind != evidence.RepeatsRecord || len(rec.Members) != 3 {
		t.Errorf("got %q, %q, %d members", rec.Slug, rec.Kind, len(rec.Members))
	}
	if rec.Title != "Test plan: 50 in, 100 out, closed loop of 1 (3 runs)" || rec.Summary != "Medians over 3 runs of one point." {
		t.Errorf("got %q, %q", rec.Title, rec.Summary)
	}
	v := value(t, rec, "output_token_rate")
	exact(t, rec, "output_token_rate", 1100)
	if num := known(t, "numerator", v.Numerator); num.Amount != 2 || num.Unit != "rank" || num.What != "middle of 3 runs" {
		t.Errorf("got numerator %+v", num)
	}
	if of := known(t, "population", v.Population); of.N != 3 || of.Rule != "runs of one point: 1,000.00, 1,100.00, 1,200.00 output tokens/s" {
		t.Errorf("got population %+v", of)
	}
	if v.Interval.State() != evidence.StateNotApplicable || v.Interval.Note() != "needs 6 runs, there are 3" {
		t.Errorf("got interval %+v", v.Interval)
	}
	hasLimit(t, v.Limits, evidence.FewRepeats, true)
	hasLimit(t, rec.Limits, evidence.FewRepeats, true)
	if n := known(t, "completed", rec.Outcomes.Completed); n != 33 {
		t.Errorf("got %d completed", n)
	}
	exact(t, rec, "ttft_p50", 0.102)
	amount(t, rec, "ttft_p99", evidence.Amount{Kind: evidence.TooFew, N: 12, Need: 368})
	amount(t, rec, "tpot_mean", evidence.Amount{Kind: evidence.Exact, X: value(t, repeatRun(t, 2, 11, 0), "tpot_mean").Amount.X})
}

func TestRepeatsOfSixHaveAnInterval(t *testing.T) {
	var runs []evidence.Record
	for i := range 6 {
		runs = append(runs, repeatRun(t, i+1, int64(10+i), 0))
	}
	rec := repeatsOf(t, runs...)
	v := value(t, rec, "request_rate")
	exact(t, rec, "request_rate", 12.5)
	if iv := known(t, "interval", v.Interval); iv.Low != 10 || iv.High != 15 || iv.N != 6 || !strings.Contains(iv.Kind, "order statistics over runs") {
		t.Errorf("got %+v", iv)
	}
	num, den := known(t, "numerator", v.Numerator), known(t, "denominator", v.Denominator)
	if num.Amount != 25 || den.Amount != 2 || num.What != "requests/s, sum of the two middle runs of 6" {
		t.Errorf("got %+v ÷ %+v", num, den)
	}
	hasLimit(t, v.Limits, evidence.FewRepeats, false)
}

// Warm-ups and drains that took different times are no gap of the summary; one
// that a run does not state is.
func TestRepeatsHaveTheirOwnWarmup(t *testing.T) {
	a, b := repeatRun(t, 1, 10, 0), repeatRun(t, 2, 10, 0)
	if words := known(t, "warm-up", repeatsOf(t, a, b).State.Warmup); words != known(t, "warm-up", a.State.Warmup) {
		t.Errorf("alike: got %q", words)
	}
	b.State.Warmup = evidence.Stated("2 requests sent, over 1.000 s", "test")
	b = sealed(t, b)
	if words := known(t, "warm-up", repeatsOf(t, a, b).State.Warmup); words != "each run its own, see the runs" {
		t.Errorf("different: got %q", words)
	}
	b.State.Warmup = evidence.NotStated[string]("not recorded")
	b = sealed(t, b)
	if k := repeatsOf(t, a, b).State.Warmup; k.State() != evidence.StateNotStated {
		t.Errorf("one not stated: got %v", k)
	}
}

func TestRepeatsWithUnresolved(t *testing.T) {
	// Two of three p50 have no upper end.
	rec := repeatsOf(t, repeatRun(t, 1, 10, 0), repeatRun(t, 2, 4, 6), repeatRun(t, 3, 4, 7))
	v := value(t, rec, "e2e_p50")
	if v.Amount != (evidence.Amount{Kind: evidence.AtLeast, X: 1}) {
		t.Errorf("got %+v", v.Amount)
	}
	for _, l := range rec.Limits {
		if l.Code == evidence.UnresolvedTail && !slices.Equal(l.Args, []string{"13", "31"}) {
			t.Errorf("got %q", l.Args)
		}
	}
	hasLimit(t, rec.Limits, evidence.UnresolvedTail, true)
	// One of three leaves the median known.
	rec = repeatsOf(t, repeatRun(t, 1, 10, 0), repeatRun(t, 2, 10, 0), repeatRun(t, 3, 4, 7))
	if v := value(t, rec, "e2e_p50"); v.Amount.Kind != evidence.AtLeast && v.Amount.Kind != evidence.Exact {
		t.Errorf("got %+v", v.Amount)
	}
}

func TestRepeatsLeaveVoidRunsOut(t *testing.T) {
	void := func(m *reqlog.Manifest) {
		m.Health.Verdict, m.Health.Reasons = reqlog.Void, []string{"Sends were late."}
	}
	rec := repeatsOf(t, repeatRun(t, 1, 10, 0), repeatRun(t, 2, 99, 0, void), repeatRun(t, 3, 10, 0))
	exact(t, rec, "request_rate", 10)
	if of := known(t, "population", value(t, rec, "request_rate").Population); of.N != 2 || of.Excluded[0] != (evidence.Excluded{Reason: "void", N: 1}) {
		t.Errorf("got %+v", of)
	}
	if rec.Void || rec.Client.Verdict != "void" || len(rec.Client.Reasons) != 1 || !strings.Contains(rec.Summary, "1 void and in no figure") {
		t.Errorf("got void %v, %+v, %q", rec.Void, rec.Client, rec.Summary)
	}
	rec = repeatsOf(t, repeatRun(t, 1, 10, 0, void), repeatRun(t, 2, 10, 0, void))
	if !rec.Void || len(rec.Values) != 0 {
		t.Errorf("got void %v with %d values", rec.Void, len(rec.Values))
	}
}

func TestRepeatsNameWhatVaried(t *testing.T) {
	other := func(m *reqlog.Manifest) {
		m.Facts = []reqlog.Fact{{Key: "driver", By: "host", Value: ptr("580")}}
		m.Health.WallStepNS = 300 * ms
	}
	rec := repeatsOf(t, repeatRun(t, 1, 10, 0), repeatRun(t, 2, 10, 0, other))
	if rec.Summary != "Medians over 2 runs of one point; between the runs varied: Driver." {
		t.Errorf("got %q", rec.Summary)
	}
	if f := rec.Facts[0].Value; f.Note() != "differs between the runs: 570 | 580" {
		t.Errorf("got %q", f.Note())
	}
	i := slices.IndexFunc(rec.Limits, func(l evidence.Limit) bool { return l.Code == evidence.WallClockStepped })
	if i < 0 || rec.Limits[i].Args[0] != "+300.0 ms (in 1 of 2 runs)" {
		t.Errorf("got %+v", rec.Limits)
	}
}

func TestRepeatsRefuse(t *testing.T) {
	a := repeatRun(t, 1, 10, 0)
	unsealed := a
	unsealed.Slug = "other"
	point := repeatRun(t, 2, 10, 0, func(m *reqlog.Manifest) { m.Point = closedPoint(2) })
	class := repeatRun(t, 2, 10, 0, func(m *reqlog.Manifest) { m.Simulated = true })
	kind := repeatsOf(t, a, repeatRun(t, 2, 10, 0))
	for name, runs := range map[string][]evidence.Record{"none": nil, "one": {a}, "twice": {a, unsealed}, "two points": {a, point}, "two classes": {a, class}, "a summary": {a, kind}} {
		if rec, err := Repeats(runs); err == nil {
			t.Errorf("%s: got %q", name, rec.Slug)
		}
	}
}

func TestMiddleAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(0, 100), 1, 15).Draw(t, "xs")
		slices.Sort(xs)
		m := middle(xs)
		var below, above int
		for _, x := range xs {
			if x < m {
				below++
			}
			if x > m {
				above++
			}
		}
		if 2*below > len(xs) || 2*above > len(xs) {
			t.Fatalf("%v: %d below and %d above %v", xs, below, above, m)
		}
	})
}

func TestMedianOfAmountsHoldsTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		amounts := make([]evidence.Amount, n)
		truth := make([]float64, n)
		for i := range amounts {
			x := float64(rapid.IntRange(0, 30).Draw(t, "x"))
			amounts[i], truth[i] = evidence.Amount{Kind: evidence.Exact, X: x}, x
			if rapid.IntRange(0, 3).Draw(t, "open") == 0 {
				amounts[i].Kind = evidence.AtLeast
				truth[i] += float64(rapid.IntRange(0, 30).Draw(t, "more"))
			}
		}
		slices.Sort(truth)
		v := evidence.Value{Metric: "e2e_p50"}
		fillMedian(&v, amounts)
		m := middle(truth)
		if v.Amount.Kind == evidence.Exact && v.Amount.X != m || v.Amount.Kind == evidence.AtLeast && v.Amount.X > m {
			t.Fatalf("%v: got %+v, the truth is %v", amounts, v.Amount, m)
		}
		if iv, ok := v.Interval.Get(); ok && (m < iv.Low || m > iv.High || n < int(measure.MinN(measure.Q50)) || math.IsInf(iv.High, 1)) {
			t.Fatalf("%v: interval %+v of the median %v", amounts, iv, m)
		}
	})
}
