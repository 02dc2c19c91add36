package reqlog

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"benchline/runner/plan"
)

// fullManifest has a value in every key.
func fullManifest() Manifest {
	h := testHeader()
	h.Schema, h.PlanHash, h.Simulated = SchemaVersion, planHash([]byte(testPlan)), true
	h.Point = plan.Point{
		Index: 1, Slug: "i8-o4-r2.5", InputTokens: 8, OutputTokens: 4,
		Rate: &plan.ArrivalRate{Requests: 5, Per: 2 * time.Second}, Arrivals: plan.Poisson,
	}
	return Manifest{
		Header: h, State: Interrupted, Note: "<b>\u2028 & \"quotes\"",
		Windows: Windows{WarmupFromNS: ptr(int64(0)), MeasureFromNS: 1, SendEndNS: 2, ObservedToNS: math.MaxInt64},
		Ledger:  Ledger{Planned: 3, Sent: 2, Completed: 1, Unresolved: 1, NeverSent: 1},
		Health: Health{Verdict: Suspect, Reasons: []string{"why"}, CPUSeconds: 0.1, SubMSGapShare: ptr(0.0), WallStepNS: -5,
			Sends: ptr(int64(2)), Ticks: ptr(int64(0)), Gaps: ptr(int64(7)), SchedLagP50NS: ptr(int64(9))},
		Facts:   []Fact{{Key: "driver", By: "host", Note: "no such file"}, {Key: "runtime", Value: ptr("CUDA 12.8"), By: "plan"}},
		Metrics: []Scrape{{Name: "a", Before: ptr(1.0)}},
		Files:   []File{{Name: "plan.toml", Bytes: 1, SHA256: "00"}},
	}
}

func TestManifestComesBack(t *testing.T) {
	for name, m := range map[string]Manifest{
		"full": fullManifest(),
		"version 1": func() Manifest {
			m := fullManifest()
			m.Schema = firstSchema
			m.Health.Sends, m.Health.Ticks, m.Health.Gaps, m.Health.SchedLagP50NS = nil, nil, nil, nil
			return m
		}(),
		"empty": withLists(Manifest{Header: Header{Schema: SchemaVersion}, State: Complete}),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := WriteManifest(dir, m); err != nil {
				t.Fatal(err)
			}
			got, err := ReadManifest(dir)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(got, m); d != "" {
				t.Errorf("manifest (-got +want):\n%s", d)
			}
		})
	}
}

// TestManifestFaults changes the text of a manifest and seals it again: the
// error names the file and the key.
func TestManifestFaults(t *testing.T) {
	text, err := encodeManifest(fullManifest())
	if err != nil {
		t.Fatal(err)
	}
	body := string(text[:strings.LastIndex(string(text), sealLead)])
	for _, c := range []struct{ name, from, to, want string }{
		{"unknown key", `"note":`, `"remark": 1, "note":`, `key "remark" is unknown`},
		{"unknown key below", `"verdict":`, `"x": 1, "verdict":`, `key "health.x" is unknown`},
		{"missing key", `"wall_step_ns": -5`, `"wall_step_ns": -5, "wall_step_ns": -5`, `key "health.wall_step_ns" stands twice`},
		{"doubled key", `"planned": 3,`, ``, `key "ledger.planned" is missing`},
		{"other case", `"state":`, `"State":`, `key "State" is unknown`},
		{"null", `"planned": 3`, `"planned": null`, `key "ledger.planned": null where`},
		{"null list", "\"reasons\": [\n      \"why\"\n    ]", `"reasons": null`, `key "health.reasons": null where`},
		{"text for a number", `"planned": 3`, `"planned": "3"`, `key "ledger.planned": a int64 cannot`},
		{"number for a text", `"plan": "demo"`, `"plan": 5`, `key "plan": a string cannot`},
		{"in a list", `"key": "runtime"`, `"key": true`, `key "facts[1].key": a string cannot`},
		{"fraction", `"planned": 3`, `"planned": 3.5`, "planned"},
		{"too large", `"planned": 3`, `"planned": 99999999999999999999`, "planned"},
		{"list for an object", `"ledger": {`, `"ledger": [{`, "ledger"},
		{"time", `"wall_start": "2026`, `"wall_start": "26`, "parsing time"},
		{"version", `"schema": 2`, `"schema": 3`, "unknown log version: 3; this program reads 1 to 2"},
		{"state", `"state": "interrupted"`, `"state": "done"`, `key "state": unknown state "done"`},
		{"not JSON", `"note"`, `note`, "invalid character"},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := strings.Replace(body, c.from, c.to, 1)
			if changed == body {
				t.Fatalf("%q is not in the manifest:\n%s", c.from, body)
			}
			err := readChanged(t, changed+sealLead+sealOf([]byte(changed))+sealTail)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), ManifestName) {
				t.Errorf("got %v, want %q and the file's name", err, c.want)
			}
		})
	}
	t.Run("changed value", func(t *testing.T) {
		err := readChanged(t, strings.Replace(string(text), `"planned": 3`, `"planned": 4`, 1))
		if !errors.Is(err, ErrChanged) {
			t.Errorf("got %v, want %v", err, ErrChanged)
		}
	})
	t.Run("text after it", func(t *testing.T) {
		if err := readChanged(t, string(text)+"{}"); err == nil {
			t.Error("got no error")
		}
	})
}

func readChanged(t *testing.T, text string) error {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ManifestName), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := ReadManifest(dir)
	return err
}

func TestManifestNotWritten(t *testing.T) {
	dir := t.TempDir()
	m := fullManifest()
	m.Health.CPUShare = math.NaN()
	if err := WriteManifest(dir, m); err == nil {
		t.Error("not a number: got no error")
	}
	if err := WriteManifest(dir, Manifest{}); !errors.Is(err, ErrVersion) {
		t.Errorf("no version: got %v, want %v", err, ErrVersion)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 0 {
		t.Errorf("files: got %v, %v, want none", names, err)
	}
}

// TestFinishWithoutNumber: a manifest that cannot be written is refused before
// the journal calls it final, and the journal is still good.
func TestFinishWithoutNumber(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := record(disk{}, dir, someRows(7))
	if err != nil {
		t.Fatal(err)
	}
	m := finalManifest()
	m.Health.CPUSeconds = math.Inf(1)
	if _, err := w.Finish(m); err == nil {
		t.Fatal("got no error")
	}
	got, rep, err := Recover(dir)
	if err != nil || rep.Ended != 7 || rep.InFlight != 1 || got.State != Interrupted {
		t.Errorf("recovered: got %+v, %s, %v", rep, got.State, err)
	}
}
