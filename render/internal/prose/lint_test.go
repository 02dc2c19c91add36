package prose_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"benchline/render/internal/prose"
)

// TestContentIsClean: the pages that come with the program obey their own linter.
func TestContentIsClean(t *testing.T) {
	for _, d := range pages(t) {
		for _, f := range d.Lint(nil) {
			t.Error(f)
		}
	}
}

// lintCase is a page and the texts that the linter shall find in it.
type lintCase struct {
	src  string
	want []string
}

func lintCases(t *testing.T, file string) []lintCase {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []lintCase
	for _, part := range strings.Split("\n"+string(b), "\n%%")[1:] {
		head, src, _ := strings.Cut(part, "\n")
		c := lintCase{src: src}
		if head = strings.TrimSpace(head); head != "" {
			c.want = strings.Split(head, " | ")
		}
		cases = append(cases, c)
	}
	return cases
}

// quotedText is the text that a finding quotes.
func quotedText(d prose.Diagnostic) string {
	m := regexp.MustCompile(`"(.*?)" is `).FindStringSubmatch(d.Msg)
	if m == nil {
		return d.Msg
	}
	return m[1]
}

// TestLintFinds: figures typed by hand are found, whatever the markup around them.
func TestLintFinds(t *testing.T) {
	cases, missed := lintCases(t, "testdata/lint-fails.txt"), 0
	for _, c := range cases {
		d, _ := prose.Parse("p.md", []byte(c.src))
		var got []string
		for _, f := range d.Lint(nil) {
			got = append(got, quotedText(f))
		}
		if strings.Join(got, " | ") != strings.Join(c.want, " | ") {
			missed++
			t.Errorf("%s\ngot  %q\nwant %q", c.src, got, c.want)
		}
	}
	t.Logf("found as wanted: %d of %d pages with a figure", len(cases)-missed, len(cases))
}

// TestLintLeaves: numbers that are no figures, and figures that are marked or
// referred to, are left alone.
func TestLintLeaves(t *testing.T) {
	cases, wrong := lintCases(t, "testdata/lint-passes.txt"), 0
	for _, c := range cases {
		d, _ := prose.Parse("p.md", []byte(c.src))
		if found := d.Lint(nil); len(found) > 0 {
			wrong++
			t.Errorf("%s\ngot %q", c.src, lines(found))
		}
	}
	t.Logf("left alone: %d of %d pages without a figure", len(cases)-wrong, len(cases))
}
