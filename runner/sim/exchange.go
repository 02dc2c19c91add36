package sim

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// exchange is one request to a generating path and its answer.
type exchange struct {
	s     *Server
	w     http.ResponseWriter
	r     *http.Request
	chat  bool
	drawn []Fault
	truth Truth
	ask   ask
	q     *sequence
}

func (s *Server) generate(w http.ResponseWriter, r *http.Request, chat bool) {
	arrived := s.offset()
	if !s.enter() {
		sendError(w, http.StatusServiceUnavailable, "unavailable", "the simulated endpoint is closed")
		return
	}
	defer s.open.Done()
	number := s.number.Add(1)
	id := r.Header.Get("X-Request-Id")
	if id == "" {
		id = fmt.Sprintf("sim-%d", number)
	}
	w.Header().Set("X-Request-Id", id)
	x := &exchange{
		s: s, w: w, r: r, chat: chat, drawn: drawn(s.cfg.Faults, s.cfg.Seed, number),
		truth: Truth{Number: number, RequestID: id, Path: r.URL.Path, ArrivalNS: s.unix(arrived)},
	}
	x.answer()
	x.truth.EndNS = s.unix(s.offset())
	s.truth.add(x.truth)
}

// has looks a fault up among those drawn for the request.
func (x *exchange) has(k Kind) (Fault, bool) {
	for _, f := range x.drawn {
		if f.Kind == k {
			return f, true
		}
	}
	return Fault{}, false
}

// strike is has for a fault that now takes effect.
func (x *exchange) strike(k Kind) (Fault, bool) {
	f, ok := x.has(k)
	if ok && !slices.Contains(x.truth.Faults, k) {
		x.truth.Faults = append(x.truth.Faults, k)
	}
	return f, ok
}

