package sim

import "container/heap"

// metronome is the model of fixed times: every sequence has a due time of its
// own, and all whose time has come get their tokens.
type metronome struct {
	Metronome
	perStep int
	m       *metrics
	queue   dueQueue
}

// dueQueue is a heap of sequences by their next due time.
type dueQueue []dueSequence

type dueSequence struct {
	at int64
	q  *sequence
}

func (d *dueQueue) Len() int           { return len(*d) }
func (d *dueQueue) Less(i, j int) bool { return (*d)[i].at < (*d)[j].at }
func (d *dueQueue) Swap(i, j int)      { (*d)[i], (*d)[j] = (*d)[j], (*d)[i] }

// Push adds an element, as [heap.Interface] asks.
func (d *dueQueue) Push(x any) {
	if s, ok := x.(dueSequence); ok {
		*d = append(*d, s)
	}
}

// Pop removes the last element, as [heap.Interface] asks.
func (d *dueQueue) Pop() any {
	old := *d
	s := old[len(old)-1]
	old[len(old)-1] = dueSequence{}
	*d = old[:len(old)-1]
	return s
}

func (t *metronome) fits(int) bool { return true }

func (t *metronome) submit(q *sequence) bool {
	q.begun, q.admitted = true, q.arrival
	q.computed = q.promptTokens
	t.m.admitted(q)
	heap.Push(&t.queue, dueSequence{q.arrival + int64(t.TTFT), q})
	return true
}

func (t *metronome) cancel(q *sequence) { q.gone = true }

// next returns the earliest due time, or an earlier time to look again: a
// request that arrives meanwhile is due TTFT from now at the soonest.
func (t *metronome) next(now int64) (int64, bool) {
	if len(t.queue) == 0 {
		return 0, false
	}
	return min(t.queue[0].at, now+int64(t.TTFT)), true
}

func (t *metronome) finish(now int64) {
	for len(t.queue) > 0 && t.queue[0].at <= now {
		top := &t.queue[0]
		q, at := top.q, top.at
		if q.gone {
			t.m.aborted++
			heap.Pop(&t.queue)
			continue
		}
		n := 1
		if q.generated == 0 {
			q.first = at
		} else {
			n = min(t.perStep, q.output-q.generated)
		}
		t.m.emitted(q, n, at)
		q.last = at
		q.tell(n)
		if q.generated == q.output {
			t.m.finished(q)
			heap.Pop(&t.queue)
			continue
		}
		top.at += int64(t.ITL)
		heap.Fix(&t.queue, 0)
	}
}

func (t *metronome) load() (running, waiting int, kv float64) { return len(t.queue), 0, 0 }

func (t *metronome) forget() {}
