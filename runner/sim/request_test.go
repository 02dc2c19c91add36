package sim

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDigest(t *testing.T) {
	tests := []struct {
		name             string
		texts            []string
		template, limit  int
		tokens, fullKeys int
	}{
		{"nothing", nil, 0, 0, 0, 0},
		{"spaces only", []string{" \n\t"}, 0, 0, 0, 0},
		{"words and unusual spaces", []string{"a\u00a0b\u2003c", "d\r\ne"}, 0, 0, 5, 1},
		{"a template", []string{"a"}, 7, 0, 8, 2},
		{"a limit", []string{"a b c d e f g h i"}, 0, 4, 4, 1},
		{"a limit within the template", []string{"a"}, 7, 3, 3, 0},
	}
	for _, tt := range tests {
		d := digestOf(tt.texts, tt.template, 4, tt.limit)
		if d.tokens != tt.tokens || len(d.keys) != tt.fullKeys {
			t.Errorf("%s: got %d tokens in %d full blocks, want %d in %d", tt.name, d.tokens, len(d.keys), tt.tokens, tt.fullKeys)
		}
	}
}

// Keys agree exactly as far as the prompts' full blocks do, however the words
// are spread over messages.
func TestDigestKeysFollowThePrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"a", "b", "ab", "é"})
		a := rapid.SliceOf(word).Draw(t, "a")
		b := append(slices.Clone(a[:rapid.IntRange(0, len(a)).Draw(t, "same")]), rapid.SliceOf(word).Draw(t, "b")...)
		same := 0
		for same < min(len(a), len(b)) && a[same] == b[same] {
			same++
		}
		da := digestOf(a, 2, 3, 0)
		db := digestOf([]string{strings.Join(b, " \n")}, 2, 3, 0)
		for i := range min(len(da.keys), len(db.keys)) {
			if want := (i+1)*3 <= same+2; (da.keys[i] == db.keys[i]) != want {
				t.Fatalf("block %d of %q and %q: equal is %v, want %v", i, a, b, !want, want)
			}
		}
	})
}

func TestOutputLength(t *testing.T) {
	for _, tt := range []struct {
		mean, maximum int
		ignore        bool
		want          int
		stop          bool
	}{
		{0, 50, false, 50, false},
		{10, 50, true, 50, false},
		{1, 50, false, 1, true},
	} {
		if n, stop := outputLength(tt.mean, tt.maximum, tt.ignore, 1, 2); n != tt.want || stop != tt.stop {
			t.Errorf("%+v: got %d, %v", tt, n, stop)
		}
	}
	sum, long, stops := 0.0, 0, 0
	const n, mean, limit = 20_000, 40, 60
	for i := range uint64(n) {
		x, stop := outputLength(mean, 1_000_000, false, 7, i)
		if again, _ := outputLength(mean, 1_000_000, false, 7, i); again != x {
			t.Fatalf("prompt %d: got %d, then %d", i, x, again)
		}
		if x < 1 || !stop {
			t.Fatalf("prompt %d: got %d tokens, stop %v", i, x, stop)
		}
		sum += float64(x)
		if x > limit {
			long++
		}
		if y, stop := outputLength(mean, limit, false, 7, i); y != min(x, limit) || stop != (x <= limit) {
			t.Fatalf("prompt %d: got %d, %v under a limit of %d, %d without", i, y, stop, limit, x)
		} else if stop {
			stops++
		}
	}
	// Geometric: standard deviation of the mean about 40/√20,000 = 0.28.
	if got := sum / n; math.Abs(got-mean) > 1.5 {
		t.Errorf("got a mean of %.2f, want about %d", got, mean)
	}
	if want := n * math.Pow(1-1.0/mean, limit); math.Abs(float64(long)-want) > 300 {
		t.Errorf("%d answers over %d tokens, want about %.0f", long, limit, want)
	}
	if stops+long != n {
		t.Errorf("%d stops and %d long ones of %d", stops, long, n)
	}
}

func TestEOSOverTheWire(t *testing.T) {
	_, h := serve(t, func(c *Config) { c.EOSMean = 5 })
	reasons := map[string]int{}
	for i := range 30 {
		body := call(t, h, "POST", "/v1/completions", "", `{"model":"simulated-8b","stream":true,"stream_options":{"include_usage":true},"max_tokens":8,"prompt":"`+words(i+1, "q")+`"}`).body
		w := &seen{}
		w.body.WriteString(body)
		u := usageOf(t, w)
		if got := len(strings.Fields(text(body))); got != u.Completion || u.Output != nil {
			t.Errorf("got %d words, usage %+v", got, u)
		}
		for _, e := range events(body) {
			if len(e.Choices) > 0 && e.Choices[0].Finish != nil {
				reasons[*e.Choices[0].Finish]++
			}
		}
	}
	if reasons["stop"] == 0 || reasons["length"] == 0 || reasons["stop"]+reasons["length"] != 30 {
		t.Errorf("got finish reasons %v, want both kinds, 30 in all", reasons)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(chatBody("a b", 3)), true)
	f.Add([]byte(`{"prompt":["a"],"max_completion_tokens":5}`), false)
	f.Add([]byte(`{"prompt":[1,2]}`), false)
	f.Add([]byte(`{"messages":[{"content":null},{"content":[{"text":"x"}]}]}`), true)
	f.Fuzz(func(t *testing.T, src []byte, chat bool) {
		c := Default()
		a, err := c.parse(src, chat)
		if err != nil {
			return
		}
		if a.maxTokens < 1 || len(a.texts) == 0 && !chat {
			t.Errorf("accepted %+v", a)
		}
		d := digestOf(a.texts, 0, 16, 0)
		if n := len(tokenIDs(a.texts, 0)); n != d.tokens || len(d.keys) != d.tokens/16 {
			t.Errorf("%d token IDs, %d tokens, %d keys", n, d.tokens, len(d.keys))
		}
	})
}
