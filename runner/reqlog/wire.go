package reqlog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// wire carries values between memory and a payload. The same method walks a
// row in both directions, so that what is written and what is read cannot
// drift apart. Integers are zigzag varints, most of them relative to a near
// one; a nullable value has one byte before it that says whether it is there.
type wire struct {
	buf     []byte
	reading bool
	err     error
	intern  map[string]string // repeated strings, when reading
}

// errShort is what a payload that does not hold what it says fails with.
var errShort = errors.New("payload is cut short or malformed")

func (w *wire) fail(err error) {
	if w.err == nil {
		w.err = err
	}
	w.buf = nil
}

// int64 carries *v as its difference from base.
func (w *wire) int64(v *int64, base int64) {
	if !w.reading {
		w.buf = binary.AppendVarint(w.buf, *v-base)
		return
	}
	d, n := binary.Varint(w.buf)
	if n <= 0 {
		w.fail(errShort)
		return
	}
	w.buf = w.buf[n:]
	*v = d + base
}

func (w *wire) int32(v *int32) {
	x := int64(*v)
	w.int64(&x, 0)
	if x < math.MinInt32 || x > math.MaxInt32 {
		w.fail(errShort)
		return
	}
	*v = int32(x)
}

func (w *wire) bool(v *bool) {
	if !w.reading {
		b := byte(0)
		if *v {
			b = 1
		}
		w.buf = append(w.buf, b)
		return
	}
	if len(w.buf) == 0 || w.buf[0] > 1 {
		w.fail(errShort)
		return
	}
	*v = w.buf[0] == 1
	w.buf = w.buf[1:]
}

// optional carries whether *p is nil, and then the value through carry.
func optional[T any](w *wire, p **T, carry func(*T)) {
	there := *p != nil
	w.bool(&there)
	if !there || w.err != nil {
		return
	}
	if w.reading {
		*p = new(T)
	}
	carry(*p)
}

func (w *wire) optInt64(p **int64, base int64) {
	optional(w, p, func(v *int64) { w.int64(v, base) })
}

func (w *wire) optInt32(p **int32) { optional(w, p, w.int32) }
func (w *wire) optBool(p **bool)   { optional(w, p, w.bool) }

func (w *wire) length(n int) int {
	if !w.reading {
		w.buf = binary.AppendUvarint(w.buf, uint64(n))
		return n
	}
	u, k := binary.Uvarint(w.buf)
	// Every element takes at least a byte: no length can ask for more memory
	// than the payload has.
	if k <= 0 || u > uint64(len(w.buf)-k) {
		w.fail(errShort)
		return 0
	}
	w.buf = w.buf[k:]
	return int(u)
}

func (w *wire) string(s *string) {
	n := w.length(len(*s))
	if !w.reading {
		w.buf = append(w.buf, *s...)
		return
	}
	*s = string(w.buf[:n])
	w.buf = w.buf[n:]
}

// word is string for texts that repeat from row to row.
func (w *wire) word(s *string) {
	if !w.reading || w.intern == nil {
		w.string(s)
		return
	}
	n := w.length(0)
	known, ok := w.intern[string(w.buf[:n])]
	if !ok {
		known = string(w.buf[:n])
		if len(w.intern) < 4096 {
			w.intern[known] = known
		}
	}
	*s = known
	w.buf = w.buf[n:]
}

// choice carries one of a closed list as its place in the list.
func choice[T ~string](w *wire, v *T, list []T) {
	if w.reading {
		if len(w.buf) == 0 || int(w.buf[0]) >= len(list) {
			w.fail(errShort)
			return
		}
		*v = list[w.buf[0]]
		w.buf = w.buf[1:]
		return
	}
	for i, x := range list {
		if x == *v {
			w.buf = append(w.buf, byte(i))
			return
		}
	}
	w.fail(fmt.Errorf("unknown value %q", string(*v)))
}

// gaps carries each gap as its difference from the one before.
func (w *wire) gaps(g *[]int64) {
	n := w.length(len(*g))
	if w.reading && n > 0 {
		*g = make([]int64, n)
	}
	last := int64(0)
	for i := range *g {
		w.int64(&(*g)[i], last)
		if w.err != nil {
			return
		}
		last = (*g)[i]
	}
}

// done reports the first error; a payload with bytes left over is one.
func (w *wire) done() error {
	if w.err == nil && w.reading && len(w.buf) > 0 {
		return errShort
	}
	return w.err
}

// phases and outcomes are in the order of their codes, which never change.
func phases() []Phase { return []Phase{WarmupPhase, MeasurePhase} }

func outcomes() []Outcome {
	return []Outcome{Completed, Failed, Rejected, TimedOut, Cancelled, Unresolved, NeverSent}
}

// row carries a whole row: payload of an "ended" frame.
func (w *wire) row(r *Row) {
	w.int64(&r.Seq, 0)
	choice(w, &r.Phase, phases())
	w.int64(&r.DueNS, 0)
	w.optInt64(&r.SentNS, r.DueNS)
	w.optInt64(&r.FirstSentNS, r.DueNS)
	w.int32(&r.Attempts)
	w.optBool(&r.ConnReused)
	w.optInt64(&r.ConnectNS, 0)
	w.optInt64(&r.HeadersNS, r.DueNS)
	w.optInt64(&r.FirstByteNS, r.DueNS)
	w.optInt64(&r.FirstTokenNS, r.DueNS)
	w.optInt64(&r.FirstAnswerNS, r.DueNS)
	w.optInt64(&r.LastTokenNS, r.DueNS)
	w.optInt64(&r.EndNS, r.DueNS)
	choice(w, &r.Outcome, outcomes())
	w.word(&r.ErrorClass)
	w.word(&r.ErrorText)
	w.optInt32(&r.HTTPStatus)
	w.optInt64(&r.RetryAfter, 0)
	w.rowContent(r)
}

func (w *wire) rowContent(r *Row) {
	w.int64(&r.AskedInputTokens, 0)
	w.int64(&r.AskedOutputTokens, 0)
	w.optInt64(&r.InputTokens, 0)
	w.optInt64(&r.OutputTokens, 0)
	w.optInt64(&r.ReasoningTokens, 0)
	w.optInt64(&r.CachedTokens, 0)
	w.word(&r.TokenSource)
	w.word(&r.FinishReason)
	w.bool(&r.SawDone)
	w.int32(&r.Chunks)
	w.gaps(&r.ChunkGapsNS)
	w.bool(&r.GapsRecorded)
	w.optInt64(&r.ServerPrefillNS, 0)
	w.optInt64(&r.ServerDecodeNS, 0)
	w.string(&r.RequestID)
	w.string(&r.PromptHash)
	w.string(&r.PromptText)
	w.string(&r.AnswerText)
	w.int32(&r.InFlightNow)
}

// sent is the payload of a "sent" frame.
type sent struct {
	seq               int64
	phase             Phase
	dueNS, sentNS     int64
	askedIn, askedOut int64
	requestID, hash   string
}

func (w *wire) sent(s *sent) {
	w.int64(&s.seq, 0)
	choice(w, &s.phase, phases())
	w.int64(&s.dueNS, 0)
	w.int64(&s.sentNS, s.dueNS)
	w.int64(&s.askedIn, 0)
	w.int64(&s.askedOut, 0)
	w.string(&s.requestID)
	w.string(&s.hash)
}
