package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// stream writes one answer as server-sent events.
type stream struct {
	*exchange
	flush func() error
	d     dialect
	words []string
	buf   []byte // one write
	held  int    // events in buf

	sent     int // tokens written
	sentMark int // tokens in buf beyond sent
	chunks   int64
	rest     *time.Ticker
	live     []byte // what to write at each tick
}

// dialect is the form of a stream's events.
type dialect struct {
	field      string // "data: " or "data:"
	open, shut string // around the choices; open begins with field
	end        string // line end
	roleFirst  bool   // a role event before the first token
	roleEvery  bool
	pack       int // events in one write
	split      bool
	zeros      bool
	lateHead   bool
	tool       bool
	finishLast bool
	noFinish   bool
}

func newStream(x *exchange) *stream {
	st := &stream{exchange: x, flush: http.NewResponseController(x.w).Flush, buf: make([]byte, 0, 512)}
	st.d = x.dialect()
	st.words = vocabulary(st.d.split)
	return st
}

func (x *exchange) dialect() dialect {
	d := dialect{field: "data: ", end: "\n", roleFirst: x.chat, pack: 1}
	if _, ok := x.strike(CRLF); ok {
		d.end = "\r\n"
	}
	if _, ok := x.strike(CR); ok {
		d.end = "\r"
	}
	if _, ok := x.strike(NoSpace); ok {
		d.field = "data:"
	}
	object := "text_completion"
	if x.chat {
		object = "chat.completion.chunk"
		if _, ok := x.strike(RoleNone); ok {
			d.roleFirst = false
		}
		_, d.roleEvery = x.strike(RoleEvery)
		_, d.tool = x.strike(ToolCall)
	}
	head, err := json.Marshal(struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		Model   string `json:"model"`
	}{x.id(), object, x.truth.ArrivalNS / 1e9, x.s.modelName(x.ask.model)})
	if err != nil { // not with these types
		head = []byte("{}")
	}
	d.open = d.field + strings.TrimSuffix(string(head), "}") + `,"choices":[`
	if _, ok := x.strike(TwoLines); ok {
		d.open = d.field + strings.TrimSuffix(string(head), "}") + "," + d.end + d.field + `"choices":[`
	}
	d.shut = "]}"
	if x.ask.includeUsage {
		d.shut = `],"usage":null}`
	}
	if _, ok := x.strike(UsageZeros); ok {
		d.zeros = true
		d.shut = `],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}`
	}
	if f, ok := x.strike(Packed); ok {
		d.pack = f.Size
	}
	_, d.noFinish = x.strike(NoFinish)
	_, d.finishLast = x.strike(FinishWithLast)
	_, d.split = x.strike(SplitUTF8)
	_, d.lateHead = x.strike(HeadersLate)
	return d
}

// run writes the whole stream.
func (st *stream) run() {
	h := st.w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	if _, ok := st.has(CloseAfter); ok {
		h.Set("Keep-Alive", "timeout=5, max=100")
	}
	st.truth.Status = http.StatusOK
	if !st.begin() {
		return
	}
	if st.rest != nil {
		defer st.rest.Stop()
	}
	for st.sent+st.sentMark < st.q.output {
		if !st.step() {
			return
		}
	}
	st.finish()
}

// begin sends what comes before the first token. Where it fails it sets the
// outcome, as all the methods do that return a bool.
func (st *stream) begin() bool {
	if !st.d.lateHead {
		if st.flush() != nil {
			return st.lost()
		}
	}
	if f, ok := st.strike(Comments); ok {
		st.live = []byte(": keep-alive" + st.d.end + "retry: 3000" + st.d.end + st.d.end)
		st.rest = time.NewTicker(f.Wait)
	}
	if f, ok := st.strike(NullContent); ok && st.chat {
		st.live = []byte(st.d.open + `{"index":0,"delta":{"role":"assistant","content":null},"finish_reason":null}` + st.d.shut + st.d.end + st.d.end)
		if st.rest != nil {
			st.rest.Stop()
		}
		st.rest = time.NewTicker(f.Wait)
	}
	if st.live != nil && !st.tick() {
		return false
	}
	if _, ok := st.strike(RoleEarly); ok && st.d.roleFirst {
		st.d.roleFirst = false
		st.role()
		return st.write()
	}
	return true
}

