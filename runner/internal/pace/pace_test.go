package pace

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"benchline/runner/plan"

	"pgregory.net/rapid"
)

func drawRate(t *rapid.T) plan.ArrivalRate {
	return plan.ArrivalRate{
		Requests: rapid.IntRange(1, 100_000).Draw(t, "requests"),
		Per:      time.Duration(rapid.Int64Range(int64(time.Second), int64(24*time.Hour)).Draw(t, "per")),
	}
}

func take(o *Open, n int) []time.Duration {
	out := make([]time.Duration, n)
	for i := range out {
		out[i] = o.Next()
	}
	return out
}

func TestConstantIsExact(t *testing.T) {
	got := take(NewOpen(plan.ArrivalRate{Requests: 3, Per: time.Second}, plan.Constant, 0), 7)
	want := []time.Duration{0, 333_333_333, 666_666_666, 1_000_000_000, 1_333_333_333, 1_666_666_666, 2_000_000_000}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The i-th due time is ⌊i × Per ÷ Requests⌋, however large i is.
func TestConstantNeverDrifts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRate(t)
		i := rapid.Uint64().Draw(t, "i")
		want := new(big.Int).SetUint64(i)
		want.Mul(want, big.NewInt(int64(r.Per))).Div(want, big.NewInt(int64(r.Requests)))
		if !want.IsInt64() {
			want.SetInt64(int64(Latest))
		}
		o := NewOpen(r, plan.Constant, 0)
		o.i = i
		if got := o.Next(); int64(got) != want.Int64() {
			t.Fatalf("request %d at %v is due at %d, want %d", i, r, got, want)
		}
	})
}

func TestDueTimesNeverDecrease(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom([]plan.Arrivals{plan.Constant, plan.Poisson}).Draw(t, "arrivals")
		due := take(NewOpen(drawRate(t), a, rapid.Uint64().Draw(t, "seed")), 200)
		if due[0] < 0 || !slices.IsSorted(due) {
			t.Fatalf("%s: %v", a, due)
		}
	})
}

func TestPoissonStaysAtTheLatest(t *testing.T) {
	o := NewOpen(plan.ArrivalRate{Requests: 1, Per: time.Hour}, plan.Poisson, 1)
	o.at = Latest - 1
	for range 3 {
		if got := o.Next(); got < Latest-1 {
			t.Fatalf("due at %d", got)
		}
	}
}

// Gaps of a long Poisson schedule: mean, spread and shape of an exponential
// distribution. The bounds are 5 standard errors wide; the seed is fixed.
func TestPoissonIsExponential(t *testing.T) {
	const n = 200_000
	for _, r := range []plan.ArrivalRate{{Requests: 10, Per: time.Second}, {Requests: 90, Per: time.Minute}, {Requests: 100_000, Per: time.Second}} {
		o := NewOpen(r, plan.Poisson, 7)
		mean := float64(r.Per) / float64(r.Requests)
		var last time.Duration
		var sum, squares float64
		over := 0
		for range n {
			at := o.Next()
			g := float64(at-last) / mean
			last = at
			sum += g
			squares += g * g
			if g > 3 {
				over++
			}
		}
		if got, off := sum/n, 5/math.Sqrt(n); math.Abs(got-1) > off {
			t.Errorf("%v: mean gap is %.4f of the period, want 1 ± %.4f", r, got, off)
		}
		if got, off := squares/n, 5*math.Sqrt(20.0/n); math.Abs(got-2) > off { // E g² = 2, Var g² = 20
			t.Errorf("%v: mean square gap is %.4f, want 2 ± %.4f", r, got, off)
		}
		p := math.Exp(-3)
		if got, off := float64(over)/n, 5*math.Sqrt(p*(1-p)/n); math.Abs(got-p) > off {
			t.Errorf("%v: %.5f of the gaps are over 3 periods, want %.5f ± %.5f", r, got, p, off)
		}
	}
}

// Case C20: the same seed gives the same due times to the nanosecond, on every
// platform (so they are written down here), and another seed gives others.
func TestPoissonRepeats(t *testing.T) {
	r := plan.ArrivalRate{Requests: 10, Per: time.Second}
	got := take(NewOpen(r, plan.Poisson, 7), 5)
	raw, err := os.ReadFile(filepath.Join("testdata", "poisson-seed7.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var want []time.Duration
	for f := range strings.FieldsSeq(string(raw)) {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, time.Duration(n))
	}
	if !slices.Equal(got, want) {
		t.Errorf("seed 7 gave %d, want %d", got, want)
	}
	if other := take(NewOpen(r, plan.Poisson, 8), 5); slices.Equal(other, got) {
		t.Error("seed 8 gave the same due times")
	}
}

func TestLogarithm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0x1p-60, 1).Draw(t, "x")
		got, want := ln(x), math.Log(x)
		if math.Abs(got-want) > 4e-16*math.Abs(want) {
			t.Fatalf("ln(%v) = %v, want %v", x, got, want)
		}
	})
	if got := ln(1); got != 0 {
		t.Errorf("ln(1) = %v", got)
	}
}

func BenchmarkNext(b *testing.B) {
	for _, a := range []plan.Arrivals{plan.Constant, plan.Poisson} {
		b.Run(string(a), func(b *testing.B) {
			o := NewOpen(plan.ArrivalRate{Requests: 1000, Per: time.Second}, a, 1)
			b.ReportAllocs()
			for b.Loop() {
				o.Next()
			}
		})
	}
}

// TestSeed: a seed is the same for ever, exact in every reader of JSON, and
// another one for each plan's seed, repeat and phase.
func TestSeed(t *testing.T) {
	const want = 8010742427814859
	if got := Seed(7, 1, "measure"); got != want {
		t.Errorf("the seed of a released plan changed: %d, was %d", got, want)
	}
	seen := map[uint64]string{}
	for seed := range uint64(20) {
		for repeat := 1; repeat <= 20; repeat++ {
			for _, phase := range []string{"warmup", "measure"} {
				got, at := Seed(seed, repeat, phase), fmt.Sprint(seed, repeat, phase)
				if got >= 1<<53 || seen[got] != "" {
					t.Errorf("%s has seed %d, which is too large or that of %q", at, got, seen[got])
				}
				seen[got] = at
			}
		}
	}
	rate := plan.ArrivalRate{Requests: 5, Per: time.Second}
	a, b := take(NewOpen(rate, plan.Poisson, Seed(7, 1, "measure")), 5), take(NewOpen(rate, plan.Poisson, Seed(7, 2, "measure")), 5)
	if slices.Equal(a, b) {
		t.Errorf("two repeats draw the same arrivals: %v", a)
	}
}
