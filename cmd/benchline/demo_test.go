package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"benchline/render"
	"benchline/render/pack"
)

// The demo's pack is measured and judged as any other. What a slow machine cannot
// change is held here: the order of freeze and runs, that B keeps its requests
// waiting for longer than its limit, and that C leaves eight requests open. Whether A is
// as fast as it is set to be is the machine's.
func TestDemoPack(t *testing.T) {
	if testing.Short() {
		t.Skip("measures for about twenty seconds")
	}
	var said bytes.Buffer
	e := env{stdout: &said, stderr: &said, getenv: os.Getenv, now: time.Now}
	dir := filepath.Join(t.TempDir(), "site")
	if err := initSite(dir, "demo"); err != nil {
		t.Fatal(err)
	}
	if err := demoPack(t.Context(), e, dir); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	in, _, err := siteInput(t.Context(), e, dir)
	if err != nil {
		t.Fatal(err)
	}
	src, err := render.LoadPack(os.DirFS(dir), "packs/chat.toml")
	if err != nil {
		t.Fatal(err)
	}
	d, _, err := render.BuildPack(in, src)
	if err != nil {
		t.Fatal(err)
	}
	if d.Freeze.Hot {
		t.Errorf("something speaks against the freeze: %v", d.Freeze.Says)
	}
	if d.Simulated != len(d.Records) || !strings.Contains(d.Notes[0], "Every record here is from a simulated endpoint") {
		t.Errorf("%d of %d records are simulated, and the notes are %q", d.Simulated, len(d.Records), d.Notes)
	}
	if len(d.Options) != 3 {
		t.Fatalf("got %d options", len(d.Options))
	}
	want := []pack.Outcome{pack.Pass, pack.Fail, pack.Undetermined}
	for i, o := range d.Options {
		switch {
		case strings.HasPrefix(o.Gap, "not comparable: void"):
			t.Logf("option %s: this machine is too busy to measure it: %s", o.Name, o.Gap)
		case i == 0:
			t.Logf("option A: %s, a pass on a machine with time for it", o.Overall)
		case o.Overall != want[i]:
			t.Errorf("option %s: got %s, want %s: %+v", o.Name, o.Overall, want[i], o.Verdicts)
		case i == 2:
			hangs(t, o)
		}
	}
}

// hangs holds that each criterion of C has the eight requests open.
func hangs(t *testing.T, o pack.OptionSays) {
	t.Helper()
	for _, v := range o.Verdicts {
		if v.Open != 8*int64(len(v.Records)) || v.Outcome != pack.Undetermined {
			t.Errorf("criterion %s: %d requests are open over %d runs: %s", v.Criterion, v.Open, len(v.Records), v.Outcome)
		}
	}
}
