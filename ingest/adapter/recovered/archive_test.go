package recovered_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchline/ingest/evidence"
)

func parse(t interface{ Fatal(...any) }, s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// archive reads the built-in archive.
func archive(t *testing.T) map[string]evidence.Record {
	t.Helper()
	files, err := filepath.Glob("../../../content/archive/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no record files: %v", err)
	}
	out := map[string]evidence.Record{}
	for _, file := range files {
		records, _, err := readFile(t, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			out[r.Slug] = r
			if want := strings.TrimSuffix(filepath.Base(file), ".toml"); r.Slug != want {
				t.Errorf("%s holds record %s", file, r.Slug)
			}
		}
	}
	return out
}

// TestArchiveIsWhole holds that the archive has the records that the project
// promises, and no figure without its digits or with a guessed part.
func TestArchiveIsWhole(t *testing.T) {
	got := archive(t)
	names := strings.Fields("long-input-65k b0-cold-8k b0-cold-16k b0-cold-24k b0-short-c16 e16-short-c16-run1 e16-short-c16-run2 p1-c16 p1-c32 p1-c64 p1-c128 raw-c128 soak-131k")
	for _, name := range names {
		r, ok := got[name]
		if !ok {
			t.Errorf("record %s is missing", name)
			continue
		}
		for _, v := range r.Values {
			if v.Original == nil || v.Original.Number == "" {
				t.Errorf("%s: %s has lost its digits", name, v.Metric)
			}
			if _, ok := v.Numerator.Get(); ok {
				t.Errorf("%s: %s has a numerator; no source of the archive states one", name, v.Metric)
			}
			if _, ok := v.Denominator.Get(); ok != (name == "soak-131k" && v.Metric == "output_token_rate") {
				t.Errorf("%s: %s: only the soak's rate has a stated time", name, v.Metric)
			}
		}
		for what, k := range map[string]evidence.KnownState{"actual output tokens": r.Workload.OutputTokens.State(), "precision": r.Subject.Precision.State(), "load control": r.Load.Mode.State()} {
			if k != evidence.StateNotStated {
				t.Errorf("%s: %s is %s; the source does not state it", name, what, k)
			}
		}
	}
	if len(got) != len(names) {
		t.Errorf("got %d records, want %d", len(got), len(names))
	}
}

// TestGoldenArchive holds the whole evidence of the archive. Read what changed
// before it is written anew.
func TestGoldenArchive(t *testing.T) {
	byName := archive(t)
	var records []evidence.Record
	for _, r := range byName {
		r.Files, r.Sources = nil, r.Sources[:1] // checksums of the files would change with every comment in them
		r.Sources[0].SHA256 = ""
		sealed, err := evidence.Seal(r)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, sealed)
	}
	evidence.Sort(records)
	var got bytes.Buffer
	if err := evidence.Encode(&got, records...); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "archive.golden.jsonl")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("the archive differs from %s (− want, + got; UPDATE_GOLDEN=1 writes it anew):\n%s", file, diff)
	}
}
