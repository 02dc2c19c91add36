package sim

import (
	"runtime"
	"sync"
	"time"
)

// model is a model of time: it says when it moves on next, and moves.
type model interface {
	submit(q *sequence) bool
	cancel(q *sequence)
	next(now int64) (int64, bool)
	finish(now int64)
	sharedState
}

// sharedState is what the endpoint may ask of a model besides.
type sharedState interface {
	fits(tokens int) bool
	load() (running, waiting int, kv float64)
	forget()
}

// loop moves a model on, from one goroutine, and guards it.
type loop struct {
	mu      sync.Mutex
	model   model
	m       *metrics
	now     func() int64
	precise bool
	kick    chan struct{} // something was submitted
	quit    chan struct{}
	ended   chan struct{}
}

// facts are what a model knows of a sequence once the writer is through with it.
type facts struct {
	begun                 bool
	cached                int
	admitted, first, last int64
	generated             int
}

func (l *loop) submit(q *sequence) bool {
	l.mu.Lock()
	ok := l.model.submit(q)
	l.mu.Unlock()
	if ok {
		select {
		case l.kick <- struct{}{}:
		default:
		}
	}
	return ok
}

// fits says whether a request of so many tokens could ever run.
func (l *loop) fits(tokens int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.model.fits(tokens)
}

// leave takes q out of the model if it is still in it, and returns what the
// model knows of it.
func (l *loop) leave(q *sequence) facts {
	l.mu.Lock()
	defer l.mu.Unlock()
	if q.generated < q.output {
		l.model.cancel(q)
	}
	return facts{q.begun, q.cached, q.admitted, q.first, q.last, q.generated}
}

// run is the model's goroutine.
func (l *loop) run() {
	defer close(l.ended)
	for {
		l.mu.Lock()
		due, busy := l.model.next(l.now())
		l.mu.Unlock()
		if !busy {
			select {
			case <-l.kick:
				continue
			case <-l.quit:
				return
			}
		}
		if !l.sleepUntil(due) {
			return
		}
		l.mu.Lock()
		now := l.now()
		l.m.late(time.Duration(max(0, now-due)))
		l.model.finish(now)
		l.mu.Unlock()
	}
}

// sleepUntil reports false when the loop shall end.
func (l *loop) sleepUntil(due int64) bool {
	// In the kernel quit is only seen between naps.
	const nap = 10 * time.Millisecond
	for {
		wait := time.Duration(due - l.now())
		if wait <= 0 {
			return !closed(l.quit)
		}
		if l.precise {
			if closed(l.quit) {
				return false
			}
			// The writers just woken run first: they would else be queued
			// behind a goroutine that sleeps with its processor in hand.
			runtime.Gosched()
			kernelSleep(min(time.Duration(due-l.now()), nap))
			continue
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-l.quit:
			t.Stop()
			return false
		}
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
