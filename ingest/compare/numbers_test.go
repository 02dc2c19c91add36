package compare_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// numberOf is what is said in numbers of a metric.
func numberOf(t *testing.T, id measure.MetricID, a, b evidence.Record, runs compare.Runs) compare.Number {
	t.Helper()
	v := compare.Compare(a, b)
	for _, n := range compare.NumbersOf(v, a, b, runs) {
		if n.Metric == id {
			return n
		}
	}
	t.Fatalf("%s: no number of %s", v.Sentence, id)
	return compare.Number{}
}

func amount(i int, x float64) func(*evidence.Record) {
	return figure(i, func(v *evidence.Value) { v.Amount.X = x })
}

func wide(r *evidence.Record) { r.Load.Concurrency = said(int64(32)) }

func system(r *evidence.Record) { r.Subject.Profile = "E16" }

func TestSingleRuns(t *testing.T) {
	n := numberOf(t, "output_token_rate", record("a"), record("b", wide, amount(0, 125)), nil)
	if n.Difference == nil || n.Difference.X != 25 || *n.Difference.Relative != 0.25 || n.Difference.Interval != nil || n.Mark != "" || n.Test != nil || n.Ratio != nil {
		t.Errorf("got %+v", n)
	}
	if n.Says != "One run on each side is no evidence of how far two runs of one recipe lie apart." || n.A.Runs != 1 {
		t.Errorf("got %q", n.Says)
	}
	within := func(low, high float64) func(*evidence.Record) {
		return figure(1, func(v *evidence.Value) {
			v.Interval = said(evidence.Interval{Low: low, High: high, Kind: "order statistics, 95 %", N: 100})
		})
	}
	n = numberOf(t, "ttft_p50", record("a", within(0.09, 0.11)), record("b", wide, amount(1, 0.2), within(0.18, 0.22)), nil)
	iv := n.Difference.Interval
	if iv == nil || math.Abs(iv.Low-0.07) > 1e-12 || math.Abs(iv.High-0.13) > 1e-12 || !strings.Contains(iv.Rule, "at least 90 %") {
		t.Errorf("got %+v", n.Difference)
	}
	if n = numberOf(t, "ttft_p50", record("a"), record("b", wide, within(0.18, 0.22)), nil); n.Difference.Interval != nil {
		t.Errorf("an interval from one side: %+v", n.Difference)
	}
	if n = numberOf(t, "ttft_p50", record("a"), record("b"), nil); !strings.Contains(n.Says, "the spread of one recipe, seen once") {
		t.Errorf("repeats: got %q", n.Says)
	}
}

func TestSystemsRatio(t *testing.T) {
	n := numberOf(t, "output_token_rate", record("a", amount(0, 500.34)), record("b", system, amount(0, 1018.93)), nil)
	if n.Ratio == nil || math.Abs(*n.Ratio-2.0365) > 1e-4 || n.Difference != nil || n.Mark != "" {
		t.Errorf("got %+v", n)
	}
}

func TestNoMeaning(t *testing.T) {
	of := func(k evidence.AmountKind, x float64) func(*evidence.Record) {
		return figure(0, func(v *evidence.Value) {
			v.Amount = evidence.Amount{Kind: k, X: x}
		})
	}
	for _, test := range []struct {
		name string
		a, b func(*evidence.Record)
		says string
	}{
		{"a lower bound", of(evidence.AtLeast, 5), wide, "a has no exact figure (at least)."},
		{"unbounded", of(evidence.Exact, 5), func(r *evidence.Record) { wide(r); of(evidence.Unbounded, 0)(r) }, "b has no exact figure (unbounded)"},
		{"a ratio to nothing", of(evidence.Exact, 0), system, "A ratio to 0 has no meaning."},
		{"a ratio to less than nothing", of(evidence.Exact, -1), system, "A ratio to -1 has no meaning."},
		{"too large", of(evidence.Exact, -math.MaxFloat64), func(r *evidence.Record) { wide(r); of(evidence.Exact, math.MaxFloat64)(r) }, "too large"},
		{"infinite", of(evidence.Exact, math.Inf(1)), wide, "a has no exact figure"},
	} {
		n := numberOf(t, "output_token_rate", record("a", test.a), record("b", test.b), nil)
		if n.Mark != compare.NoMeaning || n.Difference != nil || n.Ratio != nil || !strings.Contains(n.Says, test.says) {
			t.Errorf("%s: got %+v", test.name, n)
		}
	}
	n := numberOf(t, "output_token_rate", record("a", of(evidence.Exact, 0)), record("b", wide), nil)
	if n.Difference == nil || n.Difference.Relative != nil {
		t.Errorf("a share of nothing: %+v", n.Difference)
	}
}

