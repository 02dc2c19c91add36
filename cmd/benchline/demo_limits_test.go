package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"benchline/ingest/evidence"
)

// A part of the demo together with the built-in archive shows at least twelve
// limit codes where they apply: as a mark at a figure or a record, whose note is
// on the same page and leads to the code's page. Listed are those that a slow
// machine cannot take away; what the client thinks of itself is not among them.
func TestDemoShowsLimitsInPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("measures for about five seconds")
	}
	var said bytes.Buffer
	e := env{stdout: &said, stderr: &said, getenv: os.Getenv, now: time.Now}
	dir := filepath.Join(t.TempDir(), "site")
	public := filepath.Join(dir, "public")
	if err := initSite(dir, "demo"); err != nil {
		t.Fatal(err)
	}
	if _, err := demoRuns(t.Context(), e, dir, demoEndpoint(), "demo/overload.toml"); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	showArchive(t, filepath.Join(dir, "site.toml"))
	if _, err := buildSite(t.Context(), e, dir, public); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	shown := map[evidence.Code]string{}
	for _, folder := range []string{"records", "families"} {
		pages, err := filepath.Glob(filepath.Join(public, folder, "*.html"))
		if err != nil || len(pages) == 0 {
			t.Fatalf("no pages in %s: %v", folder, err)
		}
		for _, page := range pages {
			marksOn(t, page, shown)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(shown)) {
		t.Logf("%s, first on %s", code, shown[code])
	}
	want := []evidence.Code{
		evidence.SimulatedEndpoint, evidence.UnresolvedTail, evidence.UnboundedPercentile, evidence.CompletionConditioned,
		evidence.DefinitionNotStated, evidence.OutcomesNotStated, evidence.FavourableUpperBound, evidence.DurationNotStated,
		evidence.CacheUnstated, evidence.RequestsVaryInSeries, evidence.DerivedValue, evidence.MeanNotPercentile, evidence.NumeratorIsTarget,
	}
	if len(want) < 12 {
		t.Fatalf("only %d codes are asked for", len(want))
	}
	for _, code := range want {
		if shown[code] == "" {
			t.Errorf("%s stands at no figure and no record", code)
		}
	}
}

func showArchive(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := regexp.MustCompile(`(?m)^archive +=.*$`).ReplaceAll(text, []byte("archive = true"))
	if bytes.Equal(changed, text) {
		t.Fatal("site.toml has no line for the archive")
	}
	if err := os.WriteFile(file, changed, 0o644); err != nil {
		t.Fatal(err)
	}
}

// marksOn notes the codes whose marks stand on a page, and holds that each mark
// has its note there, with the code's name and the way to its page.
func marksOn(t *testing.T, file string, shown map[evidence.Code]string) {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page := string(body)
	name := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file)
	for _, m := range regexp.MustCompile(`<a href="#([^"]+)" data-limit="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		_, note, found := strings.Cut(page, `<li id="`+m[1]+`">`)
		note, _, _ = strings.Cut(note, "</li>")
		if !found || !strings.Contains(note, `<a href="../limits/`+m[2]+`.html">`+m[2]+`</a>`) || !strings.Contains(note, `class="says"`) {
			t.Errorf("%s: the mark of %s has no note of its own: %q", name, m[2], note)
		}
		if shown[evidence.Code(m[2])] == "" {
			shown[evidence.Code(m[2])] = name
		}
	}
}
