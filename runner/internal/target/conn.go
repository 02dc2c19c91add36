package target

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
	"time"
)

// readSize is the size of a connection's read buffer, in bytes.
const readSize = 8 << 10

// stamped takes the time of every read as soon as the socket has given it.
type stamped struct {
	net.Conn
	start time.Time
	at    int64 // offset of the last read that brought something
}

// Read reads and takes the time.
func (s *stamped) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p)
	if n > 0 {
		s.at = int64(time.Since(s.start))
	}
	return n, err
}

// conn is one connection, with its buffers. One goroutine uses it at a time.
type conn struct {
	net.Conn // the TLS connection, or the stamped one itself
	socket   *stamped
	buf      []byte
	r, w     int // unread bytes are buf[r:w]
	events   stream
	reused   bool
}

// open makes a fresh connection.
func (c *Client) open(ctx context.Context) (*conn, error) {
	raw, err := c.dial(ctx, "tcp", c.addr)
	if err != nil {
		return nil, err
	}
	k := &conn{socket: &stamped{Conn: raw, start: c.cfg.Start}, buf: make([]byte, readSize)}
	k.Conn = k.socket
	if !c.secure {
		return k, nil
	}
	secure := tls.Client(k.socket, c.tls)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = raw.Close() // the handshake's error is the one to tell
		return nil, &tlsError{err}
	}
	k.Conn = secure
	return k, nil
}

// tlsError marks an error as one of the handshake.
type tlsError struct{ error }

// Unwrap gives the error as crypto/tls made it.
func (e *tlsError) Unwrap() error { return e.error }

// idle keeps connections between requests; the one used last is used next.
type idle struct {
	mu     sync.Mutex
	conns  []*conn
	closed bool
}

// take gives a connection that still seems to be open, or nil.
func (p *idle) take() *conn {
	for {
		p.mu.Lock()
		n := len(p.conns)
		if n == 0 {
			p.mu.Unlock()
			return nil
		}
		k := p.conns[n-1]
		p.conns[n-1] = nil
		p.conns = p.conns[:n-1]
		p.mu.Unlock()
		if quiet(k.socket.Conn) {
			k.reused = true
			return k
		}
		_ = k.Close() // the endpoint closed it before
	}
}

func (p *idle) put(k *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		_ = k.Close() // nothing was in flight on it
		return
	}
	p.conns = append(p.conns, k)
}

func (p *idle) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, k := range p.conns {
		_ = k.Close() // nothing was in flight on it
	}
	p.conns, p.closed = nil, true
}
