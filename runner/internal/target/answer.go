package target

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"benchline/runner/plan"
)

// answer is what the events of one stream have said so far.
type answer struct {
	events    int
	facts     facts // of usage, times, finish reason and error: the last stated
	bad       bool  // an event made no sense
	done      bool
	raw       []byte // events with tokens, one after the other, where text is kept
	firstLook []byte // start of a body that does not begin like a stream
}

// piece gives the next bytes of the body; nil at its end.
func (x *exchange) piece() ([]byte, error) {
	if held := x.held; held != nil {
		x.held = nil
		return held, nil
	}
	k := x.k
	for !x.head.framing.ended {
		if k.r == k.w {
			if err := x.fill(); errors.Is(err, io.EOF) && x.head.framing.coding == untilClose {
				x.head.framing.ended = true
				return nil, nil
			} else if err != nil {
				return nil, err
			}
		}
		data, rest, err := x.head.framing.next(k.buf[k.r:k.w])
		k.r = k.w - len(rest)
		if err != nil {
			return nil, &ending{Failed, StreamCut, err.Error()}
		}
		if len(data) > 0 {
			x.began()
			return data, nil
		}
	}
	return nil, nil
}

// began notes the first byte of the body, with which another limit begins.
func (x *exchange) began() {
	if x.r.FirstByte.OK {
		return
	}
	x.r.FirstByte = at(x.k.socket.at)
	if x.c.cfg.Timeouts.Idle > 0 {
		x.arm()
	}
}

// stream reads an event stream to its end and judges it.
func (x *exchange) stream() {
	s := &x.k.events
	*s = stream{emit: x.event, line: s.line[:0], data: s.data[:0], kind: s.kind[:0], limit: maxLine}
	var err error
	for {
		var p []byte
		if p, err = x.piece(); err != nil || p == nil {
			break
		}
		if x.a.events == 0 && x.a.firstLook == nil && isWhole(p) {
			x.a.firstLook = bytes.Clone(p)
		}
		if !s.feed(p) {
			break
		}
	}
	cut := err != nil
	if err == nil && s.finish(wholeEvent) {
		cut = true
	}
	x.judge(err, cut, s.tooBig)
	x.r.SawDone, x.r.Finish = x.a.done, x.c.finish(x.a.facts.finish)
	x.count()
	x.linger()
	if x.c.cfg.KeepText {
		x.r.Answer = answerText(x.a.raw)
	}
}

// wholeEvent reports whether data is an event that lacks only its empty line.
func wholeEvent(data []byte) bool {
	return isDone(data) || json.Valid(data)
}

func isDone(data []byte) bool { return string(bytes.TrimSpace(data)) == "[DONE]" }

// event takes one event at the stamp of the read that completed it.
func (x *exchange) event(kind, data []byte) bool {
	x.a.events++
	if isDone(data) {
		x.a.done = true
		return false
	}
	f, ok := read(data)
	switch {
	case string(kind) == "error" || f.failed:
		if f.errText == "" {
			f.errText = spoken(string(data))
		}
		x.a.facts.failed, x.a.facts.errText = true, f.errText
		return false
	case !ok:
		x.a.bad = true
		return false
	}
	if f.answer || f.reasoning {
		x.token(f, data)
	}
	if f.finish != "" {
		x.a.facts.finish = f.finish
	}
	if f.usage.stated() {
		x.a.facts.usage = f.usage
	}
	if f.prefillNS.ok {
		x.a.facts.prefillNS = f.prefillNS
	}
	if f.decodeNS.ok {
		x.a.facts.decodeNS = f.decodeNS
	}
	return true
}