func (x *exchange) answer() {
	if !x.s.authorized(x.r) {
		x.refuse(Refused, http.StatusUnauthorized, "invalid_api_key", "Unauthorized")
		return
	}
	src, err := io.ReadAll(http.MaxBytesReader(x.w, x.r.Body, maxBody))
	if err != nil {
		if x.r.Context().Err() != nil {
			x.truth.Outcome = ClientGone
			return
		}
		x.refuse(Refused, http.StatusBadRequest, "invalid_request_error", "reading the request: "+err.Error())
		return
	}
	read := x.s.offset()
	x.truth.ReadNS = x.s.unix(read)
	a, err := x.s.cfg.parse(src, x.chat)
	if err != nil {
		x.refuse(Refused, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	x.ask, x.truth.Stream = a, a.stream
	if x.instead() {
		return
	}
	if x.s.cfg.Model != "" && a.model != x.s.cfg.Model {
		x.refuse(Refused, http.StatusNotFound, "NotFoundError", fmt.Sprintf("The model `%s` does not exist.", a.model))
		return
	}
	if x.submit(read) {
		x.deliver()
	}
}

// submit hands the request to the model, or refuses it.
func (x *exchange) submit(read int64) bool {
	c := &x.s.cfg
	template, limit := 0, 0
	if x.chat {
		template = c.TemplateTokens
	}
	if f, ok := x.strike(TruncatePrompt); ok {
		limit = f.Size
	}
	d := digestOf(x.ask.texts, template, max(1, c.Engine.BlockTokens), limit)
	prompt := int64(d.tokens)
	x.truth.PromptTokens = &prompt
	total := d.tokens + x.ask.maxTokens
	switch {
	case d.tokens == 0:
		x.refuse(Refused, http.StatusBadRequest, "invalid_request_error", "the prompt is empty")
		return false
	case total > c.MaxModelLen || !x.s.loop.fits(total):
		x.refuse(Refused, http.StatusBadRequest, "context_length_exceeded", fmt.Sprintf(
			"This model's maximum context length is %d tokens, but %d prompt tokens and up to %d output tokens were asked for.",
			c.MaxModelLen, d.tokens, x.ask.maxTokens))
		return false
	}
	if f, ok := x.strike(StallHeaders); ok {
		if !x.pause(f.Wait) {
			return false
		}
		read = x.s.offset()
	}
	n, stop := outputLength(c.EOSMean, x.ask.maxTokens, x.ask.ignoreEOS, c.Seed, d.sum)
	x.q = &sequence{
		promptTokens: d.tokens, output: n, maxOutput: x.ask.maxTokens, stop: stop, sum: d.sum,
		arrival: read, wake: make(chan struct{}, 1),
	}
	if c.Engine.PrefixCache {
		x.q.keys = d.keys
	}
	if !x.s.loop.submit(x.q) {
		x.retryAfter(c.Engine.RetryAfter)
		x.refuse(QueueFull, c.Engine.QueueStatus, "queue_full", "too many requests are waiting")
		return false
	}
	return true
}

// deliver writes the answer and notes what was written.
func (x *exchange) deliver() {
	if x.ask.stream {
		newStream(x).run()
	} else {
		x.whole()
	}
	f := x.s.loop.leave(x.q)
	if !f.begun {
		return
	}
	cached := int64(f.cached)
	x.truth.CachedTokens = &cached
	x.truth.AdmittedNS = x.s.unix(f.admitted)
	if f.generated > 0 {
		x.truth.DueFirstNS, x.truth.DueLastNS = x.s.unix(f.first), x.s.unix(f.last)
	}
}

// await waits until the model has made n tokens, and meanwhile calls tick
// whenever a value comes from ticks. It reports false, and sets the outcome,
// when the client or the endpoint has gone first.
func (x *exchange) await(n int, ticks <-chan time.Time, tick func() bool) bool {
	for x.q.produced.Load() < int64(n) {
		select {
		case <-x.q.wake:
		case <-x.r.Context().Done():
			x.truth.Outcome = ClientGone
			return false
		case <-x.s.loop.quit:
			x.truth.Outcome = ServerClosed
			return false
		case <-ticks:
			if !tick() {
				return false
			}
		}
	}
	return true
}

// pause waits; it reports false as await does.
func (x *exchange) pause(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-x.r.Context().Done():
		x.truth.Outcome = ClientGone
	case <-x.s.loop.quit:
		x.truth.Outcome = ServerClosed
	}
	return false
}

// refuse answers with an error.
func (x *exchange) refuse(o Outcome, status int, kind, message string) {
	x.truth.Outcome, x.truth.Status = o, status
	sendError(x.w, status, kind, message)
}

func (x *exchange) retryAfter(d time.Duration) {
	if d > 0 {
		x.w.Header().Set("Retry-After", strconv.Itoa(int((d+time.Second-1)/time.Second)))
	}
}

// instead applies the first fault that takes the place of the answer. It
// reports whether there was one.
func (x *exchange) instead() bool {
	for _, f := range x.drawn {
		if x.faulted(f) {
			x.truth.Faults = append(x.truth.Faults, f.Kind)
			x.truth.Outcome = Faulted
			return true
		}
	}
	return false
}

func (x *exchange) faulted(f Fault) bool {
	switch f.Kind { //nolint:exhaustive // the other kinds do not take the place of the answer
	case Reset:
		x.hangUp(nil, true)
	case Unauthorized:
		x.refuse(Faulted, http.StatusUnauthorized, "invalid_api_key", "Incorrect API key provided: "+x.r.Header.Get("Authorization"))
	case UnknownModel:
		x.refuse(Faulted, http.StatusNotFound, "NotFoundError", fmt.Sprintf("The model `%s` does not exist.", x.ask.model))
	case TooMany:
		x.retryAfter(f.Wait)
		x.refuse(Faulted, http.StatusTooManyRequests, "rate_limit_exceeded", "too many requests")
	case Unavailable:
		x.retryAfter(f.Wait)
		x.refuse(Faulted, http.StatusServiceUnavailable, "unavailable", "the server is overloaded")
	case ServerError:
		x.refuse(Faulted, http.StatusInternalServerError, "internal_error", "internal server error")
	case JSONError:
		x.refuse(Faulted, http.StatusOK, "internal_error", "the engine has died")
	case HTMLBody:
		x.send("text/html; charset=utf-8", "<!DOCTYPE html>\n<html><head><title>Gateway</title></head><body><h1>Please sign in</h1></body></html>\n")
	case EmptyBody:
		x.send("text/event-stream; charset=utf-8", "")
	default:
		return false
	}
	return true
}

func (x *exchange) send(contentType, body string) {
	x.truth.Status = http.StatusOK
	x.w.Header().Set("Content-Type", contentType)
	_, err := io.WriteString(x.w, body)
	ignoreGone(err)
}

// hangUp writes last to the bare connection and closes it, with a reset where
// asked. What was written before must have been flushed. Without a
// connection of its own (HTTP/2, a recorder) it can only end the handler.
func (x *exchange) hangUp(last []byte, reset bool) {
	conn, _, err := http.NewResponseController(x.w).Hijack()
	if err != nil {
		return
	}
	_, err = conn.Write(last)
	ignoreGone(err)
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		ignoreGone(tcp.SetLinger(0))
	}
	ignoreGone(conn.Close())
}
