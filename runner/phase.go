package runner

import (
	"context"
	"errors"
	"sync"
	"time"

	"benchline/runner/internal/pace"
	"benchline/runner/internal/target"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// The reasons for which a request in flight is stopped.
var (
	errOver        = errors.New("observation ended")
	errInterrupted = errors.New("interrupted by the caller")
)

// Classes of requests that were never sent.
const (
	tooManyInFlight = "max_in_flight" // as many were open as the plan allows
	notSentAnyMore  = "interrupted"   // the run was ended before
)

// phase is one part of a run: what is to be sent, how, and until when.
type phase struct {
	name     reqlog.Phase
	count    int64         // stop after so many; 0: not by count
	span     time.Duration // stop after so long; 0: not by time
	least    int64         // under span: send at least so many all the same
	base     int64         // number of the first request
	grace    time.Duration
	seed     uint64
	point    plan.Point
	most     int64 // open loop: requests in flight at once
	client   *target.Client
	feed     *feed
	rec      *recorder
	live     *live
	draining func() // told when nothing more is sent
}

// bounds of a phase as it was, offsets in nanoseconds.
type bounds struct{ from, sendEnd, observedTo int64 }

// sender carries out one phase.
type sender struct {
	phase
	ctx      context.Context // ends when the caller wants no more
	request  context.Context // of the requests; ended with the reason
	stop     context.CancelCauseFunc
	from     int64
	open     sync.WaitGroup
	spent    chan struct{} // closed when nothing more will be sent
	spend    sync.Once
	next     int64 // closed loop: how many were taken
	nextLock sync.Mutex
}

// run sends, drains and settles. After it, the recorder has a row for every
// request that was planned.
func (p *phase) run(ctx context.Context) bounds {
	s := &sender{phase: *p, ctx: ctx, spent: make(chan struct{})}
	s.request, s.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	defer s.stop(nil)
	if p.count > 0 {
		p.live.reset(p.count)
		p.rec.plan(p.count)
	} else {
		p.live.reset(-1)
	}
	s.from = p.client.Now()
	if p.point.Rate != nil {
		s.open.Go(s.schedule)
	} else {
		s.open.Go(s.openSlots)
	}
	b := s.drain()
	if p.count > 0 && p.point.Rate == nil {
		s.neverTaken(b.sendEnd)
	}
	p.rec.settle(b.observedTo)
	return b
}

// over reports whether a request that is due at offset due from the start of
// the phase, as the n-th, is beyond its end.
func (s *sender) over(due time.Duration, n int64) bool {
	if s.count > 0 {
		return n >= s.count
	}
	return due >= s.span && n >= s.least
}

// done says that nothing more will be sent.
func (s *sender) done() { s.spend.Do(func() { close(s.spent) }) }

// between is the time between the openings of two slots. Opened all at once,
// a thousand connections queue for the processor, here and often at the
// endpoint, with their clocks running: the client would measure itself.
const between = 100 * time.Microsecond

// openSlots opens the slots of a closed loop one after another.
func (s *sender) openSlots() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for k := range s.point.Concurrency {
		due := s.from + int64(k)*int64(between)
		if !s.wait(timer, due) {
			return
		}
		s.open.Go(func() { s.slot(due) })
	}
}

// slot is one of the requests that a closed loop keeps in flight; it is free
// for the first time when it is due.
func (s *sender) slot(due int64) {
	for ; ; due = s.client.Now() {
		it := s.take(due)
		if it == nil {
			return
		}
		s.live.inFlight.Add(1)
		s.send(it, due)
	}
}

// take gives a free slot its next request, or nil when there is none.
func (s *sender) take(due int64) *item {
	s.nextLock.Lock()
	defer s.nextLock.Unlock()
	if s.ctx.Err() != nil || s.over(time.Duration(due-s.from), s.next) {
		s.done()
		return nil
	}
	it, ok := <-s.feed.items
	if !ok {
		s.done()
		return nil
	}
	s.next++
	s.due()
	if s.next == s.count {
		s.done()
	}
	return it
}

// neverTaken records what a closed loop with a count did not come to.
func (s *sender) neverTaken(due int64) {
	for i := s.next; i < s.count; i++ {
		s.rec.never(s.base+i, due, due, int64(s.point.InputTokens), int64(s.point.OutputTokens), notSentAnyMore)
	}
}

