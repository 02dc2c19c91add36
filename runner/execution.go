package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"benchline/runner/internal/pace"
	"benchline/runner/internal/probe"
	"benchline/runner/internal/target"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// execution is one run while it goes on.
type execution struct {
	*session
	one
	start    time.Time
	log      *reqlog.Writer
	client   *target.Client
	live     *live
	progress *progress
	notes    []string
	fail     func(error) // ends the run early
}

// failure marks a cause of the run's own for ending it early.
type failure struct{ error }

// Unwrap gives what failed.
func (f failure) Unwrap() error { return f.error }

// carryOut does the warm-up and the measured part. Its manifest is complete
// but for what only the log's writer knows.
func (e *execution) carryOut(caller context.Context) (reqlog.Manifest, error) {
	ctx, stop := context.WithCancelCause(caller)
	defer stop(nil)
	e.fail = func(err error) { stop(failure{err}) }
	m := reqlog.Manifest{State: reqlog.Complete, Facts: e.facts}
	warm := e.warmup()
	rest := e.phase(reqlog.MeasurePhase, int64(e.spec.Stop.Requests), e.spec.Stop.Duration)
	e.prepare(ctx, warm, rest)
	if warm.count > 0 || warm.span > 0 {
		f := e.feed(ctx, warm)
		e.progress.stage(WarmingUp)
		b := e.send(ctx, warm, f)
		m.Windows.WarmupFromNS = &b.from
		m.Warmup = warm.rec.ledger
		if n := m.Warmup.Unresolved; n > 0 {
			e.note("%d requests of the warm-up were still open after its grace and were cut off before the measured part; the endpoint may have gone on with them.", n)
		}
		rest.base = m.Warmup.Planned
	}
	before := e.scrape(ctx)
	e.measure(ctx, rest, &m)
	if before != nil {
		m.Metrics = probe.Diff(before, e.scrape(context.WithoutCancel(ctx)))
	}
	if !m.Ledger.Balances() || !m.Warmup.Balances() {
		m.Health.Verdict = reqlog.Void
		m.Health.Reasons = append(m.Health.Reasons, "The ledger does not balance: requests are missing or were counted twice.")
	}
	var own failure
	switch {
	case errors.As(context.Cause(ctx), &own):
		m.State = reqlog.Interrupted
		e.note("Ended early: %v.", own.error)
	case ctx.Err() != nil:
		m.State = reqlog.Interrupted
		e.note("Interrupted before its end.")
	}
	m.Note = strings.Join(e.notes, " ")
	return m, own.error
}

func (e *execution) note(format string, args ...any) {
	e.notes = append(e.notes, fmt.Sprintf(format, args...))
}

// phase is a part of this run that stops by count or time.
func (e *execution) phase(name reqlog.Phase, count int64, span time.Duration) phase {
	p := phase{
		name: name, count: count, span: span, grace: e.spec.Drain.Grace,
		seed: pace.Seed(e.spec.Workload.Seed, e.repeat, string(name)), point: e.point, client: e.client, live: e.live,
		rec:      &recorder{log: e.log, live: e.live, phase: name, keepText: e.spec.Workload.KeepText, fail: e.fail},
		draining: func() { e.progress.stage(Draining) },
	}
	if open, ok := e.spec.Load.(plan.Open); ok {
		p.most = int64(open.MaxInFlight)
	}
	return p
}

// warmup loads the endpoint as the measured part will. Under the warm cache
// policy it sends every prompt of the pool at least once.
func (e *execution) warmup() phase {
	p := e.phase(reqlog.WarmupPhase, int64(e.spec.Warmup.Requests), e.spec.Warmup.Duration)
	if e.spec.Cache.Policy != plan.Warm {
		return p
	}
	if pool := int64(e.spec.Cache.Pool); p.span > 0 {
		p.least = pool
	} else {
		p.count = max(p.count, pool)
	}
	return p
}

