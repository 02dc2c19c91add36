package pack_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/pack"
)

// first is the verdict on the first criterion for option A, whose run is given.
func first(t testing.TB, a run, replace ...string) pack.Verdict {
	t.Helper()
	b := base()
	b.profile = "Q"
	o := built(t, parsed(t, replace...), nil, a.record(t, "a"), b.record(t, "b")).Options[0]
	if len(o.Verdicts) == 0 {
		t.Fatalf("no verdicts: %s", o.Gap)
	}
	return o.Verdicts[0]
}

// The verdict follows the bounds: an upper one at the limit passes, a lower one
// above it fails, and between them nothing is decided.
func TestLatencyVerdict(t *testing.T) {
	for _, c := range []struct {
		name string
		with func(*run)
		want pack.Outcome
		says string
	}{
		{"below", func(r *run) { r.ttft = steady(200, 80) }, pack.Pass, "The upper bound, 80.0 ms, is not above 100.0 ms."},
		{"at the limit", func(r *run) { r.ttft = steady(200, 100) }, pack.Pass, "The upper bound, 100.0 ms, is not above 100.0 ms."},
		{"above", func(r *run) { r.ttft = steady(200, 101) }, pack.Fail, "The lower bound, 101.0 ms, is above 100.0 ms."},
		{"tail within 5 %", func(r *run) { r.ttft = append(steady(190, 80), steady(10, 500)...) }, pack.Pass, ""},
		{"tail beyond 5 %", func(r *run) { r.ttft = append(steady(189, 80), steady(11, 500)...) }, pack.Fail, ""},
		{"some unresolved", func(r *run) { r.ttft, r.unresolved = steady(190, 80), 10 }, pack.Pass, ""},
		{"too many unresolved", func(r *run) { r.ttft, r.unresolved = steady(189, 80), 11 }, pack.Undetermined, "has no upper bound"},
		{"unresolved, old", func(r *run) { r.ttft, r.unresolved, r.age = steady(180, 80), 20, 900 }, pack.Fail, "is above"},
		{"too few", func(r *run) { r.ttft = steady(71, 80) }, pack.Undetermined, "Too few requests: 71 of the 72"},
		{"just enough", func(r *run) { r.ttft = steady(72, 80) }, pack.Pass, ""},
		{"none completed", func(r *run) { r.ttft, r.failed = nil, 100 }, pack.Undetermined, "There is no percentile to judge: no request completed."},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := base()
			c.with(&a)
			v := first(t, a)
			if v.Outcome != c.want || !strings.Contains(v.Says, c.says) {
				t.Errorf("got %s: %s, want %s: %s", v.Outcome, v.Says, c.want, c.says)
			}
			if (v.Settle != "") != (c.want == pack.Undetermined) {
				t.Errorf("%s, and what would settle it is %q", v.Outcome, v.Settle)
			}
		})
	}
}

// Taking 6 % of the completions away turns a pass into undetermined: they may
// have been slow.
func TestRemovingSixPercentOfTheCompletions(t *testing.T) {
	a := base()
	a.ttft = steady(200, 80)
	if v := first(t, a); v.Outcome != pack.Pass {
		t.Fatalf("got %s: %s, want pass", v.Outcome, v.Says)
	}
	a.ttft, a.unresolved = a.ttft[:188], 12
	v := first(t, a)
	if v.Outcome != pack.Undetermined || v.N != 200 || v.Open != 12 {
		t.Fatalf("got %s of %d with %d open: %s", v.Outcome, v.N, v.Open, v.Says)
	}
	for _, words := range []string{
		"At most 10 of 200 may stay unfinished for p95 to have an upper bound; 12 did",
		"Had 2 of the 12 finished within the limit, it would pass.",
		"If no more than 12 stay unfinished and the others go on as those that finished did (100 % within the limit), it takes about 240 requests to pass.",
	} {
		if !strings.Contains(v.Settle, words) {
			t.Errorf("got %q, want %q in it", v.Settle, words)
		}
	}
}

