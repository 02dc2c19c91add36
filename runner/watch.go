package runner

import (
	"context"
	"math"
	"runtime"
	"runtime/metrics"
	"time"

	"benchline/runner/reqlog"
)

const (
	tick      = 10 * time.Millisecond
	gcPauses  = "/sched/pauses/total/gc:seconds"
	wallEvery = 100 // ticks between two looks at the wall clock
)

// watch observes this process while something is measured.
type watch struct {
	clock  Clock
	start  time.Time // of the run; its wall time is what steps are measured from
	began  time.Time
	cpu    time.Duration
	pauses pauses
	stop   context.CancelFunc
	done   chan struct{}
	late   lags
	step   time.Duration // largest in size
}

func startWatch(ctx context.Context, clock Clock, start time.Time) *watch {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	w := &watch{clock: clock, start: start, began: start.Add(time.Since(start)), cpu: cpuTime(), pauses: readPauses(),
		stop: cancel, done: make(chan struct{})}
	go w.ticker(ctx)
	return w
}

// ticker notes how late it wakes. Ticks that a long delay swallowed are
// noted too, each with its own lateness.
func (w *watch) ticker(ctx context.Context) {
	defer close(w.done)
	timer := time.NewTimer(tick)
	defer timer.Stop()
	for n := 1; ; n++ {
		due := time.Duration(n) * tick
		timer.Reset(max(0, due-time.Since(w.began)))
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		w.late = append(w.late, int64(max(0, time.Since(w.began)-due)))
		if n%wallEvery == 0 {
			w.look()
		}
	}
}

// look compares the wall clock with the monotonic one.
func (w *watch) look() {
	wall := w.clock().Round(0).Sub(w.start.Round(0))
	if step := wall - time.Since(w.start); step.Abs() > w.step.Abs() {
		w.step = step
	}
}

// end stops watching and says what was seen.
func (w *watch) end() reqlog.Health {
	w.stop()
	<-w.done
	w.look()
	ticks, median := int64(len(w.late)), w.late.quantile(500)
	h := reqlog.Health{
		Ticks:         &ticks,
		SchedLagP50NS: &median,
		SchedLagP99NS: w.late.quantile(990),
		SchedLagMaxNS: w.late.quantile(1000),
		CPUSeconds:    (cpuTime() - w.cpu).Seconds(),
		Cores:         min(runtime.GOMAXPROCS(0), runtime.NumCPU()),
		WallStepNS:    int64(w.step),
	}
	if wall := time.Since(w.began).Seconds(); wall > 0 {
		h.CPUShare = min(1, h.CPUSeconds/(wall*float64(h.Cores)))
	}
	h.GCPauses, h.GCPauseMaxNS = readPauses().since(w.pauses)
	return h
}

// pauses is the runtime's histogram of stop-the-world times for garbage
// collection.
type pauses struct {
	counts []uint64
	bounds []float64 // seconds; one more than counts
}

func readPauses() pauses {
	s := []metrics.Sample{{Name: gcPauses}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindFloat64Histogram {
		return pauses{}
	}
	h := s[0].Value.Float64Histogram()
	return pauses{h.Counts, h.Buckets}
}

// since counts the pauses since before, and bounds the longest from above by
// the end of its bucket.
func (p pauses) since(before pauses) (n, maxNS int64) {
	if len(p.counts) != len(before.counts) {
		return 0, 0
	}
	for i, c := range p.counts {
		d := c - before.counts[i]
		if d == 0 {
			continue
		}
		n += int64(d) //nolint:gosec // a number of pauses
		bound := p.bounds[i+1]
		if math.IsInf(bound, 1) {
			bound = p.bounds[i]
		}
		maxNS = int64(bound * 1e9)
	}
	return n, maxNS
}
