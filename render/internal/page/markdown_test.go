package page

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
	"pgregory.net/rapid"
)

// elements renders Markdown with raw HTML let through and lists the elements.
func elements(t interface{ Fatal(...any) }, source string) (tags []string) {
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList), goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe()))
	var b bytes.Buffer
	if err := md.Convert([]byte(source), &b); err != nil {
		t.Fatal(err)
	}
	z := html.NewTokenizer(&b)
	for {
		switch z.Next() {
		case html.ErrorToken:
			return tags
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			tags = append(tags, string(name))
		case html.CommentToken:
			tags = append(tags, "comment")
		case html.EndTagToken, html.DoctypeToken, html.TextToken:
		}
	}
}

// No text makes an element: it stays in its paragraph.
func TestEscapeInlineMakesNoElement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringMatching(`[ -~äß漢]{1,40}`).Draw(t, "text")
		in = strings.TrimSpace(in)
		if in == "" {
			return
		}
		tags := elements(t, escapeInline(in))
		for _, tag := range tags {
			if tag != "p" {
				t.Fatalf("%q became %q, which has a <%s>", in, escapeInline(in), tag)
			}
		}
	})
}

func TestEscapeInline(t *testing.T) {
	for in, want := range map[string]string{
		"output_token_rate": "output_token_rate", "_x_": `\_x\_`, "a*b": `a\*b`, "# head": `\# head`, "1. item": `1\. item`, "12) item": `12\) item`,
		"- item": `\- item`, "a - b": "a - b", "<b>": `\<b\>`, "[a](b)": `\[a\](b)`, "a|b": `a\|b`, "&amp;": `\&amp;`, "a & b": "a & b",
		"https://x.invalid/?a=1&b=2": "https://x.invalid/?a=1&b=2", "two\nlines": "two lines", "!": `\!`, "wow! yes": "wow! yes", "3.14": "3.14", "7.": `7\.`,
	} {
		if got := escapeInline(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// A cell stays one cell of its row.
func TestEscapeCellKeepsTheTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringMatching(`[ -~\n\r\t]{0,30}`).Draw(t, "text")
		tags := elements(t, "| a | b |\n| --- | --- |\n| "+escapeCell(in)+" | "+codeSpan(in)+" |\n")
		got := strings.Count(strings.Join(tags, " "), "td")
		if got != 2 {
			t.Fatalf("%q: got %d cells, want 2: %v", in, got, tags)
		}
	})
}

// A fenced text cannot end its fence.
func TestFencedHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringMatching("[`~a\n<]{0,40}").Draw(t, "text")
		tags := elements(t, fenced(in)+"\n")
		for _, tag := range tags {
			if tag != "pre" && tag != "code" {
				t.Fatalf("%q: there is a <%s>", in, tag)
			}
		}
	})
}

func TestTwinAddress(t *testing.T) {
	for in, want := range map[string]string{
		"../records/a.html#fig-x": "../records/a.md", "#here": "#here", "../data/a.csv": "../data/a.csv", "https://x.invalid/a.html": "https://x.invalid/a.html",
		"a b).html": "a%20b%29.md",
	} {
		if got := twinAddress(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// A Markdown template need not name its escaper; a slot that nothing fills is
// an error.
func TestTemplatesEscape(t *testing.T) {
	fsys := fstest.MapFS{
		"html/a.html": {Data: []byte(`{{define "a"}}<p>{{.Meta.Title}}</p>{{end}}{{define "b"}}<benchline-slot n="7"></benchline-slot>{{end}}`)},
		"md/a.md":     {Data: []byte(`{{define "a"}}{{if .Meta.Title}}{{range .Scope}}{{.}}{{end}}{{else}}x{{end}}{{with .Meta.Title}}{{. | printf "%s!"}}{{end}}{{end}}{{define "b"}}{{end}}`)},
	}
	r, err := New(fsys, Site{Title: "T"})
	if err != nil {
		t.Fatal(err)
	}
	o, err := r.render("a", view{Meta: Meta{Title: "<b>*x*"}, Scope: []string{"<i>"}}, &slots{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(o.HTML), "<p>&lt;b&gt;*x*</p>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := string(o.Markdown), "\\<i\\>\\<b\\>\\*x\\*\\!\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := r.render("b", view{}, &slots{}); err == nil {
		t.Error("a slot that nothing fills is no error")
	}
}
