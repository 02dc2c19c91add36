package target

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"benchline/runner/plan"
)

const (
	oneToken = `data: {"choices":[{"delta":{"content":"a"}}]}` + "\n\n"
	allDone  = `data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":4,"completion_tokens":1}}` + "\n\ndata: [DONE]\n\n"
)

func good(first time.Duration) script {
	return script{head: streamHead, chunked: true, pieces: []piece{{first, oneToken + allDone}}}
}

// TestTimeouts holds that each limit ends a request at its very moment, and
// that bytes in time move a limit on, or do not, as it is defined.
func TestTimeouts(t *testing.T) {
	second := time.Second
	slow := []piece{{3 * second, ": hello\n\n"}, {6 * second, oneToken}, {9 * second, oneToken}}
	for _, c := range []struct {
		name     string
		dial     time.Duration
		timeouts plan.Timeouts
		pieces   []piece
		class    Class
		end      time.Duration
		chunks   int
	}{
		{"connect", 9 * second, plan.Timeouts{Connect: 2 * second}, nil, ConnectTimeout, 2 * second, 0},
		{"total while connecting", 9 * second, plan.Timeouts{Connect: 5 * second, Total: 2 * second}, nil, TotalTimeout, 2 * second, 0},
		{"first byte", second, plan.Timeouts{FirstByte: 2 * second}, slow, FirstByteTimeout, 3 * second, 0},
		{"idle from the last read", 0, plan.Timeouts{FirstByte: 4 * second, Idle: 3*second + 1}, slow, IdleTimeout, 12*second + 1, 2},
		{"idle shorter than first byte", 0, plan.Timeouts{FirstByte: 60 * second, Idle: 2 * second}, slow, IdleTimeout, 5 * second, 0},
		{"total however busy", 0, plan.Timeouts{Idle: 4 * second, Total: 7 * second}, slow, TotalTimeout, 7 * second, 1},
		{"a comment is no token but a byte", 0, plan.Timeouts{FirstByte: 3*second + 1, Total: 20 * second}, slow, TotalTimeout, 20 * second, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &endpoint{dialTime: c.dial, scripts: []script{{head: streamHead, pieces: c.pieces, hold: true}}}
			bubble(t, e, func(cfg *Config) { cfg.Timeouts = c.timeouts }, func(t *testing.T, cl *Client) {
				r := cl.Do(t.Context(), prepare(t, cl, "r"), nil)
				if r.Outcome != TimedOut || r.Class != c.class || r.End != at(int64(c.end)) || r.Chunks != c.chunks {
					t.Errorf("got %s, %s at %v with %d chunks; want %s at %v with %d: %s",
						r.Outcome, r.Class, time.Duration(r.End.NS), r.Chunks, c.class, c.end, c.chunks, r.ErrorText)
				}
			})
		})
	}
}

func TestNoLimitIsNoLimit(t *testing.T) {
	e := &endpoint{scripts: []script{good(1000 * time.Hour)}}
	bubble(t, e, nil, func(t *testing.T, cl *Client) {
		if r := cl.Do(t.Context(), prepare(t, cl, "r"), nil); r.Outcome != Completed {
			t.Errorf("got %s, %s", r.Outcome, r.ErrorText)
		}
	})
}

// TestStopped ends the context in each part of a request.
func TestStopped(t *testing.T) {
	for _, c := range []struct {
		name  string
		after time.Duration
		limit plan.Timeouts
	}{
		{"while connecting", time.Second, plan.Timeouts{}},
		{"before the first byte", 3 * time.Second, plan.Timeouts{}},
		{"in the stream", 6 * time.Second, plan.Timeouts{}},
		{"under limits", 6 * time.Second, plan.Timeouts{Connect: time.Minute, FirstByte: time.Minute, Idle: time.Minute, Total: time.Hour}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &endpoint{dialTime: 2 * time.Second, scripts: []script{{head: streamHead, pieces: []piece{{3 * time.Second, oneToken}}, hold: true}}}
			bubble(t, e, func(cfg *Config) { cfg.Timeouts = c.limit }, func(t *testing.T, cl *Client) {
				ctx, cancel := context.WithTimeout(t.Context(), c.after)
				defer cancel()
				r := cl.Do(ctx, prepare(t, cl, "r"), nil)
				if r.Outcome != Stopped || r.End.OK || cl.Now() != int64(c.after) {
					t.Errorf("got %s at %v, end %v; want stopped at %v and no end", r.Outcome, time.Duration(cl.Now()), r.End, c.after)
				}
			})
		})
	}
}