// summary is a record over runs with these rates, and the runs.
func summary(slug string, rates []float64, change ...func(*evidence.Record)) (evidence.Record, []evidence.Record) {
	var runs []evidence.Record
	sum := record(slug, change...)
	sum.Kind = evidence.RepeatsRecord
	for i, x := range rates {
		r := record(fmt.Sprintf("%s-r%d", slug, i+1), amount(0, x))
		r.ID[0], r.ID[1] = slug[0], byte(i+1)
		runs = append(runs, r)
		sum.Members = append(sum.Members, evidence.Member{ID: r.ID, Slug: r.Slug})
	}
	sorted := slices.Sorted(slices.Values(rates))
	middle := (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
	figure(0, func(v *evidence.Value) {
		v.Amount.X, v.Population = middle, said(evidence.Population{Rule: "runs of one point", N: int64(len(rates))})
	})(&sum)
	return sum, runs
}

// at finds runs among those given.
func at(lists ...[]evidence.Record) compare.Runs {
	return func(slug string) (evidence.Record, bool) {
		for _, r := range slices.Concat(lists...) {
			if r.Slug == slug {
				return r, true
			}
		}
		return evidence.Record{}, false
	}
}

func TestRepeats(t *testing.T) {
	low := []float64{100, 101, 102, 103, 104, 105}
	a, runsA := summary("a", low)
	b, runsB := summary("b", []float64{120, 121, 122, 123, 124, 125}, wide)
	n := numberOf(t, "output_token_rate", a, b, at(runsA, runsB))
	if n.Mark != "" || n.Test == nil || !n.Test.Evidence || math.Abs(n.Test.P-2.0/924) > 1e-12 || n.Difference.X != 20 {
		t.Errorf("got %+v, %+v, %+v", n, n.Test, n.Difference)
	}
	if iv := n.Difference.Interval; iv == nil || iv.Low != 17 || iv.High != 23 {
		t.Errorf("got %+v", n.Difference.Interval)
	}
	if n.Says != "Evidence of a difference (p = 0.002 over 6 and 6 runs)." || n.A.Runs != 6 {
		t.Errorf("got %q", n.Says)
	}

	c, runsC := summary("c", []float64{99, 101.5, 102.5, 103.5, 103.7, 106}, wide)
	n = numberOf(t, "output_token_rate", a, c, at(runsA, runsC))
	if n.Mark != compare.NoEvidence || n.Test.Evidence || n.Difference.Interval == nil || !strings.HasPrefix(n.Says, "No evidence of a difference (p = ") {
		t.Errorf("got %+v", n)
	}

	s, runsS := summary("s", []float64{200, 201, 202, 203, 204, 205}, system)
	n = numberOf(t, "output_token_rate", a, s, at(runsA, runsS))
	if n.Mark != "" || n.Ratio == nil || n.Test == nil || n.Difference != nil {
		t.Errorf("systems: got %+v", n)
	}
}

// TestShapesThatDiffer: where the difference of the medians is none that a shift
// could be, no number describes the pair.
func TestShapesThatDiffer(t *testing.T) {
	a, runsA := summary("a", []float64{0, 0.1, 0.2, 0.3, 10, 10.1, 10.2, 10.3, 10.4})
	b, runsB := summary("b", []float64{10.45, 10.5, 10.55, 10.6, 10.65, 30, 31, 32, 33}, wide)
	n := numberOf(t, "output_token_rate", a, b, at(runsA, runsB))
	if inside := n.Difference.X >= n.Difference.Interval.Low && n.Difference.X <= n.Difference.Interval.High; inside == (n.Mark == compare.NoMeaning) {
		t.Errorf("got %+v with %+v in %+v", n.Mark, n.Difference.X, n.Difference.Interval)
	}
}

func TestTooFewRepeats(t *testing.T) {
	six := []float64{1, 2, 3, 4, 5, 6}
	a, runsA := summary("a", six[:3])
	b, runsB := summary("b", six, wide)
	n := numberOf(t, "output_token_rate", a, b, at(runsA, runsB))
	if n.Test != nil || n.Difference == nil || n.Difference.Interval != nil || n.Mark != "" ||
		n.Says != "No interval and no test: they need 6 valid runs on each side; a has 3, 3 more are missing." {
		t.Errorf("got %+v", n)
	}
}

func TestRunsThatAreNotAtHand(t *testing.T) {
	six := []float64{1, 2, 3, 4, 5, 6}
	a, runsA := summary("a", six)
	b, runsB := summary("b", six, wide)
	test := func(name, says string, runs compare.Runs) {
		t.Helper()
		n := numberOf(t, "output_token_rate", a, b, runs)
		if n.Test != nil || !strings.Contains(n.Says, says) || n.Difference == nil {
			t.Errorf("%s: got %+v", name, n)
		}
	}
	test("none", "No test: run a-r1 is not at hand.", nil)
	test("one side", "run b-r1 is not at hand", at(runsA))
	other := slices.Clone(runsA)
	other[2].ID[5] = 9
	test("another run of that name", "run a-r3 is not at hand", at(other, runsB))
	void := slices.Clone(runsA)
	void[1].Void = true
	test("a void run that the figure rests on", "a has 5 runs at hand, its figure rests on 6", at(void, runsB))
	open := slices.Clone(runsA)
	figure(0, func(v *evidence.Value) { v.Amount.Kind = evidence.AtLeast })(&open[3])
	test("a lower bound", "run a-r4 has no exact figure of it", at(open, runsB))
}

func TestConfoundedHasNoNumbers(t *testing.T) {
	a, b := record("a"), record("b", wide, func(r *evidence.Record) { r.Workload.Requests = said(int64(7)) })
	if got := compare.NumbersOf(compare.Compare(a, b), a, b, nil); got != nil {
		t.Errorf("got %+v", got)
	}
}
