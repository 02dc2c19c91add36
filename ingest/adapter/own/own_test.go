package own_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/adaptertest"
	"benchline/ingest/adapter/own"
	"benchline/ingest/adapter/own/owntest"
	"benchline/ingest/evidence"
	"benchline/runner/reqlog"
)

func source(dir string) adapter.Source {
	return adapter.Source{Unit: "logs/" + filepath.Base(dir), Dir: dir, Name: reqlog.ManifestName, IsDir: true}
}

func read(t *testing.T, s adapter.Source) ([]evidence.Record, []adapter.Diagnostic, error) {
	t.Helper()
	var out []evidence.Record
	d, err := own.Adapter{}.Read(t.Context(), s, func(s evidence.Sealed) error {
		out = append(out, s.Record())
		return nil
	})
	return out, d, err
}

func one(t *testing.T, dir string) evidence.Record {
	t.Helper()
	out, _, err := read(t, source(dir))
	if err != nil || len(out) != 1 {
		t.Fatalf("got %d records, %v", len(out), err)
	}
	return out[0]
}

func TestConformance(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "foreign.json")
	if err := os.WriteFile(foreign, []byte(`{"schema_version": 1, "run_id": "x", "model": "m"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	adaptertest.Run(t, adaptertest.Suite{
		Adapter: own.Adapter{},
		Samples: []adaptertest.Sample{
			{Source: source(owntest.Write(t, dir, owntest.Run{ID: "demo-r1", Completed: 20})), Gaps: []string{"subject.hardware", "subject.engine_version", "subject.model_revision"}},
			{Source: source(owntest.Write(t, dir, owntest.Run{ID: "demo-r2", Completed: 20, Unresolved: 4}))},
		},
		Others: []adapter.Source{{Unit: "imports/foreign.json", Dir: dir, Name: "foreign.json"}},
	})
}

func TestRecordOfARun(t *testing.T) {
	dir := owntest.Write(t, t.TempDir(), owntest.Run{ID: "demo-r1", Unresolved: 10})
	r := one(t, dir)
	if r.Slug != "demo-r1" || r.Family != "demo" || r.Kind != evidence.RunRecord || r.Class != evidence.Simulated || r.Void {
		t.Errorf("got slug %s, family %s, kind %s, class %s, void %t", r.Slug, r.Family, r.Kind, r.Class, r.Void)
	}
	var files []string
	for _, f := range r.Files {
		files = append(files, f.Path)
		b, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil || int64(len(b)) != f.Bytes {
			t.Errorf("%s: %d bytes, the record says %d (%v)", f.Name, len(b), f.Bytes, err)
		}
	}
	if got := strings.Join(files, " "); got != "logs/demo-r1/manifest.json logs/demo-r1/plan.toml logs/demo-r1/requests.parquet" {
		t.Errorf("files %s", got)
	}
	if len(r.Sources) != 2 || r.Sources[0].File != reqlog.RequestsName || r.Sources[0].Adapter != (own.Adapter{}).ID().String() {
		t.Errorf("sources %+v", r.Sources)
	}
	for _, v := range r.Values {
		if v.Metric == "output_token_rate" {
			// 100 × 32 tokens over 110 × 10 ms and 3 s of drain.
			if want := 3200 / 4.1; v.Amount.Kind != evidence.Exact || v.Amount.X < want*(1-1e-12) || v.Amount.X > want*(1+1e-12) {
				t.Errorf("output rate %+v, want %v", v.Amount, want)
			}
			return
		}
	}
	t.Error("there is no output rate")
}

// refusedWith holds that reading is refused, for this reason and with this hint.
func refusedWith(t *testing.T, s adapter.Source, why, hint string) {
	t.Helper()
	out, _, err := read(t, s)
	var r *adapter.RefusedError
	if len(out) > 0 || !errors.As(err, &r) || !strings.Contains(r.Error(), why) || !strings.Contains(r.Hint, hint) {
		t.Errorf("got %d records and %#v, want it refused with %q and hint %q", len(out), err, why, hint)
	}
}

func TestDamagedRunsAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		file      string
		damage    func([]byte) []byte
		why, hint string
	}{
		"cut Parquet":  {reqlog.RequestsName, func(b []byte) []byte { return b[:len(b)/2] }, "changed or damaged", "bring it back"},
		"flipped bit":  {reqlog.RequestsName, func(b []byte) []byte { b[len(b)/2] ^= 1; return b }, "changed or damaged", "bring it back"},
		"flipped plan": {reqlog.PlanName, func(b []byte) []byte { b[3] ^= 1; return b }, "changed or damaged", "bring it back"},
		"edited numbers": {reqlog.ManifestName, func(b []byte) []byte {
			return []byte(strings.Replace(string(b), `"planned": 100`, `"planned": 101`, 1))
		}, "changed or damaged", "bring it back"},
		"cut manifest":   {reqlog.ManifestName, func(b []byte) []byte { return b[:len(b)-5] }, "corrupt", "bring it back"},
		"newer manifest": {reqlog.ManifestName, func(b []byte) []byte { return []byte(strings.Replace(string(b), `"schema": 2`, `"schema": 9`, 1)) }, "unknown log version", "newer"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := owntest.Write(t, t.TempDir(), owntest.Run{ID: "demo-r1"})
			b, err := os.ReadFile(filepath.Join(dir, c.file))
			if err != nil {
				t.Fatal(err)
			}
			after := c.damage(append([]byte(nil), b...))
			if string(after) == string(b) {
				t.Fatal("the damage did nothing")
			}
			if err := os.WriteFile(filepath.Join(dir, c.file), after, 0o644); err != nil {
				t.Fatal(err)
			}
			refusedWith(t, source(dir), c.why, c.hint)
		})
	}
	t.Run("missing Parquet", func(t *testing.T) {
		dir := owntest.Write(t, t.TempDir(), owntest.Run{ID: "demo-r1"})
		if err := os.Remove(filepath.Join(dir, reqlog.RequestsName)); err != nil {
			t.Fatal(err)
		}
		if out, _, err := read(t, source(dir)); err == nil || len(out) > 0 {
			t.Errorf("got %d records, %v", len(out), err)
		}
	})
}

func TestUnfinishedRunIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demo-r1")
	w := owntest.Begin(t, dir, owntest.Run{ID: "demo-r1"})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	defer w.Close() //nolint:errcheck // the run is left as it is
	s := source(dir)
	s.Name = reqlog.JournalName
	refusedWith(t, s, "not complete", "benchline recover "+dir)
	prefix, err := s.Prefix()
	if err != nil || !(own.Adapter{}).Sniff(prefix, s.Name).Is {
		t.Errorf("the journal is not claimed (%v)", err)
	}
}

func TestLoneFilesAreRefused(t *testing.T) {
	dir := owntest.Write(t, t.TempDir(), owntest.Run{ID: "demo-r1"})
	refusedWith(t, adapter.Source{Unit: "x.parquet", Dir: dir, Name: reqlog.RequestsName}, "one file of a run", "give the run's folder")
	refusedWith(t, adapter.Source{Unit: "manifest.json", Dir: dir, Name: reqlog.ManifestName}, "one file of a run", "give the run's folder")
	const cases = "../../../../shared/cases"
	if _, err := os.Stat(filepath.Join(cases, "c31-no-footer.parquet")); err != nil {
		t.Skip("the cases are not beside this checkout")
	}
	s := adapter.Source{Unit: "c31-no-footer.parquet", Dir: cases, Name: "c31-no-footer.parquet"}
	prefix, err := s.Prefix()
	if err != nil || !(own.Adapter{}).Sniff(prefix, s.Name).Is {
		t.Errorf("the cut file is not claimed (%v)", err)
	}
	refusedWith(t, s, "not complete", "benchline recover")
}

func TestStrangersAreNamed(t *testing.T) {
	dir := owntest.Write(t, t.TempDir(), owntest.Run{ID: "demo-r1"})
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, d, err := read(t, source(dir))
	if err != nil || len(out) != 1 || len(d) != 1 || d[0].File != "logs/demo-r1/notes.txt" {
		t.Errorf("%d records, diagnostics %v, %v", len(out), d, err)
	}
}

func TestGroups(t *testing.T) {
	dir := t.TempDir()
	group := func(r owntest.Run) string {
		t.Helper()
		rec := one(t, owntest.Write(t, dir, r))
		g, err := own.Adapter{}.Group(rec)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	a := group(owntest.Run{ID: "a-r1", Repeats: 3})
	if b := group(owntest.Run{ID: "a-r2", Repeat: 2, Repeats: 3, SlowMS: 5}); a == "" || a != b {
		t.Errorf("two repeats of one point have the groups %q and %q", a, b)
	}
	for what, r := range map[string]owntest.Run{
		"another family":  {ID: "c-r1", Repeats: 3, Family: "other"},
		"another plan":    {ID: "d-r1", Repeats: 3, Completed: 50},
		"a real endpoint": {ID: "e-r1", Repeats: 3, Real: true},
	} {
		if g := group(r); g == a || g == "" {
			t.Errorf("%s has the group %q", what, g)
		}
	}
	if g := group(owntest.Run{ID: "f-r1"}); g != "" {
		t.Errorf("a plan without repeats has the group %q", g)
	}
}

func TestCombine(t *testing.T) {
	dir := t.TempDir()
	a := one(t, owntest.Write(t, dir, owntest.Run{ID: "a-r1", Repeats: 2}))
	b := one(t, owntest.Write(t, dir, owntest.Run{ID: "a-r2", Repeat: 2, Repeats: 2, SlowMS: 5}))
	sealed, err := own.Adapter{}.Combine([]evidence.Record{a, b})
	if err != nil {
		t.Fatal(err)
	}
	r := sealed.Record()
	if r.Kind != evidence.RepeatsRecord || len(r.Members) != 2 || r.Members[0].ID != a.ID || len(r.Sources) != 2 || r.Sources[1].SHA256 != b.Sources[0].SHA256 {
		t.Errorf("kind %s, members %v, sources %+v", r.Kind, r.Members, r.Sources)
	}
	if _, err := evidence.Line(r); err != nil {
		t.Error(err)
	}
}
