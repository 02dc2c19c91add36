package sim

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const ms = time.Millisecond

// both posts a after delay a and b after delay b, and waits for both.
func both(s *Server, a, b string, after time.Duration) (x, y *seen) {
	var wg sync.WaitGroup
	wg.Go(func() { x = post(s, "/v1/chat/completions", a) })
	wg.Go(func() {
		time.Sleep(after)
		y = post(s, "/v1/chat/completions", b)
	})
	wg.Wait()
	return x, y
}

func at(t0 time.Time, tokens []tokenTime) []time.Duration {
	var out []time.Duration
	for _, k := range tokens {
		out = append(out, k.at.Sub(t0))
	}
	return out
}

// steps are n times, each step after the one before.
func steps(first, step time.Duration, n int) []time.Duration {
	var out []time.Duration
	for i := range n {
		out = append(out, first+time.Duration(i)*step)
	}
	return out
}

func TestTimes(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Config)
		a, b   string        // requests
		after  time.Duration // when b comes
		wantA  []time.Duration
		wantB  []time.Duration
	}{
		{
			name:  "a decode step grows with the batch",
			a:     chatBody(words(10, "a"), 4),
			b:     chatBody(words(10, "b"), 4),
			after: 4 * ms, // during a's first decode step, 1 to 7 ms; b joins with its prefill of 1 ms
			wantA: []time.Duration{1 * ms, 7 * ms, 14 * ms, 21 * ms},
			wantB: []time.Duration{14 * ms, 21 * ms, 27 * ms, 33 * ms},
		},
		{
			name:   "a long prompt is spread over steps and slows the others down",
			change: func(c *Config) { c.Engine.PrefillBudget = 100 },
			a:      chatBody(words(10, "a"), 5),
			b:      chatBody(words(250, "b"), 1),
			after:  2 * ms,
			wantA:  []time.Duration{1 * ms, 7 * ms, 23 * ms, 39 * ms, 50 * ms},
			wantB:  []time.Duration{50 * ms},
		},
		{
			name:   "who does not fit into the KV cache waits for the first to end",
			change: func(c *Config) { c.Engine.KVTokens = 48 },
			a:      chatBody(words(20, "a"), 3),
			b:      chatBody(words(20, "b"), 3),
			after:  1 * ms,
			wantA:  []time.Duration{2 * ms, 8 * ms, 14 * ms},
			wantB:  []time.Duration{16 * ms, 22 * ms, 28 * ms},
		},
		{
			name:   "room is kept for the whole answer",
			change: func(c *Config) { c.Engine.KVTokens = 48 },
			a:      chatBody(words(10, "a"), 20), // two blocks of three
			b:      chatBody(words(10, "b"), 7),  // two blocks
			after:  1 * ms,
			wantA:  steps(1*ms, 6*ms, 20),
			wantB:  steps(116*ms, 6*ms, 7),
		},
		{
			name:   "who finds all places taken waits for the first to end",
			change: func(c *Config) { c.Engine.MaxRunning = 1 },
			a:      chatBody(words(10, "a"), 3),
			b:      chatBody(words(10, "b"), 1),
			after:  1 * ms,
			wantA:  []time.Duration{1 * ms, 7 * ms, 13 * ms},
			wantB:  []time.Duration{14 * ms},
		},
		{
			name:   "context slows decoding down",
			change: func(c *Config) { c.Engine.DecodePerKToken = 10 * ms },
			a:      chatBody(words(100, "a"), 3),
			b:      chatBody(words(10, "b"), 1),
			after:  time.Second,
			wantA:  []time.Duration{10 * ms, 17*ms + 10*time.Microsecond, 24*ms + 30*time.Microsecond},
			wantB:  []time.Duration{1001 * ms},
		},
		{
			name:   "the metronome knows no load",
			change: func(c *Config) { c.Metronome = &Metronome{TTFT: 50 * ms, ITL: 20 * ms} },
			a:      chatBody(words(1000, "a"), 3),
			b:      chatBody(words(1, "b"), 3),
			after:  55 * ms,
			wantA:  []time.Duration{50 * ms, 70 * ms, 90 * ms},
			wantB:  []time.Duration{105 * ms, 125 * ms, 145 * ms},
		},
		{
			name:   "a metronome slower between tokens than to the first",
			change: func(c *Config) { c.Metronome = &Metronome{TTFT: 3 * ms, ITL: 100 * ms} },
			a:      chatBody("a", 3),
			b:      chatBody("b", 2),
			after:  10 * ms,
			wantA:  []time.Duration{3 * ms, 103 * ms, 203 * ms},
			wantB:  []time.Duration{13 * ms, 113 * ms},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := start(t, tt.change)
				defer closeServer(t, s)
				t0 := time.Now()
				a, b := both(s, tt.a, tt.b, tt.after)
				if got := at(t0, a.tokens()); !slices.Equal(got, tt.wantA) {
					t.Errorf("first request: got %v, want %v", got, tt.wantA)
				}
				if got := at(t0, b.tokens()); !slices.Equal(got, tt.wantB) {
					t.Errorf("second request: got %v, want %v", got, tt.wantB)
				}
			})
		})
	}
}

