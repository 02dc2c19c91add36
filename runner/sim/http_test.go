package sim

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func metricsPage(s http.Handler) string {
	w := &seen{header: http.Header{}}
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.body.String()
}

// quick makes the model's times short, for tests over a real connection.
func quick(c *Config) {
	c.Engine.PrefillRate, c.Engine.DecodeBase, c.Engine.DecodePerSequence = 1e6, 100*time.Microsecond, time.Microsecond
}

// serve puts an endpoint behind a real listener.
func serve(t testing.TB, change func(*Config)) (*Server, *httptest.Server) {
	t.Helper()
	s := start(t, func(c *Config) {
		quick(c)
		if change != nil {
			change(c)
		}
	})
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		h.Close()
		closeServer(t, s)
	})
	return s, h
}

// raw sends one request over a connection of its own, and returns all that
// came until the connection ended, and how it ended: io.EOF or an error.
func raw(t *testing.T, h *httptest.Server, body string) (string, error) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", h.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer closing(t, conn)
	if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(conn, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	_, err = io.Copy(&got, conn)
	if err == nil {
		err = io.EOF
	}
	return got.String(), err
}

func TestConnectionFaults(t *testing.T) {
	for _, tt := range []struct {
		kind    Kind
		outcome Outcome
		ended   error
		check   func(got string) bool
	}{
		{Reset, Faulted, syscall.ECONNRESET, func(got string) bool { return got == "" }},
		{Cut, Faulted, io.EOF, func(got string) bool {
			return strings.Contains(got, "200 OK") && !strings.HasSuffix(got, "0\r\n\r\n") && !strings.Contains(got, "[DONE]")
		}},
		{CloseAfter, Finished, io.EOF, func(got string) bool {
			return strings.Contains(got, "Keep-Alive: timeout=5") && !strings.Contains(got, "Connection: close") && strings.HasSuffix(got, "[DONE]\n\n\r\n0\r\n\r\n")
		}},
	} {
		t.Run(string(tt.kind), func(t *testing.T) {
			s, h := serve(t, func(c *Config) { c.Faults = []Fault{{Kind: tt.kind, Probability: 1, After: 1}} })
			got, err := raw(t, h, chatBody("a b c", 3))
			if !errors.Is(err, tt.ended) || !tt.check(got) {
				t.Errorf("got %q, ended by %v, want %v", got, err, tt.ended)
			}
			h.Close()
			closeServer(t, s)
			if truth := s.Truth()[0]; truth.Outcome != tt.outcome || !slices.Equal(truth.Faults, []Kind{tt.kind}) {
				t.Errorf("got truth %+v, want %s", truth, tt.outcome)
			}
		})
	}
}

// answer is a response read to its end.
type answer struct {
	status int
	header http.Header
	body   string
}

func closing(t testing.TB, c io.Closer) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func call(t *testing.T, h *httptest.Server, method, path, key, body string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, h.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := h.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer closing(t, resp.Body)
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(b)}
}

func TestPaths(t *testing.T) {
	const chat = `{"model":"simulated-8b","messages":[{"role":"user","content":"one two"},{"role":"user","content":[{"type":"text","text":"three"}]}],"max_tokens":2}`
	tests := []struct {
		name, method, path, key, body string
		status                        int
		want                          string
	}{
		{"models", "GET", "/v1/models", "k", "", 200, `"owned_by":"benchline simulated endpoint"`},
		{"models without key", "GET", "/v1/models", "", "", 401, `"error"`},
		{"health needs no key", "GET", "/health", "", "", 200, `"ok"`},
		{"version", "GET", "/version", "", "", 200, `"benchline simulated endpoint"`},
		{"metrics", "GET", "/metrics", "", "", 200, `vllm:num_requests_running{engine="0",model_name="simulated-8b"} 0`},
		{"tokenize", "POST", "/tokenize", "k", `{"model":"simulated-8b","prompt":"a b  c\n"}`, 200, `"count":3,"max_model_len":16384,"tokens":[`},
		{"tokenize messages", "POST", "/tokenize", "k", `{"messages":[{"content":"a b"}]}`, 200, `"count":6,`},
		{"tokenize as llama-server", "POST", "/tokenize", "k", `{"content":"a a"}`, 200, `{"tokens":[`},
		{"tokenize nothing", "POST", "/tokenize", "k", `{}`, 400, `"error"`},
		{"tokenize no JSON", "POST", "/tokenize", "k", `{`, 400, `"error"`},
		{"chat", "POST", "/v1/chat/completions", "k", chat, 200, `"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9,`},
		{"chat names its tokens", "POST", "/v1/chat/completions", "k", chat, 200, `"object":"chat.completion"`},
		{"wrong key", "POST", "/v1/chat/completions", "no", chat, 401, `"code":401`},
		{"unknown model", "POST", "/v1/chat/completions", "k", `{"model":"x","messages":[{"content":"a"}]}`, 404, "`x`"},
		{"no JSON", "POST", "/v1/chat/completions", "k", `[`, 400, `"error"`},
		{"no messages", "POST", "/v1/chat/completions", "k", `{"model":"simulated-8b"}`, 400, "messages"},
		{"odd content", "POST", "/v1/chat/completions", "k", `{"model":"simulated-8b","messages":[{"content":1}]}`, 400, "messages[0].content"},
		{"two choices", "POST", "/v1/chat/completions", "k", `{"model":"simulated-8b","n":2,"messages":[{"content":"a"}]}`, 400, "n = 1"},
		{"no tokens wanted", "POST", "/v1/completions", "k", `{"model":"simulated-8b","prompt":"a","max_tokens":0}`, 400, "max_tokens"},
		{"empty prompt", "POST", "/v1/completions", "k", `{"model":"simulated-8b","prompt":" "}`, 400, "empty"},
		{"two prompts", "POST", "/v1/completions", "k", `{"model":"simulated-8b","prompt":["a","b"]}`, 400, "prompt"},
		{"one prompt", "POST", "/v1/completions", "k", `{"model":"simulated-8b","prompt":["a b"],"max_tokens":1}`, 200, `"prompt_tokens":2`},
		{"token IDs", "POST", "/v1/completions", "k", `{"model":"simulated-8b","prompt":[5,6,7],"max_tokens":1}`, 200, `"prompt_tokens":3`},
		{"too long", "POST", "/v1/completions", "k", `{"model":"simulated-8b","prompt":"a","max_tokens":16384}`, 400, "context_length_exceeded"},
		{"unknown path", "GET", "/v1/nothing", "k", "", 404, ""},
		{"wrong method", "GET", "/v1/completions", "k", "", 405, ""},
	}
	_, h := serve(t, func(c *Config) { c.Key, c.TemplateTokens = "k", 4 })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := call(t, h, tt.method, tt.path, tt.key, tt.body)
			if a.status != tt.status || !strings.Contains(a.body, tt.want) {
				t.Errorf("got %d %q, want %d and %q", a.status, a.body, tt.status, tt.want)
			}
			if got := a.header.Get("Server"); got != ServerHeader {
				t.Errorf("got Server %q", got)
			}
		})
	}
}