// schedule sends an open loop: each request when it is due, or as soon after
// as it can be, or never.
func (s *sender) schedule() {
	defer s.done()
	due := pace.NewOpen(*s.point.Rate, s.point.Arrivals, s.seed)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for n := int64(0); ; n++ {
		at := due.Next()
		if s.over(at, n) {
			return
		}
		dueNS := s.from + int64(at)
		if !s.wait(timer, dueNS) {
			if s.count == 0 && dueNS > s.client.Now() {
				return // it never became due
			}
			s.unsent(n, dueNS, notSentAnyMore)
			continue
		}
		it, ok := <-s.feed.items
		switch {
		case !ok:
			s.unsent(n, dueNS, notSentAnyMore)
		case s.live.inFlight.Load() >= s.most:
			s.unsent(n, dueNS, tooManyInFlight)
		default:
			s.due()
			s.live.inFlight.Add(1)
			s.open.Go(func() { s.send(it, dueNS) })
		}
	}
}

// due counts a request that has become due.
func (s *sender) due() {
	s.live.due.Add(1)
	if s.count == 0 {
		s.rec.plan(1)
	}
}

// unsent records a request of an open loop that was due and is not sent.
func (s *sender) unsent(n, dueNS int64, why string) {
	s.due()
	s.rec.never(s.base+n, dueNS, s.client.Now(), int64(s.point.InputTokens), int64(s.point.OutputTokens), why)
}

// wait waits for a due time. It reports false when nothing is to be sent any
// more.
func (s *sender) wait(timer *time.Timer, due int64) bool {
	if s.ctx.Err() != nil {
		return false
	}
	left := due - s.client.Now()
	if left <= 0 {
		return true
	}
	timer.Reset(time.Duration(left))
	select {
	case <-timer.C:
		return true
	case <-s.ctx.Done():
		return false
	}
}

// send sends one request and records its end. The caller has counted it as
// in flight.
func (s *sender) send(it *item, due int64) {
	now := s.live.inFlight.Load()
	s.live.sent.Add(1)
	res := s.client.Do(s.request, it.wire, func(ns int64, id string) { s.rec.sent(it, due, ns, id) })
	r := row(it, s.rec.phase, due, now, &res, s.rec.keepText)
	if res.Outcome == target.Stopped {
		r.Outcome = reqlog.Cancelled
		if errors.Is(context.Cause(s.request), errOver) {
			r.Outcome = reqlog.Unresolved
		}
		at := s.client.Now()
		r.EndNS = &at
	}
	s.live.inFlight.Add(-1)
	s.rec.ended(r)
}

// drain waits until all is sent, and then for what is in flight, for no
// longer than the grace.
func (s *sender) drain() bounds {
	idle := make(chan struct{})
	go func() { s.open.Wait(); close(idle) }()
	s.sending()
	b := bounds{from: s.from, sendEnd: s.client.Now()}
	s.draining()
	if s.ctx.Err() == nil {
		s.waitFor(idle)
	}
	if s.ctx.Err() != nil {
		s.stop(errInterrupted)
	} else {
		s.stop(errOver)
	}
	cut := s.client.Now()
	<-idle
	b.sendEnd = max(b.sendEnd, s.rec.lastSentNS)
	b.observedTo = max(b.sendEnd, s.rec.lastEndNS)
	if len(s.rec.open) > 0 {
		b.observedTo = max(b.observedTo, cut)
	}
	return b
}

// sending returns when nothing more will be sent. Where time alone ends the
// phase, that is at its end, although the last request may have been due and
// sent before.
func (s *sender) sending() {
	if s.span == 0 || s.least > 0 {
		select {
		case <-s.spent:
		case <-s.ctx.Done():
		}
		return
	}
	end := time.NewTimer(time.Duration(s.from) + s.span - time.Duration(s.client.Now()))
	defer end.Stop()
	select {
	case <-end.C:
	case <-s.ctx.Done():
	}
}

// waitFor waits for the requests in flight, the grace, or the caller.
func (s *sender) waitFor(idle <-chan struct{}) {
	grace := time.NewTimer(s.grace)
	defer grace.Stop()
	select {
	case <-idle:
	case <-grace.C:
	case <-s.ctx.Done():
	}
}
