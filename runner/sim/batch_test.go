package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func newSequence(d digest, output, maximum int, arrival int64) *sequence {
	return &sequence{
		promptTokens: d.tokens, keys: d.keys, sum: d.sum, output: output, maxOutput: maximum,
		arrival: arrival, wake: make(chan struct{}, 1),
	}
}

// audit recounts what the KV cache believes of itself.
func audit(c *kvCache, running []*sequence) error {
	refs := map[*kvBlock]int{}
	private := 0
	for _, q := range running {
		private += q.held.private
		if q.held.private < 0 {
			return fmt.Errorf("a sequence holds %d private blocks", q.held.private)
		}
		for _, b := range q.held.shared {
			refs[b]++
		}
	}
	if got := private + len(refs); c.used != got {
		return fmt.Errorf("used is %d, blocks held are %d", c.used, got)
	}
	if c.used+c.idle.Len() > c.capacity {
		return fmt.Errorf("%d used and %d idle blocks, capacity %d", c.used, c.idle.Len(), c.capacity)
	}
	if len(c.known) != len(refs)+c.idle.Len() {
		return fmt.Errorf("%d known blocks, %d held and %d idle", len(c.known), len(refs), c.idle.Len())
	}
	for b, n := range refs {
		if b.refs != n || b.idle != nil || c.known[b.key] != b {
			return fmt.Errorf("block %x: %d references counted, %d found", b.key, b.refs, n)
		}
	}
	return nil
}

type arrivals struct {
	engine    Engine
	sequences []*sequence
}

func drawArrivals(t *rapid.T) arrivals {
	block := rapid.IntRange(1, 8).Draw(t, "block")
	a := arrivals{engine: Engine{
		PrefillRate: 1000, PrefillBudget: rapid.IntRange(1, 40).Draw(t, "budget"),
		DecodeBase: time.Millisecond, DecodePerSequence: time.Millisecond,
		MaxRunning: rapid.IntRange(1, 5).Draw(t, "running"), BlockTokens: block,
		KVTokens: block * rapid.IntRange(20, 60).Draw(t, "blocks"), PrefixCache: true,
	}}
	var at int64
	for i := range rapid.IntRange(1, 30).Draw(t, "requests") {
		// Few letters, so that prompts share prefixes.
		prompt := ""
		for range rapid.IntRange(1, 15).Draw(t, "prompt") {
			prompt += rapid.SampledFrom([]string{"a ", "b "}).Draw(t, "word")
		}
		maximum := rapid.IntRange(1, 5).Draw(t, "max")
		output := rapid.IntRange(1, maximum).Draw(t, "output")
		at += rapid.Int64Range(0, int64(30*time.Millisecond)).Draw(t, fmt.Sprint("gap", i))
		a.sequences = append(a.sequences, newSequence(digestOf([]string{prompt}, 0, block, 0), output, maximum, at))
	}
	return a
}

// drive runs the engine to the end, submitting each sequence once the model's
// time has passed its arrival.
func drive(t *rapid.T, b *batch, sequences []*sequence, gone func(i int) bool) {
	rest := slices.Clone(sequences)
	for step := 0; ; step++ {
		if step > 100_000 {
			t.Fatalf("the engine does not come to an end: %d running, %d waiting", len(b.running), len(b.waiting))
		}
		for len(rest) > 0 && (rest[0].arrival <= b.now || len(b.running)+len(b.waiting) == 0) {
			b.submit(rest[0])
			rest = rest[1:]
		}
		before := b.now
		end, busy := b.next(0)
		if !busy {
			if len(rest) > 0 {
				continue
			}
			return
		}
		if end <= before {
			t.Fatalf("time stands still at %d", end)
		}
		if err := audit(b.kv, b.running); err != nil {
			t.Fatal(err)
		}
		if len(b.running) > b.MaxRunning {
			t.Fatalf("%d running, limit %d", len(b.running), b.MaxRunning)
		}
		for i, q := range sequences {
			if !q.gone && q.generated < q.output && gone(i) && slices.Contains(append(b.running, b.waiting...), q) {
				b.cancel(q)
			}
		}
		b.finish(0)
		if err := audit(b.kv, b.running); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEngineServesAllInOrderWithinCapacity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawArrivals(t)
		b := newBatch(a.engine, rapid.IntRange(1, 3).Draw(t, "per step"), newMetrics(100))
		drive(t, b, a.sequences, func(int) bool { return false })
		var admitted int64
		for i, q := range a.sequences {
			if q.generated != q.output || q.produced.Load() != int64(q.output) {
				t.Fatalf("sequence %d: got %d of %d tokens", i, q.generated, q.output)
			}
			if q.admitted < admitted || q.admitted < q.arrival || q.first <= q.admitted || q.last < q.first {
				t.Fatalf("sequence %d: arrived %d, admitted %d (the one before: %d), first %d, last %d",
					i, q.arrival, q.admitted, admitted, q.first, q.last)
			}
			if q.cached >= q.promptTokens || q.cached%b.BlockTokens != 0 {
				t.Fatalf("sequence %d: %d of %d tokens cached in blocks of %d", i, q.cached, q.promptTokens, b.BlockTokens)
			}
			admitted = q.admitted
		}
		if b.kv.used != 0 {
			t.Fatalf("%d blocks still used", b.kv.used)
		}
		if got := b.m.length + b.m.stopped; got != int64(len(a.sequences)) {
			t.Fatalf("finished: got %d, want %d", got, len(a.sequences))
		}
	})
}

