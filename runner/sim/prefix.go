package sim

import "container/list"

// kvCache is the KV cache's bookkeeping: how many blocks are held by running
// sequences, and which computed prompt blocks are known for reuse. It is not
// safe for concurrent use.
//
// Invariant: used + idle.Len() ≤ capacity, where used are the blocks held by
// sequences (a shared one counts once) and idle the known blocks nobody holds.
type kvCache struct {
	capacity int // blocks
	used     int
	known    map[uint64]*kvBlock
	idle     *list.List // of *kvBlock, the most recently used at the front
}

// kvBlock is one computed prompt block. Its key stands for all tokens of the
// prompt up to the block's end, so equal keys mean equal prefixes.
type kvBlock struct {
	key  uint64
	refs int
	idle *list.Element // not nil exactly while refs is 0
}

// holding is what one sequence holds.
type holding struct {
	shared  []*kvBlock // known blocks, in prompt order
	private int        // blocks that only this sequence has
}

func newKVCache(capacity int) *kvCache {
	return &kvCache{capacity: capacity, known: map[uint64]*kvBlock{}, idle: list.New()}
}

// take reserves total blocks for a sequence whose prompt has the given block
// keys, of which at most reusable may come from the cache. It reports false
// and changes nothing where they do not fit beside what is held.
func (c *kvCache) take(keys []uint64, reusable, total int) (holding, bool) {
	var hits []*kvBlock
	woken := 0
	for _, k := range keys[:min(reusable, len(keys))] {
		b := c.known[k]
		if b == nil {
			break
		}
		if b.refs == 0 {
			woken++
		}
		hits = append(hits, b)
	}
	private := total - len(hits)
	if c.used+woken+private > c.capacity {
		return holding{}, false
	}
	for _, b := range hits {
		if b.refs == 0 {
			c.idle.Remove(b.idle)
			b.idle = nil
		}
		b.refs++
	}
	c.used += woken + private
	for c.used+c.idle.Len() > c.capacity {
		c.evict()
	}
	return holding{shared: hits, private: private}, true
}

func (c *kvCache) evict() {
	b, ok := c.idle.Remove(c.idle.Back()).(*kvBlock)
	if ok {
		delete(c.known, b.key)
	}
}

// learn makes a sequence's computed prompt blocks known, in order. A block
// that another sequence has made known meanwhile stays private here.
func (c *kvCache) learn(h *holding, keys []uint64) {
	for _, k := range keys {
		if c.known[k] != nil {
			continue
		}
		b := &kvBlock{key: k, refs: 1}
		c.known[k] = b
		h.shared = append(h.shared, b)
		h.private--
	}
}

// give returns what a sequence held. Known blocks stay for reuse; the end of a
// prompt becomes the least recent, because its start is the likelier prefix.
func (c *kvCache) give(h holding) {
	c.used -= h.private
	for i := len(h.shared) - 1; i >= 0; i-- {
		b := h.shared[i]
		b.refs--
		if b.refs == 0 {
			c.used--
			b.idle = c.idle.PushFront(b)
		}
	}
}

// forget drops all known blocks that nobody holds.
func (c *kvCache) forget() {
	for c.idle.Len() > 0 {
		c.evict()
	}
}
