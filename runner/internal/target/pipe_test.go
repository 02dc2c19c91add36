package target

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"benchline/runner/plan"
)

// piece is one write of a scripted endpoint, so long after the request.
type piece struct {
	at   time.Duration
	text string
}

// script is what a scripted endpoint does with one connection.
type script struct {
	head    string // without the empty line; status line and header
	pieces  []piece
	closeAt time.Duration // 0: after the last piece, unless hold
	hold    bool          // never close
	chunked bool          // write the pieces as chunks, and the last chunk
	deaf    bool          // close before the request is answered
}

const streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream"

// endpoint answers the n-th request with the n-th script, over pipes. The
// last script serves all further ones.
type endpoint struct {
	t        *testing.T
	scripts  []script
	n        atomic.Int64
	dials    atomic.Int64
	dialTime time.Duration
	ids      chan string
	serving  sync.WaitGroup
}

func (e *endpoint) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	e.dials.Add(1)
	select {
	case <-time.After(e.dialTime):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	near, far := net.Pipe()
	e.serving.Go(func() { e.serve(far) })
	return near, nil
}

func (e *endpoint) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	r := bufio.NewReader(c)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		e.ids <- req.Header.Get("X-Request-Id")
		s := e.scripts[min(int(e.n.Add(1)), len(e.scripts))-1]
		if !s.play(c) {
			return
		}
	}
}

// play reports whether the connection stays open.
func (s script) play(c net.Conn) bool {
	if s.deaf {
		return false
	}
	start := time.Now()
	head := s.head
	if s.chunked {
		head += "\r\nTransfer-Encoding: chunked"
	}
	if _, err := io.WriteString(c, head+"\r\n\r\n"); err != nil {
		return false
	}
	var w io.Writer = c
	end := func() {}
	if s.chunked {
		cw := httputil.NewChunkedWriter(c)
		w, end = cw, func() { _ = cw.Close(); _, _ = io.WriteString(c, "\r\n") }
	}
	for _, p := range s.pieces {
		time.Sleep(time.Until(start.Add(p.at)))
		if _, err := io.WriteString(w, p.text); err != nil {
			return false
		}
	}
	if s.hold {
		_, _ = io.Copy(io.Discard, c) // until the client leaves
		return false
	}
	time.Sleep(time.Until(start.Add(s.closeAt)))
	end()
	return s.chunked
}

// bubble runs f with a client of the scripts, on a clock of its own.
func bubble(t *testing.T, e *endpoint, change func(*Config), f func(*testing.T, *Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e.t = t
		c := e.client(change)
		f(t, c)
		c.Close()
		e.serving.Wait()
	})
}

func (e *endpoint) client(change func(*Config)) *Client {
	e.ids = make(chan string, 100)
	cfg := Config{
		Endpoint: plan.Endpoint{BaseURL: "http://endpoint.test:8000", API: plan.Chat, Model: "m", Connections: plan.Reuse},
		Agent:    "test", Start: time.Now(), Dial: e.dial,
	}
	if change != nil {
		change(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		e.t.Fatal(err)
	}
	return c
}

func prepare(t *testing.T, c *Client, id string) *Prepared {
	t.Helper()
	p, err := c.Prepare(id, "a prompt that is long enough to be known again", 8)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// chunksOf reads a fixture of timed reads.
func chunksOf(t *testing.T, name string) script {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata/cases", name+".chunks.json"))
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Chunks []struct {
			TMS  int64 `json:"t_ms"`
			Text string
			Hex  string
		}
		EOFMS int64 `json:"eof_ms"`
	}
	if err := json.NewDecoder(bytes.NewReader(b)).Decode(&f); err != nil {
		t.Fatal(err)
	}
	s := script{head: streamHead, closeAt: time.Duration(f.EOFMS) * time.Millisecond}
	for _, c := range f.Chunks {
		raw, err := hex.DecodeString(c.Hex)
		if err != nil {
			t.Fatal(err)
		}
		s.pieces = append(s.pieces, piece{time.Duration(c.TMS) * time.Millisecond, c.Text + string(raw)})
	}
	return s
}

// bytesOf reads a fixture of response bytes.
func bytesOf(t *testing.T, name string) script {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata/cases", name))
	if err != nil {
		t.Fatal(err)
	}
	return script{head: streamHead, pieces: []piece{{time.Millisecond, string(b)}}}
}

func ms(n float64) int64 { return int64(n * 1e6) }
