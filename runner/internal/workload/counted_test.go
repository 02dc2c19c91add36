package workload

import (
	"context"
	"errors"
	"hash/fnv"
	"strings"
	"sync/atomic"
	"testing"

	"benchline/runner/plan"

	"pgregory.net/rapid"
)

// byPieces is a tokenizer that cuts words into pieces of at most size letters,
// after so many tokens that stand before every text.
func byPieces(size, before int, calls *atomic.Int64) Counter {
	return func(ctx context.Context, text string) (int, error) {
		calls.Add(1)
		n := before
		for _, w := range strings.Fields(text) {
			n += (len(w) + size - 1) / size
		}
		return n, ctx.Err()
	}
}

func countedSource(t testing.TB, c plan.Cache, count Counter) *Source {
	t.Helper()
	s, err := New(plan.Workload{Seed: 1, Words: "endpoint"}, c, Words(), count)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCountedLengthIsExact(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var calls atomic.Int64
		before := rapid.IntRange(0, 5).Draw(rt, "before")
		count := byPieces(rapid.IntRange(1, 8).Draw(rt, "size"), before, &calls)
		c := rapid.SampledFrom([]plan.Cache{cold(), {Policy: plan.Warm, Pool: 2}, {Policy: plan.Shared, Share: 0.5}}).Draw(rt, "cache")
		n := rapid.IntRange(30, 3000).Draw(rt, "n")
		s := countedSource(t, c, count)
		p := prompt(t, s, n, "run", "measure", 3)
		got, _ := count(t.Context(), p.Text)
		if !p.Exact || p.Tokens != n || got != n {
			rt.Fatalf("%d tokens, said to be %d (exact %v), want %d", got, p.Tokens, p.Exact, n)
		}
		first := calls.Load()
		for seq := range int64(10) {
			prompt(t, s, n, "run", "measure", seq)
		}
		if per := float64(calls.Load()-first) / 10; per > 5 {
			rt.Errorf("%.1f counts a prompt", per)
		}
	})
}

// byHash is a tokenizer whose words cost from lo to hi tokens, whatever their
// length, and whose neighbours are one token less when their first letters
// agree: what is learnt of single words is then only a hint.
func byHash(lo, hi, before int, joins bool) Counter {
	return func(ctx context.Context, text string) (int, error) {
		n, last := before, byte(0)
		for _, w := range strings.Fields(text) {
			h := fnv.New32a()
			_, _ = h.Write([]byte(w))
			c := lo + int(h.Sum32()>>8)%(hi-lo+1)
			if joins && w[0] == last && c > 1 {
				c--
			}
			n, last = n+c, w[0]
		}
		return n, ctx.Err()
	}
}

func TestOddTokenizersAreMetExactly(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lo := rapid.IntRange(1, 3).Draw(rt, "lo")
		count := byHash(lo, lo+rapid.IntRange(1, 4).Draw(rt, "more"), rapid.IntRange(0, 3).Draw(rt, "before"), rapid.Bool().Draw(rt, "joins"))
		c := rapid.SampledFrom([]plan.Cache{cold(), {Policy: plan.Shared, Share: 0.3}}).Draw(rt, "cache")
		n := rapid.IntRange(60, 2000).Draw(rt, "n")
		p := prompt(t, countedSource(t, c, count), n, "run", "measure", rapid.Int64Range(0, 1000).Draw(rt, "seq"))
		if got, _ := count(t.Context(), p.Text); !p.Exact || got != n {
			rt.Fatalf("%d tokens, said to be %d (exact %v), want %d", got, p.Tokens, p.Exact, n)
		}
	})
}

// What was made before does not change a prompt.
func TestCountedIsReproducible(t *testing.T) {
	var calls atomic.Int64
	for _, c := range []plan.Cache{cold(), {Policy: plan.Warm, Pool: 4}, {Policy: plan.Shared, Share: 0.3}} {
		a, b := countedSource(t, c, byPieces(3, 1, &calls)), countedSource(t, c, byPieces(3, 1, &calls))
		for seq := range int64(20) {
			prompt(t, a, 50+int(seq), "run", "warmup", seq)
		}
		if x, y := prompt(t, a, 333, "run2", "measure", 2), prompt(t, b, 333, "run2", "measure", 2); x != y {
			t.Errorf("%s: the prompt depends on what was made before", c.Policy)
		}
	}
}

