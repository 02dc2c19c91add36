package prose_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/measure"
	"benchline/render/internal/prose"
	"benchline/render/report"
)

// TestContentIsClean: the pages that come with the program obey their own linter.
func TestContentIsClean(t *testing.T) {
	for _, d := range pages(t) {
		for _, f := range d.Lint(nil) {
			t.Error(f)
		}
	}
}

// lintCase is a page and the texts that the linter shall find in it.
type lintCase struct {
	src  string
	want []string
}

func lintCases(t *testing.T, file string) []lintCase {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []lintCase
	for _, part := range strings.Split("\n"+string(b), "\n%%")[1:] {
		head, src, _ := strings.Cut(part, "\n")
		c := lintCase{src: src}
		if head = strings.TrimSpace(head); head != "" {
			c.want = strings.Split(head, " | ")
		}
		cases = append(cases, c)
	}
	return cases
}

// quotedText is the text that a finding quotes.
func quotedText(d prose.Diagnostic) string {
	m := regexp.MustCompile(`"(.*?)" is `).FindStringSubmatch(d.Msg)
	if m == nil {
		return d.Msg
	}
	return m[1]
}

// TestLintFinds: figures typed by hand are found, whatever the markup around them.
func TestLintFinds(t *testing.T) {
	cases, missed := lintCases(t, "testdata/lint-fails.txt"), 0
	for _, c := range cases {
		d, _ := prose.Parse("p.md", []byte(c.src))
		var got []string
		for _, f := range d.Lint(nil) {
			got = append(got, quotedText(f))
		}
		if strings.Join(got, " | ") != strings.Join(c.want, " | ") {
			missed++
			t.Errorf("%s\ngot  %q\nwant %q", c.src, got, c.want)
		}
	}
	t.Logf("found as wanted: %d of %d pages with a figure", len(cases)-missed, len(cases))
}

// TestLintLeaves: numbers that are no figures, and figures that are marked or
// referred to, are left alone.
func TestLintLeaves(t *testing.T) {
	cases, wrong := lintCases(t, "testdata/lint-passes.txt"), 0
	for _, c := range cases {
		d, _ := prose.Parse("p.md", []byte(c.src))
		if found := d.Lint(nil); len(found) > 0 {
			wrong++
			t.Errorf("%s\ngot %q", c.src, lines(found))
		}
	}
	t.Logf("left alone: %d of %d pages without a figure", len(cases)-wrong, len(cases))
}

// evidenceFake knows two figures and the verdicts on a few pairs.
type evidenceFake struct{}

func (evidenceFake) Like(t report.Typed) []report.Like {
	var out []report.Like
	for _, r := range t.Readings {
		if math.Abs(r.X-5191.72) <= r.Half*1.001 && slices.Contains(t.Quantities, measure.OutputTokenRate) {
			out = append(out, report.Like{Record: "p1-c128", Metric: "output_token_rate", Label: "output-token rate"})
		}
		if math.Abs(r.X-0.312) <= r.Half*1.001 && slices.Contains(t.Quantities, measure.Time) {
			out = append(out, report.Like{Record: "p1-c64", Metric: measure.ID(t.Base, t.Stat), Label: "median"})
		}
	}
	return out
}

func (evidenceFake) Versus(a, b string) (report.Versus, bool) {
	switch a + " " + b {
	case "a b", "b a":
		return report.Versus{Controlled: true, OneFamily: true, Sentence: "Controlled: only the concurrency differs.", Metrics: []measure.MetricID{"output_token_rate"}}, true
	case "a c":
		return report.Versus{OneFamily: true, Sentence: "Confounded: request count and concurrency differ."}, true
	case "a d":
		return report.Versus{Ratio: true, Sentence: "Systems ratio. Of two systems."}, true
	case "a e":
		return report.Versus{Controlled: true, Sentence: "Controlled: only the driver differs.", Metrics: []measure.MetricID{"output_token_rate"}}, true
	}
	return report.Versus{}, false
}

