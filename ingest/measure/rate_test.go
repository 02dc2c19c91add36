package measure_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/measure"
)

func parts(t interface{ Fatal(...any) }, ns, n int64) (measure.Interval, measure.Population, measure.CacheState) {
	over, err := measure.NewInterval(1_000, 1_000+ns, measure.ObservationWindow)
	if err != nil {
		t.Fatal(err)
	}
	of, err := measure.NewPopulation("completed requests", n, measure.Exclusion{Reason: measure.WasUnresolved, N: 2})
	if err != nil {
		t.Fatal(err)
	}
	cache, err := measure.DeclaredCache(measure.CacheCold, 0)
	if err != nil {
		t.Fatal(err)
	}
	return over, of, cache
}

func TestRateTimesIntervalIsCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<40).Draw(t, "n")
		over, of, cache := parts(t, rapid.Int64Range(1, 1<<50).Draw(t, "ns"), 3)
		num, err := measure.NewCount[measure.OutputTokens](n)
		if err != nil {
			t.Fatal(err)
		}
		r, err := measure.NewRate(num, over, of, cache)
		if err != nil {
			t.Fatal(err)
		}
		back := r.PerSecond() * over.Seconds()
		if math.Abs(back-float64(n)) > 1e-15*float64(n)*4 {
			t.Fatalf("%v × %v s: got %v, want %d", r.PerSecond(), over.Seconds(), back, n)
		}
		if r.Count() != num || r.Over() != over || r.Of() != of || r.Cache() != cache {
			t.Fatalf("parts got lost: %v", r)
		}
	})
}

func TestRateIsComparableAndSaysItsParts(t *testing.T) {
	over, of, cache := parts(t, 24_118_000_000, 198)
	num, _ := measure.NewCount[measure.OutputTokens](2096)
	a, err := measure.NewRate(num, over, of, cache)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := measure.NewRate(num, over, of, cache)
	if a != b {
		t.Error("rates of the same parts differ")
	}
	want := "86.91 output tokens/s = 2,096 output tokens ÷ 24.12 s (observation window) of 198 completed requests; left out: 2 unresolved, cache declared cold; not measured"
	if got := a.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"count":2096`, `"unit":"output tokens"`, `"window":"observation window"`, `"n":198`, `"reason":"unresolved"`, `"cache":"declared cold`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("got %s, want %s in it", text, part)
		}
	}
}

func TestZeroValuesAreInvalid(t *testing.T) {
	var r measure.Rate[measure.Requests]
	if r.IsValid() || r.String() != "invalid rate" || !math.IsNaN(r.PerSecond()) {
		t.Errorf("got a valid zero rate: %v", r)
	}
	if text, err := json.Marshal(r); err == nil {
		t.Errorf("the zero rate was written: %s", text)
	}
	over, of, cache := parts(t, 1, 1)
	var n measure.Count[measure.Requests]
	if _, err := measure.NewRate(n, measure.Interval{}, of, cache); err == nil {
		t.Error("a rate without interval was made")
	}
	if _, err := measure.NewRate(n, over, measure.Population{}, cache); err == nil {
		t.Error("a rate without population was made")
	}
	if _, err := measure.NewRate(n, over, of, measure.CacheState{}); err == nil {
		t.Error("a rate without cache state was made")
	}
	if got := (measure.Interval{}).String() + (measure.Population{}).String() + (measure.CacheState{}).String(); got != "invalid intervalinvalid populationinvalid cache state" {
		t.Errorf("got %q", got)
	}
	if (measure.Quantile{}).Kind() != 0 {
		t.Error("the zero quantile has a kind")
	}
}

