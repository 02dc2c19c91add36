package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// tokenTime is what a client saw of one token-bearing event.
type tokenTime struct {
	at     time.Time
	tokens int
}

// seen is what a client saw of one answer. It is an [http.ResponseWriter], so
// that the endpoint can be tested in fake time, without a network.
type seen struct {
	header http.Header
	status int
	body   bytes.Buffer
	writes []write
}

type write struct {
	at   time.Time
	text string
}

func (s *seen) Header() http.Header { return s.header }
func (s *seen) WriteHeader(c int)   { s.status = c }
func (s *seen) FlushError() error   { return nil }
func (s *seen) Write(b []byte) (int, error) {
	if s.status == 0 {
		s.status = http.StatusOK
	}
	s.writes = append(s.writes, write{time.Now(), string(b)})
	return s.body.Write(b)
}

// tokens returns the content events of an ordinary stream, each with the time
// of its write.
func (s *seen) tokens() []tokenTime {
	var out []tokenTime
	for _, w := range s.writes {
		for _, e := range events(w.text) {
			if n := len(strings.Fields(e.text())); n > 0 {
				out = append(out, tokenTime{w.at, n})
			}
		}
	}
	return out
}

// event is a decoded chunk.
type event struct {
	Choices []struct {
		Delta struct {
			Role      *string `json:"role"`
			Content   *string `json:"content"`
			Reasoning string  `json:"reasoning_content"`
			Other     string  `json:"reasoning"`
			Tools     []struct {
				Function struct {
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"delta"`
		Text   string  `json:"text"`
		Finish *string `json:"finish_reason"`
	} `json:"choices"`
	Usage *usage    `json:"usage"`
	Error *apiError `json:"error"`
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
	Details    *struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	Output *struct {
		Reasoning int `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

func (e event) text() string {
	if len(e.Choices) == 0 {
		return ""
	}
	c := e.Choices[0]
	s := c.Text + c.Delta.Reasoning + c.Delta.Other
	if c.Delta.Content != nil {
		s += *c.Delta.Content
	}
	for _, k := range c.Delta.Tools {
		s += k.Function.Arguments
	}
	return s
}

// events reads a stream in any of the legal line ends, leniently.
func events(body string) []event {
	body = strings.ReplaceAll(strings.ReplaceAll(body, "\r\n", "\n"), "\r", "\n")
	var out []event
	for block := range strings.SplitSeq(body, "\n\n") {
		var data []string
		for line := range strings.SplitSeq(block, "\n") {
			if d, ok := strings.CutPrefix(line, "data:"); ok {
				data = append(data, d)
			}
		}
		var e event
		if json.Unmarshal([]byte(strings.Join(data, "\n")), &e) == nil {
			out = append(out, e)
		}
	}
	return out
}

func words(n int, salt string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d ", salt, i)
	}
	return b.String()
}

func chatBody(prompt string, maxTokens int) string {
	return fmt.Sprintf(`{"model":"simulated-8b","stream":true,"stream_options":{"include_usage":true},"ignore_eos":true,"max_tokens":%d,"messages":[{"role":"user","content":%q}]}`, maxTokens, prompt)
}

// start runs an endpoint whose times are round: a prefill token takes 0.1 ms,
// a decode step 5 ms and 1 ms per sequence.
func start(t testing.TB, change func(*Config)) *Server {
	t.Helper()
	c := Default()
	c.Now = time.Now
	c.Engine.PrefillRate = 10_000
	c.Engine.PrefillBudget = 4096
	c.Engine.DecodeBase, c.Engine.DecodePerSequence = 5*time.Millisecond, time.Millisecond
	if change != nil {
		change(&c)
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// post serves one request without a network and returns when it has ended.
func post(s http.Handler, path, body string) *seen {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	w := &seen{header: http.Header{}}
	s.ServeHTTP(w, r)
	return w
}

func closeServer(t testing.TB, s io.Closer) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func gaps(start time.Time, tokens []tokenTime) []time.Duration {
	var out []time.Duration
	for _, k := range tokens {
		out = append(out, k.at.Sub(start))
		start = k.at
	}
	return out
}

func TestAloneTimesAreExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, nil)
		defer closeServer(t, s)
		t0 := time.Now()
		got := post(s, "/v1/chat/completions", chatBody(words(1000, "w"), 4))
		// 1,000 tokens at 10,000/s, then three steps of 5 + 1 ms.
		want := []time.Duration{100 * time.Millisecond, 6 * time.Millisecond, 6 * time.Millisecond, 6 * time.Millisecond}
		if g := gaps(t0, got.tokens()); !slices.Equal(g, want) {
			t.Errorf("got token times %v, want %v", g, want)
		}
	})
}
