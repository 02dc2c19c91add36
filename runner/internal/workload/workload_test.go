package workload

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"benchline/runner/plan"

	"pgregory.net/rapid"
)

func point(n int) plan.Point { return plan.Point{Slug: "i-o-c", InputTokens: n} }

func listSource(t testing.TB, seed uint64, c plan.Cache) *Source {
	t.Helper()
	s, err := New(plan.Workload{Seed: seed, Words: "list"}, c, Words(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func prompt(t testing.TB, s *Source, n int, run, phase string, seq int64) Prompt {
	t.Helper()
	p, err := s.Prompt(t.Context(), point(n), run, phase, seq)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func cold() plan.Cache { return plan.Cache{Policy: plan.Cold} }

func TestWordsAreDistinctAndPlain(t *testing.T) {
	words := Words()
	if len(words) != 2102 {
		t.Errorf("%d words", len(words))
	}
	if _, err := ReadWords(strings.NewReader(strings.Join(words, "\n"))); err != nil {
		t.Errorf("the built-in list is no right list: %v", err)
	}
	for _, w := range words {
		if len(w) != 4 || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" {
			t.Errorf("word %q", w)
		}
	}
}

func TestReadWords(t *testing.T) {
	var many strings.Builder
	for _, w := range Words()[:20] {
		many.WriteString(w + "\r\n\n")
	}
	if got, err := ReadWords(strings.NewReader(many.String())); err != nil || len(got) != 20 || got[0] != "baba" {
		t.Errorf("got %d words, %v", len(got), err)
	}
	for name, tt := range map[string]struct{ src, want string }{
		"few":     {"a\nb\n", "2 words, at least 16"},
		"twice":   {"a\nb\na\n", "line 3: the word stands there twice"},
		"space":   {"a\nb c\n", "line 2: holds white space"},
		"control": {"a\x1bb\n", "line 1: holds white space or an unprintable"},
		"utf8":    {"a\xff\n", "line 1: not valid UTF-8"},
		"long":    {strings.Repeat("x", 65), "line 1: longer than 64 bytes"},
		"no line": {strings.Repeat("x", 1<<20), "token too long"},
	} {
		if _, err := ReadWords(strings.NewReader(tt.src)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}

func FuzzReadWords(f *testing.F) {
	f.Add(strings.Join(Words()[:20], "\n"))
	f.Add("a\r\n\nb c")
	f.Fuzz(func(t *testing.T, src string) {
		words, err := ReadWords(strings.NewReader(src))
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, w := range words {
			if seen[w] || len(strings.Fields(w)) != 1 || !strings.Contains(src, w) {
				t.Fatalf("word %q", w)
			}
			seen[w] = true
		}
	})
}

func TestNewRefuses(t *testing.T) {
	w := plan.Workload{Words: "list"}
	if _, err := New(w, cold(), []string{"a"}, nil); err == nil {
		t.Error("a list of one word was accepted")
	}
	if _, err := New(plan.Workload{Words: "endpoint"}, cold(), Words(), nil); err == nil {
		t.Error("counting without a counter was accepted")
	}
	if _, err := New(plan.Workload{Words: "x"}, cold(), Words(), nil); err == nil {
		t.Error("an unknown way was accepted")
	}
	if _, err := New(w, plan.Cache{Policy: plan.Warm}, Words(), nil); err == nil {
		t.Error("an empty pool was accepted")
	}
}

// N words of the list are N tokens, under every policy.
func TestListedLengthIsExact(t *testing.T) {
	known := map[string]bool{}
	for _, w := range Words() {
		known[w] = true
	}
	rapid.Check(t, func(rt *rapid.T) {
		c := rapid.SampledFrom([]plan.Cache{cold(), {Policy: plan.Warm, Pool: 3}, {Policy: plan.Shared, Share: 0.37}}).Draw(rt, "cache")
		n := rapid.IntRange(1, 2000).Draw(rt, "n")
		p := prompt(t, listSource(t, rapid.Uint64().Draw(rt, "seed"), c), n, "run", "measure", rapid.Int64Range(0, 1e9).Draw(rt, "seq"))
		words := strings.Split(p.Text, " ")
		if len(words) != n || p.Tokens != n || !p.Exact || len(p.Hash) != 32 {
			rt.Fatalf("%d words, said to be %d (exact %v), want %d; hash %q", len(words), p.Tokens, p.Exact, n, p.Hash)
		}
		if i := slices.IndexFunc(words, func(w string) bool { return !known[w] }); i >= 0 {
			rt.Fatalf("%q is not in the list", words[i])
		}
	})
}

// Case C17: no two prompts of points, repeats, phases or invocations are
// alike, and each can be made again from the run's ID.
func TestColdPromptsAreDistinctAndReproducible(t *testing.T) {
	seen := map[string]string{}
	a, b := listSource(t, 7, cold()), listSource(t, 7, cold())
	other := listSource(t, 8, cold())
	for _, run := range []string{"p-20261129t172300z-i32-o8-c1-r1", "p-20261129t172300z-i32-o8-c1-r2", "p-20261129t172301z-i32-o8-c1-r1"} {
		for _, phase := range []string{"warmup", "measure"} {
			for seq := range int64(50) {
				p := prompt(t, a, 32, run, phase, seq)
				name := run + " " + phase
				if was, ok := seen[p.Text]; ok {
					t.Fatalf("%s has a prompt of %s", name, was)
				}
				seen[p.Text] = name
				if again := prompt(t, b, 32, run, phase, seq); again != p {
					t.Fatalf("%s %d cannot be made again", name, seq)
				}
				if prompt(t, other, 32, run, phase, seq).Text == p.Text {
					t.Fatalf("another seed gives the same prompt")
				}
			}
		}
	}
}

// Parts of a slot's name must not run into each other.
func TestSlotsAreToldApart(t *testing.T) {
	s := listSource(t, 1, cold())
	a := prompt(t, s, 64, "run1", "2measure", 1)
	b := prompt(t, s, 64, "run12", "measure", 1)
	if a.Text == b.Text {
		t.Error("two slots share a seed")
	}
}

func TestWarmPoolIsSentAgain(t *testing.T) {
	s := listSource(t, 1, plan.Cache{Policy: plan.Warm, Pool: 4})
	distinct := map[string]bool{}
	for seq := range int64(12) {
		w, m := prompt(t, s, 100, "run", "warmup", seq), prompt(t, s, 100, "run", "measure", seq)
		if w != m {
			t.Errorf("request %d differs between warm-up and measure", seq)
		}
		distinct[w.Text] = true
	}
	if len(distinct) != 4 {
		t.Errorf("%d distinct prompts, want 4", len(distinct))
	}
	if prompt(t, s, 100, "run", "measure", 0).Text == prompt(t, s, 100, "run2", "measure", 0).Text {
		t.Error("another run has the same pool")
	}
}

func TestSharedPrefix(t *testing.T) {
	s := listSource(t, 1, plan.Cache{Policy: plan.Shared, Share: 0.5})
	a, b := prompt(t, s, 100, "run", "warmup", 0), prompt(t, s, 100, "run", "measure", 1)
	if got := commonWords(a.Text, b.Text); got != 50 {
		t.Errorf("%d words in common, want 50", got)
	}
	if got := commonWords(a.Text, prompt(t, s, 100, "run2", "measure", 1).Text); got > 5 {
		t.Errorf("%d words in common with another run", got)
	}
}

// commonWords is the length of the common prefix of two texts in words.
func commonWords(a, b string) int {
	x, y := strings.Fields(a), strings.Fields(b)
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}

func TestHashIsKeyedByRun(t *testing.T) {
	s := listSource(t, 1, plan.Cache{Policy: plan.Warm, Pool: 1})
	a, again := prompt(t, s, 10, "run", "warmup", 0), prompt(t, s, 10, "run", "measure", 7)
	if a.Hash != again.Hash {
		t.Error("equal prompts of a run have different hashes")
	}
	text := append(make([]byte, keySize), " "+a.Text...)
	if finish(text, "run2").Hash == a.Hash {
		t.Error("the hash does not depend on the run")
	}
	text = append(make([]byte, keySize), " "+a.Text...)
	if got := finish(text, "run"); got.Hash != a.Hash || got.Text != a.Text {
		t.Error("the hash is not of the text and the run alone")
	}
}

func TestConcurrentUse(t *testing.T) {
	for _, c := range []plan.Cache{cold(), {Policy: plan.Warm, Pool: 3}, {Policy: plan.Shared, Share: 0.5}} {
		s := listSource(t, 1, c)
		want := prompt(t, listSource(t, 1, c), 200, "run", "measure", 5)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 50 {
					if got, err := s.Prompt(context.Background(), point(200), "run", "measure", 5); err != nil || got != want {
						t.Errorf("%s: another prompt, %v", c.Policy, err)
					}
				}
			})
		}
		wg.Wait()
	}
}

var errCount = errors.New("no tokenizer here")

// BenchmarkPrompt makes prompts of 1,000 words: the client has 1 ms of its
// cores for each at 1,000 a second, so a hundredth of that is the bar.
func BenchmarkPrompt(b *testing.B) {
	for _, c := range []plan.Cache{cold(), {Policy: plan.Warm, Pool: 8}, {Policy: plan.Shared, Share: 0.5}} {
		b.Run(string(c.Policy), func(b *testing.B) {
			s := listSource(b, 1, c)
			b.ReportAllocs()
			var seq int64
			for b.Loop() {
				prompt(b, s, 1000, "p-20261129t172300z-i1000-o32-c64-r1", "measure", seq)
				seq++
			}
		})
	}
}
