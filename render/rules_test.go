package render_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"benchline/content"
	"benchline/ingest/evidence"
	"benchline/render"
	"benchline/render/internal/figurelint"
	"benchline/render/internal/page"
	"benchline/render/internal/prose"
)

// The page about the rules has each rule under its name, in order, and the
// fragments to which notes link.
func TestRulesPage(t *testing.T) {
	src, err := fs.ReadFile(content.FS(), page.RulesPage+".md")
	if err != nil {
		t.Fatal(err)
	}
	doc, _ := prose.Parse(page.RulesPage+".md", src)
	var got, want []string
	for _, h := range doc.Headings() {
		if h.Level == 3 {
			got = append(got, h.Text+" #"+h.ID)
		}
	}
	for _, r := range figurelint.Rules() {
		want = append(want, r.Heading()+" #"+r.Anchor())
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// mixed are two runs of one family that differ in more than the load, so that a
// rule has something to say.
func mixed(t *testing.T) []evidence.Record {
	t.Helper()
	var out []evidence.Record
	for _, r := range fixtures(t) {
		if strings.Contains(r.Slug, "ladder") && strings.Contains(r.Slug, "i128-o32-c") && !strings.HasPrefix(r.Slug, "void") {
			r.Subject.EngineVersion = evidence.Stated(fmt.Sprint("build ", len(out)), "test")
			sealed, err := evidence.Seal(r)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, sealed)
		}
	}
	return out
}

// A warning stands beside the chart, linked to the page that explains it; set
// aside, the reason stands there with the finding.
func TestRuleNotesOnPages(t *testing.T) {
	in := input(t, mixed(t))
	in.Content = rulesContent(t)
	out := t.TempDir()
	if _, err := render.Site(t.Context(), in, out); err != nil {
		t.Fatal(err)
	}
	files := tree(t, out)
	for _, want := range []string{`<a href="../methodology/chart-rules.html#l7-hidden-dimension">Rule L7</a></b> Engine version differs within one column or series`} {
		if !strings.Contains(files["families/ladder.html"], want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if !strings.Contains(files["families/ladder.md"], "> **Rule L7** Engine version differs") {
		t.Error("the Markdown twin has no note")
	}
	in.Config.SetAside = []render.SetAside{{Rule: "L7", Page: "families/ladder", Reason: "each build is a step of one upgrade"}}
	if _, err := render.Site(t.Context(), in, out); err != nil {
		t.Fatal(err)
	}
	want := "Rule set aside here: Each build is a step of one upgrade. It found: Engine version differs"
	if page := tree(t, out)["families/ladder.html"]; !strings.Contains(page, want) {
		t.Errorf("the page has no %q", want)
	}
	in.Config.SetAside[0].Page = "families/other"
	ds, err := render.Check(t.Context(), in)
	if err != nil || !slices.ContainsFunc(ds, func(d render.Diagnostic) bool { return strings.Contains(d.Msg, `no page "families/other"`) }) {
		t.Errorf("got %v, %v", ds, err)
	}
}

// rulesContent is the stand-in pages with the real page about the rules.
func rulesContent(t *testing.T) fstest.MapFS {
	t.Helper()
	files := limitPages()
	for _, name := range []string{"chart-rules", "comparing", "definitions", "percentiles", "windows"} {
		src, err := fs.ReadFile(content.FS(), "methodology/"+name+".md")
		if err != nil {
			t.Fatal(err)
		}
		if name != "chart-rules" { // only the page is looked at; others stand in
			src = []byte("+++\ntitle = \"" + name + "\"\ndescription = \"A stand-in.\"\n+++\n\nText.\n")
		}
		files["methodology/"+name+".md"] = &fstest.MapFile{Data: src}
	}
	return files
}
