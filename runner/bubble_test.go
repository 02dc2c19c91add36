package runner

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"benchline/runner/plan"
	"benchline/runner/reqlog"
	"benchline/runner/sim"
)

// pipes is a network within a bubble, whose clock a real socket would stop.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- far:
		return near, nil
	case <-p.closed:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// world is a bubble with a simulated endpoint, or another handler, in it.
type world struct {
	sim     *sim.Server
	options Options
	jobs    chan<- func()
	done    <-chan struct{}
}

// outside runs f outside of the bubble: the Parquet reader keeps channels in
// pools, which may not be made in one bubble and used in another.
func (w *world) outside(f func()) {
	w.jobs <- f
	<-w.done
}

func (w *world) rows(t *testing.T, r Result) (rows []reqlog.Row) {
	t.Helper()
	var err error
	w.outside(func() { rows, err = readRows(r.Dir) })
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// inBubble runs f on a clock that moves only when all wait, against an
// endpoint whose first token comes after 100 ms and the others every 20 ms.
func inBubble(t *testing.T, change func(*sim.Config), handler http.Handler, f func(*testing.T, *world)) {
	t.Helper()
	o := options(t)
	jobs, done := make(chan func()), make(chan struct{}) // made outside, so that the bubble's clock stands while they are used
	defer close(jobs)
	go func() {
		for f := range jobs {
			f()
			done <- struct{}{}
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		cfg := sim.Default()
		cfg.Now = time.Now
		cfg.Metronome = &sim.Metronome{TTFT: 100 * time.Millisecond, ITL: 20 * time.Millisecond}
		if change != nil {
			change(&cfg)
		}
		s, err := sim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if handler == nil {
			handler = s
		}
		net := newPipes()
		server := &http.Server{Handler: handler} //nolint:gosec // no stranger reaches it
		served := make(chan struct{})
		go func() {
			_ = server.Serve(net) // until it is closed
			close(served)
		}()
		o.Dial = net.dial
		defer func() {
			_ = net.Close()
			_ = server.Close()
			<-served
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}()
		f(t, &world{sim: s, options: o, jobs: jobs, done: done})
	})
}

// run runs a plan whose runs must all be finished.
func (w *world) run(ctx context.Context, t *testing.T, p plan.Plan) []Result {
	t.Helper()
	results, err := Run(ctx, p, w.options)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// truths are the endpoint's records by request ID.
func (w *world) truths() map[string]sim.Truth {
	all := map[string]sim.Truth{}
	for _, x := range w.sim.Truth() {
		all[x.RequestID] = x
	}
	return all
}

func split(rows []reqlog.Row) (warm, measured []reqlog.Row) {
	for _, r := range rows {
		if r.Phase == reqlog.WarmupPhase {
			warm = append(warm, r)
		} else {
			measured = append(measured, r)
		}
	}
	return warm, measured
}

const usual = `[drain]
grace = "5s"
[timeouts]
total = "30s"`

func closed(concurrency string) string { return "mode = \"closed\"\nconcurrency = " + concurrency }

func open(rate, arrivals, most string) string {
	return "mode = \"open\"\nrates = [\"" + rate + "\"]\narrivals = \"" + arrivals + "\"\nmax_in_flight = " + most
}
