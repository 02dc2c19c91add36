package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"benchline/ingest"
	"benchline/ingest/adapter"
)

func TestIngestIsIncremental(t *testing.T) {
	p := newPlace(t)
	p.run("logs/b-1", "b-1", "fb - 1")
	p.run("logs/a-1", "a-1", "fa - 1")
	p.run("logs/sub/c-1", "c-1", "fa - 1")
	p.write("logs/README.md", "my notes")
	r := p.ingest()
	if r.Read != 3 || r.Unchanged != 0 || r.Records != 3 || p.reads.Load() != 3 {
		t.Errorf("first: %+v", r)
	}
	if got := p.slugs(); got != "a-1 c-1 b-1" {
		t.Errorf("records %s, want them by family, then slug", got)
	}
	if len(r.Notes) != 1 || r.Notes[0].Path != "logs/README.md" {
		t.Errorf("notes %v", r.Notes)
	}
	if len(r.Diagnostics) != 3 || r.Diagnostics[2].File != "logs/sub/c-1/data.txt" {
		t.Errorf("diagnostics %v", r.Diagnostics)
	}
	first := p.evidence()
	r = p.ingest()
	if r.Read != 0 || r.Unchanged != 3 || r.Records != 3 || p.reads.Load() != 0 || len(r.Diagnostics) != 3 {
		t.Errorf("second: %+v with %d reads", r, p.reads.Load())
	}
	p.run("logs/d-1", "d-1", "fa - 1")
	if err := os.RemoveAll(filepath.Join(p.dir, "logs/a-1")); err != nil {
		t.Fatal(err)
	}
	r = p.ingest()
	if r.Read != 1 || r.Unchanged != 2 || r.Removed != 1 || r.Records != 3 {
		t.Errorf("one new, one gone: %+v", r)
	}
	p.run("logs/a-1", "a-1", "fa - 1")
	if err := os.RemoveAll(filepath.Join(p.dir, "logs/d-1")); err != nil {
		t.Fatal(err)
	}
	p.ingest()
	if !reflect.DeepEqual(p.evidence(), first) {
		t.Error("the same logs gave other evidence")
	}
	if err := os.RemoveAll(filepath.Join(p.dir, "evidence")); err != nil {
		t.Fatal(err)
	}
	p.ingest()
	if !reflect.DeepEqual(p.evidence(), first) {
		t.Error("evidence that was built again has other bytes")
	}
}

func TestANewReaderReadsAgain(t *testing.T) {
	p := newPlace(t)
	p.run("logs/a-1", "a-1", "f - 1")
	p.ingest()
	p.version(2)
	if r := p.ingest(); r.Read != 1 || r.Unchanged != 0 || r.Records != 1 || len(p.evidence()) != 1 {
		t.Errorf("%+v, %d files", r, len(p.evidence()))
	}
}

func TestDamagedEvidenceIsMadeAgain(t *testing.T) {
	p := newPlace(t)
	p.run("logs/a-1", "a-1", "f - 1")
	p.ingest()
	first := p.evidence()
	for name := range first {
		p.write("evidence/"+name, "nonsense\n")
	}
	r := p.ingest()
	if r.Read != 1 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0].Text, "damaged") {
		t.Errorf("%+v", r)
	}
	if !reflect.DeepEqual(p.evidence(), first) {
		t.Error("the evidence is not what it was")
	}
}

