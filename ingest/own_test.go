package ingest_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"benchline/ingest"
	"benchline/ingest/adapter/all"
	"benchline/ingest/adapter/own/owntest"
	"benchline/ingest/evidence"
	"benchline/runner/reqlog"
)

// ownPlace is a site whose logs are real ones.
func ownPlace(t *testing.T) *place {
	p := newPlace(t)
	r, err := all.Registry()
	if err != nil {
		t.Fatal(err)
	}
	p.opts.Registry = r
	return p
}

func TestOwnLogs(t *testing.T) {
	p, q := ownPlace(t), newPlace(t)
	logs := filepath.Join(p.dir, "logs")
	owntest.Write(t, logs, owntest.Run{ID: "a-r1", Repeats: 2})
	owntest.Write(t, logs, owntest.Run{ID: "a-r2", Repeats: 2, Repeat: 2, SlowMS: 3})
	owntest.Write(t, logs, owntest.Run{ID: "b-r1", Family: "other", Unresolved: 5})
	w := owntest.Begin(t, filepath.Join(logs, "half-r1"), owntest.Run{ID: "half-r1"})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	owntest.Write(t, q.dir, owntest.Run{ID: "c-r1", Family: "other"})
	flipped := owntest.Write(t, q.dir, owntest.Run{ID: "d-r1", Family: "other"})
	b, err := os.ReadFile(filepath.Join(flipped, reqlog.RequestsName))
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/3] ^= 4
	if err := os.WriteFile(filepath.Join(flipped, reqlog.RequestsName), b, 0o644); err != nil {
		t.Fatal(err)
	}
	r := p.ingest(q.dir)
	p.refused(r, filepath.Join(q.dir, "d-r1")+": changed or damaged", "logs/half-r1: the run is not complete: it has a journal and no manifest (run `benchline recover "+filepath.Join(logs, "half-r1")+"`)")
	if r.Read != 4 || r.Records != 5 {
		t.Errorf("%+v", r)
	}
	if got := p.slugs(); !strings.HasPrefix(got, "a-r1 a-r2 ") || !strings.HasSuffix(got, " b-r1 c-r1") {
		t.Errorf("records %s", got)
	}
	first := p.evidence()
	if r := p.ingest(); r.Unchanged != 4 || r.Read != 0 {
		t.Errorf("again: %+v", r)
	}
	if err := os.RemoveAll(filepath.Join(p.dir, "evidence")); err != nil {
		t.Fatal(err)
	}
	if p.ingest(); !reflect.DeepEqual(p.evidence(), first) {
		t.Error("evidence that was built again has other bytes")
	}
	records, err := ingest.Records(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if _, err := evidence.Line(r); err != nil {
			t.Error(err)
		}
	}
}

// Case C31: a Parquet file without its footer, given by itself.
func TestCutParquetFile(t *testing.T) {
	const file = "../../shared/cases/c31-no-footer.parquet"
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		t.Skip("the cases are not beside this checkout")
	}
	p := ownPlace(t)
	owntest.Write(t, filepath.Join(p.dir, "logs"), owntest.Run{ID: "a-r1"})
	r := p.ingest(file)
	p.refused(r, file+": not complete")
	if r.Records != 1 {
		t.Errorf("%+v", r)
	}
}
