package runner

import (
	"context"
	"fmt"

	"benchline/runner/internal/target"
	"benchline/runner/internal/workload"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// What is prepared before it is due is bounded in bytes and in number.
const (
	aheadBytes = 64 << 20
	aheadItems = 1 << 14
)

// item is one request that is ready to be sent.
type item struct {
	seq               int64 // of the run
	wire              *target.Prepared
	tokens, maxTokens int64
	hash, text        string
}

// feed makes requests in order, some ahead of when they are due.
type feed struct {
	items chan *item
	ready chan struct{} // closed when enough are made, or none will be
	err   error         // valid once items is closed
	stop  context.CancelFunc
}

// close ends the making. It gives the error that ended it before, if any.
func (f *feed) close() error {
	f.stop()
	for range f.items { // until it is closed, after which err is settled
	}
	return f.err
}

// maker makes the requests of a run.
type maker struct {
	client   *target.Client
	source   *workload.Source
	point    plan.Point
	runID    string
	keepText bool
}

// feed begins to make the requests of a part of the run, count of them or,
// when count is 0, without end until ctx ends. Where there is room, all are
// made before the first is due, so that making them takes nothing from what
// is measured; else about ahead of them at a time.
func (m *maker) feed(ctx context.Context, phase reqlog.Phase, base, count int64, ahead int) *feed {
	size := 8*m.point.InputTokens + 1024
	ahead = max(1, min(max(ahead, int(min(count, aheadItems))), aheadBytes/size))
	ctx, stop := context.WithCancel(ctx)
	f := &feed{items: make(chan *item, ahead), ready: make(chan struct{}), stop: stop}
	go func() {
		defer close(f.items)
		f.err = m.fill(ctx, f, phase, base, count)
	}()
	return f
}

func (m *maker) fill(ctx context.Context, f *feed, phase reqlog.Phase, base, count int64) error {
	ready := false
	defer func() {
		if !ready {
			close(f.ready)
		}
	}()
	for i := int64(0); count == 0 || i < count; i++ {
		it, err := m.make(ctx, phase, base, i)
		if err != nil && ctx.Err() != nil {
			return nil // nobody waits for it any more
		}
		if err != nil {
			return err
		}
		if !ready && len(f.items) == cap(f.items) {
			ready = true
			close(f.ready)
		}
		select {
		case f.items <- it:
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

func (m *maker) make(ctx context.Context, phase reqlog.Phase, base, i int64) (*item, error) {
	p, err := m.source.Prompt(ctx, m.point, m.runID, string(phase), i)
	if err != nil {
		return nil, fmt.Errorf("making prompt %d: %w", i, err)
	}
	it := &item{seq: base + i, tokens: int64(p.Tokens), maxTokens: int64(m.point.OutputTokens), hash: p.Hash}
	if m.keepText {
		it.text = p.Text
	}
	it.wire, err = m.client.Prepare(fmt.Sprintf("%s-%d", m.runID, it.seq), p.Text, m.point.OutputTokens)
	return it, err
}
