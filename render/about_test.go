package render

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDescriptions(t *testing.T) {
	a := about{Title: "T", Description: "D", Version: "v", Newest: "2026-11-29", Licence: "Ask me", Files: []aboutFile{
		{Path: "data/files/A b.csv", SHA256: "00", Bytes: 3, Media: "text/csv", What: "w"}, {Path: "data/files/a-b.csv", Bytes: 0}}}
	files, err := describe(a)
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	for _, f := range files {
		text[f.path] = string(f.body)
		if strings.HasSuffix(f.path, ".json") && !json.Valid(f.body) {
			t.Errorf("%s is no JSON", f.path)
		}
	}
	for name, want := range map[string]string{CrateFile: `"data/files/A%20b.csv"`, DataPackageFile: `"files_a-b.csv-2"`, CitationFile: "author not stated", LinkedDataFile: `"Ask me"`} {
		if !strings.Contains(text[name], want) {
			t.Errorf("%s: no %s in it: %s", name, want, text[name])
		}
	}
	if strings.Contains(text[CitationFile], "\nlicense:") || strings.Contains(text[DataPackageFile], `"licenses"`) {
		t.Error("a licence that is no SPDX identifier was given as one")
	}
	if all := text[CitationFile] + text[CrateFile]; strings.Contains(all, "date-released") || strings.Contains(all, "datePublished") {
		t.Error("the day of a run was given as the day of publication")
	}
	a.Published = "2026-11-30"
	if cff := string(citation(a)); !strings.Contains(cff, `date-released: "2026-11-30"`) {
		t.Errorf("the stated day of publication is not there: %s", cff)
	}
	if strings.Count(text[DataPackageFile], `"hash"`) != 1 {
		t.Error("a checksum that is not known must not be there")
	}
}

// A YAML scalar is one line of printable characters that reads back as the text.
func TestYAMLText(t *testing.T) {
	bad := regexp.MustCompile(`[\x00-\x1f\x7f-\x{9f}\x{2028}\x{2029}\x{feff}]`)
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "text")
		got := yamlText(in)
		if bad.MatchString(got) || !strings.HasPrefix(got, `"`) {
			t.Fatalf("%q became %q", in, got)
		}
		var back string
		if err := json.Unmarshal([]byte(got), &back); err != nil || back != in {
			t.Fatalf("%q became %q, which reads back as %q: %v", in, got, back, err)
		}
	})
}

func TestResourceNamesAreDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taken, seen := map[string]int{}, map[string]bool{}
		for _, p := range rapid.SliceOf(rapid.StringMatching(`[aA2_ /-]{1,6}`)).Draw(t, "paths") {
			n := resourceName(p, taken)
			if seen[n] {
				t.Fatalf("%q stands twice", n)
			}
			seen[n] = true
		}
	})
}
