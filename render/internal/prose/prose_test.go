package prose_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchline/render/internal/prose"
)

// known resolves every record named r1; others are not there.
func known() prose.ResolverFunc {
	return func(r prose.Reference) (prose.Resolved, error) {
		if r.Args[0] != "r1" {
			return prose.Resolved{}, fmt.Errorf("no record %q", r.Args[0])
		}
		switch r.Kind {
		case prose.Ev:
			return prose.Resolved{HTML: []byte(`<a href="x">5 s</a>`), Markdown: []byte("[5 | s\n](x.md)")}, nil
		case prose.Headline, prose.Table, prose.Chart, prose.Compare:
			return prose.Resolved{HTML: []byte("<figure>F</figure>"), Markdown: []byte("block\n\nof text\n")}, nil
		case prose.Illustration, prose.Target, prose.Claim:
		}
		return prose.Resolved{}, errors.New("marks are never asked for")
	}
}

func lines(ds []prose.Diagnostic) []string {
	out := make([]string, 0, len(ds))
	for _, d := range ds {
		out = append(out, d.String())
	}
	return out
}

func TestHTML(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"inline", "a {{ev r1 ttft_p50}} b", "<p>a <a href=\"x\">5 s</a> b</p>\n"},
		{"inline twice in one line", "{{ev r1 m}}{{ev r1 m}}", "<p><a href=\"x\">5 s</a><a href=\"x\">5 s</a></p>\n"},
		{"code span is left alone", "`{{ev r1 m}}`", "<p><code>{{ev r1 m}}</code></p>\n"},
		{"code block is left alone", "```toml\n{{ev r1 m}}\n```\n", "<pre tabindex=\"0\"><code class=\"language-toml\">{{ev r1 m}}\n</code></pre>\n"},
		{"indented code is left alone", "    {{ev r1 m}}\n", "<pre tabindex=\"0\"><code>{{ev r1 m}}\n</code></pre>\n"},
		{"backslash", `\{{ev r1 m}}`, "<p>{{ev r1 m}}</p>\n"},
		{"single brace", "a {b} c", "<p>a {b} c</p>\n"},
		{"block", "x\n\n{{headline r1 m}}\n\ny", "<p>x</p>\n<figure>F</figure>\n<p>y</p>\n"},
		{"table cell", "| a |\n|--:|\n| {{ev r1 m}} |\n", "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Table: a\"><table>\n<thead>\n<tr>\n<th class=\"n\">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td class=\"n\"><a href=\"x\">5 s</a></td>\n</tr>\n</tbody>\n</table></div>\n"},
		{"mark", "{{illustration 5 < 6 tokens/s}}", "<p><span class=\"mark illustration\">5 &lt; 6 tokens/s <small>(illustration, not measured)</small></span></p>\n"},
		{"passage", "> [!TARGET]\n> Below *one* second.\n", "<div class=\"mark target\" role=\"note\">\n<p class=\"mark-label\">Target, not measured.</p>\n<p><em>one</em> second.</p>\n</div>\n"},
		{"quotation", "> Words.\n", "<blockquote>\n<p>Words.</p>\n</blockquote>\n"},
		{"links to pages", "[a](b.md) [c](../d.md#e) [f](g.txt) [h](https://example.com/i.md)", "<p><a href=\"b.html\">a</a> <a href=\"../d.html#e\">c</a> <a href=\"g.txt\">f</a> <a href=\"https://example.com/i.md\">h</a></p>\n"},
		{"heading", "## Größe of run\n\n[x](#größe-of-run)", "<h2 id=\"größe-of-run\">Größe of run</h2>\n<p><a href=\"#gr%C3%B6%C3%9Fe-of-run\">x</a></p>\n"},
	} {
		if tt.name == "passage" {
			tt.want = strings.Replace(tt.want, "<p><em>", "<p>Below <em>", 1)
		}
		t.Run(tt.name, func(t *testing.T) {
			d, ds := prose.Parse("p.md", []byte(tt.src))
			if len(ds) > 0 {
				t.Errorf("Parse: %v", lines(ds))
			}
			got, ds := d.HTML(known())
			if len(ds) > 0 {
				t.Errorf("HTML: %v", lines(ds))
			}
			if diff := cmp.Diff(string(got), tt.want); diff != "" {
				t.Errorf("HTML (-got +want):\n%s", diff)
			}
		})
	}
}