func TestConstructorsRefuse(t *testing.T) {
	refuse := func(what string, err error) {
		t.Helper()
		if err == nil {
			t.Errorf("%s was accepted", what)
		}
	}
	_, err := measure.NewCount[measure.Requests](-1)
	refuse("a negative count", err)
	most, _ := measure.NewCount[measure.Requests](math.MaxInt64)
	one, _ := measure.NewCount[measure.Requests](1)
	_, err = measure.Sum(most, one)
	refuse("a sum beyond 64 bits", err)
	_, err = measure.NewInterval(5, 5, measure.ObservationWindow)
	refuse("an empty interval", err)
	_, err = measure.NewInterval(5, 4, measure.ObservationWindow)
	refuse("a negative interval", err)
	_, err = measure.NewInterval(math.MinInt64, math.MaxInt64, measure.ObservationWindow)
	refuse("an interval beyond 64 bits", err)
	_, err = measure.NewInterval(0, 1, "some window")
	refuse("an unknown rule", err)
	_, err = measure.NewPopulation("", 1)
	refuse("a population without rule", err)
	_, err = measure.NewPopulation("all", -1)
	refuse("a negative population", err)
	_, err = measure.NewPopulation("all", 1, measure.Exclusion{N: 1})
	refuse("an exclusion without reason", err)
	_, err = measure.NewPopulation("all", 1, measure.Exclusion{Reason: measure.WasFailed, N: -1})
	refuse("a negative exclusion", err)
	for _, share := range []float64{0, 1, -0.5, math.NaN()} {
		_, err = measure.DeclaredCache(measure.CacheShared, share)
		refuse("a shared prefix of a wrong share", err)
	}
	_, err = measure.DeclaredCache(measure.CacheCold, 0.5)
	refuse("a cold cache with a share", err)
	_, err = measure.DeclaredCache(measure.CacheUnstated, 0)
	refuse("declaring the unstated", err)
	_, err = measure.UnstatedCache().WithMeasured(1, 0)
	refuse("measuring no tokens", err)
	_, err = measure.CacheState{}.WithMeasured(1, 2)
	refuse("measuring an invalid state", err)
}

func TestSumAddsCounts(t *testing.T) {
	a, _ := measure.NewCount[measure.InputTokens](1000)
	b, _ := measure.NewCount[measure.InputTokens](24)
	sum, err := measure.Sum(a, b)
	if err != nil || sum.N() != 1024 || sum.String() != "1,024 input tokens" {
		t.Errorf("got %v, %v", sum, err)
	}
}

func TestMergingPopulationsAddsCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) measure.Population {
			n := rapid.Int64Range(0, 1000).Draw(t, name)
			var out []measure.Exclusion
			for _, r := range measure.Reasons() {
				out = append(out, measure.Exclusion{Reason: r, N: rapid.Int64Range(0, 5).Draw(t, name+" left out")})
			}
			p, err := measure.NewPopulation("completed requests", n, out...)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		a, b := draw("a"), draw("b")
		m, err := a.Merge(b)
		if err != nil {
			t.Fatal(err)
		}
		if m.N() != a.N()+b.N() || left(m) != left(a)+left(b) {
			t.Fatalf("%v and %v make %v", a, b, m)
		}
	})
	other, _ := measure.NewPopulation("sent requests", 1)
	one, _ := measure.NewPopulation("completed requests", 1)
	if _, err := one.Merge(other); err == nil {
		t.Error("populations of two rules were merged")
	}
}

func left(p measure.Population) (n int64) {
	for _, x := range p.Excluded() {
		n += x.N
	}
	return n
}

func TestReasonsAreNamed(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range measure.Reasons() {
		if s := r.String(); s == "" || seen[s] {
			t.Errorf("reason %d is named %q", r, s)
		} else {
			seen[s] = true
		}
	}
	if got := measure.Reason(0).String(); got != "invalid reason" {
		t.Errorf("got %q", got)
	}
}

func TestCacheKindText(t *testing.T) {
	for k := measure.CacheCold; k <= measure.CacheUnstated; k++ {
		text, err := k.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back measure.CacheKind
		if err := back.UnmarshalText(text); err != nil || back != k {
			t.Errorf("%s: got %v, %v, want %v", text, back, err, k)
		}
	}
	if _, err := measure.CacheKind(0).MarshalText(); err == nil {
		t.Error("the zero kind was written")
	}
	var k measure.CacheKind
	if err := k.UnmarshalText(nil); err == nil {
		t.Error("an empty kind was read")
	}
	shared, _ := measure.DeclaredCache(measure.CacheShared, 0.5)
	shared, _ = shared.WithMeasured(448, 1024)
	if got, want := shared.String(), "declared shared prefix of 50.0 %; measured 448 of 1,024 prompt tokens cached (43.8 %)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
