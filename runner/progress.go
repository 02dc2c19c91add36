package runner

import (
	"sync"
	"time"

	"benchline/runner/plan"
)

// reportEvery is the time between two events.
const reportEvery = 250 * time.Millisecond

// rateOver is how many events the live rate looks back.
const rateOver = 20

// progress tells the caller how a run goes.
type progress struct {
	s     *session
	one   one
	index int
	start time.Time
	live  *live

	mu       sync.Mutex
	now      Stage
	part     time.Time // when the part began that is going on
	measured bool      // that part, or what follows it, is the measured one
	samples  []sample  // of this part, the oldest first
	stop     chan struct{}
	stopped  chan struct{}
}

type sample struct {
	at     time.Time
	chunks int64
}

func startProgress(s *session, r one, index int, start time.Time, l *live) *progress {
	p := &progress{s: s, one: r, index: index, start: start, live: l, now: Preparing, part: start,
		stop: make(chan struct{}), stopped: make(chan struct{})}
	go p.report()
	return p
}

func (p *progress) report() {
	defer close(p.stopped)
	if p.s.o.Progress == nil {
		<-p.stop
		return
	}
	t := time.NewTicker(reportEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			p.s.o.Progress(p.event())
		case <-p.stop:
			p.s.o.Progress(p.event())
			return
		}
	}
}

// stage says what the run is doing from now on.
func (p *progress) stage(s Stage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.s.o.Clock()
	p.now = s
	if s == WarmingUp || s == Measuring {
		p.part, p.samples, p.measured = now, p.samples[:0], s == Measuring
	}
}

// end reports a last time and stops.
func (p *progress) end() {
	close(p.stop)
	<-p.stopped
}

func (p *progress) event() Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.s.o.Clock()
	l := p.live
	e := Event{
		Run: p.index + 1, Runs: len(p.s.runs), RunID: p.one.id, Point: p.one.point, Repeat: p.one.repeat, Stage: p.now,
		Planned: l.planned.Load(), Due: l.due.Load(), Sent: l.sent.Load(), Completed: l.completed.Load(), Ended: l.ended.Load(),
		InFlight: l.inFlight.Load(), NeverSent: l.never.Load(), OutputTokens: l.tokens.Load(),
		Elapsed: now.Sub(p.start),
	}
	e.OutputRate = p.rate(now)
	e.Left = p.left(now, e)
	return e
}

// rate estimates the output tokens per second of the last samples.
func (p *progress) rate(now time.Time) *float64 {
	p.samples = append(p.samples, sample{now, p.live.chunks.Load()})
	if len(p.samples) > rateOver {
		p.samples = p.samples[1:]
	}
	first, last := p.samples[0], p.samples[len(p.samples)-1]
	span := last.at.Sub(first.at).Seconds()
	tokens, chunks := p.live.tokens.Load(), p.live.tokenChunks.Load()
	if span <= 0 || chunks == 0 {
		return nil
	}
	rate := float64(last.chunks-first.chunks) / span * float64(tokens) / float64(chunks)
	return &rate
}

// left estimates how long the plan still takes; nil: not known.
func (p *progress) left(now time.Time, e Event) *time.Duration {
	this := p.leftOfRun(now, e)
	if this == nil {
		return nil
	}
	later := p.leftOfOthers(now)
	if later == nil {
		return nil
	}
	sum := *this + *later
	return &sum
}

// leftOfRun estimates the rest of this run; before the measured part that is
// known only where time ends it.
func (p *progress) leftOfRun(now time.Time, e Event) *time.Duration {
	stop := p.s.spec.Stop.Duration
	in := now.Sub(p.part)
	var d time.Duration
	switch done := float64(e.Ended + e.NeverSent); {
	case !p.measured && stop > 0:
		d = stop + max(0, p.s.spec.Warmup.Duration-in)
	case !p.measured:
		return nil
	case e.Stage == Draining || e.Stage == Writing:
	case stop > 0:
		d = max(0, stop-in)
	case done == 0:
		return nil
	default:
		d = time.Duration(float64(in) * max(0, float64(e.Planned)-done) / done)
	}
	return &d
}

// leftOfOthers estimates the runs after this one: from what the plan says of
// them, else from how long the runs before took.
func (p *progress) leftOfOthers(now time.Time) *time.Duration {
	needs := map[int]float64{}
	for _, n := range p.s.plan.Needs().Points {
		needs[n.Point.Index] = n.Seconds
	}
	sofar := now.Sub(p.s.began).Seconds() / float64(p.index+1)
	var sum float64
	for _, r := range p.s.runs[p.index+1:] {
		switch s := needs[r.point.Index]; {
		case s != plan.Unknown:
			sum += s
		case p.index > 0:
			sum += sofar
		default:
			return nil
		}
	}
	d := time.Duration(sum * float64(time.Second))
	return &d
}