// TestLintHints: a typed number comes with the reference that it may be.
func TestLintHints(t *testing.T) {
	const write, none = "write {{ev p1-c128 output_token_rate}}", "no record has this value"
	for _, tt := range []struct{ src, want string }{
		{"5,191.72 tokens/s", write}, {"5191.72 tokens/s", write}, {"5 191.72 tok/s", write}, {"5.191,72 tokens/s", write}, {"5.2k tokens/s", write},
		{"5,192 output tokens per second", write}, {"about 5k tok/s", write}, {"a throughput of 5,191.72", write}, {"311,503 tokens/min", write},
		{"5,191.73 tokens/s", none}, {"5.3k tokens/s", none}, {"5,191.72 requests/s", none},
		{"a median TTFT of 312 ms", "write {{ev p1-c64 ttft_p50}}"}, {"a median TTFT of 0.31 s", "write {{ev p1-c64 ttft_p50}}"}, {"TTFT p95 = 312", "write {{ev p1-c64 ttft_p95}}"},
		{"| TTFT p95 (ms) |\n|---|\n| 312 |", "write {{ev p1-c64 ttft_p95}}"}, {"312 ms per token", "write {{ev p1-c64 tpot}}"},
		{"| tok/s |\n|---|\n| 5,191.72 |", write},
		{"## 5,191.72 tokens/s", write + "; a reference cannot stand in a heading"},
		{"30 % faster", "{{compare A B}}"},
	} {
		d, _ := prose.Parse("p.md", []byte(tt.src))
		got := lines(d.Lint(evidenceFake{}))
		if len(got) != 1 || !strings.Contains(got[0], tt.want) {
			t.Errorf("%s: got %q, want one that says %q", tt.src, got, tt.want)
		}
	}
}

// TestLintPlaces: line and column are those of the number in the source.
func TestLintPlaces(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"a\n\nb **5** tokens/s", "p.md:3:5"}, {"+++\ntitle = \"x\"\n+++\n\nb 5 tokens/s", "p.md:5:3"}, {"ä 5 tokens/s", "p.md:1:4"},
		{"> [!NOTE]\n> x\n> y 5 tokens/s", "p.md:3:5"}, {"| tokens/s |\n|---|\n| a |\n| 5 |", "p.md:4:3"}, {"```\nx\ny: 5 tokens/s\n```", "p.md:3:4"},
		{"+++\ndescription = \"x\"\ntitle = \"a 5 tokens/s\"\n+++\n", "p.md:3:12"}, {"&nbsp;&nbsp;5 tokens/s", "p.md:1:13"}, {"- a\n  - b\n    5 tokens/s", "p.md:3:5"},
		{"x\n5\ntokens/s", "p.md:2:1"}, {"```go\n// {{\n\t// 5 tokens/s\n```", "p.md:3:5"}, {"x[^1]\n\n[^1]: y\n    5 tokens/s", "p.md:4:5"},
	} {
		d, _ := prose.Parse("p.md", []byte(tt.src))
		got := lines(d.Lint(nil))
		if len(got) != 1 || !strings.HasPrefix(got[0], tt.want+": ") {
			t.Errorf("%q: got %q, want it at %s", tt.src, got, tt.want)
		}
	}
}

