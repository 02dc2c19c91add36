package render_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"benchline/ingest/evidence"
)

// Names with slashes, spaces, colons, other scripts and great length (case C26)
// have a page each, also on a file system that ignores case, and every link
// between them works: a dead one fails the build.
func TestNamesBecomePages(t *testing.T) {
	b, err := os.ReadFile("../../shared/cases/c26-model-names.json")
	if err != nil {
		t.Skipf("%s needs the shared cases beside the checkout", t.Name())
	}
	var names []string
	if err := json.Unmarshal(b, &names); err != nil {
		t.Fatal(err)
	}
	var base evidence.Record
	for _, r := range fixtures(t) {
		if r.Family == "nousage" {
			base = r
		}
	}
	var records []evidence.Record
	for _, name := range names {
		r := base
		if r.Slug, err = evidence.Slug("run of " + name); err != nil {
			t.Fatal(err)
		}
		r.Family, r.Subject.Profile, r.Files = name, name, nil
		r.Subject.Model = evidence.Stated(name, "test")
		sealed, err := evidence.Seal(r)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, sealed)
	}
	in := input(t, nil)
	in.Records = records
	out := t.TempDir()
	site(t, in, out)
	seen := map[string]bool{}
	for name := range tree(t, out) {
		if folded := strings.ToLower(name); seen[folded] {
			t.Errorf("two files differ only in case: %s", name)
		} else {
			seen[folded] = true
		}
		for _, element := range strings.Split(name, "/") {
			if len(element) > 100 || strings.ContainsAny(element, `<>:"\|?*`) {
				t.Errorf("%s is no name on every system", name)
			}
		}
	}
	for _, folder := range []string{"families", "profiles", "records"} {
		n := 0
		for name := range seen {
			if strings.HasPrefix(name, folder+"/") && strings.HasSuffix(name, ".html") {
				n++
			}
		}
		if got, want := n, len(names)+1; got != want {
			t.Errorf("got %d pages in %s, want %d", got, folder, want)
		}
	}
}