func usageOf(t *testing.T, w *seen) usage {
	t.Helper()
	for _, e := range slices.Backward(events(w.body.String())) {
		if e.Usage != nil {
			return *e.Usage
		}
	}
	t.Fatalf("no usage in %q", w.body.String())
	return usage{}
}

func TestWarmIsFasterByTheCachedTokens(t *testing.T) {
	tests := []struct {
		prompt string
		want   int // cached tokens
	}{
		{words(100, "w"), 96},                      // 6 full blocks of 16
		{words(96, "w"), 80},                       // the last token is always computed
		{words(100, "w") + words(500, "x"), 96},    // a longer one with the same start
		{words(40, "w") + words(500, "x"), 32},     // fewer in common
		{"other " + words(100, "w"), 0},            // the same words elsewhere
		{words(15, "w") + "! " + words(9, "w"), 0}, // less than a block in common
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			s := start(t, nil)
			defer closeServer(t, s)
			post(s, "/v1/chat/completions", chatBody(words(100, "w"), 2))
			t0 := time.Now()
			w := post(s, "/v1/chat/completions", chatBody(tt.prompt, 2))
			n := len(strings.Fields(tt.prompt))
			u := usageOf(t, w)
			if u.Details == nil || u.Details.Cached != tt.want || u.Prompt != n {
				t.Errorf("%d words: got usage %+v, want %d cached tokens", n, u, tt.want)
			}
			if got, want := at(t0, w.tokens())[0], time.Duration(n-tt.want)*ms/10; got != want {
				t.Errorf("%d words, %d cached: got first token after %v, want %v", n, tt.want, got, want)
			}
			post(s, "/reset_prefix_cache", "")
			if u := usageOf(t, post(s, "/v1/chat/completions", chatBody(tt.prompt, 2))); u.Details.Cached != 0 {
				t.Errorf("after a reset: got %d cached tokens, want 0", u.Details.Cached)
			}
		})
	}
}

func TestNoPrefixCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, func(c *Config) { c.Engine.PrefixCache = false })
		defer closeServer(t, s)
		for range 2 {
			if u := usageOf(t, post(s, "/v1/chat/completions", chatBody(words(100, "w"), 2))); u.Details.Cached != 0 {
				t.Errorf("got %d cached tokens, want 0", u.Details.Cached)
			}
		}
	})
}

func TestTruthIsWhatTheClientSaw(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, func(c *Config) { c.ReasoningTokens = 2; c.TemplateTokens = 3 })
		defer closeServer(t, s)
		time.Sleep(123 * ms)
		sent := time.Now()
		r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(chatBody(words(97, "w"), 5)))
		r.Header.Set("X-Request-Id", "mine")
		w := &seen{header: http.Header{}}
		s.ServeHTTP(w, r)
		saw := w.tokens()
		truths := s.Truth()
		if len(truths) != 1 {
			t.Fatalf("got %d truths, want 1", len(truths))
		}
		got := truths[0]
		want := Truth{
			Number: 1, RequestID: "mine", Path: "/v1/chat/completions", Stream: true, Status: 200, Outcome: Finished,
			ArrivalNS: sent.UnixNano(), ReadNS: sent.UnixNano(), AdmittedNS: sent.UnixNano(),
			FirstNS: saw[0].at.UnixNano(), LastNS: saw[4].at.UnixNano(), EndNS: saw[4].at.UnixNano(),
			DueFirstNS: sent.Add(10 * ms).UnixNano(), DueLastNS: sent.Add(34 * ms).UnixNano(),
			OutputTokens: 5, ReasoningTokens: 2, Chunks: 5, FinishReason: "length",
		}
		if got.PromptTokens == nil || *got.PromptTokens != 100 || got.CachedTokens == nil || *got.CachedTokens != 0 {
			t.Errorf("got prompt tokens %v, cached %v, want 100 and 0", got.PromptTokens, got.CachedTokens)
		}
		got.PromptTokens, got.CachedTokens = nil, nil
		if got.Faults != nil {
			t.Errorf("got faults %v", got.Faults)
		}
		got.Faults = nil
		if !equalTruth(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		if id := w.header.Get("X-Request-Id"); id != "mine" {
			t.Errorf("got request id %q, want mine", id)
		}
	})
}