func TestMarkdown(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"inline", "a {{ev r1 m}} b\n", "a [5 | s ](x.md) b\n"},
		{"table cell", "| a |\n|---|\n| {{ev r1 m}} |\n", "| a |\n|---|\n| [5 \\| s ](x.md) |\n"},
		{"block", "x\n\n{{chart r1}}\n\ny\n", "x\n\nblock\n\nof text\n\ny\n"},
		{"mark", "{{claim https://a.b/c up to 9 tokens/s}}\n", "“up to 9 tokens/s” (a claim, not evidence; source: [a.b](<https://a.b/c>))\n"},
		{"passage", "> [!ILLUSTRATION]\n> Ten.\n", "> **Illustration, not measured.**\n> Ten.\n"},
		{"front matter is left out", "+++\ntitle = \"T\"\n+++\n\nBody [a](b.md) {{ev r1 m}}.\n", "\nBody [a](b.md) [5 | s ](x.md).\n"},
		{"code", "`{{ev r1 m}}`\n", "`{{ev r1 m}}`\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, ds := prose.Parse("p.md", []byte(tt.src))
			if len(ds) > 0 {
				t.Errorf("Parse: %v", lines(ds))
			}
			got, ds := d.Markdown(known())
			if len(ds) > 0 {
				t.Errorf("Markdown: %v", lines(ds))
			}
			if diff := cmp.Diff(string(got), tt.want); diff != "" {
				t.Errorf("Markdown (-got +want):\n%s", diff)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []string // each a prefix of the diagnostic at its place
	}{
		{"misspelt", "x\ny {{evi r1 m}}", []string{`p.md:2:3: unknown reference "evi"`}},
		{"no end", "a {{ev r1 m} b", []string{"p.md:1:3: this reference has no end"}},
		{"words", "{{ev r1}}", []string{"p.md:1:1: {{ev}} takes 2 words, got 1"}},
		{"block in a sentence", "a {{headline r1 m}}", []string{"p.md:1:3: {{headline}} has to stand alone"}},
		{"block in a list", "- {{headline r1 m}}", []string{"p.md:1:3: {{headline}} has to stand alone"}},
		{"in a link", "[{{ev r1 m}}](x)", []string{"p.md:1:2: a reference cannot stand inside a link"}},
		{"in a heading", "## A {{ev r1 m}}", []string{"p.md:1:6: a reference cannot stand in a heading"}},
		{"raw block", "x\n\n<script>\nalert(1)\n</script>\n", []string{"p.md:3:1: raw HTML"}},
		{"raw inline", "a <b onclick=x>c</b>", []string{"p.md:1:3: raw HTML", "p.md:1:17: raw HTML"}},
		{"script link", "a [x](javascript:alert(4))", []string{`p.md:1:3: the link "javascript:alert(4)" has a scheme`}},
		{"hidden script link", "[x](java&#115;cript:alert(4))", []string{`p.md:1:1: the link "javascript:alert(4)"`}},
		{"script address", "<javascript:alert(1)>", []string{`p.md:1:`}},
		{"no scheme", "[x](//example.com/y)", []string{`p.md:1:1: the link "//example.com/y" has a host and no scheme`}},
		{"root", "[x](/y)", []string{`p.md:1:1: the link "/y" starts at the root`}},
		{"picture elsewhere", "![x](https://example.com/y.png)", []string{"p.md:1:1: the picture"}},
		{"picture without words", "![](y.png)", []string{"p.md:1:1: the picture has no text alternative"}},
		{"anchor", "## A\n\n[x](#b)", []string{`p.md:3:1: no heading of this page has the ID "b"`}},
		{"front without end", "+++\ntitle = 1\n", []string{"p.md:1:1: the front matter that starts here has no end"}},
		{"front syntax", "+++\ntitle = \n+++\n", []string{"p.md:2:"}},
		{"front key", "+++\ntitle = \"a\"\ntitel = \"b\"\n+++\n", []string{"p.md:3:1: titel: unknown key"}},
		{"front type", "+++\ntitle = \"a\"\nrevision = \"b\"\n+++\n", []string{"p.md:3: front matter: "}},
		{"front date", "+++\npublished = \"soon\"\n+++\n", []string{`p.md:2:1: published: "soon" is not a date`}},
		{"front address", "+++\ncanonical = \"//x\"\n+++\n", []string{"p.md:2:1: canonical: "}},
		{"lines after front matter", "+++\ntitle = \"a\"\n+++\n\n{{nope}}", []string{`p.md:5:1: unknown reference "nope"`}},
		{"not UTF-8", "\xff", []string{"p.md:1: the page is not UTF-8"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, ds := prose.Parse("p.md", []byte(tt.src))
			got := lines(ds)
			if len(got) != len(tt.want) {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], tt.want[i]) {
					t.Errorf("got %q, want it to start with %q", got[i], tt.want[i])
				}
			}
			out, _ := d.HTML(known())
			for _, bad := range []string{"javascript", "<script", "onclick", "//example.com"} {
				if strings.Contains(string(out), "=\""+bad) || strings.Contains(string(out), "<script") {
					t.Errorf("output holds %q: %s", bad, out)
				}
			}
		})
	}
}