func TestCountedSharedPrefix(t *testing.T) {
	var calls atomic.Int64
	s := countedSource(t, plan.Cache{Policy: plan.Shared, Share: 0.5}, byPieces(2, 0, &calls))
	a, b := prompt(t, s, 200, "run", "warmup", 0), prompt(t, s, 200, "run", "measure", 1)
	got := commonWords(a.Text, b.Text)
	prefix := strings.Join(strings.Fields(a.Text)[:got], " ")
	if n, _ := byPieces(2, 0, &calls)(t.Context(), prefix); n != 100 {
		t.Errorf("%d tokens in common, want 100", n)
	}
}

// A length that cannot be reached is said to be what it is.
func TestNotExactIsSaid(t *testing.T) {
	odd := func(_ context.Context, text string) (int, error) { return 2*len(strings.Fields(text)) + 1, nil }
	p := prompt(t, countedSource(t, cold(), odd), 100, "run", "measure", 0)
	if got, _ := odd(t.Context(), p.Text); p.Exact || p.Tokens != got || abs(got-100) != 1 {
		t.Errorf("%d tokens, said to be %d (exact %v)", got, p.Tokens, p.Exact)
	}
	never := func(context.Context, string) (int, error) { return 7, nil }
	p = prompt(t, countedSource(t, cold(), never), 100, "run", "measure", 0)
	if p.Exact || p.Tokens != 7 || p.Text == "" {
		t.Errorf("got %d tokens (exact %v)", p.Tokens, p.Exact)
	}
}

func TestCounterErrors(t *testing.T) {
	for _, after := range []int64{0, 1, 20, 66, 67, 68} {
		var calls atomic.Int64
		inner := byPieces(2, 0, &calls)
		s := countedSource(t, plan.Cache{Policy: plan.Shared, Share: 0.5}, func(ctx context.Context, text string) (int, error) {
			if calls.Load() >= after {
				return 0, errCount
			}
			return inner(ctx, text)
		})
		if _, err := s.Prompt(t.Context(), point(100), "run", "measure", 0); !errors.Is(err, errCount) {
			t.Errorf("after %d counts: got %v", after, err)
		}
	}
}

func TestPreparedIsNotCountedAgain(t *testing.T) {
	for _, tt := range []struct {
		c    plan.Cache
		want int64
	}{{cold(), 20}, {plan.Cache{Policy: plan.Warm, Pool: 4}, 4}} {
		var calls atomic.Int64
		s := countedSource(t, tt.c, byPieces(2, 0, &calls))
		if n, err := s.Prepare(t.Context(), point(50), "run", "measure", 20); err != nil || n != tt.want {
			t.Fatalf("%s: prepared %d, %v", tt.c.Policy, n, err)
		}
		before := calls.Load()
		for seq := range int64(20) {
			prompt(t, s, 50, "run", "measure", seq)
		}
		if calls.Load() != before {
			t.Errorf("%s: %d counts after preparing", tt.c.Policy, calls.Load()-before)
		}
		s.Forget("run")
		if len(s.kept) != 0 || s.keptSize != 0 {
			t.Errorf("%s: %d prompts, %d bytes kept after the run", tt.c.Policy, len(s.kept), s.keptSize)
		}
	}
	s := listSource(t, 1, cold())
	if n, err := s.Prepare(t.Context(), point(50), "run", "measure", 20); err != nil || n != 20 {
		t.Errorf("a list: prepared %d, %v", n, err)
	}
}

func TestPreparingIsBounded(t *testing.T) {
	var calls atomic.Int64
	s := countedSource(t, cold(), byPieces(4, 0, &calls))
	s.keptSize = maxKept - 600
	if n, err := s.Prepare(t.Context(), point(50), "run", "measure", 20); err != nil || n != 2 {
		t.Errorf("prepared %d, %v, want 2", n, err)
	}
}
