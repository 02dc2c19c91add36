package all_test

import (
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/adaptertest"
	"benchline/ingest/adapter/all"
	"benchline/ingest/adapter/all/testdata/madeup"
)

// TestNewFormat: a new format takes one folder and one line. The folder is
// testdata/madeup, the line is marked; nothing else knows of it.
func TestNewFormat(t *testing.T) {
	r, err := all.Registry()
	if err != nil {
		t.Fatal(err)
	}
	r, err = adapter.NewRegistry(append(r.All(),
		madeup.New(), // the one line
	)...)
	if err != nil {
		t.Fatal(err)
	}
	sample := adapter.Source{Unit: "imports/madeup/result.json", Dir: "testdata/madeup", Name: "result.json"}
	prefix, err := sample.Prefix()
	if err != nil {
		t.Fatal(err)
	}
	a, err := r.Pick(prefix, sample.Name)
	if err != nil || a.ID() != madeup.New().ID() {
		t.Fatalf("its sample is picked for %v, %v", a, err)
	}
	adaptertest.Run(t, adaptertest.Suite{Adapter: a, Samples: []adaptertest.Sample{{Source: sample, Gaps: []string{"outcomes.failed", "subject.model", "outcomes.sent"}}}})
}
