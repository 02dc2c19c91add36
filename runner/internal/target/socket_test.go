package target

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"benchline/runner/plan"
)

// answering is a server on a real socket that streams one token.
func answering(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, oneToken+allDone)
}

func socketClient(t *testing.T, h *httptest.Server, change func(*Config)) *Client {
	t.Helper()
	cfg := Config{Endpoint: plan.Endpoint{BaseURL: h.URL, API: plan.Chat, Model: "m", Connections: plan.Reuse}, Agent: "test", Start: time.Now()}
	if h.TLS != nil {
		cfg.TLS = h.Client().Transport.(*http.Transport).TLSClientConfig
	}
	if change != nil {
		change(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestRealSockets(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(answering))
	secure := httptest.NewUnstartedServer(http.HandlerFunc(answering))
	secure.TLS = &tls.Config{NextProtos: []string{"h2", "http/1.1"}}
	secure.StartTLS()
	for _, h := range []*httptest.Server{plain, secure} {
		t.Cleanup(h.Close)
		c := socketClient(t, h, func(cfg *Config) {
			cfg.Timeouts = plan.Timeouts{Connect: time.Minute, FirstByte: time.Minute, Idle: time.Minute, Total: time.Minute}
		})
		for i := range 5 {
			r := c.Do(context.Background(), prepare(t, c, "r"), nil)
			if r.Outcome != Completed || r.Reused != (i > 0) || *r.Output != 1 || r.Chunks != 1 {
				t.Errorf("%s, request %d: %s %s, reused %v", h.URL, i, r.Outcome, r.ErrorText, r.Reused)
			}
			times := []int64{r.Sent.NS, r.Headers.NS, r.FirstByte.NS, r.FirstToken.NS, r.End.NS}
			if r.ConnectTime > 0 == r.Reused || !slices.IsSorted(times) {
				t.Errorf("%s, request %d: times %+v", h.URL, i, r)
			}
		}
	}
}

// TestClosedWhileIdle holds that a connection that the endpoint closed
// meanwhile is not used, so that nothing needs to be sent twice.
func TestClosedWhileIdle(t *testing.T) {
	h := httptest.NewServer(http.HandlerFunc(answering))
	defer h.Close()
	c := socketClient(t, h, nil)
	if r := c.Do(context.Background(), prepare(t, c, "r"), nil); r.Outcome != Completed {
		t.Fatal(r.ErrorText)
	}
	idle := c.idle.conns[0]
	h.CloseClientConnections()
	for quiet(idle.socket.Conn) { // until the end has come through
		time.Sleep(time.Millisecond)
	}
	if r := c.Do(context.Background(), prepare(t, c, "r"), nil); r.Outcome != Completed || r.Reused || r.Attempts != 1 {
		t.Errorf("got %s, reused %v after %d attempts", r.Outcome, r.Reused, r.Attempts)
	}
}

// TestLlamaServersHabit closes every connection after its answer although
// keep-alive was promised: no request may be lost to it.
func TestLlamaServersHabit(t *testing.T) {
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		body := oneToken + allDone
		_, _ = rw.WriteString("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nKeep-Alive: timeout=5, max=100\r\nTransfer-Encoding: chunked\r\n\r\n")
		_, _ = rw.WriteString(strings.ToUpper(hexLength(body)) + "\r\n" + body + "\r\n0\r\n\r\n")
		_ = rw.Flush()
		time.Sleep(time.Duration(len(r.Header.Get("X-Request-Id"))) * 50 * time.Microsecond)
		_ = conn.Close()
	}))
	defer h.Close()
	c := socketClient(t, h, nil)
	for i := range 200 {
		if r := c.Do(context.Background(), prepare(t, c, strings.Repeat("r", i%8)), nil); r.Outcome != Completed || (r.Attempts == 2) != r.FirstSent.OK {
			t.Fatalf("request %d: %s, %s, %d attempts", i, r.Outcome, r.ErrorText, r.Attempts)
		}
	}
}

func hexLength(s string) string {
	const digits = "0123456789abcdef"
	n := len(s)
	out := ""
	for ; n > 0; n /= 16 {
		out = string(digits[n%16]) + out
	}
	return out
}

// FuzzResponse holds that whatever an endpoint answers, a request ends, with
// an outcome that fits what was seen of it.
func FuzzResponse(f *testing.F) {
	f.Add([]byte(streamHead+"\r\n\r\n"+oneToken+allDone), false)
	f.Add([]byte(streamHead+"\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ndata:\r\n0\r\n\r\n"), true)
	f.Add([]byte("HTTP/1.1 429 Busy\r\nRetry-After: 1\r\nContent-Length: 3\r\n\r\nabc"), false)
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"error\":1}"), true)
	f.Add([]byte("HTTP/1.0 204 No\r\n\r\n"), false)
	f.Fuzz(func(t *testing.T, response []byte, fresh bool) {
		dial := func(context.Context, string, string) (net.Conn, error) {
			near, far := net.Pipe()
			go func() {
				buf := make([]byte, 4096)
				_, _ = far.Read(buf)
				_, _ = far.Write(response)
				_ = far.Close()
			}()
			return near, nil
		}
		policy := plan.Reuse
		if fresh {
			policy = plan.Fresh
		}
		c, err := New(Config{Endpoint: plan.Endpoint{BaseURL: "http://x", API: plan.Completions, Connections: policy}, Agent: "test", Start: time.Now(), Dial: dial, KeepText: true})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		r := c.Do(context.Background(), prepare(t, c, "r"), nil)
		switch {
		case r.Outcome != Completed && r.Outcome != Failed && r.Outcome != Rejected:
			t.Errorf("outcome %q", r.Outcome)
		case (r.Class == "") != (r.Outcome == Completed), !r.End.OK, len(r.ErrorText) > maxErrorText:
			t.Errorf("%+v", r)
		case (r.Chunks > 0) != r.FirstToken.OK, len(r.Gaps) != max(0, r.Chunks-1):
			t.Errorf("%d chunks, %d gaps", r.Chunks, len(r.Gaps))
		}
	})
}
