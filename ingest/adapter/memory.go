package adapter

import "sync"

// Memory keeps what was worked out of a file that several sources have beside
// them, while they are read one after another: a folder with one import.toml and
// ten thousand results should not have it parsed ten thousand times.
//
// A nil Memory keeps nothing.
type Memory struct {
	mu   sync.Mutex
	kept map[string]any
}

// NewMemory is an empty memory.
func NewMemory() *Memory { return &Memory{kept: map[string]any{}} }

// mostKept bounds a memory. Sources come sorted by their paths, so that what is
// asked for again was mostly asked for last.
const mostKept = 16

// Remember returns what work gave for the key, and does the work if that is not
// kept. The key must name all that the result depends on; the result must not be
// changed. An error is not kept.
func Remember[T any](m *Memory, key string, work func() (T, error)) (T, error) {
	if m == nil {
		return work()
	}
	m.mu.Lock()
	x, ok := m.kept[key].(T)
	m.mu.Unlock()
	if ok {
		return x, nil
	}
	x, err := work()
	if err != nil {
		return x, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.kept) >= mostKept {
		clear(m.kept)
	}
	m.kept[key] = x
	return x, nil
}