func TestALogThatChangedIsRefused(t *testing.T) {
	p := newPlace(t)
	p.run("logs/a-1", "a-1", "f - 1")
	p.run("logs/b-1", "b-1", "f - 1")
	p.ingest()
	first := p.evidence()
	p.run("logs/a-1", "a-1", "f - 2")
	for range 2 { // it stays refused
		r := p.ingest()
		p.refused(r, "logs/a-1: changed after it was read: [data.txt]")
		if r.Records != 1 || p.slugs() != "b-1" {
			t.Errorf("%+v with records %s, want b-1 alone", r, p.slugs())
		}
		for name := range p.evidence() {
			if !strings.Contains(r.Refused[0].Hint, name) && strings.HasSuffix(name, ".refused") {
				t.Errorf("the hint %q does not name %s", r.Refused[0].Hint, name)
			}
		}
	}
	p.run("logs/a-1", "a-1", "f - 1")
	if r := p.ingest(); len(r.Refused) != 0 || r.Unchanged != 2 || !reflect.DeepEqual(p.evidence(), first) {
		t.Errorf("brought back: %+v", r)
	}
	p.run("logs/a-1", "a-1", "f - 2")
	r := p.ingest()
	_, name, _ := strings.Cut(r.Refused[0].Hint, "evidence/")
	name, _, _ = strings.Cut(name, " ")
	if err := os.Remove(filepath.Join(p.dir, "evidence", name)); err != nil {
		t.Fatal(err)
	}
	if r := p.ingest(); len(r.Refused) != 0 || r.Read != 1 || r.Records != 2 {
		t.Errorf("after the hint was followed: %+v", r)
	}
}

func TestABadSourceStopsNoOther(t *testing.T) {
	p := newPlace(t)
	p.run("logs/a-1", "a-1", "f - 1")
	p.run("logs/bad", "bad", "half")
	p.write("logs/unknown/head.txt", "something else")
	p.run("logs/x-1", "x-2", "f - 1")
	r := p.ingest()
	p.refused(r, "logs/bad: the data is not whole (mend it)", `logs/unknown: head.txt: unknown format: text that begins with "something else"`,
		"logs/x-1: the folder holds run x-2")
	if r.Records != 1 || p.slugs() != "a-1" {
		t.Errorf("%+v", r)
	}
	// A source that was good and is not any more leaves no record.
	p.run("logs/a-1", "a-1", "half")
	if r = p.ingest(); r.Records != 0 || len(r.Refused) != 4 {
		t.Errorf("%+v", r)
	}
}

func TestSameRunTwice(t *testing.T) {
	p := newPlace(t)
	p.run("logs/a-1", "a-1", "f - 1")
	p.run("logs/copy-of-a-1", "a-1", "f - 1")
	r := p.ingest()
	if len(r.Refused) != 0 || r.Records != 1 || len(r.Notes) != 1 || r.Notes[0].Text != "already present as logs/a-1" {
		t.Errorf("%+v", r)
	}
}