func (st *stream) tick() bool {
	if _, err := st.w.Write(st.live); err != nil || st.flush() != nil {
		return st.lost()
	}
	return true
}

func (st *stream) lost() bool {
	st.truth.Outcome = ClientGone
	return false
}

// step waits for the next event's tokens and writes them.
func (st *stream) step() bool {
	from := st.sent + st.sentMark
	to := st.chunkEnd(from)
	if !st.interrupted(from, to) {
		return false
	}
	var ticks <-chan time.Time
	if st.rest != nil {
		ticks = st.rest.C
	}
	if !st.await(to, ticks, st.tick) {
		return false
	}
	if _, null := st.has(NullContent); null && from == 0 && st.rest != nil {
		st.rest.Stop()
	}
	if from == 0 && st.d.roleFirst {
		st.role()
	}
	st.event(from, to)
	if f, ok := st.has(Cut); ok && from <= f.After && f.After < to {
		return st.cut()
	}
	st.held++
	if st.held < st.d.pack && to < st.q.output {
		return true
	}
	return st.write()
}

// chunkEnd says where the event that starts with token from ends: an event
// holds the same tokens however late it is written, and reasoning and answer
// do not share one.
func (st *stream) chunkEnd(from int) int {
	to := st.q.output
	if from == 0 {
		to = 1
	} else {
		k := st.s.cfg.chunkTokens()
		to = min(to, 1+((from-1)/k+1)*k)
	}
	if r := st.reasoning(); from < r {
		to = min(to, r)
	}
	return to
}

// interrupted applies the faults that come between events.
func (st *stream) interrupted(from, to int) bool {
	if f, ok := st.has(ErrorEvent); ok && from <= f.After && f.After < to {
		st.strike(ErrorEvent)
		st.data(string(errorJSON(http.StatusInternalServerError, "internal_error", "the engine has died")))
		st.data("[DONE]")
		if st.write() {
			st.truth.Outcome = Faulted
		}
		return false
	}
	if f, ok := st.has(Stall); ok && from <= f.After && f.After < to {
		st.strike(Stall)
		return st.pause(f.Wait)
	}
	return true
}

// cut writes half of what is in the buffer and closes the connection.
func (st *stream) cut() bool {
	st.strike(Cut)
	_, err := st.w.Write(st.buf[:len(st.buf)/2])
	ignoreGone(err)
	ignoreGone(st.flush())
	st.hangUp(nil, false)
	st.truth.Outcome = Faulted
	return false
}

// data appends an event that is not a chunk of the answer.
func (st *stream) data(payload string) {
	st.buf = append(st.buf, st.d.field...)
	st.buf = append(st.buf, payload...)
	st.buf = append(st.buf, st.d.end...)
	st.buf = append(st.buf, st.d.end...)
}

// choice appends an event with one choice.
func (st *stream) choice(inner string) {
	st.buf = append(st.buf, st.d.open...)
	st.buf = append(st.buf, inner...)
	st.shut(st.d.shut)
}

func (st *stream) shut(s string) {
	st.buf = append(st.buf, s...)
	st.buf = append(st.buf, st.d.end...)
	st.buf = append(st.buf, st.d.end...)
}

func (st *stream) role() {
	st.choice(`{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}`)
}

// event appends the event of tokens from to to−1.
func (st *stream) event(from, to int) {
	b := append(st.buf, st.d.open...)
	b = append(b, `{"index":0,`...)
	shut := `"}`
	switch {
	case !st.chat:
		b = append(b, `"text":"`...)
		shut = `"`
	case st.d.tool && from >= st.reasoning():
		b = append(b, `"delta":{"tool_calls":[{"index":0,`...)
		if from == st.reasoning() {
			b = append(b, `"id":"call_sim","type":"function",`...)
		}
		b = append(b, `"function":{`...)
		if from == st.reasoning() {
			b = append(b, `"name":"simulated",`...)
		}
		b = append(b, `"arguments":"`...)
		shut = `"}}]}`
	default:
		b = append(b, `"delta":{`...)
		if st.d.roleEvery {
			b = append(b, `"role":"assistant",`...)
		}
		key := "content"
		if from < st.reasoning() {
			key = st.s.cfg.reasoningKey()
		}
		b = append(append(append(b, '"'), key...), `":"`...)
	}
	b = st.appendWords(b, st.words, from, to)
	if f, ok := st.has(HugeLine); ok && from <= f.After && f.After < to {
		st.strike(HugeLine)
		b = append(b, bytes.Repeat([]byte{'a'}, f.Size)...)
	}
	b = append(b, shut...)
	if st.d.finishLast && !st.d.noFinish && to == st.q.output {
		st.buf = append(append(append(b, `,"finish_reason":"`...), st.finishReason()...), `"}`...)
	} else {
		st.buf = append(b, `,"finish_reason":null}`...)
	}
	st.shut(st.d.shut)
	st.sentMark += to - from
	st.chunks++
}