// token notes an event that carries at least one token.
func (x *exchange) token(f facts, data []byte) {
	now := x.k.socket.at
	if x.r.Chunks == 0 {
		x.r.FirstToken = at(now)
		x.r.Gaps = make([]int64, 0, x.p.expect)
	} else {
		x.r.Gaps = append(x.r.Gaps, now-x.r.LastToken.NS)
	}
	if f.answer && !x.r.FirstAnswer.OK {
		x.r.FirstAnswer = at(now)
	}
	x.r.LastToken = at(now)
	x.r.Chunks++
	if x.c.cfg.Chunks != nil {
		x.c.cfg.Chunks.Add(1)
	}
	if x.c.cfg.KeepText {
		x.a.raw = append(append(x.a.raw, data...), '\n')
	}
}

// judge says how a stream ended.
func (x *exchange) judge(err error, cut, tooBig bool) {
	a := &x.a
	var e *ending
	switch finished := a.done || a.facts.finish != ""; {
	case a.facts.failed:
		x.end(Failed, ErrorInBody, a.facts.errText)
	case a.bad:
		x.end(Failed, BadEvent, "an event of the stream is neither JSON nor [DONE]")
	case tooBig:
		x.end(Failed, LineTooLong, "a line of the stream is longer than 64 MiB")
	case errors.As(err, &e) && (e.outcome != Failed || !finished):
		x.end(e.outcome, e.class, e.text)
	case a.events == 0 && !cut && a.firstLook != nil:
		x.whole(string(a.firstLook))
	case a.events == 0 && !cut:
		x.end(Failed, EmptyAnswer, "status 200 and no event")
	case !finished && err != nil:
		x.end(Failed, StreamCut, "the stream was cut: "+err.Error())
	case !finished && cut:
		x.end(Failed, StreamCut, "the stream ended within an event")
	case !finished:
		x.end(Failed, StreamCut, "the stream ended without finish reason or [DONE]")
	case x.r.Chunks == 0 && a.facts.finish == "":
		x.end(Failed, EmptyAnswer, "[DONE] came with neither a token nor a finish reason")
	default:
		x.end(Completed, "", "")
		if a.done {
			x.r.End = at(x.k.socket.at)
		}
	}
}

// count takes over what the endpoint states about itself.
func (x *exchange) count() {
	f := x.a.facts
	number := func(c count) *int64 {
		if !c.ok {
			return nil
		}
		return &c.n
	}
	span := func(c count) *time.Duration {
		if !c.ok {
			return nil
		}
		d := time.Duration(c.n)
		return &d
	}
	x.r.Input, x.r.Output = number(f.usage.input), number(f.usage.output)
	x.r.Reasoning, x.r.Cached = number(f.usage.reasoning), number(f.usage.cached)
	x.r.Prefill, x.r.Decode = span(f.prefillNS), span(f.decodeNS)
}

// linger waits a moment for the end of the body after [DONE], without which
// the connection cannot be used again.
func (x *exchange) linger() {
	f := &x.head.framing
	if !x.a.done || x.c.cfg.Endpoint.Connections == plan.Fresh || x.head.closes || f.coding == untilClose {
		return
	}
	if !f.ended {
		x.until = x.c.Now() + int64(lingering)
		x.arm()
	}
	for {
		if p, err := x.piece(); err != nil || p == nil {
			return
		}
	}
}

// answerText puts together the visible text of the events kept.
func answerText(raw []byte) string {
	var text strings.Builder
	for events := json.NewDecoder(bytes.NewReader(raw)); ; {
		var e object
		if events.Decode(&e) != nil {
			return text.String()
		}
		var choices []object
		decode(e["choices"], &choices)
		for _, c := range choices {
			var d object
			decode(c["delta"], &d)
			for _, field := range []json.RawMessage{c["text"], d["content"]} {
				var s string
				decode(field, &s)
				text.WriteString(s)
			}
		}
	}
}

// finish makes the finish reason, which is the endpoint's own word, fit for
// a log.
func (c *Client) finish(s string) string {
	switch s {
	case "", "stop", "length", "tool_calls", "content_filter":
		return s
	}
	s = c.redact.text(s, "")
	return strings.ToValidUTF8(s[:min(len(s), 64)], "")
}
