package verify

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"benchline/ingest/evidence"
)

// packRecord has what the pieces of a committee document below rest on.
func packRecord() *evidence.Record {
	n := func(x int64) evidence.Known[int64] { return evidence.Stated(x, "log") }
	r := evidence.Unstated("test")
	r.Slug, r.Class = "a", evidence.OwnRun
	r.Outcomes.Sent, r.Outcomes.Failed, r.Outcomes.Rejected, r.Outcomes.TimedOut, r.Outcomes.Cancelled, r.Outcomes.Unresolved = n(200), n(1), n(0), n(0), n(0), n(2)
	rate := evidence.UnstatedValue("request_rate", evidence.Amount{Kind: evidence.Exact, X: 50}, "", "test")
	rate.Numerator = evidence.Stated(evidence.Term{Amount: 200, Unit: "requests"}, "log")
	rate.Denominator = evidence.Stated(evidence.Term{Amount: 4, Unit: "s"}, "log")
	ttft := evidence.UnstatedValue("ttft_p95", evidence.Amount{Kind: evidence.Exact, X: 0.08}, "", "test")
	ttft.Bounds = &evidence.Bounds{Lower: evidence.Amount{Kind: evidence.Exact, X: 0.08}, Upper: evidence.Amount{Kind: evidence.Exact, X: 0.09}, N: 200}
	ttft.Estimate = &evidence.Estimate{X: 0.085, N: 200, Rule: "Kaplan and Meier"}
	r.Values = []evidence.Value{rate, ttft}
	return &r
}

// checked is what is wrong with a piece of a page.
func checked(t *testing.T, body string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	v := &verifier{records: map[string]*evidence.Record{"a": packRecord()}}
	c := &checker{v: v, name: "packs/x.html", page: newPage()}
	c.walk(root)
	v.computed(c.name, c.page)
	var said []string
	for _, m := range v.report.Mismatches {
		said = append(said, m.What)
	}
	return strings.Join(said, "\n")
}

const (
	goodComputation = `<div class="computation" data-computation="c"><data class="computed" data-computation="c" value="0.01">0.01</data> =
<data class="term" data-product="0" value="2">2</data> × <data class="term" data-product="0" value="4" data-from="a request_rate denominator">4</data> ÷
<data class="term" data-product="0" data-below value="200" data-from="a request_rate numerator">200</data> ÷ <data class="term" data-product="0" data-below value="4">4</data></div>
<data class="computed" data-computation="c" value="0.01">0.010</data>`
	goodVerdict = `<table><tr class="verdict" data-records="a" data-metric="ttft_p95" data-side="at most" data-limit="0.1" data-outcome="pass">
<td>pass</td><td><span class="says">The upper bound, 90.0 ms, is not above 100.0 ms; estimated: 85.0 ms.</span></td></tr></table>`
)

func TestComputationsAndVerdicts(t *testing.T) {
	if got := checked(t, goodComputation+goodVerdict); got != "" {
		t.Fatalf("what is right is said to be wrong:\n%s", got)
	}
	for _, c := range []struct{ old, new, want string }{
		{`value="0.01">0.010`, `value="0.02">0.020`, "its terms come to 0.01"},
		{`value="0.01">0.010`, `value="0.01">0.011`, `shows "0.011"`},
		{`value="0.01">0.010`, `value="x">0.010`, "which is no number"},
		{`data-computation="c" value="0.01">0.010`, `data-computation="d" value="0.01">0.010`, "shows the number d, and not how it is computed"},
		{`value="4" data-from`, `value="5" data-from`, "its records have 4"},
		{`a request_rate numerator`, `b request_rate numerator`, `names record "b"`},
		{`a request_rate numerator`, `a goodput numerator`, `names metric "goodput"`},
		{`a request_rate numerator`, `a request_rate rank`, "is no part of a figure"},
		{`data-outcome="pass"`, `data-outcome="fail"`, `is "fail", it should be "pass"`},
		{`data-limit="0.1"`, `data-limit="0.085"`, `is "pass", it should be "undetermined"`},
		{`data-limit="0.1"`, `data-limit="0.05"`, `is "pass", it should be "fail"`},
		{`<td>pass`, `<td>fine`, `does not say "pass"`},
		{`90.0 ms`, `70.0 ms`, `"70.0 ms" is no number that its record has for it`},
		{`85.0 ms`, `75.0 ms`, `"75.0 ms" is no number that its record has for it`},
		{`data-metric="ttft_p95" data-side`, `data-metric="tpot_p95" data-side`, `it should be "undetermined"`},
		{`data-side="at most"`, `data-side="about"`, "has no limit"},
	} {
		got := checked(t, strings.Replace(goodComputation+goodVerdict, c.old, c.new, 1))
		if !strings.Contains(got, c.want) {
			t.Errorf("%q for %q: got %q, want %q", c.new, c.old, got, c.want)
		}
	}
}

func TestJudgeLedger(t *testing.T) {
	o := packRecord().Outcomes
	for limit, want := range map[float64]string{0.02: passes, 0.015: passes, 0.01: undetermined, 0.001: fails} {
		if got := judgeLedger(o, limit); got != want {
			t.Errorf("limit %v: got %s, want %s", limit, got, want)
		}
	}
	o.Failed = evidence.NotStated[int64]("test")
	if got := judgeLedger(o, 0.5); got != undetermined {
		t.Errorf("a ledger with a gap: got %s", got)
	}
}