// write hands the buffer to the connection. The time of its tokens is taken
// just before: no client can have seen them earlier.
func (st *stream) write() bool {
	now := st.s.unix(st.s.offset())
	head := st.buf
	if st.d.split {
		head = st.buf[:splitPoint(st.buf)]
	}
	_, err := st.w.Write(head)
	if err == nil {
		err = st.flush()
	}
	if rest := st.buf[len(head):]; err == nil && len(rest) > 0 {
		if _, err = st.w.Write(rest); err == nil {
			err = st.flush()
		}
	}
	if err != nil {
		return st.lost()
	}
	if st.sentMark > 0 {
		st.noteSent(now)
	}
	st.buf, st.held = st.buf[:0], 0
	return true
}

func (st *stream) noteSent(now int64) {
	if st.sent == 0 {
		st.truth.FirstNS = now
	}
	st.truth.LastNS = now
	st.sent += st.sentMark
	st.sentMark = 0
	st.truth.OutputTokens = int64(st.sent)
	st.truth.ReasoningTokens = int64(min(st.sent, st.reasoning()))
	st.truth.Chunks = st.chunks
}

// splitPoint returns a place inside a letter of several bytes, or the end.
func splitPoint(b []byte) int {
	i := bytes.IndexFunc(b, func(r rune) bool { return r >= 0x80 })
	if i < 0 {
		return len(b)
	}
	return i + 1
}

// finish writes the end of the stream: finish reason, usage, [DONE].
func (st *stream) finish() {
	usage := `],"usage":` + string(st.usage(st.q.output, st.reasoning())) + st.timings() + "}"
	_, missing := st.strike(UsageMissing)
	_, inFinish := st.strike(UsageInFinish)
	if inFinish = inFinish && !missing; inFinish || !st.d.noFinish && !st.d.finishLast {
		st.finishEvent(inFinish, usage)
	}
	if !missing && !inFinish && (st.ask.includeUsage || st.d.zeros) {
		st.buf = append(st.buf, st.d.open...)
		st.shut(usage)
	}
	if _, no := st.strike(NoDone); !no {
		st.data("[DONE]")
	}
	if !st.write() {
		return
	}
	st.truth.Outcome = Finished
	if !st.d.noFinish {
		st.truth.FinishReason = st.finishReason()
	}
	if _, ok := st.strike(CloseAfter); ok {
		st.hangUp([]byte("0\r\n\r\n"), false)
	}
}

// finishEvent appends the event after the last token's, which has a choice
// without content.
func (st *stream) finishEvent(withUsage bool, usage string) {
	reason := "null"
	if !st.d.noFinish {
		reason = `"` + st.finishReason() + `"`
	}
	inner := `{"index":0,"text":"","finish_reason":` + reason + `}`
	if st.chat {
		inner = `{"index":0,"delta":{},"finish_reason":` + reason + `}`
	}
	st.buf = append(append(st.buf, st.d.open...), inner...)
	if withUsage {
		st.shut(usage)
	} else {
		st.shut(st.d.shut)
	}
}

// finishReason is the answer's, which is another one when it is a tool call.
func (st *stream) finishReason() string {
	if st.d.tool {
		return "tool_calls"
	}
	return st.exchange.finishReason()
}

// timings are the model's own times as llama-server states them, or nothing.
func (st *stream) timings() string {
	if _, ok := st.strike(Timings); !ok {
		return ""
	}
	q := st.q
	return fmt.Sprintf(`,"timings":{"cache_n":%d,"prompt_n":%d,"prompt_ms":%g,"predicted_n":%d,"predicted_ms":%g}`,
		q.cached, q.promptTokens-q.cached, seconds(q.first-q.admitted)*1e3, q.output, seconds(q.last-q.first)*1e3)
}