// expected is about how many requests a phase will send.
func (p *phase) expected() int64 {
	switch {
	case p.count > 0:
		return p.count
	case p.point.Rate != nil:
		return max(p.least, int64(p.point.Rate.PerSecond()*p.span.Seconds())+1)
	default:
		const rounds = 4 // it is not known: enough to begin with
		return max(p.least, int64(rounds*p.point.Concurrency))
	}
}

// prepare makes prompts beforehand whose tokens the endpoint must count.
func (e *execution) prepare(ctx context.Context, phases ...phase) {
	for _, p := range phases {
		if p.count == 0 && p.span == 0 {
			continue
		}
		made, err := e.source.Prepare(ctx, e.point, e.id, string(p.name), p.expected())
		if err != nil && ctx.Err() == nil {
			e.fail(fmt.Errorf("making prompts: %w", err))
			return
		}
		if e.spec.Workload.Words == "endpoint" && (made < p.expected() || p.count == 0) && e.spec.Cache.Policy != plan.Warm {
			e.note("Of the prompts of the %s part, %d were counted beforehand; any further ones were counted by the endpoint while it was loaded.", p.name, made)
		}
	}
}

// feed begins to make the requests of a phase and waits until enough are
// ready for it to begin.
func (e *execution) feed(ctx context.Context, p phase) *feed {
	const openAhead = 256
	ahead := 4 * p.point.Concurrency
	if p.point.Rate != nil {
		ahead = openAhead
	}
	m := &maker{client: e.client, source: e.source, point: e.point, runID: e.id, keepText: e.spec.Workload.KeepText}
	f := m.feed(ctx, p.name, p.base, p.count, ahead)
	<-f.ready
	return f
}

// send carries out a phase.
func (e *execution) send(ctx context.Context, p phase, f *feed) bounds {
	p.feed = f
	b := p.run(ctx)
	if err := f.close(); err != nil {
		e.fail(err)
	}
	return b
}

// measure is the measured part, watched.
func (e *execution) measure(ctx context.Context, p phase, m *reqlog.Manifest) {
	f := e.feed(ctx, p)
	m.Windows.MeasureFromNS = e.client.Now()
	if err := e.log.Draft(*m); err != nil {
		e.fail(fmt.Errorf("%w: %w", ErrLog, err))
	}
	e.progress.stage(Measuring)
	w := startWatch(ctx, e.o.Clock, e.start)
	b := e.send(ctx, p, f)
	h := w.end()
	m.Windows.MeasureFromNS, m.Windows.SendEndNS, m.Windows.ObservedToNS = b.from, b.sendEnd, b.observedTo
	m.Ledger = p.rec.ledger
	p.rec.observed(&h)
	h.OpenFileLimit = e.fileLimit
	concurrency := int64(e.point.Concurrency)
	if ctx.Err() != nil || p.count > 0 && p.count < concurrency {
		concurrency = 0 // it was not to be reached
	}
	h.Verdict, h.Reasons = Judge(h, concurrency)
	m.Health = h
	const visible = 100 * time.Millisecond
	if step := time.Duration(h.WallStepNS); step.Abs() >= visible {
		e.note("The wall clock moved by %.1f s against the monotonic one; times are of the monotonic clock.", step.Seconds())
	}
}

// scrape reads the endpoint's metrics page; nil where there is none.
func (e *execution) scrape(ctx context.Context) map[string]float64 {
	const patience = 5 * time.Second
	url := e.spec.Endpoint.MetricsURL
	switch url {
	case "none":
		return nil
	case "":
		url = e.spec.Endpoint.BaseURL + "/metrics"
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	metrics, err := probe.Scrape(ctx, e.web, url)
	if err != nil && ctx.Err() == nil {
		e.note("The endpoint's metrics page could not be read: %v.", err)
	}
	if err != nil {
		return nil
	}
	return metrics
}
