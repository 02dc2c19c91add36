package render_test

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"benchline/content"
	"benchline/render"
	"benchline/render/internal/prose"
)

// alone is the site of somebody who has measured nothing yet: the pages that
// come with the program, and no record.
func alone(t testing.TB) render.Input {
	t.Helper()
	in := input(t, nil)
	in.Content = content.FS()
	in.Definitions = oneDefinition()
	return in
}

func oneDefinition() []render.Definition {
	return []render.Definition{{Tool: "A tool", Versions: "1", Word: "ttft", Metric: "ttft", Start: "the request is sent"}}
}

// methodologyPages are the pages of the methodology in a built site.
func methodologyPages(files map[string]string) []string {
	var names []string
	for name := range files {
		if strings.HasPrefix(name, "methodology/") && path.Ext(name) == ".html" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Where there is no evidence there is no score: the methodology builds alone,
// with every link and fragment leading somewhere, and no page has a figure, an
// empty table for one, or a link to a list of nothing.
func TestMethodologyStandsAlone(t *testing.T) {
	out := t.TempDir()
	if _, err := render.Site(t.Context(), alone(t), out); err != nil {
		t.Fatal(err)
	}
	files := tree(t, out)
	pages := methodologyPages(files)
	if len(pages) < 15 {
		t.Fatalf("got %d methodology pages: %v", len(pages), pages)
	}
	if body, ok := files["data/records.jsonl"]; !ok || body != "" {
		t.Error("the site has no empty list of its evidence, against which its pages can be held")
	}
	for name, body := range files {
		stem, isPage := strings.CutSuffix(name, ".html")
		if !isPage {
			continue
		}
		if _, ok := files[stem+".md"]; !ok {
			t.Errorf("%s has no Markdown twin", name)
		}
		if first, _, _ := strings.Cut(name, "/"); first != "index.html" && first != "limits" && first != "methodology" {
			t.Errorf("%s: a site without records has no such page", name)
		}
		for _, never := range []string{"data-metric=", `class="headline`, "<tbody>\n</tbody>", "0 records", "There are no records", "There are no families", "records/index.html", "families/index.html"} {
			if strings.Contains(body, never) {
				t.Errorf("%s has %q", name, never)
			}
		}
	}
	for _, name := range pages {
		if name == "methodology/index.html" {
			continue
		}
		for _, list := range []string{"index.html", "methodology/index.html"} {
			if !strings.Contains(files[list], path.Base(name)+`"`) {
				t.Errorf("%s does not list %s", list, name)
			}
		}
		if name == "methodology/same-word.html" {
			continue // made from data: its sources stand in its rows
		}
		for _, part := range []string{`<h2 id="scope">`, `<h2 id="sources">`, `<h2 id="cite">`, "Revision ", "published 2", "reviewed 2", `rel="canonical"`, `name="description" content="`} {
			if !strings.Contains(files[name], part) {
				t.Errorf("%s has no %s", name, part)
			}
		}
	}
}

// Each page of the methodology leads to the next one, and each word that the
// foot of every page explains leads to its page.
func TestReadingOrder(t *testing.T) {
	out := t.TempDir()
	if _, err := render.Site(t.Context(), alone(t), out); err != nil {
		t.Fatal(err)
	}
	files := tree(t, out)
	index := files["methodology/index.html"]
	at := index[strings.Index(index, "<dl"):]
	at = at[strings.Index(at, `href="`)+len(`href="`):]
	name, _, _ := strings.Cut(at, `"`)
	var seen []string
	for name != "" {
		if slices.Contains(seen, name) {
			t.Fatalf("%s comes twice", name)
		}
		seen = append(seen, name)
		_, rest, _ := strings.Cut(files["methodology/"+name], `rel="next" href="`)
		name, _, _ = strings.Cut(rest, `"`)
	}
	want := methodologyPages(files)
	for _, p := range want {
		if !slices.Contains(seen, path.Base(p)) && p != "methodology/index.html" {
			t.Errorf("the reading order leaves out %s: it is %v", p, seen)
		}
	}
	_, terms, ok := strings.Cut(files["limits/simulated.html"], "What the words mean: ")
	if !ok || strings.Count(terms, `<a href="../methodology/`) < 8 {
		t.Errorf("the foot of a page explains too few words")
	}
}

// A record makes a bare site one with lists, and the lists stay when it is
// withdrawn.
func TestBareSiteGrows(t *testing.T) {
	out := t.TempDir()
	if _, err := render.Site(t.Context(), alone(t), out); err != nil {
		t.Fatal(err)
	}
	in := input(t, fixtures(t)[:1])
	in.Content, in.Definitions = content.FS(), oneDefinition()
	if _, err := render.Site(t.Context(), in, out); err != nil {
		t.Fatal(err)
	}
	files := tree(t, out)
	for _, name := range []string{"records/index.html", "families/index.html", "gaps.html", "sources.html", "changes.html", "browse/index.html"} {
		if _, ok := files[name]; !ok {
			t.Errorf("a site with a record has no %s", name)
		}
	}
	if strings.Contains(files["index.html"], "holds no measurement") {
		t.Error("the front page of a site with a record says that it has none")
	}
}

// Each page of the methodology has a place of its own in the reading order.
func TestPlacesInReadingOrder(t *testing.T) {
	names, err := fs.Glob(content.FS(), "methodology/*.md")
	if err != nil {
		t.Fatal(err)
	}
	places := map[int64]string{}
	for _, name := range names {
		src, err := fs.ReadFile(content.FS(), name)
		if err != nil {
			t.Fatal(err)
		}
		doc, _ := prose.Parse(name, src)
		place := doc.Front().Order
		if other, taken := places[place]; taken || place == 0 {
			t.Errorf("%s has the place %d, which %q has", name, place, other)
		}
		places[place] = name
	}
}
