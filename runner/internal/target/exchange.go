package target

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"benchline/runner/plan"
)

// lingering is how long the end of the body may come after [DONE], or the
// rest of an error's body after its head, before the connection is given up
// rather than used again.
const (
	lingering = 25 * time.Millisecond
	grumbling = 2 * time.Second
)

// exchange is one attempt at one request.
type exchange struct {
	c    *Client
	ctx  context.Context // of the call that this is the state of
	p    *Prepared
	sent func(ns int64, id string)
	r    Result
	k    *conn
	head head
	a    answer

	ready  int64  // offset at which the request was written
	held   []byte // a piece of the body that was looked at but not taken
	until  int64  // offset at which reading ends without that being a time-out; 0: none
	armed  bool   // a deadline is set on the connection
	anyHdr bool   // a byte of the response came
}

// ending is why an exchange is over before its time.
type ending struct {
	outcome Outcome
	class   Class
	text    string
}

func (e *ending) Error() string { return e.text }

func (x *exchange) end(o Outcome, c Class, text string) {
	x.r.Outcome, x.r.Class = o, c
	if text != "" {
		x.r.ErrorText = x.c.redact.text(text, x.p.prompt)
	}
	if o != Stopped {
		x.r.End = at(x.c.Now())
	}
}

// attempt sends the request once. It reports whether it should be sent again
// on a fresh connection, which is never the case when fresh says that it was.
func (x *exchange) attempt(ctx context.Context, fresh bool) (again bool) {
	x.ctx = ctx
	x.r.RequestID = x.p.id
	x.r.Sent = at(x.c.Now())
	if x.sent != nil {
		x.sent(x.r.Sent.NS, x.p.id)
	}
	if !x.connect(ctx, fresh) {
		return false
	}
	release := context.AfterFunc(ctx, func() {
		_ = x.k.SetDeadline(past()) // wakes the reader, which then looks at the context
	})
	keep, again := x.talk()
	if !release() {
		keep = false // the deadline may be set at any moment
	}
	if keep && x.c.cfg.Endpoint.Connections != plan.Fresh {
		x.c.idle.put(x.k)
	} else {
		_ = x.k.Close() // all that was wanted of it has been read
	}
	return again
}

// connect takes an idle connection or opens one.
func (x *exchange) connect(parent context.Context, fresh bool) bool {
	if !fresh && x.c.cfg.Endpoint.Connections != plan.Fresh {
		if x.k = x.c.idle.take(); x.k != nil {
			x.r.Connected, x.r.Reused = true, true
			return true
		}
	}
	limit, class := x.c.cfg.Timeouts.Connect, ConnectTimeout
	if total := x.c.cfg.Timeouts.Total; total > 0 && (limit == 0 || total < limit) {
		limit, class = total, TotalTimeout
	}
	ctx := parent
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(parent, limit)
		defer cancel()
	}
	k, err := x.c.open(ctx)
	if err == nil {
		x.k = k
		x.r.Connected = true
		x.r.ConnectTime = time.Duration(x.c.Now() - x.r.Sent.NS)
		return true
	}
	var handshake *tlsError
	switch {
	case parent.Err() != nil:
		x.end(Stopped, "", "")
	case ctx.Err() != nil || errors.Is(err, os.ErrDeadlineExceeded):
		x.end(TimedOut, class, fmt.Sprintf("no connection within %v", limit))
	case errors.As(err, &handshake):
		x.end(Failed, TLSFailed, "TLS handshake: "+err.Error())
	default:
		x.end(Failed, DialFailed, err.Error())
	}
	return false
}

