package adapter_test

import (
	"errors"
	"fmt"
	"testing"

	"benchline/ingest/adapter"
)

func TestMemory(t *testing.T) {
	m, did := adapter.NewMemory(), 0
	ask := func(m *adapter.Memory, key string) int {
		x, err := adapter.Remember(m, key, func() (int, error) { did++; return len(key), nil })
		if err != nil || x != len(key) {
			t.Errorf("%s: %d, %v", key, x, err)
		}
		return did
	}
	if ask(m, "a"); ask(m, "a") != 1 || ask(m, "bb") != 2 || ask(m, "a") != 2 {
		t.Errorf("the work was done %d times", did)
	}
	if _, err := adapter.Remember(m, "c", func() (int, error) { return 0, errors.New("no") }); err == nil || ask(m, "c") != 3 {
		t.Error("an error was kept")
	}
	if x, err := adapter.Remember(m, "a", func() (string, error) { return "other type", nil }); err != nil || x != "other type" {
		t.Errorf("%q, %v", x, err)
	}
	for i := range 100 {
		ask(m, fmt.Sprintf("%d", i))
	}
	if before := did; ask(m, "99") != before {
		t.Error("the last was forgotten")
	}
	if before := did; ask(nil, "x") != before+1 || ask(nil, "x") != before+2 {
		t.Error("nil keeps something")
	}
}