func TestEngineFreesWhatClientsLeave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawArrivals(t)
		b := newBatch(a.engine, 1, newMetrics(100))
		leave := rapid.SliceOfN(rapid.Bool(), len(a.sequences), len(a.sequences)).Draw(t, "leave")
		drive(t, b, a.sequences, func(i int) bool { return leave[i] })
		if b.kv.used != 0 {
			t.Fatalf("%d blocks still used", b.kv.used)
		}
		m := b.m
		if got := m.length + m.stopped + m.aborted; got != int64(len(a.sequences)) {
			t.Fatalf("ended: got %d, want %d", got, len(a.sequences))
		}
		for i, q := range a.sequences {
			if !leave[i] && q.generated != q.output {
				t.Fatalf("sequence %d stayed and got %d of %d tokens", i, q.generated, q.output)
			}
		}
	})
}

// Without sharing, the cache finds exactly the longest run of full blocks that
// an earlier prompt began with, up to but not including the last token.
func TestPrefixIsTheLongestKnown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const block = 4
		c := newKVCache(1000)
		var earlier [][]string
		for range rapid.IntRange(1, 20).Draw(t, "prompts") {
			prompt := rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y"}), 1, 30).Draw(t, "prompt")
			want := 0
			for _, e := range earlier {
				same := 0
				for same < min(len(e)/block*block, len(prompt)-1) && e[same] == prompt[same] {
					same++
				}
				want = max(want, same/block)
			}
			var d digest
			text := ""
			for _, w := range prompt {
				text += w + " "
			}
			d = digestOf([]string{text}, 0, block, 0)
			h, ok := c.take(d.keys, (d.tokens-1)/block, (d.tokens+block-1)/block)
			if !ok || len(h.shared) != want {
				t.Fatalf("prompt %v after %v: got %d blocks (fits: %v), want %d", prompt, earlier, len(h.shared), ok, want)
			}
			c.learn(&h, d.keys[len(h.shared):])
			c.give(h)
			earlier = append(earlier, prompt)
		}
	})
}

func TestLeastRecentPrefixIsEvictedFirst(t *testing.T) {
	c := newKVCache(4)
	use := func(keys ...uint64) int {
		t.Helper()
		h, ok := c.take(keys, len(keys), len(keys))
		if !ok {
			t.Fatalf("%v does not fit", keys)
		}
		hits := len(h.shared)
		c.learn(&h, keys[hits:])
		c.give(h)
		return hits
	}
	use(1, 2)
	use(3, 4)
	use(1, 2) // 3, 4 are now the least recent; of them 4
	use(5)
	for _, tt := range []struct {
		key  uint64
		want int
	}{{3, 1}, {4, 0}} {
		if _, known := c.known[tt.key]; known != (tt.want == 1) {
			t.Errorf("block %d: known is %v, want %v", tt.key, known, tt.want == 1)
		}
	}
	if got := use(1, 2); got != 2 {
		t.Errorf("got %d hits of the recent prefix, want 2", got)
	}
	if h, ok := c.take([]uint64{9}, 1, 5); ok {
		t.Errorf("5 blocks fit into 4: %v", h)
	}
}

func TestLatenessDoesNotAddUp(t *testing.T) {
	b := newBatch(Default().Engine, 1, newMetrics(100))
	b.submit(newSequence(digestOf([]string{"a"}, 0, 16, 0), 3, 3, 0))
	var ends []int64
	for {
		end, busy := b.next(0)
		if !busy {
			break
		}
		ends = append(ends, end)
		b.finish(end + int64(time.Second)) // a second late each time
	}
	step := int64(6*time.Millisecond + 150*time.Microsecond)
	first := int64(time.Second) / 12_000
	if want := []int64{first, first + step, first + 2*step}; !slices.Equal(ends, want) {
		t.Errorf("got step ends %v, want %v", ends, want)
	}
}
