package verify

import (
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/measure"
)

func TestAgrees(t *testing.T) {
	for _, c := range []struct {
		shown, behind string
		x             float64
		id            measure.MetricID
		want          bool
	}{
		{"87.40", "ms", 0.0874, "ttft_p50", true},
		{"87.40", "ms", 0.087404, "ttft_p50", true},
		{"87.40", "ms", 0.087406, "ttft_p50", false},
		{"87.40", "s", 0.0874, "ttft_p50", false},
		{"87.40", "", 0.0874, "ttft_p50", true},
		{"87.40", "", 87.4, "ttft_p50", true},
		{"87.40", "", 874, "ttft_p50", false},
		{"≥ 24.12", "s, unbounded above", 24.1234, "e2e_p99", true},
		{"1,267.90", "output tokens/s", 1267.9, "output_token_rate", true},
		{"1,267.90", "output tokens/s", 1268, "output_token_rate", false},
		{"1,268", "", 1267.9, "output_token_rate", true},
		{"0", "", 0, "output_token_rate", true},
		{"1.2e3", "", 1240, "output_token_rate", true},
		{"1.2e3", "", 1251, "output_token_rate", false},
		{"−5", "ms", -0.005, "ttft_p50", true},
		{"", "", 0, "ttft_p50", false},
		{"0x10", "", 16, "output_token_rate", false},
		{"NaN", "", 0, "output_token_rate", false},
		{"5", "ms", 5, "output_token_rate", false},
		{"5", "", 5, "no_such_metric", false},
	} {
		if err := agrees(c.shown, c.behind, c.x, c.id); (err == nil) != c.want {
			t.Errorf("%q %s for %v: %v", c.shown, c.behind, c.x, err)
		}
	}
}

// What the registry shows must agree, and must not when the number is another.
func TestAgreesWithTheRegistry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom([]measure.MetricID{"ttft_p50", "output_token_rate", "request_rate", "e2e_p99", "goodput"}).Draw(t, "metric")
		x := rapid.Float64Range(0, 1e7).Draw(t, "x")
		s := measure.Scale(id, x)
		if err := agrees(s.Text(x), s.Unit(), x, id); err != nil {
			t.Fatal(err)
		}
		if err := agrees(s.Text(x), s.Unit(), x*1.02+1, id); err == nil && x > 0 {
			t.Fatalf("%s %s agrees with %v as well as with %v", s.Text(x), s.Unit(), x*1.02+1, x)
		}
	})
}
