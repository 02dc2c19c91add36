package all_test

import (
	"testing"

	"benchline/ingest/adapter/all"
)

func TestRegistry(t *testing.T) {
	r, err := all.Registry()
	if err != nil {
		t.Fatal(err)
	}
	if len(r.All()) == 0 {
		t.Error("there are no adapters")
	}
	for _, a := range r.All() {
		if m := a.Sniff(nil, "empty"); m.Is || m.Want == "" {
			t.Errorf("%s: an empty file gives %+v", a.ID(), m)
		}
	}
}