// talk writes the request and reads the answer. It reports whether the
// connection may be used again, and whether the request should be sent again.
func (x *exchange) talk() (keep, again bool) {
	x.ready = x.c.Now()
	x.arm()
	_, writeErr := x.k.Write(x.p.wire)
	if writeErr == nil {
		x.ready = x.c.Now()
	}
	err := x.readHead(writeErr)
	var e *ending
	switch {
	case errors.As(err, &e):
		x.end(e.outcome, e.class, e.text)
		return false, false
	case err != nil && x.k.reused && !x.anyHdr:
		return false, true
	case err != nil && !x.anyHdr:
		x.end(Failed, ConnectionLost, "the connection ended before the response: "+errors.Join(writeErr, err).Error())
		return false, false
	case err != nil:
		x.end(Failed, ConnectionLost, "the connection ended within the head of the response: "+err.Error())
		return false, false
	}
	x.r.Status = x.head.status
	if x.head.status != http.StatusOK {
		x.refused()
	} else {
		x.accepted()
	}
	return x.head.framing.ended && !x.head.closes && x.k.r == x.k.w, false
}

// readHead reads the head of the response, past any interim ones.
func (x *exchange) readHead(writeErr error) error {
	from := 0
	for {
		unread := x.k.buf[x.k.r:x.k.w]
		if n := headEnd(unread); n >= 0 {
			h, err := parseHead(unread[:n])
			if err != nil {
				return &ending{Failed, BadResponse, err.Error()}
			}
			x.k.r += n
			if h.status >= http.StatusOK {
				x.head, x.r.Headers = h, at(x.k.socket.at)
				return nil
			}
			continue
		}
		if len(unread) > maxHead {
			return &ending{Failed, BadResponse, "the head of the response is longer than 256 KiB"}
		}
		if err := x.fill(); err != nil {
			return err
		}
		if !x.anyHdr && x.k.w > from {
			x.anyHdr = true
			if writeErr != nil {
				x.head.closes = true
			}
		}
	}
}

// fill reads once from the connection, however many deadlines come and go
// without a limit being reached.
func (x *exchange) fill() error {
	k := x.k
	if k.r == k.w {
		k.r, k.w = 0, 0
	} else if k.w == len(k.buf) {
		// Only a head stays unread: bodies are taken whole.
		k.buf = append(k.buf, make([]byte, len(k.buf))...)
	}
	for {
		n, err := k.Read(k.buf[k.w:])
		k.w += n
		if n > 0 {
			return nil
		}
		if err == nil {
			continue
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return err
		}
		if e := x.overdue(); e != nil {
			return e
		}
		x.arm()
	}
}

// limit is the next moment at which a limit ends the exchange.
func (x *exchange) limit() (when int64, e ending, ok bool) {
	t := x.c.cfg.Timeouts
	set := func(from int64, d time.Duration, class Class, what string) {
		if d > 0 && (!ok || from+int64(d) < when) {
			when, ok = from+int64(d), true
			e = ending{TimedOut, class, fmt.Sprintf("%s within %v", what, d)}
		}
	}
	set(x.r.Sent.NS, t.Total, TotalTimeout, "not complete")
	if !x.r.FirstByte.OK {
		set(x.ready, t.FirstByte, FirstByteTimeout, "no byte of the body")
	} else {
		set(x.k.socket.at, t.Idle, IdleTimeout, "the stream was silent: nothing")
	}
	if x.until != 0 && (!ok || x.until < when) {
		when, ok, e = x.until, true, ending{}
	}
	return when, e, ok
}

// arm sets the connection's deadline to the next limit. It is not set anew at
// every read: a deadline that comes too early is moved on in fill.
func (x *exchange) arm() {
	when, _, ok := x.limit()
	deadline := time.Time{}
	switch {
	case ok:
		deadline = x.c.cfg.Start.Add(time.Duration(when))
	case !x.armed && !x.k.reused:
		return
	}
	x.armed = ok
	_ = x.k.SetDeadline(deadline) // fails on a dead connection only, as the read then does
	if x.ctx.Err() != nil {
		_ = x.k.SetDeadline(past()) // the wake-up of attempt may just have been undone
	}
}

// past is a deadline that has passed on any clock.
func past() time.Time { return time.Unix(1, 0) }

// overdue is the ending of an exchange whose limit has passed, or nil.
func (x *exchange) overdue() *ending {
	if x.ctx.Err() != nil {
		return &ending{Stopped, "", ""}
	}
	when, e, ok := x.limit()
	if ok && x.c.Now() >= when {
		return &e
	}
	return nil
}
