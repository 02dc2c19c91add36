package render_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"benchline/ingest/evidence"
	"benchline/render"
)

func few(t testing.TB) []evidence.Record {
	t.Helper()
	return slices.DeleteFunc(fixtures(t), func(r evidence.Record) bool {
		return strings.HasPrefix(r.Slug, "ladder-2") && !strings.Contains(r.Slug, "-o32-c")
	})
}

func site(t testing.TB, in render.Input, out string) render.Result {
	t.Helper()
	r, err := render.Site(t.Context(), in, out)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func differing(a, b map[string]string) []string {
	var names []string
	for _, n := range slices.Sorted(maps.Keys(a)) {
		if a[n] != b[n] {
			names = append(names, n)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[n]; !ok {
			names = append(names, n)
		}
	}
	return names
}

// Two builds of the same input are the same bytes, also when the records come
// in another order and one build goes by its memory.
func TestSameBytesTwice(t *testing.T) {
	records := few(t)
	one, two := t.TempDir(), t.TempDir()
	site(t, input(t, records), one)
	slices.Reverse(records)
	in := input(t, records)
	in.CacheDir = t.TempDir()
	site(t, in, two)
	site(t, in, two)
	if names := differing(tree(t, one), tree(t, two)); len(names) > 0 {
		t.Errorf("these differ: %v", names)
	}
}

// A build with nothing new writes nothing; one with a new record writes that
// record, its neighbours and the lists, and ends at the same bytes as a build
// from nothing.
func TestIncremental(t *testing.T) {
	all := few(t)
	at := slices.IndexFunc(all, func(r evidence.Record) bool { return strings.Contains(r.Slug, "i128-o32-c8") })
	without := slices.Delete(slices.Clone(all), at, at+1)
	out := t.TempDir()
	in := input(t, without)
	in.CacheDir = t.TempDir()
	site(t, in, out)
	if r := site(t, in, out); r.Written != 0 {
		t.Errorf("a build of nothing new wrote %d files", r.Written)
	}
	before := tree(t, out)
	in.Records, in.Files = all, siteFiles(t, all)
	r := site(t, in, out)
	after := tree(t, out)
	changed := differing(before, after)
	if got, want := r.Written, len(changed); got != want {
		t.Errorf("got %d files written, want %d", got, want)
	}
	for _, name := range changed {
		if strings.HasPrefix(name, "records/hostile") || strings.HasPrefix(name, "families/overload") || strings.HasPrefix(name, "records/overload") {
			t.Errorf("%s was written again although nothing that it shows has changed", name)
		}
	}
	fresh := t.TempDir()
	site(t, input(t, all), fresh)
	if names := differing(after, tree(t, fresh)); len(names) > 0 {
		t.Errorf("these differ from a build from nothing: %v", names)
	}
}

// What a build wrote and the next does not is removed; what no build wrote stays.
func TestStaleFilesGo(t *testing.T) {
	all := few(t)
	out := t.TempDir()
	in := input(t, all)
	site(t, in, out)
	mine := filepath.Join(out, "CNAME")
	if err := os.WriteFile(mine, []byte("bench.example"), 0o644); err != nil {
		t.Fatal(err)
	}
	kept := slices.DeleteFunc(all, func(r evidence.Record) bool { return r.Family == "refused" })
	in = input(t, kept)
	r := site(t, in, out)
	files := tree(t, out)
	if r.Removed == 0 {
		t.Error("nothing was removed")
	}
	for name := range files {
		if strings.Contains(name, "refused-2") && !strings.Contains(name, "hostile") || name == "families/refused.html" {
			t.Errorf("%s is still there", name)
		}
	}
	if files["CNAME"] == "" {
		t.Error("a file that no build wrote was removed")
	}
	fresh := t.TempDir()
	site(t, in, fresh)
	delete(files, "CNAME")
	if names := differing(files, tree(t, fresh)); len(names) > 0 {
		t.Errorf("these differ from a build from nothing: %v", names)
	}
}

// A page that somebody changed on disk is made again.
func TestChangedFileIsMadeAgain(t *testing.T) {
	out := t.TempDir()
	in := input(t, few(t))
	in.CacheDir = t.TempDir()
	site(t, in, out)
	want := tree(t, out)
	page := filepath.Join(out, "index.html")
	if err := os.WriteFile(page, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(out, "families", "overload.md")); err != nil {
		t.Fatal(err)
	}
	site(t, in, out)
	if names := differing(want, tree(t, out)); len(names) > 0 {
		t.Errorf("these were not made again: %v", names)
	}
}

// A damaged memory only costs time.
func TestDamagedMemory(t *testing.T) {
	out := t.TempDir()
	in := input(t, few(t))
	in.CacheDir = t.TempDir()
	site(t, in, out)
	names, err := filepath.Glob(filepath.Join(in.CacheDir, "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("got %v, %v", names, err)
	}
	for _, text := range []string{"", "{", `{"format":1,"jobs":null}`, `{"format":99}`} {
		if err := os.WriteFile(names[0], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		site(t, in, out)
	}
}

// A download that is no longer what the evidence names stops the build.
func TestChangedLogStopsTheBuild(t *testing.T) {
	records := few(t)
	in := input(t, records)
	files := siteFiles(t, records)
	name := records[0].Files[0].Path
	files[name] = &fstest.MapFile{Data: []byte("another")}
	in.Files = files
	_, err := render.Site(t.Context(), in, t.TempDir())
	faults, ok := errors.AsType[render.Faults](err)
	if !ok || len(faults) != 1 || !strings.Contains(faults[0].Msg, "has changed since it became evidence") {
		t.Fatalf("got %v", err)
	}
	ds, err := render.Check(t.Context(), in)
	if err != nil || len(ds) != 1 {
		t.Errorf("got %v and %v from a check", ds, err)
	}
}

func TestMissingLogStopsTheBuild(t *testing.T) {
	in := input(t, few(t))
	in.Files = fstest.MapFS{}
	_, err := render.Site(t.Context(), in, t.TempDir())
	if faults, ok := errors.AsType[render.Faults](err); !ok || !strings.Contains(faults.Error(), "requests.parquet") {
		t.Fatalf("got %v", err)
	}
}

func TestTwoRecordsOfOneSlug(t *testing.T) {
	records := few(t)
	in := input(t, append(records, records[0]))
	if _, err := render.Site(t.Context(), in, t.TempDir()); err == nil || !strings.Contains(err.Error(), "two records have the slug") {
		t.Errorf("got %v", err)
	}
}

func TestStoppedBuild(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := render.Site(ctx, input(t, few(t)), t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A build that fails leaves the folder as it was, file by file, and a new folder
// empty: half a site would not verify.
func TestFailedBuildLeavesTheSite(t *testing.T) {
	in, out := input(t, few(t)), t.TempDir()
	site(t, in, out)
	before := tree(t, out)
	in.Config.Title = "Another title, on every page"
	pages := limitPages()
	pages["methodology/bad.md"] = &fstest.MapFile{Data: []byte("+++\ntitle = \"Bad\"\n+++\n\n{{ev no-record ttft_p50}}\n")}
	in.Content = pages
	fresh := t.TempDir()
	for _, dir := range []string{out, fresh} {
		if _, err := render.Site(t.Context(), in, dir); err == nil {
			t.Fatal("the build did not fail")
		}
	}
	if names := differing(before, tree(t, out)); len(names) > 0 {
		t.Errorf("a build that failed changed %d files, %s first", len(names), names[0])
	}
	if left := tree(t, fresh); len(left) > 0 {
		t.Errorf("a build that failed left %d files", len(left))
	}
}

// An empty site is a site.
func TestNoRecords(t *testing.T) {
	out := t.TempDir()
	r := site(t, input(t, nil), out)
	if r.Records != 0 || r.Pages == 0 {
		t.Errorf("got %+v", r)
	}
}

// Check writes nothing and finds what a build would.
func TestCheck(t *testing.T) {
	in := input(t, few(t))
	ds, err := render.Check(t.Context(), in)
	if err != nil || len(ds) != 0 {
		t.Fatalf("got %v and %v", ds, err)
	}
	pages := limitPages()
	pages["methodology/bad.md"] = &fstest.MapFile{Data: []byte("+++\ntitle = \"Bad\"\n+++\n\nA [dead link](nowhere.md), and {{ev no-record ttft_p50}}.\n")}
	pages["methodology/Upper.md"] = &fstest.MapFile{Data: []byte("+++\ntitle = \"Name\"\n+++\n\nText.\n")}
	in.Content = pages
	ds, err = render.Check(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, d := range ds {
		all = append(all, d.String())
	}
	text := strings.Join(all, "\n")
	for _, want := range []string{`content/methodology/bad.md:5:32: there is no record "no-record"`, `content/methodology/Upper.md: "Upper" cannot be part of an address`} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwithout %q", text, want)
		}
	}
}
