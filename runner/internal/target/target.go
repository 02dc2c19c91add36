package target

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"benchline/runner/plan"
)

// Dial opens a connection, as [net.Dialer.DialContext] does.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Config says what to speak to and how.
type Config struct {
	Endpoint    plan.Endpoint
	Timeouts    plan.Timeouts // zero: no limit
	IgnoreEOS   bool
	Temperature float64
	KeepText    bool   // keep the text of answers
	Key         string // sent as a bearer token; empty: none
	Agent       string // User-Agent
	// Start is offset 0 of all times. It must hold a monotonic reading.
	Start time.Time
	// Dial is nil for TCP; tests give others.
	Dial Dial
	// TLS is nil for the system's roots. It is cloned.
	TLS *tls.Config
	// Chunks, if not nil, counts token-bearing events as they come.
	Chunks *atomic.Int64
}

// Client sends requests to one endpoint. Its methods may be called at once
// from many goroutines.
type Client struct {
	cfg    Config
	host   string // value of the Host header
	addr   string // host:port to dial
	path   string
	secure bool
	redact *redactor
	tls    *tls.Config
	dial   Dial
	idle   idle
	// The parts of a request's body around the prompt and the limit.
	before, after, tail string
}

// New makes a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	u, err := url.Parse(cfg.Endpoint.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("reading the base address: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("reading the base address: %q is not http or https with a host", u.Redacted())
	}
	c := &Client{cfg: cfg, host: u.Host, secure: u.Scheme == "https", redact: newRedactor(cfg.Key), dial: cfg.Dial}
	port := u.Port()
	switch {
	case port == "" && c.secure:
		port = "443"
	case port == "":
		port = "80"
	}
	c.addr = net.JoinHostPort(u.Hostname(), port)
	c.path = strings.TrimSuffix(u.EscapedPath(), "/") + "/v1/chat/completions"
	if cfg.Endpoint.API == plan.Completions {
		c.path = strings.TrimSuffix(u.EscapedPath(), "/") + "/v1/completions"
	}
	if c.dial == nil {
		c.dial = new(net.Dialer).DialContext
	}
	if c.secure {
		c.tls = cfg.TLS.Clone()
		if c.tls == nil {
			c.tls = &tls.Config{MinVersion: tls.VersionTLS12}
		}
		if c.tls.ServerName == "" {
			c.tls.ServerName = u.Hostname()
		}
		c.tls.NextProtos = []string{"http/1.1"}
	}
	if strings.ContainsAny(cfg.Key, "\r\n\x00") || strings.ContainsAny(cfg.Agent, "\r\n\x00") {
		return nil, fmt.Errorf("the key or the agent name has a line break in it")
	}
	return c, c.encode()
}

// Now is the offset of this moment from the start, in nanoseconds.
func (c *Client) Now() int64 { return int64(time.Since(c.cfg.Start)) }

// Close closes the connections that are not in use.
func (c *Client) Close() { c.idle.close() }

// Prepared is a request ready to be written.
type Prepared struct {
	wire   []byte
	id     string
	idEnd  int    // where the request ID ends in wire
	prompt string // its first bytes, to know them again in an error
	expect int    // chunks to make room for
}

// options are the fields of a request that do not change from one to the next.
type options struct {
	Temperature   float64 `json:"temperature"`
	IgnoreEOS     bool    `json:"ignore_eos,omitempty"`
	Stream        bool    `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// encode makes the parts of every request's body that are the same.
func (c *Client) encode() error {
	model, err := json.Marshal(c.cfg.Endpoint.Model)
	if err != nil {
		return fmt.Errorf("encoding the model's name: %w", err)
	}
	o := options{Temperature: c.cfg.Temperature, IgnoreEOS: c.cfg.IgnoreEOS, Stream: true}
	o.StreamOptions.IncludeUsage = true
	tail, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("encoding a request: %w", err)
	}
	c.before, c.after = `{"model":`+string(model)+`,"messages":[{"role":"user","content":`, `}],"max_tokens":`
	if c.cfg.Endpoint.API == plan.Completions {
		c.before, c.after = `{"model":`+string(model)+`,"prompt":`, `,"max_tokens":`
	}
	c.tail = "," + string(tail[1:])
	return nil
}

// Prepare builds a request, so that no time is spent on it when it is due.
// The ID is sent in X-Request-Id and must be of printable ASCII.
func (c *Client) Prepare(id, prompt string, maxTokens int) (*Prepared, error) {
	quoted, err := quote(prompt)
	if err != nil {
		return nil, err
	}
	limit := strconv.Itoa(maxTokens)
	size := len(c.before) + len(quoted) + len(c.after) + len(limit) + len(c.tail)
	const headRoom = 512
	w := make([]byte, 0, size+headRoom+len(c.path)+len(c.host)+len(c.cfg.Key))
	w = append(w, "POST "+c.path+" HTTP/1.1\r\nHost: "+c.host+"\r\nX-Request-Id: "+id...)
	idEnd := len(w)
	w = append(w, "\r\nUser-Agent: "+c.cfg.Agent+
		"\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\nAccept-Encoding: identity\r\nContent-Length: "...)
	w = strconv.AppendInt(w, int64(size), 10)
	if c.cfg.Key != "" {
		w = append(w, "\r\nAuthorization: Bearer "+c.cfg.Key...)
	}
	if c.cfg.Endpoint.Connections == plan.Fresh {
		w = append(w, "\r\nConnection: close"...)
	}
	w = append(w, "\r\n\r\n"...)
	for _, part := range []string{c.before, quoted, c.after, limit, c.tail} {
		w = append(w, part...)
	}
	return &Prepared{wire: w, id: id, idEnd: idEnd, prompt: strings.Clone(prompt[:min(len(prompt), 64)]),
		expect: min(max(maxTokens, 0), 1<<16)}, nil
}

// quote writes a JSON string. Most prompts need nothing but quotes.
func quote(s string) (string, error) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			b, err := json.Marshal(s)
			if err != nil {
				return "", fmt.Errorf("encoding a prompt: %w", err)
			}
			return string(b), nil
		}
	}
	return `"` + s + `"`, nil
}

// again is the same request under another ID, for the second attempt.
func (p *Prepared) again() *Prepared {
	const mark = "-2"
	w := make([]byte, 0, len(p.wire)+len(mark))
	w = append(w, p.wire[:p.idEnd]...)
	w = append(w, mark...)
	w = append(w, p.wire[p.idEnd:]...)
	return &Prepared{wire: w, id: p.id + mark, idEnd: p.idEnd + len(mark), prompt: p.prompt, expect: p.expect}
}

// Do sends a request and reads the answer to its end. It ends early, with
// [Stopped], when the context does. No error is lost: what went wrong stands
// in the result. At the start of each attempt, sent, if not nil, is told the
// time and the request ID; it must return at once, for the clock runs.
func (c *Client) Do(ctx context.Context, p *Prepared, sent func(ns int64, id string)) Result {
	x := exchange{c: c, p: p, sent: sent}
	x.r.Attempts = 1
	if !x.attempt(ctx, false) {
		return x.r
	}
	first := x.r.Sent
	x = exchange{c: c, p: p.again(), sent: sent}
	x.r.FirstSent, x.r.Attempts = first, 2
	x.attempt(ctx, true)
	return x.r
}
