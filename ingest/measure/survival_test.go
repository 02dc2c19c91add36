package measure_test

import (
	"math"
	"testing"

	"benchline/ingest/measure"

	"pgregory.net/rapid"
)

// The remission times in weeks of the 21 children who were given 6-MP in the
// trial of Freireich and others (Blood 21, 1963), the example of many textbooks;
// the table is the one that they print, to three decimals.
func TestSurvivalOfTextbook(t *testing.T) {
	relapsed := []float64{6, 6, 6, 7, 10, 13, 16, 22, 23}
	stillWell := []float64{6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35}
	s := measure.NewSample(relapsed, stillWell)
	want := [][2]float64{{6, 0.857}, {7, 0.807}, {10, 0.753}, {13, 0.690}, {16, 0.627}, {22, 0.538}, {23, 0.448}}
	i := 0
	for x, longer := range s.Survival() {
		if i >= len(want) || x != want[i][0] || math.Abs(longer-want[i][1]) > 0.0005 {
			t.Fatalf("step %d: got %g weeks, %.4f; the table is %v", i, x, longer, want)
		}
		i++
	}
	if i != len(want) {
		t.Errorf("got %d steps, want %d", i, len(want))
	}
	if got, want := s.KaplanMeier(measure.Q50), measure.ExactQuantile(23, 21); got != want {
		t.Errorf("median: got %v, the textbooks have %v", got, want)
	}
	if got, want := s.KaplanMeier(measure.Q90), measure.UnboundedQuantile(21); got != want {
		t.Errorf("p90: got %v, want %v: more than a tenth was still well", got, want)
	}
}

// A second table, of eight patients, from Bewick, Cheek and Ball, Critical Care
// 8 (2004), 389: three of the times are censored.
func TestSurvivalOfSmallTable(t *testing.T) {
	s := measure.NewSample([]float64{1, 1, 4, 5, 9, 22}, []float64{6, 9})
	want := map[float64]float64{1: 0.750, 4: 0.625, 5: 0.500, 9: 1.0 / 3, 22: 0}
	n := 0
	for x, longer := range s.Survival() {
		if w, ok := want[x]; !ok || math.Abs(longer-w) > 1e-12 {
			t.Errorf("%g: got %g, want %g", x, longer, w)
		}
		n++
	}
	if n != len(want) {
		t.Errorf("got %d steps, want %d", n, len(want))
	}
}

func TestSurvivalOfNothing(t *testing.T) {
	for name, s := range map[string]measure.Sample{"empty": measure.NewSample(nil, nil), "no value": measure.NewSample(nil, []float64{1, 2})} {
		for x := range s.Survival() {
			t.Errorf("%s: got a step at %g", name, x)
		}
	}
	if got := measure.NewSample(nil, nil).KaplanMeier(measure.Q50); got != measure.NoQuantile() {
		t.Errorf("of nothing: got %v", got)
	}
	if got, want := measure.NewSample(nil, []float64{3}).KaplanMeier(measure.Q50), measure.UnboundedQuantile(1); got != want {
		t.Errorf("of one age: got %v, want %v", got, want)
	}
	if got := measure.NewSample([]float64{1}, nil).KaplanMeier(0); got != measure.NoQuantile() {
		t.Errorf("of no quantile: got %v", got)
	}
}

func censored(t *rapid.T, open int) measure.Sample {
	value := rapid.Map(rapid.IntRange(0, 60), func(n int) float64 { return float64(n) / 4 })
	return measure.NewSample(rapid.SliceOfN(value, 0, 300).Draw(t, "values"), rapid.SliceOfN(value, 0, open).Draw(t, "ages"))
}

// Without ages the estimate is the nearest rank, at every quantile.
func TestKaplanMeierWithoutAges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := censored(t, 0)
		q := measure.Q(rapid.Int64Range(1, 1000).Draw(t, "q"))
		if got, want := s.KaplanMeier(q), s.OfFinished(q); got != want {
			t.Fatalf("%v: got %v, the nearest rank is %v", q, got, want)
		}
	})
}

// The estimate lies within the bounds, whatever was cut off.
func TestKaplanMeierWithinBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := censored(t, 300)
		q := measure.Q(rapid.Int64Range(1, 1000).Draw(t, "q"))
		lower, upper := s.Bounds(q)
		got := s.KaplanMeier(q)
		low, _ := lower.X()
		high, bounded := upper.X()
		x, exact := got.X()
		switch {
		case s.N() == 0:
		case !exact && bounded:
			t.Fatalf("%v: no estimate, but the upper bound is %g", q, high)
		case exact && x < low, exact && bounded && x > high:
			t.Fatalf("%v: %g is outside of %v to %v", q, x, lower, upper)
		}
	})
}

// Shares fall, and stay between 0 and 1.
func TestSurvivalFalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		last, lastX := 1.0, -1.0
		for x, longer := range censored(t, 300).Survival() {
			if x <= lastX || longer < 0 || longer >= last {
				t.Fatalf("at %g: %g after %g at %g", x, longer, last, lastX)
			}
			last, lastX = longer, x
		}
	})
}