func equalTruth(a, b Truth) bool {
	if !slices.Equal(a.Faults, b.Faults) {
		return false
	}
	a.Faults, b.Faults = nil, nil
	return a.Number == b.Number && a.RequestID == b.RequestID && a.Path == b.Path && a.Stream == b.Stream && a.Status == b.Status &&
		a.Outcome == b.Outcome && a.ArrivalNS == b.ArrivalNS && a.ReadNS == b.ReadNS && a.AdmittedNS == b.AdmittedNS &&
		a.FirstNS == b.FirstNS && a.LastNS == b.LastNS && a.EndNS == b.EndNS && a.DueFirstNS == b.DueFirstNS && a.DueLastNS == b.DueLastNS &&
		a.OutputTokens == b.OutputTokens && a.ReasoningTokens == b.ReasoningTokens && a.Chunks == b.Chunks && a.FinishReason == b.FinishReason
}

func TestClientThatLeavesMakesRoom(t *testing.T) {
	for _, tt := range []struct {
		name   string
		leaves time.Duration
		tokens int64
		wantB  time.Duration // b's first token
	}{
		{"while decoding", 5*ms + 500*time.Microsecond, 1, 9 * ms}, // the step of 2 to 8 ms is finished first
		{"in prefill", 1 * ms, 0, 3 * ms},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := start(t, func(c *Config) { c.Engine.MaxRunning = 1 })
				defer closeServer(t, s)
				t0 := time.Now()
				ctx, leave := context.WithTimeout(t.Context(), tt.leaves)
				defer leave()
				var wg sync.WaitGroup
				wg.Go(func() {
					r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(chatBody(words(20, "a"), 100)))
					s.ServeHTTP(&seen{header: http.Header{}}, r.WithContext(ctx))
				})
				time.Sleep(ms / 2)
				b := post(s, "/v1/chat/completions", chatBody(words(10, "b"), 1))
				wg.Wait()
				if got := at(t0, b.tokens())[0]; got != tt.wantB {
					t.Errorf("got the next one's first token at %v, want %v", got, tt.wantB)
				}
				gone := s.Truth()[0]
				if gone.Outcome != ClientGone || gone.OutputTokens != tt.tokens || gone.EndNS != t0.Add(tt.leaves).UnixNano() {
					t.Errorf("got %+v, want client_gone after %d tokens", gone, tt.tokens)
				}
				if page := metricsPage(s); !strings.Contains(page, `finished_reason="abort"} 1`) {
					t.Errorf("no abort counted in %s", page)
				}
			})
		})
	}
}

// slowWriter takes its time over each write.
type slowWriter struct {
	seen
	takes time.Duration
}

func (s *slowWriter) Write(b []byte) (int, error) {
	defer time.Sleep(s.takes)
	return s.seen.Write(b)
}

func TestSlowReaderGetsEveryEventApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, nil)
		defer closeServer(t, s)
		t0 := time.Now()
		w := &slowWriter{seen: seen{header: http.Header{}}, takes: 20 * ms}
		s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(chatBody(words(10, "w"), 5))))
		want := []time.Duration{1 * ms, 21 * ms, 41 * ms, 61 * ms, 81 * ms}
		if got := at(t0, w.tokens()); !slices.Equal(got, want) {
			t.Errorf("got tokens at %v, want %v", got, want)
		}
		truth := s.Truth()[0]
		if got, want := truth.DueLastNS-t0.UnixNano(), int64(25*ms); got != want {
			t.Errorf("the engine was held up: last token due after %d ns, want %d", got, want)
		}
		if truth.Chunks != 5 {
			t.Errorf("got %d chunks, want 5", truth.Chunks)
		}
	})
}

