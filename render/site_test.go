package render_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"benchline/assets"
	"benchline/ingest/evidence"
	"benchline/render"
	"benchline/templates"
)

// siteFiles are the run folders that the fixtures name.
func siteFiles(t testing.TB, records []evidence.Record) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, r := range records {
		for _, f := range r.Files {
			run := filepath.Base(filepath.Dir(f.Path))
			var body []byte
			switch f.Name {
			case "plan.toml":
				body = []byte(r.PlanTOML)
			case "manifest.json":
				body = []byte("{\"invented\": \"" + run + "\"}\n")
			default:
				body = []byte("rows of " + run)
			}
			files[f.Path] = &fstest.MapFile{Data: body}
		}
	}
	return files
}

// limitPages are stand-ins for the authored pages, so that these tests do not
// hang on their words.
func limitPages() fstest.MapFS {
	pages := fstest.MapFS{}
	for _, c := range evidence.Codes() {
		pages["limits/"+string(c.Code)+".md"] = &fstest.MapFile{Data: []byte("+++\ntitle = \"" + c.Title + "\"\ndescription = \"A stand-in.\"\nrevision = 1\n+++\n\nWhat it means.\n")}
	}
	pages["methodology/windows.md"] = &fstest.MapFile{Data: []byte("+++\ntitle = \"Windows\"\ndescription = \"How windows are cut.\"\nrevision = 2\nreviewed = 2026-11-29\nscope = [\"Own runs only.\"]\n+++\n\n## Rules\n\nText with a [link](../limits/simulated.md).\n")}
	var wide strings.Builder
	wide.WriteString("+++\ntitle = \"Wide\"\ndescription = \"A wide table.\"\n+++\n\n|" + strings.Repeat(" a column with a long name |", 14) + "\n|" + strings.Repeat(" --- |", 14) + "\n")
	for range 60 {
		wide.WriteString("|" + strings.Repeat(" org/model-with-a-long-name |", 14) + "\n")
	}
	pages["methodology/wide.md"] = &fstest.MapFile{Data: []byte(wide.String())}
	return pages
}

func input(t testing.TB, records []evidence.Record) render.Input {
	t.Helper()
	var packs []render.PackSource
	if slices.ContainsFunc(records, func(r evidence.Record) bool { return r.Slug == "ladder-20261129t172300z-i1024-o256-c1-r1" }) {
		packs = append(packs, fixturePack(t)) // it names records of all the fixtures
	}
	return render.Input{Packs: packs, Config: render.Config{Title: "Test site", Description: "Invented records.", Base: "https://bench.example/", Author: "Nobody", Licence: "CC0"},
		Records: records, Files: siteFiles(t, records), Content: limitPages(), Templates: templates.FS(), Assets: assets.FS(), Tool: "benchline test"}
}

// tree reads a folder: paths and bytes.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSiteBuilds(t *testing.T) {
	records := fixtures(t)
	out := t.TempDir()
	if *keep != "" {
		out = *keep
	}
	r, err := render.Site(t.Context(), input(t, records), out)
	if err != nil {
		t.Fatal(err)
	}
	files := tree(t, out)
	if got, want := r.Files, len(files); got != want {
		t.Errorf("got %d files, want %d", got, want)
	}
	for _, name := range []string{"index.html", "index.md", "families/index.html", "records/index.html", "profiles/index.html", "limits/index.html",
		"methodology/index.html", "methodology/windows.html", "limits/simulated.md", "data/records.jsonl", "SHA256SUMS", "assets/style.css", "assets/echarts.min.js"} {
		if _, ok := files[name]; !ok {
			t.Errorf("the site has no %s", name)
		}
	}
	for name := range files {
		if page, ok := strings.CutSuffix(name, ".html"); ok && !isOneFile(name) {
			if _, twin := files[page+".md"]; !twin {
				t.Errorf("%s has no Markdown twin", name)
			}
		}
	}
}
