package sim

import (
	"slices"
	"sync/atomic"
	"time"
)

// sequence is one request inside a model of time. The fields of the first
// group are fixed before it is submitted; those of the second belong to the
// model and are read under its lock.
type sequence struct {
	keys         []uint64 // of the prompt's full blocks
	sum          uint64   // hash of the prompt
	promptTokens int
	output       int // tokens it will generate
	maxOutput    int // tokens it might generate, as far as the engine can know
	stop         bool
	arrival      int64 // offset at which the model may know of it
	wake         chan struct{}
	produced     atomic.Int64 // tokens generated so far

	held      holding
	planned   int // prompt tokens to compute in this step; 0: decode; -1: neither
	computed  int // prompt tokens computed or found in the cache
	cached    int
	generated int
	gone      bool
	begun     bool
	admitted  int64 // offset, once begun
	first     int64 // offsets, once generated > 0
	last      int64
}

// tell hands n more tokens to the writer. It never blocks: the count is what
// the writer reads, the channel only wakes it.
func (q *sequence) tell(n int) {
	q.generated += n
	q.produced.Add(int64(n))
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// batch is the batching engine as a state machine without clock or goroutine:
// next says when the step that now begins will end, finish ends it.
// All times are nanosecond offsets. It is not safe for concurrent use.
type batch struct {
	Engine
	perStep int // tokens a decode step yields per sequence
	m       *metrics
	kv      *kvCache
	waiting []*sequence
	running []*sequence
	blocked bool  // the queue's head waits for KV blocks
	now     int64 // the model's own time: the end of the last step
	end     int64 // end of the step under way
}

func newBatch(e Engine, perStep int, m *metrics) *batch {
	return &batch{Engine: e, perStep: perStep, m: m, kv: newKVCache(e.KVTokens / e.BlockTokens)}
}

func (b *batch) blocks(tokens int) int { return (tokens + b.BlockTokens - 1) / b.BlockTokens }

// fits says whether a sequence could run if it were alone.
func (b *batch) fits(tokens int) bool { return b.blocks(tokens) <= b.kv.capacity }

// submit queues q. It reports false where the queue is full.
func (b *batch) submit(q *sequence) bool {
	soon := 0 // those which wait only for the step to end
	if !b.blocked {
		soon = b.MaxRunning - len(b.running)
	}
	if b.MaxQueue > 0 && len(b.waiting) >= b.MaxQueue+soon {
		return false
	}
	b.waiting = append(b.waiting, q)
	return true
}

// cancel takes q out: at once while it waits, else at the end of the step.
func (b *batch) cancel(q *sequence) {
	q.gone = true
	if i := slices.Index(b.waiting, q); i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
		b.m.aborted++
	}
}

// next begins a step and returns its end. It reports false when there is
// nothing to do.
func (b *batch) next(int64) (int64, bool) {
	b.sweep()
	if len(b.running) == 0 {
		if len(b.waiting) == 0 {
			return 0, false
		}
		b.now = max(b.now, b.waiting[0].arrival)
	}
	b.admit()
	b.end = b.now + max(1, int64(b.plan()))
	return b.end, true
}

// sweep drops the running sequences whose client has gone.
func (b *batch) sweep() {
	b.running = slices.DeleteFunc(b.running, func(q *sequence) bool {
		if q.gone {
			b.kv.give(q.held)
			b.m.aborted++
		}
		return q.gone
	})
}

// admit moves sequences from the queue's head while they fit. One that does
// not fit holds up those behind it: first come, first served.
func (b *batch) admit() {
	b.blocked = false
	for len(b.waiting) > 0 && len(b.running) < b.MaxRunning {
		q := b.waiting[0]
		if q.arrival > b.now {
			return
		}
		// The last prompt token is always computed: its output is the first
		// token. A cached block that holds it is no use.
		reusable := (q.promptTokens - 1) / b.BlockTokens
		held, ok := b.kv.take(q.keys, reusable, b.blocks(q.promptTokens+q.maxOutput))
		if !ok {
			b.blocked = true
			return
		}
		b.waiting = slices.Delete(b.waiting, 0, 1)
		q.held, q.begun, q.admitted = held, true, b.now
		q.cached = len(held.shared) * b.BlockTokens
		q.computed = q.cached
		b.running = append(b.running, q)
		b.m.admitted(q)
	}
}

// plan gives each running sequence its work in the step and returns the
// step's time.
func (b *batch) plan() time.Duration {
	budget, decoding, context := b.PrefillBudget, 0, 0
	for _, q := range b.running {
		if q.computed == q.promptTokens {
			q.planned = 0
			decoding++
			context += q.promptTokens + q.generated
			continue
		}
		q.planned = min(budget, q.promptTokens-q.computed)
		budget -= q.planned
		if q.planned == 0 {
			q.planned = -1
		}
	}
	prefill := b.PrefillBudget - budget
	took := time.Duration(float64(prefill) / b.PrefillRate * float64(time.Second))
	if decoding > 0 {
		took += b.DecodeBase + time.Duration(decoding)*b.DecodePerSequence + time.Duration(context)*b.DecodePerKToken/1000
	}
	return took
}

// finish ends the step under way at its planned end, whatever the clock says.
func (b *batch) finish(int64) {
	b.now = b.end
	for _, q := range b.running {
		switch {
		case q.gone || q.planned < 0:
		case q.planned == 0:
			b.emit(q, min(b.perStep, q.output-q.generated))
		default:
			known := q.computed / b.BlockTokens
			q.computed += q.planned
			if b.PrefixCache {
				full := min(len(q.keys), q.computed/b.BlockTokens)
				b.kv.learn(&q.held, q.keys[min(known, full):full])
			}
			if q.computed == q.promptTokens {
				b.emit(q, 1)
			}
		}
	}
	b.running = slices.DeleteFunc(b.running, func(q *sequence) bool {
		if q.gone || q.generated < q.output {
			return false
		}
		b.kv.give(q.held)
		b.m.finished(q)
		return true
	})
}

func (b *batch) emit(q *sequence, n int) {
	b.m.emitted(q, n, b.now)
	if q.generated == 0 {
		q.first = b.now
	}
	q.last = b.now
	q.tell(n)
}

func (b *batch) load() (running, waiting int, kv float64) {
	return len(b.running), len(b.waiting), float64(b.kv.used) / float64(b.kv.capacity)
}

func (b *batch) forget() { b.kv.forget() }