func TestTokensPerEvent(t *testing.T) {
	tests := []struct {
		name                      string
		perStep, interval, reason int
		output                    int
		want                      []int           // tokens by event
		wantAt                    []time.Duration // of each
	}{
		{"one", 1, 1, 0, 3, []int{1, 1, 1}, []time.Duration{1 * ms, 7 * ms, 13 * ms}},
		{"three a step", 3, 1, 0, 8, []int{1, 3, 3, 1}, []time.Duration{1 * ms, 7 * ms, 13 * ms, 19 * ms}},
		{"gathered", 1, 4, 0, 10, []int{1, 4, 4, 1}, []time.Duration{1 * ms, 25 * ms, 49 * ms, 55 * ms}},
		{"gathered by whole steps", 2, 3, 0, 8, []int{1, 4, 3}, []time.Duration{1 * ms, 13 * ms, 25 * ms}},
		{"reasoning ends an event", 4, 1, 3, 8, []int{1, 2, 2, 3}, []time.Duration{1 * ms, 7 * ms, 7 * ms, 13 * ms}},
		{"reasoning only", 1, 1, 9, 2, []int{1, 1}, []time.Duration{1 * ms, 7 * ms}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := start(t, func(c *Config) {
					c.TokensPerStep, c.StreamInterval, c.ReasoningTokens = tt.perStep, tt.interval, tt.reason
				})
				defer closeServer(t, s)
				t0 := time.Now()
				w := post(s, "/v1/chat/completions", chatBody(words(10, "w"), tt.output))
				var got []int
				reasoning := ""
				for _, k := range w.tokens() {
					got = append(got, k.tokens)
				}
				for _, e := range events(w.body.String()) {
					if len(e.Choices) > 0 {
						reasoning += e.Choices[0].Delta.Reasoning
					}
				}
				if !slices.Equal(got, tt.want) || !slices.Equal(at(t0, w.tokens()), tt.wantAt) {
					t.Errorf("got %v at %v, want %v at %v", got, at(t0, w.tokens()), tt.want, tt.wantAt)
				}
				wantReasoning := min(tt.reason, tt.output)
				if n := len(strings.Fields(reasoning)); n != wantReasoning {
					t.Errorf("got %d words of reasoning in %q, want %d", n, reasoning, wantReasoning)
				}
				u := usageOf(t, w)
				if u.Completion != tt.output || u.Output.Reasoning != wantReasoning || s.Truth()[0].Chunks != int64(len(tt.want)) {
					t.Errorf("got usage %+v of %+v, %d chunks in the truth", u, u.Output, s.Truth()[0].Chunks)
				}
			})
		})
	}
}

func TestQueueLimit(t *testing.T) {
	for _, tt := range []struct{ status, running, kv int }{
		{http.StatusServiceUnavailable, 1, 1000},
		{http.StatusTooManyRequests, 4, 32}, // places enough, but KV blocks for one
	} {
		status := tt.status
		synctest.Test(t, func(t *testing.T) {
			s := start(t, func(c *Config) {
				c.Engine.MaxRunning, c.Engine.KVTokens = tt.running, tt.kv
				c.Engine.MaxQueue, c.Engine.QueueStatus, c.Engine.RetryAfter = 1, status, 1500*ms
			})
			defer closeServer(t, s)
			answers := make([]*seen, 4)
			var wg sync.WaitGroup
			for i := range answers {
				wg.Go(func() {
					time.Sleep(time.Duration(i) * 10 * ms)
					answers[i] = post(s, "/v1/chat/completions", chatBody(words(10, "w"), 10))
				})
			}
			wg.Wait()
			for i, want := range []int{200, 200, status, status} {
				if answers[i].status != want {
					t.Errorf("request %d: got status %d, want %d", i+1, answers[i].status, want)
				}
			}
			if got := answers[3].header.Get("Retry-After"); got != "2" {
				t.Errorf("got Retry-After %q, want 2", got)
			}
			if got := s.Truth()[0]; got.Outcome != QueueFull || got.Status != status || got.CachedTokens != nil {
				t.Errorf("got truth %+v, want queue_full", got)
			}
		})
	}
}

func TestCloseEndsAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, nil)
		var wg sync.WaitGroup
		wg.Go(func() { post(s, "/v1/chat/completions", chatBody(words(10, "w"), 1000)) })
		time.Sleep(20 * ms)
		closeServer(t, s)
		if got := s.Truth(); len(got) != 1 {
			t.Errorf("Close did not wait for the answers: got truth %+v", got)
		}
		closeServer(t, s)
		wg.Wait()
		if got := s.Truth(); len(got) != 1 || got[0].Outcome != ServerClosed || got[0].OutputTokens != 4 {
			t.Errorf("got truth %+v, want server_closed after 4 tokens", got)
		}
		if w := post(s, "/v1/chat/completions", chatBody("w", 1)); w.status != http.StatusServiceUnavailable {
			t.Errorf("after Close: got status %d, want 503", w.status)
		}
	})
}
