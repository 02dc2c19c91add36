package mapped

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/measure"
)

func TestNumber(t *testing.T) {
	for cell, want := range map[string][2]string{
		"12": {"12", ""}, "-0.0011": {"-0.0011", ""}, "1,234.50": {"1234.50", ""}, "12,345,678": {"12345678", ""}, "35.2 ± 0.6": {"35.2", "0.6"}, "35.2+/-0.6 ms": {"35.2", "0.6 ms"}, "5e-05": {"5e-05", ""},
	} {
		if plain, rest, ok := number(cell); !ok || plain != want[0] || rest != want[1] {
			t.Errorf("%q: got %q, %q, %t", cell, plain, rest, ok)
		}
	}
	for _, cell := range []string{"1,23", "1,2345", ",123", "1,,234", "500 of 500", "=1+1", "+5", "0x10", "1_000", "± 5", "5 ±", "1.5,000", "Inf", "NaN", "12 ms", "", ".", "1.", "12,34,567"} {
		if plain, _, ok := number(cell); ok {
			t.Errorf("%q is taken for the number %s", cell, plain)
		}
	}
}

// TestNumbersWithSeparators: what people write with commas is the number.
func TestNumbersWithSeparators(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<50).Draw(t, "n")
		if plain, _, ok := number(measure.FormatCount(n)); !ok || plain != strconv.FormatInt(n, 10) {
			t.Fatalf("%s: got %q, %t", measure.FormatCount(n), plain, ok)
		}
	})
}