// TestReuse holds that a connection is kept where it may be, and that no
// connection is kept where it may not.
func TestReuse(t *testing.T) {
	closing := good(0)
	closing.head += "\r\nConnection: close"
	failing := script{head: streamHead, chunked: true, pieces: []piece{{0, `data: {"error":"x"}` + "\n\n"}}, hold: true}
	for _, c := range []struct {
		name   string
		policy plan.Connections
		script script
		dials  int64
	}{
		{"reuse", plan.Reuse, good(0), 1},
		{"fresh", plan.Fresh, good(0), 3},
		{"the endpoint says close", plan.Reuse, closing, 3},
		{"a stream left half-way", plan.Reuse, failing, 3},
		{"ended by closing", plan.Reuse, script{head: streamHead, pieces: []piece{{0, oneToken + allDone}}}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &endpoint{dialTime: time.Second, scripts: []script{c.script}}
			bubble(t, e, func(cfg *Config) { cfg.Endpoint.Connections = c.policy }, func(t *testing.T, cl *Client) {
				for i := range int64(3) {
					r := cl.Do(t.Context(), prepare(t, cl, "r"), nil)
					fresh := i == 0 || c.dials == 3
					if r.Reused == fresh || r.Attempts != 1 || (r.ConnectTime == time.Second) != fresh {
						t.Errorf("request %d: reused %v, attempts %d, connect time %v", i, r.Reused, r.Attempts, r.ConnectTime)
					}
				}
				if got := e.dials.Load(); got != c.dials {
					t.Errorf("%d connections, want %d", got, c.dials)
				}
			})
		})
	}
}

// TestSecondAttempt is llama-server's habit: it keeps a connection open, and
// closes it when the next request comes.
func TestSecondAttempt(t *testing.T) {
	e := &endpoint{scripts: []script{good(0), {deaf: true}, good(5 * time.Second)}}
	bubble(t, e, nil, func(t *testing.T, cl *Client) {
		cl.Do(t.Context(), prepare(t, cl, "one"), nil)
		time.Sleep(time.Second)
		e.dialTime = 2 * time.Second
		r := cl.Do(t.Context(), prepare(t, cl, "two"), nil)
		second := int64(time.Second)
		if r.Outcome != Completed || r.Attempts != 2 || r.Reused || r.RequestID != "two-2" {
			t.Errorf("got %s after %d attempts as %s, reused %v", r.Outcome, r.Attempts, r.RequestID, r.Reused)
		}
		if r.FirstSent != at(second) || r.Sent != at(second) || r.FirstToken != at(8*second) || r.ConnectTime != 2*time.Second {
			t.Errorf("first sent %v, sent %v, first token %v, connect %v", r.FirstSent, r.Sent, r.FirstToken, r.ConnectTime)
		}
		for _, want := range []string{"one", "two", "two-2"} {
			if got := <-e.ids; got != want {
				t.Errorf("the endpoint saw the request %q, want %q", got, want)
			}
		}
	})
}

// TestNoThirdAttempt holds that a fresh connection that dies is a failure.
func TestNoThirdAttempt(t *testing.T) {
	e := &endpoint{scripts: []script{good(0), {deaf: true}}}
	bubble(t, e, nil, func(t *testing.T, cl *Client) {
		cl.Do(t.Context(), prepare(t, cl, "one"), nil)
		r := cl.Do(t.Context(), prepare(t, cl, "two"), nil)
		if r.Outcome != Failed || r.Class != ConnectionLost || r.Attempts != 2 {
			t.Errorf("got %s, %s after %d attempts", r.Outcome, r.Class, r.Attempts)
		}
	})
}

// TestNoRetryOfARefusal holds that a status is an answer, with Retry-After.
func TestNoRetryOfARefusal(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"\r\nRetry-After: 7":                             7 * time.Second,
		"\r\nRetry-After: 0.5":                           time.Second / 2,
		"\r\nRetry-After: Sat, 01 Jan 2000 00:01:00 GMT": time.Minute, // a bubble begins in 2000
		"\r\nRetry-After: soon":                          -1,
		"":                                               -1,
	} {
		e := &endpoint{scripts: []script{{head: "HTTP/1.1 429 Too Many Requests" + header, pieces: []piece{{0, `{"error":{"message":"slow down"}}`}}}}}
		bubble(t, e, nil, func(t *testing.T, cl *Client) {
			r := cl.Do(t.Context(), prepare(t, cl, "r"), nil)
			got := time.Duration(-1)
			if r.RetryAfter != nil {
				got = *r.RetryAfter
			}
			if r.Outcome != Rejected || r.Class != TooMany || r.Attempts != 1 || got != want || r.ErrorText != "slow down" {
				t.Errorf("%q: got %s, %s, %d attempts, retry after %v, %q", header, r.Outcome, r.Class, r.Attempts, got, r.ErrorText)
			}
		})
	}
}

func TestDialFailure(t *testing.T) {
	e := &endpoint{}
	bubble(t, e, nil, func(t *testing.T, cl *Client) {
		cl.dial = refuse
		r := cl.Do(t.Context(), prepare(t, cl, "r"), nil)
		if r.Outcome != Failed || r.Class != DialFailed || r.Connected || !strings.Contains(r.ErrorText, "refused") {
			t.Errorf("got %s, %s, connected %v, %q", r.Outcome, r.Class, r.Connected, r.ErrorText)
		}
	})
}

var errRefused = errors.New("connection refused")