// The tolerance is granted and printed; nothing is granted silently.
func TestTolerance(t *testing.T) {
	a := base()
	a.ttft = steady(200, 101)
	granted := []string{"at_most   = \"100ms\"\ntolerance = 0", "at_most = \"100ms\"\ntolerance = 0.01"}
	if v := first(t, a, granted...); v.Outcome != pack.Pass {
		t.Errorf("got %s: %s", v.Outcome, v.Says)
	}
	d := built(t, parsed(t, granted...), nil, two(t, a)...)
	if got, want := d.Criteria[0].Tolerance, "1.0 %: passes up to 101.0 ms"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := d.Criteria[1].Tolerance; got != "none" {
		t.Errorf("got %q, want none", got)
	}
}

// Errors are a criterion of their own: they neither help nor hurt a percentile,
// and what is unresolved may yet be one.
func TestErrors(t *testing.T) {
	errors := func(completed, failed, unresolved int) pack.Verdict {
		a := base()
		a.ttft, a.failed, a.unresolved = steady(completed, 80), failed, unresolved
		b := base()
		b.profile = "Q"
		return built(t, parsed(t), nil, a.record(t, "a"), b.record(t, "b")).Options[0].Verdicts[1]
	}
	for _, c := range []struct {
		completed, failed, unresolved int
		want                          pack.Outcome
		says                          string
	}{
		{200, 0, 0, pack.Pass, "0 of 200 sent requests failed, were rejected, timed out or were cancelled: 0 %."},
		{198, 2, 0, pack.Pass, "cancelled: 1.0 %."},
		{197, 3, 0, pack.Fail, "cancelled: 1.5 %."},
		{199, 0, 1, pack.Pass, "at most 0.5 %"},
		{197, 1, 2, pack.Undetermined, "from 0.5 % to 1.5 %"},
		{190, 3, 7, pack.Fail, "at least 1.5 %"},
	} {
		v := errors(c.completed, c.failed, c.unresolved)
		if v.Outcome != c.want || !strings.Contains(v.Says, c.says) {
			t.Errorf("%d, %d, %d: got %s: %s, want %s: %s", c.completed, c.failed, c.unresolved, v.Outcome, v.Says, c.want, c.says)
		}
	}
	v := errors(197, 1, 2)
	if want := "It passes if at most 1 of the 2 unresolved requests failed. If no more than 2 stay unresolved and the share of errors stays what it is, 398 requests settle it."; v.Settle != want {
		t.Errorf("got %q, want %q", v.Settle, want)
	}
	if v := errors(200, 0, 0); !v.Caution || !strings.Contains(v.Beside, "0 % to 1.8 %") {
		t.Errorf("got caution %t, %q: 200 requests without an error do not show 1 %%", v.Caution, v.Beside)
	}
}

// Fast failures do not make a percentile better: they are not in it.
func TestFailuresAreNotInThePercentile(t *testing.T) {
	a := base()
	a.ttft, a.failed = steady(100, 150), 100
	if v := first(t, a); v.Outcome != pack.Fail || v.N != 100 {
		t.Errorf("got %s of %d: %s", v.Outcome, v.N, v.Says)
	}
}

// A rate has a lower limit.
func TestRateVerdict(t *testing.T) {
	with := func(limit string) []string {
		return []string{"[[options]]\nname      = \"A\"", "[[criteria]]\nname = \"capacity\"\nmetric = \"output_token_rate\"\nat_least = " + limit +
			"\ntolerance = 0.1\ndate = 2026-11-20\n\n[[options]]\nname = \"A\""}
	}
	// 200 × 16 tokens over 3.98 s and the last request's 155 ms.
	for limit, want := range map[string]pack.Outcome{"700": pack.Pass, "859": pack.Pass, "861": pack.Fail} {
		records := two(t, base())
		d := built(t, parsed(t, with(limit)...), nil, records...)
		if v := d.Options[0].Verdicts[2]; v.Outcome != want {
			t.Errorf("at least %s: got %s: %s, want %s", limit, v.Outcome, v.Says, want)
		}
		if d.Options[0].Target != pack.Pass || d.Options[0].Overall != want {
			t.Errorf("at least %s: got target %s, overall %s", limit, d.Options[0].Target, d.Options[0].Overall)
		}
	}
	records := two(t, base())
	for i, v := range records[0].Values {
		if v.Metric == "output_token_rate" {
			records[0].Values[i].Amount.Kind = evidence.AtLeast
		}
	}
	records[0] = seal(t, records[0])
	for limit, want := range map[string]pack.Outcome{"700": pack.Pass, "900": pack.Undetermined} {
		if v := built(t, parsed(t, with(limit)...), nil, records...).Options[0].Verdicts[2]; v.Outcome != want {
			t.Errorf("a lower bound, at least %s: got %s, want %s", limit, v.Outcome, want)
		}
	}
}

