package evidence_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/evidence"
)

func TestSlugKeepsWhatIsOne(t *testing.T) {
	for _, name := range []string{"a", "0", "soak-131k", "p1-c16", "demo-20261129t172300z-i128-o32-r2.5-r1", "com", "com10", "index2", strings.Repeat("a", evidence.MaxSlug)} {
		got, err := evidence.Slug(name)
		if err != nil || got != name {
			t.Errorf("Slug(%q) = %q, %v, want it unchanged", name, got, err)
		}
	}
}

func TestSlugMakesNamesSafe(t *testing.T) {
	for _, c := range []struct{ name, head string }{
		{"org-a/model-7b", "org-a-model-7b-"},
		{"Model-7B", "model-7b-"},
		{"model 7b", "model-7b-"},
		{"modéle", "mod-le-"},
		{"模型", "x-"},
		{".hidden", "hidden-"},
		{"a.", "a-"},
		{"..", "x-"},
		{"../../escape", "escape-"},
		{"con", "x-con-"},
		{"nul.txt", "x-nul.txt-"},
		{"COM1", "x-com1-"},
		{"index", "x-index-"},
		{"-rf", "rf-"},
		{"a-0123456789abcdef", "a-0123456789abcdef-"},
		{strings.Repeat("x", 300), strings.Repeat("x", evidence.MaxSlug-17) + "-"},
		{"\xff\xfe", "x-"},
	} {
		got, err := evidence.Slug(c.name)
		if err != nil {
			t.Errorf("Slug(%q): %v", c.name, err)
			continue
		}
		if !strings.HasPrefix(got, c.head) || len(got) != len(c.head)+16 || !evidence.IsSlug(got) {
			t.Errorf("Slug(%q) = %q, want %q and 16 digits", c.name, got, c.head)
		}
	}
}

func TestSlugRefuses(t *testing.T) {
	for _, name := range []string{"", "run\x00x", "a\nb", "\x7f"} {
		if got, err := evidence.Slug(name); err == nil {
			t.Errorf("Slug(%q) = %q, want an error", name, got)
		}
	}
}

func TestSlugIsDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Few characters, so that near collisions are frequent.
		name := rapid.OneOf(
			rapid.StringMatching(`[aA/ .é-]{1,6}`),
			rapid.StringMatching(`a(-[0-9a-f]{16}){0,2}`),
			rapid.String(),
		)
		a, b := name.Draw(t, "a"), name.Draw(t, "b")
		sa, errA := evidence.Slug(a)
		sb, errB := evidence.Slug(b)
		if errA != nil || errB != nil {
			return
		}
		if !evidence.IsSlug(sa) || path.Base(path.Clean("/"+sa)) != sa || strings.ToLower(sa) != sa {
			t.Fatalf("Slug(%q) = %q is no safe name", a, sa)
		}
		if a != b && sa == sb {
			t.Fatalf("%q and %q both became %q", a, b, sa)
		}
		again, err := evidence.Slug(sa)
		if err == nil && again == sa && sa != a {
			t.Fatalf("the made name %q (of %q) could be chosen as a name", sa, a)
		}
	})
}

// The names of case C26 and the run IDs of case C27.
func TestSlugOnCases(t *testing.T) {
	seen := map[string]string{}
	for _, file := range []string{"c26-model-names.json", "c27-run-ids.json"} {
		for _, name := range caseNames(t, file) {
			got, err := evidence.Slug(name)
			if name == "" || strings.Contains(name, "\x00") {
				if err == nil {
					t.Errorf("Slug(%q) = %q, want it refused", name, got)
				}
				continue
			}
			if err != nil {
				t.Errorf("Slug(%q): %v", name, err)
			}
			if !evidence.IsSlug(got) || len(got+".html") > 100 {
				t.Errorf("Slug(%q) = %q is no safe file name", name, got)
			}
			if other, ok := seen[got]; ok {
				t.Errorf("%q and %q both became %q", other, name, got)
			}
			seen[got] = name
		}
	}
}

func caseNames(t *testing.T, file string) []string {
	t.Helper()
	src, err := os.ReadFile("../../../shared/cases/" + file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not beside this checkout", file)
	}
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	if err := json.Unmarshal(src, &names); err != nil {
		t.Fatal(err)
	}
	return names
}
