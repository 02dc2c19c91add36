package target

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// said is what the published cases state about a request. -1: not there.
type said struct {
	outcome                    Outcome
	class                      Class
	status                     int
	firstToken, firstAnswer    float64 // ms from sent
	lastToken                  float64
	chunks                     int
	in, out, reasoning, cached int64
	finish                     string
	done                       bool
	answer                     string
	gaps                       []int64
}

func say(r Result) said {
	from := func(t Time) float64 {
		if !t.OK {
			return -1
		}
		return float64(t.NS-r.Sent.NS) / 1e6
	}
	n := func(p *int64) int64 {
		if p == nil {
			return -1
		}
		return *p
	}
	return said{r.Outcome, r.Class, r.Status, from(r.FirstToken), from(r.FirstAnswer), from(r.LastToken), r.Chunks,
		n(r.Input), n(r.Output), n(r.Reasoning), n(r.Cached), r.Finish, r.SawDone, r.Answer, r.Gaps}
}

func TestCases(t *testing.T) {
	ok := func(first, answer, last float64, chunks int, in, out, reasoning int64, finish, text string, gaps ...float64) said {
		s := said{Completed, "", 200, first, answer, last, chunks, in, out, reasoning, -1, finish, true, text, []int64{}}
		for _, g := range gaps {
			s.gaps = append(s.gaps, ms(g))
		}
		return s
	}
	jsonBody := bytesOf(t, "c04-error-body.json")
	jsonBody.head = "HTTP/1.1 200 OK\r\nContent-Type: application/json"
	noDone := ok(1, 1, 1, 2, 4, 2, -1, "stop", "One two", 0)
	noDone.done = false
	for _, c := range []struct {
		name   string
		script script
		want   said
	}{
		{"C01", bytesOf(t, "c01-framing.sse"), ok(1, 1, 1, 2, 5, 2, -1, "stop", "Hello world", 0)},
		{"C02", chunksOf(t, "c02-chunk-boundaries"), ok(10, 10, 31, 3, 3, 4, -1, "stop", "one two three ", 0, 21)},
		{"C03", chunksOf(t, "c03-keepalive"), ok(41200, 41200, 41240, 2, 9, 2, -1, "stop", "Yes.", 40)},
		{"C04 in stream", bytesOf(t, "c04-error-in-200.sse"),
			said{Failed, ErrorInBody, 200, 1, 1, 1, 2, -1, -1, -1, -1, "", false, "Partial text", []int64{0}}},
		{"C04 as body", jsonBody, said{Failed, ErrorInBody, 200, -1, -1, -1, 0, -1, -1, -1, -1, "", false, "", nil}},
		{"C05 truncated", bytesOf(t, "c05-truncated.sse"),
			said{Failed, StreamCut, 200, 1, 1, 1, 2, -1, -1, -1, -1, "", false, "One two", []int64{0}}},
		{"C05 without done", bytesOf(t, "c05-finish-without-done.sse"), noDone},
		{"C06", chunksOf(t, "c06-role-first"), ok(900, 900, 1000, 3, 8, 3, -1, "stop", "ABC", 50, 50)},
		{"C07 reasoning_content", chunksOf(t, "c07-reasoning-content"), ok(200, 1000, 1000, 4, 10, 4, 3, "stop", "42", 20, 20, 760)},
		{"C07 reasoning", chunksOf(t, "c07-reasoning"), ok(200, 1000, 1000, 4, 10, 4, 3, "stop", "42", 20, 20, 760)},
		{"C08", chunksOf(t, "c08-tool-only"), ok(300, 300, 340, 3, 60, 12, -1, "tool_calls", "", 20, 20)},
		{"C09", chunksOf(t, "c09-four-per-chunk"), ok(100, 100, 500, 5, 16, 20, -1, "stop", " w w w w w w w w w w w w w w w w w w w w", 100, 100, 100, 100)},
		{"C10", bytesOf(t, "c10-no-usage.sse"), ok(1, 1, 1, 3, -1, -1, -1, "stop", "a b c", 0, 0)},
	} {
		for _, coding := range []string{"until close", "chunked", "byte by byte"} {
			t.Run(c.name+" "+coding, func(t *testing.T) {
				s := c.script
				s.chunked = coding != "until close"
				if coding == "byte by byte" {
					s.pieces = bytewise(s.pieces)
				}
				e := &endpoint{scripts: []script{s}}
				bubble(t, e, func(cfg *Config) { cfg.KeepText = true }, func(t *testing.T, cl *Client) {
					got := say(cl.Do(t.Context(), prepare(t, cl, "r"), nil))
					if d := cmp.Diff(c.want, got, cmp.AllowUnexported(said{})); d != "" {
						t.Errorf("(-want +got):\n%s", d)
					}
				})
			})
		}
	}
}

func bytewise(pieces []piece) []piece {
	var out []piece
	for _, p := range pieces {
		for i := range len(p.text) {
			out = append(out, piece{p.at, p.text[i : i+1]})
		}
	}
	return out
}