// An interval that reaches over the limit is shown beside a pass; it does not
// change it.
func TestCaution(t *testing.T) {
	a := base()
	a.ttft = append(steady(191, 80), steady(9, 500)...)
	if v := first(t, a); v.Outcome != pack.Pass || !v.Caution || !strings.Contains(v.Beside, "80.0 to 500.0 ms") {
		t.Errorf("got %s, caution %t, %q", v.Outcome, v.Caution, v.Beside)
	}
	a.ttft = steady(200, 80)
	if v := first(t, a); v.Caution {
		t.Errorf("got a caution where all requests are alike: %q", v.Beside)
	}
}

// Losing sight of a request never makes a verdict better: what passes may become
// undetermined, what fails may too, but nothing comes to pass.
func TestUnresolvedNeverImproves(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(72, 160).Draw(rt, "n")
		a := base()
		a.ttft = nil
		for range n {
			a.ttft = append(a.ttft, rapid.SampledFrom([]int64{40, 99, 100, 101, 300}).Draw(rt, "ttft"))
		}
		lost := rapid.IntRange(1, 20).Draw(rt, "lost")
		b := a
		b.ttft, b.unresolved, b.age = a.ttft[:n-lost], lost, 1
		before, after := first(t, a).Outcome, first(t, b).Outcome
		if after != before && after != pack.Undetermined {
			rt.Fatalf("losing %d of %d requests made %s into %s", lost, n, before, after)
		}
	})
}

// What is said to settle a verdict settles it: so many requests with the same
// number unfinished and the same share of the others within the limit.
func TestSettleHolds(t *testing.T) {
	for _, c := range []struct {
		within, late, open int
		n                  int
		want               pack.Outcome
	}{
		{188, 0, 12, 240, pack.Pass},
		{193, 2, 15, 374, pack.Pass},
		{170, 8, 10, 1889, pack.Pass},
		{166, 9, 10, 361, pack.Fail},
	} {
		a := base()
		a.ttft, a.unresolved, a.age = append(steady(c.within, 80), steady(c.late, 300)...), c.open, 1
		v := first(t, a)
		says := fmt.Sprintf("it takes about %s requests to %s.", measure.FormatCount(int64(c.n)), c.want)
		if v.Outcome != pack.Undetermined || !strings.Contains(v.Settle, says) {
			t.Errorf("%+v: got %s, %q, want %q", c, v.Outcome, v.Settle, says)
			continue
		}
		finished := c.n - c.open
		// The share as whole requests, rounded to the side that is to be shown.
		within := finished * c.within / (c.within + c.late)
		if c.want == pack.Pass && c.late > 0 {
			within++
		}
		a.ttft = append(steady(within, 80), steady(finished-within, 300)...)
		if got := first(t, a); got.Outcome != c.want {
			t.Errorf("%+v: with %d requests got %s: %s", c, c.n, got.Outcome, got.Says)
		}
	}
}

// Of a long run the distribution is thinned; where that hides how many finished
// within the limit, the words say so.
func TestSettleOfThinnedDistribution(t *testing.T) {
	a := base()
	a.ttft, a.age = nil, 1
	for i := range int64(400) {
		a.ttft = append(a.ttft, 60+i%80) // half of them above 100 ms
	}
	a.unresolved = 300
	v := first(t, a, "100ms", "135ms")
	if v.Outcome != pack.Undetermined || strings.Contains(v.Settle, "about") {
		t.Errorf("got %s: %s", v.Outcome, v.Settle)
	}
}
