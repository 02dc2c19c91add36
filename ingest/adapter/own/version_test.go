package own_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchline/ingest/adapter/own"
	"benchline/ingest/adapter/own/owntest"
	"benchline/ingest/evidence"
)

// Evidence that was made by the same version of the reader is not made again. So
// when the same log gives another record, the version must go up: otherwise old
// sites keep the old figures, and verify calls them wrong.
func TestVersionGoesUpWithTheRecord(t *testing.T) {
	var got strings.Builder
	for _, run := range []owntest.Run{{ID: "demo-r1"}, {ID: "demo-r2", Unresolved: 30, Real: true}} {
		r := one(t, owntest.Write(t, t.TempDir(), run))
		// The bytes of the log are the writer's affair.
		r.Files = nil
		for i := range r.Sources {
			r.Sources[i].SHA256 = ""
		}
		r, err := evidence.Seal(r)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s %s %s\n", own.Adapter{}.ID(), run.ID, r.ID)
	}
	name := filepath.Join("testdata", "version.txt")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(name, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() == string(want) {
		return
	}
	if strings.Fields(got.String())[1] == strings.Fields(string(want))[1] {
		t.Errorf("the same log gives another record, but own.Version is still %d: raise it, then run this test with UPDATE_GOLDEN=1\ngot  %swant %s", own.Version, got.String(), want)
		return
	}
	t.Errorf("own.Version was raised: run this test with UPDATE_GOLDEN=1")
}
