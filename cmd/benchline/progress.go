package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"benchline/runner"
)

// plainEvery is how often a line is printed where there is no terminal.
const plainEvery = 5 * time.Second

// progress shows how a plan goes: one live line on a terminal, a line now and
// then elsewhere. It is for the eye; nothing is computed from it.
type progress struct {
	w    io.Writer
	bars *mpb.Progress // nil: not a terminal
	bar  *mpb.Bar

	mu   sync.Mutex
	last runner.Event
	said time.Duration // Elapsed when the last plain line was printed
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if width, ok := onTerminal(w); ok {
		p.bars = mpb.New(mpb.WithOutput(w), mpb.WithWidth(max(20, min(width-4, 120))), mpb.WithRefreshRate(250*time.Millisecond))
	}
	return p
}

// show takes one event; the runner calls it at most four times a second.
func (p *progress) show(ev runner.Event) {
	p.mu.Lock()
	previous := p.last
	p.last = ev
	p.mu.Unlock()
	newStage := previous.RunID != ev.RunID || previous.Stage != ev.Stage
	if p.bars == nil {
		if newStage || ev.Elapsed-p.said >= plainEvery {
			p.said = ev.Elapsed
			fmt.Fprintln(p.w, describe(ev))
		}
		return
	}
	if previous.RunID != ev.RunID {
		p.finishBar()
		p.bar = p.bars.AddBar(0, mpb.BarRemoveOnComplete(), mpb.BarWidth(16),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return p.text() })))
	}
	if ev.Planned > 0 {
		p.bar.SetTotal(ev.Planned, false)
	}
	p.bar.SetCurrent(ev.Ended)
}

func (p *progress) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return describe(p.last)
}

func (p *progress) finishBar() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bar = nil
	}
}

// end takes the live line away.
func (p *progress) end() {
	if p.bars != nil {
		p.finishBar()
		p.bars.Wait()
	}
}

// describe is one event in words.
func describe(ev runner.Event) string {
	parts := []string{fmt.Sprintf("run %d/%d %s %s", ev.Run, ev.Runs, ev.Point.Slug, ev.Stage)}
	switch ev.Stage {
	case runner.WarmingUp, runner.Measuring, runner.Draining:
		done := fmt.Sprintf("%d done", ev.Ended)
		if ev.Planned > 0 {
			done = fmt.Sprintf("%d/%d done", ev.Ended, ev.Planned)
		}
		parts = append(parts, done, fmt.Sprintf("%d in flight", ev.InFlight))
		if failed := ev.Ended - ev.Completed; failed > 0 {
			parts = append(parts, fmt.Sprintf("%d failed", failed))
		}
		if ev.NeverSent > 0 {
			parts = append(parts, fmt.Sprintf("%d never sent", ev.NeverSent))
		}
		if ev.OutputRate != nil {
			parts = append(parts, fmt.Sprintf("about %.0f output tokens/s", *ev.OutputRate))
		}
	case runner.Preparing, runner.Writing:
	}
	if ev.Left != nil {
		parts = append(parts, fmt.Sprintf("about %v left", ev.Left.Round(time.Second)))
	}
	return strings.Join(parts, ", ")
}