func TestWholeAnswerHasItsTokens(t *testing.T) {
	s, h := serve(t, func(c *Config) { c.ReasoningTokens, c.ReasoningKey = 3, "reasoning" })
	body := call(t, h, "POST", "/v1/chat/completions", "", `{"model":"simulated-8b","messages":[{"content":"a"}],"max_tokens":8}`).body
	var got struct {
		Choices []struct {
			Message struct{ Content, Reasoning string }
			Finish  string `json:"finish_reason"`
		}
		Usage usage
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	m := got.Choices[0].Message
	if len(strings.Fields(m.Content)) != 5 || len(strings.Fields(m.Reasoning)) != 3 || got.Usage.Completion != 8 || got.Choices[0].Finish != "length" {
		t.Errorf("got %s", body)
	}
	h.Close()
	closeServer(t, s)
	if truth := s.Truth()[0]; truth.OutputTokens != 8 || truth.Stream || truth.FirstNS != truth.LastNS || truth.FirstNS < truth.DueLastNS {
		t.Errorf("got truth %+v", truth)
	}
}

func TestStreamOverHTTP(t *testing.T) {
	var file bytes.Buffer
	s, h := serve(t, func(c *Config) { c.Truth = &file; c.Precise = true })
	before := time.Now()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			body := call(t, h, "POST", "/v1/chat/completions", "", chatBody(words(20, fmt.Sprint("p", i)), 30)).body
			if n := len(strings.Fields(text(body))); n != 30 || !strings.HasSuffix(body, "data: [DONE]\n\n") || finishes(body) != 1 {
				t.Errorf("got %d tokens in %q", n, body)
			}
		})
	}
	wg.Wait()
	h.Close()
	closeServer(t, s)
	after := time.Now()
	sc := bufio.NewScanner(&file)
	n := 0
	for ; sc.Scan(); n++ {
		var x Truth
		if err := json.Unmarshal(sc.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		order := []int64{before.UnixNano(), x.ArrivalNS, x.ReadNS, x.AdmittedNS, x.DueFirstNS, x.FirstNS, x.LastNS, x.EndNS, after.UnixNano()}
		if !slices.IsSorted(order) {
			t.Errorf("request %d: times are out of order: %v", x.Number, order)
		}
		if x.Outcome != Finished || x.OutputTokens != 30 || x.Chunks != 30 || *x.PromptTokens != 20 || *x.CachedTokens != 0 {
			t.Errorf("got truth %s", sc.Text())
		}
	}
	if n != 20 || len(s.Truth()) != 20 {
		t.Errorf("got %d lines and %d truths in memory, want 20", n, len(s.Truth()))
	}
}

func TestClientGoneOverHTTP(t *testing.T) {
	s, h := serve(t, nil)
	func() {
		resp, err := h.Client().Post(h.URL+"/v1/chat/completions", "application/json", strings.NewReader(chatBody("a", 10_000)))
		if err != nil {
			t.Fatal(err)
		}
		defer closing(t, resp.Body)
		if _, err := io.ReadFull(resp.Body, make([]byte, 500)); err != nil {
			t.Fatal(err)
		}
	}()
	h.Close()
	closeServer(t, s)
	if truth := s.Truth()[0]; truth.Outcome != ClientGone || truth.OutputTokens < 1 || truth.OutputTokens >= 10_000 {
		t.Errorf("got truth %+v, want client_gone", truth)
	}
	if !strings.Contains(metricsPage(s), "vllm:num_requests_running") {
		t.Error("no metrics after Close")
	}
}