func TestSameIDWithOtherContent(t *testing.T) {
	other := func(p *place, folder string) {
		p.t.Helper()
		p.run(folder, "a-1", "f - 2")
		p.write(folder+"/head.txt", "fake a-1") // another head: no line feed
	}
	t.Run("the one in its own folder stays", func(t *testing.T) {
		p := newPlace(t)
		p.run("logs/a-1", "a-1", "f - 1")
		other(p, "logs/a-0")
		r := p.ingest()
		p.refused(r, "logs/a-0: run ID a-1 stands twice with other content: logs/a-1, logs/a-0")
		if r.Records != 1 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("of two in their own folders none does", func(t *testing.T) {
		p := newPlace(t)
		p.run("logs/x/a-1", "a-1", "f - 1")
		other(p, "logs/a-1")
		p.run("logs/b-1", "b-1", "f - 1")
		r := p.ingest()
		p.refused(r, "logs/a-1: stands twice", "logs/x/a-1: stands twice")
		if r.Records != 1 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("of two from outside none does", func(t *testing.T) {
		p, q := newPlace(t), newPlace(t)
		q.run("one/a-1", "a-1", "f - 1")
		other(q, "two/a-1")
		for _, order := range [][]string{{"one", "two"}, {"two", "one"}} {
			r := p.ingest(filepath.Join(q.dir, order[0]), filepath.Join(q.dir, order[1]))
			p.refused(r, filepath.Join(q.dir, "one/a-1")+": stands twice", filepath.Join(q.dir, "two/a-1")+": stands twice")
			if r.Records != 0 {
				t.Errorf("%+v", r)
			}
		}
	})
	t.Run("the site's stays", func(t *testing.T) {
		p, q := newPlace(t), newPlace(t)
		p.run("logs/a-1", "a-1", "f - 1")
		other(q, "a-1")
		r := p.ingest(q.dir)
		p.refused(r, filepath.Join(q.dir, "a-1")+": stands twice with other content: logs/a-1, ")
		if r.Records != 1 {
			t.Errorf("%+v", r)
		}
	})
}

func TestRunsFromOutsideAreCopied(t *testing.T) {
	p, q := newPlace(t), newPlace(t)
	q.run("runs/a-1", "a-1", "f - 1")
	q.run("runs/odd-name", "b-1", "f - 1")
	q.run("runs/bad", "bad", "half")
	q.run("runs/climbs", "../../climbs", "f - 1")
	q.write("runs/a-1/extra.txt", "not of the run")
	r := p.ingest(filepath.Join(q.dir, "runs"))
	p.refused(r, filepath.Join(q.dir, "runs/bad")+": not whole", filepath.Join(q.dir, "runs/climbs")+": can't be the name of a folder")
	if r.Read != 2 || p.slugs() != "a-1 b-1" {
		t.Errorf("%+v with %s", r, p.slugs())
	}
	entries, err := os.ReadDir(filepath.Join(p.dir, "logs"))
	if err != nil || len(entries) != 2 || entries[0].Name() != "a-1" || entries[1].Name() != "b-1" {
		t.Errorf("logs has %v, %v", entries, err)
	}
	if _, err := os.Stat(filepath.Join(p.dir, "logs/a-1/extra.txt")); err == nil {
		t.Error("a file that is not of the run was copied")
	}
	first := p.evidence()
	r = p.ingest(filepath.Join(q.dir, "runs/a-1"), filepath.Join(q.dir, "runs/a-1"), filepath.Join(p.dir, "logs"), filepath.Join(p.dir, "logs/b-1"))
	if r.Read != 0 || r.Unchanged != 2 || len(r.Notes) != 1 || !reflect.DeepEqual(p.evidence(), first) {
		t.Errorf("given again: %+v", r)
	}
	if r = p.ingest(); r.Unchanged != 2 {
		t.Errorf("without the path: %+v", r)
	}
}

func TestPathsThatHoldNothing(t *testing.T) {
	p, q := newPlace(t), newPlace(t)
	q.write("other/readme.txt", "x")
	q.write("empty/.hidden", "x")
	q.write("file.json", "{}")
	gone := filepath.Join(q.dir, "gone")
	r := p.ingest(filepath.Join(q.dir, "other"), filepath.Join(q.dir, "empty"), filepath.Join(q.dir, "file.json"), gone)
	p.refused(r, filepath.Join(q.dir, "empty")+": there is no run and no result file in this folder (looked for head.txt", filepath.Join(q.dir, "file.json")+": unknown format", gone+": no such file",
		filepath.Join(q.dir, "other/readme.txt")+": unknown format: text that begins with \"x\"")
	if len(r.LookedFor) != 1 || r.LookedFor[0] != (adapter.Looked{Adapter: "fake", For: `"fake" at the start`}) {
		t.Errorf("looked for %v", r.LookedFor)
	}
}

func TestLinksAreLeftAside(t *testing.T) {
	p, q := newPlace(t), newPlace(t)
	q.run("a-1", "a-1", "f - 1")
	p.write("logs/b/x", "")
	if err := os.Symlink(filepath.Join(q.dir, "a-1"), filepath.Join(p.dir, "logs/a-1")); err != nil {
		t.Skip(err)
	}
	if r := p.ingest(); r.Records != 0 || len(r.Notes) != 2 || !strings.Contains(r.Notes[0].Text, "link") {
		t.Errorf("%+v", r)
	}
}

func TestRepeatsAreSummedUp(t *testing.T) {
	p := newPlace(t)
	p.run("logs/a-1", "a-1", "f g1 1")
	p.run("logs/a-2", "a-2", "f g1 2")
	p.run("logs/b-1", "b-1", "f g2 1")
	r := p.ingest()
	if r.Read != 3 || r.Records != 4 || p.slugs() != "a-1 a-2 all-g1 b-1" {
		t.Errorf("%+v with %s", r, p.slugs())
	}
	first := p.evidence()
	if r = p.ingest(); r.Unchanged != 3 || r.Records != 4 || !reflect.DeepEqual(p.evidence(), first) {
		t.Errorf("again: %+v", r)
	}
	p.run("logs/a-3", "a-3", "f g1 3")
	p.run("logs/b-2", "b-2", "f g2 3")
	p.ingest()
	records, err := ingest.Records(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	members := map[string]string{}
	for _, r := range records {
		for _, m := range r.Members {
			members[r.Slug] += m.Slug + " "
		}
	}
	if want := map[string]string{"all-g1": "a-1 a-2 a-3 ", "all-g2": "b-1 b-2 "}; !reflect.DeepEqual(members, want) {
		t.Errorf("got members %v, want %v", members, want)
	}
	for _, gone := range []string{"a-3", "b-2"} {
		if err := os.RemoveAll(filepath.Join(p.dir, "logs", gone)); err != nil {
			t.Fatal(err)
		}
	}
	if p.ingest(); !reflect.DeepEqual(p.evidence(), first) {
		t.Error("with the new runs gone, the evidence is not what it was")
	}
	p.run("logs/c-1", "c-1", "f gbad 1")
	p.run("logs/c-2", "c-2", "f gbad 1")
	r = p.ingest()
	p.refused(r, "repeats of c-1, c-2: they do not go together")
	if r.Records != 6 {
		t.Errorf("%+v", r)
	}
}

func TestSlugsThatCollide(t *testing.T) {
	p := newPlace(t)
	p.run("logs/a-1", "a-1", "f slug=same 1")
	p.run("logs/a-2", "a-2", "f slug=same 1")
	p.run("logs/a-3", "a-3", "f - 1")
	for range 2 {
		r := p.ingest()
		p.refused(r, "logs/a-1: a record named same", "logs/a-2: a record named same")
		if r.Records != 1 || p.slugs() != "a-3" {
			t.Errorf("%+v", r)
		}
	}
}

func TestRememberedChecksums(t *testing.T) {
	p := newPlace(t)
	p.opts.CacheDir = filepath.Join(t.TempDir(), "cache")
	p.run("logs/a-1", "a-1", "f - 1")
	p.ingest()
	if r := p.ingest(); r.Unchanged != 1 {
		t.Errorf("%+v", r)
	}
	p.run("logs/a-1", "a-1", "f - 22")
	p.refused(p.ingest(), "logs/a-1: changed after")
	entries, err := os.ReadDir(p.opts.CacheDir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("the cache has %v, %v", entries, err)
	}
	if err := os.WriteFile(filepath.Join(p.opts.CacheDir, entries[0].Name()), []byte("[nonsense"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.refused(p.ingest(), "logs/a-1: changed after")
}

func TestSiteErrors(t *testing.T) {
	p := newPlace(t)
	if _, err := ingest.Site(t.Context(), filepath.Join(p.dir, "nowhere"), nil, p.opts); err == nil {
		t.Error("a site folder that is not there gave no error")
	}
	p.run("logs/a-1", "a-1", "f - 1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ingest.Site(ctx, p.dir, nil, p.opts); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's end", err)
	}
	p.write("evidence", "a file where the folder should be")
	if _, err := ingest.Site(t.Context(), p.dir, nil, p.opts); err == nil {
		t.Error("evidence that can't be written gave no error")
	}
}

func TestManyWorkersGiveTheSame(t *testing.T) {
	var want map[string]string
	for _, workers := range []int{1, 4} {
		p := newPlace(t)
		for i := range 30 {
			id := fmt.Sprintf("r-%d", i)
			p.run("logs/"+id, id, "f - 1")
		}
		p.opts.Workers = workers
		p.ingest()
		if want == nil {
			want = p.evidence()
		} else if !reflect.DeepEqual(want, p.evidence()) {
			t.Error("the evidence depends on the number of workers")
		}
	}
}
