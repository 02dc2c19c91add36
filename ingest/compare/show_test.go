package compare_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
)

func exact(x float64) compare.Side {
	return compare.Side{Amount: evidence.Amount{Kind: evidence.Exact, X: x}}
}

func TestShow(t *testing.T) {
	half, ratio := 0.5, 2.0365
	spanned := exact(0.2)
	spanned.Interval = &evidence.Interval{Low: 0.18, High: 0.23}
	test := &compare.Test{P: 0.0001, N1: 6, N2: 7, Evidence: true}
	for name, c := range map[string]struct {
		n    compare.Number
		want compare.Shown
	}{
		"difference": {compare.Number{Metric: "ttft_p50", A: spanned, B: exact(0.3), Difference: &compare.Difference{X: 0.1, Relative: &half,
			Interval: &compare.Bounds{Low: -0.01, High: 0.2}}, Test: test},
			compare.Shown{Unit: "ms", A: "200.0", B: "300.0", IntervalA: "180.0 to 230.0", Change: "+100.0", Relative: "+50.0 %", Interval: "−10.0 to +200.0", P: "p < 0.001, n = 6 + 7"}},
		"ratio": {compare.Number{Metric: "output_token_rate", A: exact(500.34), B: exact(1018.93), Ratio: &ratio},
			compare.Shown{A: "500.34", B: "1,018.93", Unit: "output tokens/s", Change: "2.04×"}},
		"no evidence": {compare.Number{Metric: "output_token_rate", A: exact(5), B: exact(6), Mark: compare.NoEvidence, Difference: &compare.Difference{X: 1, Relative: &half,
			Interval: &compare.Bounds{Low: -1, High: 2}}, Test: &compare.Test{P: 0.4, N1: 6, N2: 6}},
			compare.Shown{A: "5.00", B: "6.00", Unit: "output tokens/s", Change: "~", Interval: "−1.00 to +2.00", P: "p = 0.400, n = 6 + 6"}},
		"no meaning": {compare.Number{Metric: "ttft_p50", A: compare.Side{Amount: evidence.Amount{Kind: evidence.AtLeast, X: 2}}, B: compare.Side{Amount: evidence.Amount{Kind: evidence.Unbounded}}, Mark: compare.NoMeaning},
			compare.Shown{A: "≥ 2.000", B: "unbounded", Unit: "s", Change: "?"}},
	} {
		if diff := cmp.Diff(c.want, c.n.Show()); diff != "" {
			t.Errorf("%s: (− want, + got)\n%s", name, diff)
		}
	}
}

func TestFormatRatio(t *testing.T) {
	for x, want := range map[float64]string{2.0365: "2.04×", 1: "1.00×", 1.0004: "1.0004×", 0.9996: "0.9996×", 12.34: "12.3×", 0.04911: "0.0491×", 1234.5: "1230×", 0: "0.00×"} {
		if got := compare.FormatRatio(x); got != want {
			t.Errorf("%v: got %q, want %q", x, got, want)
		}
	}
	for x, want := range map[float64]string{0.231: "+23.1 %", -0.5: "−50.0 %", 0: "0 %", 3: "+300.0 %", -0.0001: "−0.01 %", 0.00051: "+0.1 %", 0.99999: "+100.0 %"} {
		if got := compare.FormatRelative(x); got != want {
			t.Errorf("%v: got %q, want %q", x, got, want)
		}
	}
}

// TestRatioNeverSaysOne: a ratio that is not 1 does not read as 1.
func TestRatioNeverSaysOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0.98, 1.02).Draw(t, "x")
		got := strings.TrimSuffix(compare.FormatRatio(x), "×")
		if one := strings.Trim(got, "0.") == "1"; one != (x == 1) {
			t.Fatalf("%v: got %q", x, got)
		}
	})
}