// TestLintComparisons: a sentence may compare two records as far as the verdict
// on them goes.
func TestLintComparisons(t *testing.T) {
	ev := func(r string) string { return "{{ev " + r + " output_token_rate}}" }
	for _, tt := range []struct{ src, want string }{
		{"At {{ev a output_token_rate}} it is faster than at {{ev b output_token_rate}}.", ""},
		{ev("a") + " is faster than " + ev("c") + ".", `p.md:1:31: "faster" compares a with c. Confounded: request count and concurrency differ (name both`},
		{ev("a") + " and " + ev("c") + " stand side by side.", ""},
		{"This is faster. Here are " + ev("a") + " and " + ev("c") + ".", ""},
		{"The rate is higher: " + ev("a") + " against " + ev("c") + ".", `"higher" compares a with c. Confounded`},
		{"From " + ev("a") + " to " + ev("c") + ", an improvement.", `"improvement" compares a with c`},
		{ev("a") + " outperforms\n*" + ev("c") + "*.", `"outperforms" compares a with c`},
		{ev("a") + " is more than " + ev("c") + ".", `"more" compares`},
		{ev("a") + " is faster than " + ev("d") + ".", "{{compare a d}}"},
		{ev("a") + " is a regression from " + ev("b") + ".", ""},
		{ev("a") + " is a regression from " + ev("e") + ".", `"regression" is said of a and e, which are of different families`},
		{ev("a") + " is faster than {{ev b ttft_p50}} suggests.", ""},
		{"{{ev a ttft_p50}} is lower than {{ev b ttft_p50}}.", `"lower" compares ttft_p50 of a with that of b, and they are not figures under one rule`},
		{ev("a") + " is faster than {{ev a ttft_p50}}.", ""},
		{ev("a") + " is faster than " + ev("nobody") + ".", ""},
		{"| a | b | faster |\n|---|---|---|\n| " + ev("a") + " | " + ev("c") + " | no |", ""},
		{"- " + ev("a") + ", which beats " + ev("b") + " and " + ev("c") + ".", `"beats" compares a with c`},
	} {
		d, ds := prose.Parse("p.md", []byte(tt.src))
		got := strings.Join(lines(append(ds, d.Lint(evidenceFake{})...)), "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) || strings.Contains(got, "\n") {
			t.Errorf("%s\ngot  %q\nwant %q", tt.src, got, tt.want)
		}
	}
}

// TestLintFormsOfNumbers: every usual way to write a number, and every markup
// that readers do not see, leads to the same figure.
func TestLintFormsOfNumbers(t *testing.T) {
	group := func(s, sep string) string {
		for i := len(s) - 3; i > 0; i -= 3 {
			s = s[:i] + sep + s[i:]
		}
		return s
	}
	rapid.Check(t, func(t *rapid.T) {
		whole := strconv.FormatInt(rapid.Int64Range(1, 9_999_999).Draw(t, "whole"), 10)
		cents := fmt.Sprintf("%02d", rapid.IntRange(0, 99).Draw(t, "cents"))
		form := rapid.SampledFrom([]string{
			whole + "." + cents, group(whole, ",") + "." + cents, group(whole, " ") + "." + cents, group(whole, "\u202f") + "." + cents, group(whole, "\u202f") + "," + cents,
			group(whole, ".") + "," + cents, group(whole, "'") + "." + cents, group(whole, "’") + "." + cents, whole + "," + cents,
		}).Draw(t, "form")
		dress := rapid.SampledFrom([]string{"%s tokens/s", "**%s** tokens/s", "*%s* **tokens**/s", "[%s](x.md) tok/s", "%s&nbsp;tokens/s", "%s\ntokens per second", "`%s` tokens/s", "~~%s~~ output tokens/s", "<%s TPS>", "(%s tokens/s)"}).Draw(t, "dress")
		src := "It made " + fmt.Sprintf(dress, form) + " that day."
		want, err := strconv.ParseFloat(whole+"."+cents, 64)
		if err != nil {
			t.Fatal(err)
		}
		d, _ := prose.Parse("p.md", []byte(src))
		var asked []report.Typed
		found := d.Lint(asking(func(x report.Typed) { asked = append(asked, x) }))
		if len(found) != 1 || len(asked) != 1 {
			t.Fatalf("%q: got %q", src, lines(found))
		}
		if !slices.ContainsFunc(asked[0].Readings, func(r report.Reading) bool { return math.Abs(r.X-want) < 1e-6 && math.Abs(r.Half-0.005) < 1e-9 }) {
			t.Fatalf("%q: read as %v, want %v", src, asked[0].Readings, want)
		}
	})
}

// asking is evidence without records that hears what it is asked.
type asking func(report.Typed)

func (a asking) Like(x report.Typed) []report.Like { a(x); return nil }

func (a asking) Versus(string, string) (report.Versus, bool) { return report.Versus{}, false }
