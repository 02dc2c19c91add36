package own_test

import (
	"bytes"
	"testing"

	"benchline/ingest/adapter/own"
)

func FuzzSniff(f *testing.F) {
	f.Add([]byte(`{"schema": 1, "run_id": "x", "plan": "p", "plan_hash": "sha256:00"`), "manifest.json")
	f.Add([]byte("PAR1"), "requests.parquet")
	f.Add([]byte("BLNJRNL1"), "journal.bln")
	f.Add([]byte(`{"run_id": {"run_id": "x"}, "schema": [`), "x.json")
	f.Fuzz(func(t *testing.T, prefix []byte, name string) {
		m := own.Adapter{}.Sniff(prefix, name)
		if m.Is && !bytes.Contains(prefix, []byte("plan_hash")) && !bytes.HasPrefix(prefix, []byte("PAR1")) && !bytes.HasPrefix(prefix, []byte("BLNJRNL")) {
			// Keys may be written with escapes; those must decode to the name.
			if !bytes.Contains(prefix, []byte(`\u`)) {
				t.Errorf("%q is claimed", prefix)
			}
		}
	})
}
