package measure_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/measure"
)

func TestScaleText(t *testing.T) {
	test := func(id measure.MetricID, x float64, want string, column ...float64) {
		t.Helper()
		s := measure.Scale(id, append(column, x)...)
		if got := s.TextUnit(x); got != want {
			t.Errorf("%s %v among %v: got %q, want %q", id, x, column, got, want)
		}
	}
	up := func(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }
	down := func(x float64) float64 { return math.Nextafter(x, math.Inf(-1)) }

	test("ttft_p50", 0.08740312, "87.40 ms")
	test("ttft_p50", 0.123449, "123.4 ms")
	test("ttft_p50", 550.876, "550.9 s")
	test("ttft_p50", 29100.679, "29,101 s")
	test("ttft_p50", 0, "0 s")
	test("tpot_p50", 0.00002, "20.00 µs")
	test("tpot_p50", 2.5e-8, "25.00 ns")
	// The step from ms to s is where the printed number would be 1,000.
	test("e2e_p50", 1, "1.000 s")
	test("e2e_p50", down(1), "1.000 s")
	test("e2e_p50", up(1), "1.000 s")
	test("e2e_p50", 0.99995, "1.000 s")
	test("e2e_p50", down(0.99995), "999.9 ms")
	test("e2e_p50", 0.9999, "999.9 ms")
	test("e2e_p50", 0.00099995, "1.000 ms")
	test("e2e_p50", down(0.00099995), "999.9 µs")
	test("e2e_p50", 9.9995, "9.999 s")
	test("e2e_p50", up(9.9995), "10.00 s")
	// One unit a column, and enough decimals for its smallest.
	test("ttft_p50", 0.0213, "0.021 s", 1.5, 12)
	test("ttft_p50", 0.0213, "21.3 ms", 0.2, 0.9)
	test("ttft_p50", 0.0001, "0.00010 s", 12)
	test("ttft_p50", math.NaN(), "undefined s", 12)
	test("ttft_p50", math.Inf(1), "undefined s")

	test("output_token_rate", 5191.7249, "5,191.72 output tokens/s")
	test("output_token_rate", 0, "0.00 output tokens/s")
	test("output_token_rate", 999_999.99, "999,999.99 output tokens/s")
	test("output_token_rate", 1_000_000, "1,000,000 output tokens/s")
	test("output_token_rate", down(1_000_000), "1,000,000 output tokens/s")
	test("output_token_rate", 999_999.994, "999,999.99 output tokens/s")
	test("output_token_rate", 999_999.996, "1,000,000 output tokens/s")
	test("total_token_rate", 12_345_678.9, "12,345,679 input + output tokens/s")
	test("request_rate", 0.01234, "0.0123 requests/s")
	test("request_rate", 3.5, "3.5000 requests/s", 0.01234)
	test("request_rate", 12.345678, "12.35 requests/s")
	test("goodput", 7, "7.00 good requests/s")
	test("no_such_metric", 1.5, "1.500")
}

// A figure has no digit beyond the second one of its interval's width.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		id       measure.MetricID
		x, width float64
		want     string
	}{
		{"ttft_p95", 0.012345, 0.010, "12 ms"},
		{"ttft_p95", 0.012345, 0.0011, "12.3 ms"},
		{"ttft_p95", 0.012345, 0.0000011, "12.35 ms"}, // never more digits than without
		{"ttft_p95", 0.9, 0.5, "900 ms"},
		{"output_token_rate", 938.7115, 18, "939 output tokens/s"},
		{"output_token_rate", 938.7115, 1.8, "938.7 output tokens/s"},
		{"output_token_rate", 938.7115, 4000, "939 output tokens/s"}, // digits before the point stay
		{"output_token_rate", 938.7115, 0, "938.71 output tokens/s"},
		{"output_token_rate", 938.7115, math.Inf(1), "938.71 output tokens/s"},
	} {
		if got := measure.Scale(c.id, c.x).Within(c.width).TextUnit(c.x); got != c.want {
			t.Errorf("%s %v ± %v: got %q, want %q", c.id, c.x, c.width, got, c.want)
		}
	}
}

// A list has one unit, and each number the digits of its own.
func TestScaleList(t *testing.T) {
	for _, c := range []struct {
		id   measure.MetricID
		xs   []float64
		want string
	}{
		{"ttft_p50", []float64{0.000424, 0.0034221, 550.876}, "0.424 3.422 550,876 ms"},
		{"ttft_p50", []float64{1.5, 550.876}, "1.500 550.9 s"},
		{"ttft_p50", []float64{0}, "0 s"},
		{"output_token_rate", []float64{0.5, 5191.72}, "0.500 5,191.72 output tokens/s"},
	} {
		s := measure.ScaleList(c.id, c.xs...)
		var words []string
		for _, x := range c.xs {
			words = append(words, s.For(x).Text(x))
		}
		if got := strings.Join(append(words, s.Unit()), " "); got != c.want {
			t.Errorf("%v: got %q, want %q", c.xs, got, c.want)
		}
	}
}

func TestFormat(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567",
		-1: "−1", -999: "−999", -1000: "−1,000", math.MinInt64: "−9,223,372,036,854,775,808"} {
		if got := measure.FormatCount(n); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0 %", 1: "100 %", 0.875: "87.5 %", 0.0004: "< 0.1 %", 0.0005: "0.1 %",
		0.9994: "99.9 %", 0.9996: "> 99.9 %", math.Nextafter(1, 0): "> 99.9 %", 1.5: "150.0 %", math.Inf(1): "undefined"} {
		if got := measure.FormatShare(x); got != want {
			t.Errorf("share %v: got %q, want %q", x, got, want)
		}
	}
	if got := measure.FormatSeconds(24.118); got != "24.12 s" {
		t.Errorf("got %q", got)
	}
	if got := measure.ScaleSeconds(0.3).Unit(); got != "ms" {
		t.Errorf("got %q", got)
	}
}

func TestTextNeverHidesANumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom([]measure.MetricID{"ttft_p50", "request_rate"}).Draw(t, "id")
		xs := rapid.SliceOfN(rapid.Float64Range(1e-9, 1e7), 1, 6).Draw(t, "xs")
		s := measure.Scale(id, xs...)
		for _, x := range xs {
			if text := s.Text(x); strings.Trim(text, "0.") == "" {
				t.Fatalf("%v among %v shows as %q", x, xs, text)
			}
		}
	})
}

func TestNoThousandOfASmallerUnit(t *testing.T) {
	for _, edge := range []float64{0.99995, 0.00099995, 0.00000099995, 1, 1e-3, 1e-6} {
		x := edge
		for range 60 {
			x = math.Nextafter(x, 0)
		}
		for range 120 {
			s := measure.Scale("ttft_p50", x)
			if text := s.TextUnit(x); strings.HasPrefix(text, "1,000") {
				t.Errorf("%v: got %q", x, text)
			}
			x = math.Nextafter(x, 1)
		}
	}
}

func TestCounted(t *testing.T) {
	for want, got := range map[string]string{
		"1 record":      measure.Counted(1, "record"),
		"0 records":     measure.Counted(0, "record"),
		"1,024 records": measure.Counted(int64(1024), "record"),
		"1 family":      measure.Counted(1, "family", "families"),
		"2 families":    measure.Counted(2, "family", "families"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