func TestUnresolved(t *testing.T) {
	d, ds := prose.Parse("p.md", []byte("x\n\na {{ev r2 m}} and {{ev r1 m}}\n"))
	if len(ds) > 0 {
		t.Fatal(lines(ds))
	}
	out, ds := d.HTML(known())
	if got, want := strings.Join(lines(ds), "\n"), `p.md:3:3: no record "r2"`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !strings.Contains(string(out), `<span class="unresolved">unresolved: ev r2 m</span>`) {
		t.Errorf("got %s", out)
	}
	md, _ := d.Markdown(known())
	if !strings.Contains(string(md), "[unresolved: ev r2 m]") {
		t.Errorf("got %s", md)
	}
}

const full = `+++
title = "Windows"
description = "What a rate is divided by."
canonical = "methodology/windows.html"
revision = 2
published = 2026-11-29
reviewed = "2026-11-30"
scope = ["One.", "Two."]

[[sources]]
name = "A"
address = "https://example.com/a"
supports = "B"
published = 2025-10-29
verified = 2026-10-12

[[sources]]
name = "C"
supports = "D"
verified = 2026-10-12
+++
Text.
`

func TestFront(t *testing.T) {
	d, ds := prose.Parse("p.md", []byte(full))
	if ds = append(ds, d.Incomplete()...); len(ds) > 0 {
		t.Fatal(lines(ds))
	}
	want := prose.Front{
		Title: "Windows", Description: "What a rate is divided by.", Canonical: "methodology/windows.html", Revision: 2,
		Published: "2026-11-29", Reviewed: "2026-11-30", Scope: []string{"One.", "Two."},
		Sources: []prose.Source{
			{Name: "A", Address: "https://example.com/a", Supports: "B", Published: "2025-10-29", Verified: "2026-10-12"},
			{Name: "C", Supports: "D", Verified: "2026-10-12"},
		},
	}
	if diff := cmp.Diff(d.Front(), want); diff != "" {
		t.Errorf("Front (-got +want):\n%s", diff)
	}
}

func TestIncomplete(t *testing.T) {
	d, ds := prose.Parse("p.md", []byte("+++\ntitle = \"a\"\n\n[[sources]]\nname = \"b\"\n+++\n"))
	if len(ds) > 0 {
		t.Fatal(lines(ds))
	}
	got := strings.Join(lines(d.Incomplete()), "\n")
	for _, want := range []string{"description is missing", "canonical is missing", "revision is missing", "published is missing",
		"reviewed is missing", "scope is missing", "p.md:4:1: source 1: supports is missing", "p.md:4:1: source 1: verified is missing"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s\nwant it to say %q", got, want)
		}
	}
	if strings.Contains(got, "title") {
		t.Errorf("title is there: %s", got)
	}
}

func TestLists(t *testing.T) {
	d, _ := prose.Parse("p.md", []byte("## A b\n\n### A `b`\n\n{{ev r1 m}} {{target 5 s}} [x](y.md) ![p](q.svg)\n\n{{compare r1 r2}}\n"))
	if diff := cmp.Diff(d.Headings(), []prose.Heading{{Level: 2, ID: "a-b", Text: "A b"}, {Level: 3, ID: "a-b-1", Text: "A b"}}); diff != "" {
		t.Errorf("Headings (-got +want):\n%s", diff)
	}
	if diff := cmp.Diff(d.Links(), []prose.Link{{Target: "y.md", Line: 5, Col: 28}, {Target: "q.svg", Picture: true, Line: 5, Col: 38}}); diff != "" {
		t.Errorf("Links (-got +want):\n%s", diff)
	}
	want := []prose.Reference{{Kind: prose.Ev, Args: []string{"r1", "m"}, Line: 5, Col: 1}, {Kind: prose.Compare, Args: []string{"r1", "r2"}, Line: 7, Col: 1}}
	if diff := cmp.Diff(d.References(), want); diff != "" {
		t.Errorf("References (-got +want):\n%s", diff)
	}
}