// TestDialects holds what was seen of real engines and proxies.
func TestDialects(t *testing.T) {
	const a = `data: {"choices":[{"text":"a","finish_reason":null}],"usage":{"prompt_tokens":0,"completion_tokens":0}}` + "\n\n"
	for _, c := range []struct {
		name, head, body string
		want             said
	}{
		{"usage as zeros, the true one last", "", a + a + `data: {"choices":[{"text":"","finish_reason":"length"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}` + "\n\ndata: [DONE]\n\n",
			said{Completed, "", 200, 0, 0, 0, 2, 7, 2, -1, -1, "length", true, "", []int64{0}}},
		{"usage only as zeros", "", a + "data: [DONE]\n\n",
			said{Completed, "", 200, 0, 0, 0, 1, -1, -1, -1, -1, "", true, "", []int64{}}},
		{"only [DONE]", "", "data: [DONE]\n\n",
			said{Failed, EmptyAnswer, 200, -1, -1, -1, 0, -1, -1, -1, -1, "", true, "", nil}},
		{"no token but a finish reason", "", `data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":0}}` + "\n\ndata: [DONE]\n\n",
			said{Completed, "", 200, -1, -1, -1, 0, 3, 0, -1, -1, "stop", true, "", nil}},
		{"empty body", "", "",
			said{Failed, EmptyAnswer, 200, -1, -1, -1, 0, -1, -1, -1, -1, "", false, "", nil}},
		{"JSON error in an event stream", "", `{"error":{"message":"x"}}`,
			said{Failed, ErrorInBody, 200, -1, -1, -1, 0, -1, -1, -1, -1, "", false, "", nil}},
		{"event: error", "", a + "event: error\ndata: {\"message\":\"x\"}\n\n",
			said{Failed, ErrorInBody, 200, 0, 0, 0, 1, -1, -1, -1, -1, "", false, "", []int64{}}},
		{"nonsense", "", a + "data: <oops>\n\n",
			said{Failed, BadEvent, 200, 0, 0, 0, 1, -1, -1, -1, -1, "", false, "", []int64{}}},
		{"clean end without end mark", "", a,
			said{Failed, StreamCut, 200, 0, 0, 0, 1, -1, -1, -1, -1, "", false, "", []int64{}}},
		{"web page", "HTTP/1.1 200 OK\r\nContent-Type: text/html", "<!doctype html><title>Sign in</title>",
			said{Failed, HTMLBody, 200, -1, -1, -1, 0, -1, -1, -1, -1, "", false, "", nil}},
		{"answer in one piece", "HTTP/1.1 200 OK\r\nContent-Type: application/json", `{"choices":[{"text":"a"}]}`,
			said{Failed, NotAStream, 200, -1, -1, -1, 0, -1, -1, -1, -1, "", false, "", nil}},
		{"stream under another name", "HTTP/1.1 200 OK\r\nContent-Type: text/plain", a + "data: [DONE]\n\n",
			said{Completed, "", 200, 0, 0, 0, 1, -1, -1, -1, -1, "", true, "", []int64{}}},
		{"gzip", streamHead + "\r\nContent-Encoding: gzip", "\x1f\x8b",
			said{Failed, Compressed, 200, -1, -1, -1, 0, -1, -1, -1, -1, "", false, "", nil}},
		{"not HTTP", "SSH-2.0-OpenSSH", "",
			said{Failed, BadResponse, 0, -1, -1, -1, 0, -1, -1, -1, -1, "", false, "", nil}},
		{"interim response", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + streamHead, a + "data: [DONE]\n\n",
			said{Completed, "", 200, 0, 0, 0, 1, -1, -1, -1, -1, "", true, "", []int64{}}},
		{"bad chunk", streamHead + "\r\nTransfer-Encoding: chunked", "zz\r\n",
			said{Failed, StreamCut, 200, -1, -1, -1, 0, -1, -1, -1, -1, "", false, "", nil}},
		{"401", "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2", "no",
			said{Failed, Unauthorized, 401, -1, -1, -1, 0, -1, -1, -1, -1, "", false, "", nil}},
		{"500", "HTTP/1.1 500 Oh", "<html>",
			said{Failed, "http_500", 500, -1, -1, -1, 0, -1, -1, -1, -1, "", false, "", nil}},
		{"redirect", "HTTP/1.1 307 Go\r\nLocation: http://user:pw@x/?key=1\r\nContent-Length: 0", "",
			said{Failed, Redirected, 307, -1, -1, -1, 0, -1, -1, -1, -1, "", false, "", nil}},
		{"503", "HTTP/1.1 503 Busy\r\nContent-Length: 0", "",
			said{Rejected, Unavailable, 503, -1, -1, -1, 0, -1, -1, -1, -1, "", false, "", nil}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.head == "" {
				c.head = streamHead
			}
			e := &endpoint{scripts: []script{{head: c.head, pieces: []piece{{0, c.body}}}}}
			bubble(t, e, nil, func(t *testing.T, cl *Client) {
				r := cl.Do(t.Context(), prepare(t, cl, "r"), nil)
				if d := cmp.Diff(c.want, say(r), cmp.AllowUnexported(said{})); d != "" {
					t.Errorf("(-want +got):\n%s%s", d, r.ErrorText)
				}
				if (r.ErrorText == "") != (r.Outcome == Completed) && r.Status != 503 {
					t.Errorf("outcome %s with the error text %q", r.Outcome, r.ErrorText)
				}
			})
		})
	}
}
