package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"benchline/content"
	"benchline/render"
)

// writtenExample is an example of the page on writing pages; refused is what is
// said of it, empty where it builds.
type writtenExample struct{ text, refused string }

// writtenExamples are the fenced examples of the page: those that are refused have
// the words of the refusal in the next fence.
func writtenExamples(t *testing.T) []writtenExample {
	t.Helper()
	src, err := fs.ReadFile(content.FS(), "methodology/writing-pages.md")
	if err != nil {
		t.Fatal(err)
	}
	// Examples with figures stand in a quotation that is marked as an illustration.
	src = regexp.MustCompile(`(?m)^> ?`).ReplaceAll(src, nil)
	fences := regexp.MustCompile("(?ms)^```([a-z ]+)\n(.*?)^```\n").FindAllStringSubmatch(string(src), -1)
	var out []writtenExample
	for i, f := range fences {
		switch f[1] {
		case "markdown":
			out = append(out, writtenExample{text: f[2]})
		case "markdown refused":
			if i+1 == len(fences) || fences[i+1][1] != "text" {
				t.Fatalf("this example has no refusal behind it:\n%s", f[2])
			}
			out = append(out, writtenExample{f[2], strings.TrimSpace(fences[i+1][2])})
		case "text":
		default:
			t.Errorf("a fence of the kind %q, which no test reads", f[1])
		}
	}
	return out
}

// TestWrittenExamples: each example of the page on writing pages builds in a site
// that has the archive, and each that shall be refused is, in the words beside it
// and with nothing else wrong.
func TestWrittenExamples(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	carryOut(t, "init", dir)
	if err := writeFile(filepath.Join(dir, "site.toml"), "title = \"T\"\narchive = true\n"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "content", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	examples := writtenExamples(t)
	kinds := map[string]int{}
	for i, x := range examples {
		text := x.text
		if !strings.HasPrefix(text, "+++\n") {
			text = fmt.Sprintf("+++\ntitle = \"Example %d\"\ndescription = \"An example.\"\n+++\n\n", i) + text
		}
		if err := writeFile(filepath.Join(dir, "content", "x", fmt.Sprintf("e%02d.md", i)), text); err != nil {
			t.Fatal(err)
		}
		for _, kind := range regexp.MustCompile(`\{\{(\w+)|\[!(\w+)`).FindAllStringSubmatch(x.text, -1) {
			kinds[kind[1]+kind[2]]++
		}
	}
	for _, kind := range []string{"ev", "headline", "table", "chart", "compare", "illustration", "target", "claim", "ILLUSTRATION", "TARGET", "CLAIM"} {
		if kinds[kind] == 0 {
			t.Errorf("no example of %s", kind)
		}
	}
	found := map[string][]render.Diagnostic{}
	for _, d := range checked(t, dir) {
		found[d.File] = append(found[d.File], d)
	}
	for i, x := range examples {
		file := fmt.Sprintf("content/x/e%02d.md", i)
		got := slices.DeleteFunc(found[file], func(d render.Diagnostic) bool { return d.Warning })
		switch {
		case x.refused == "" && len(got) > 0:
			t.Errorf("refused: %v\n%s", got, x.text)
		case x.refused != "" && (len(got) != 1 || !strings.Contains(got[0].Msg, x.refused)):
			t.Errorf("got %v, want %q\n%s", got, x.refused, x.text)
		}
	}
}

// checked is what benchline check says of a site.
func checked(t *testing.T, dir string) []render.Diagnostic {
	t.Helper()
	_, said := exported(t, "check", "--json", dir)
	var out []render.Diagnostic
	for line := range strings.Lines(said) {
		var d render.Diagnostic
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		out = append(out, d)
	}
	return out
}
