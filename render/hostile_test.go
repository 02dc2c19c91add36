package render_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
)

// Text from other people's files (case C28) makes no element, no attribute and
// no link anywhere: pages hold only what the templates and drawings have.
func TestHostileTextStaysText(t *testing.T) {
	files := buildFixtures(t, fixtures(t))
	for name, text := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		checkDOM(t, name, parsePage(t, text))
	}
	shown := textOf(parsePage(t, files["records/hostile-refused-20261129t172300z-i128-o32-c4-r1.html"]))
	for _, want := range []string{`<img src=x onerror=alert(1)>`, `"><script>alert(2)</script>`, `x' onmouseover='alert(3)`, `[click](javascript:alert(4))`, `{{.Data}} ${7*7}`, `<benchline-slot n="0">`} {
		if !strings.Contains(shown, want) {
			t.Errorf("the hostile page does not show %q as text", want)
		}
	}
}

func checkDOM(t *testing.T, name string, doc *html.Node) {
	t.Helper()
	walkNodes(doc, func(n *html.Node) {
		if n.Type != html.ElementNode {
			return
		}
		switch n.Data {
		case "style":
			if !isOneFile(name) {
				t.Errorf("%s: there is an element style", name)
			}
		case "img", "iframe", "object", "embed", "form", "input", "base", "b64", "benchline-slot":
			t.Errorf("%s: there is an element %s", name, n.Data)
		case "script":
			src, kind := attrText(n, "src"), attrText(n, "type")
			if kind != "application/json" && !strings.HasSuffix(src, "assets/site.js") {
				t.Errorf("%s: there is a script %q of type %q", name, src, kind)
			}
			if kind == "application/json" && strings.Contains(n.FirstChild.Data, "</") {
				t.Errorf("%s: a JSON block could end early", name)
			}
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" || a.Key == "formaction" {
				t.Errorf("%s: <%s> has an attribute %s", name, n.Data, a.Key)
			}
			if (a.Key == "href" || a.Key == "src") && strings.Contains(strings.ToLower(a.Val), "script:") {
				t.Errorf("%s: <%s> links to %q", name, n.Data, a.Val)
			}
		}
	})
}

// The Markdown twins are as safe after a common renderer, even one that lets
// raw HTML through.
func TestHostileTextStaysTextInMarkdown(t *testing.T) {
	files := buildFixtures(t, fixtures(t))
	md := goldmark.New(goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Strikethrough, extension.Linkify, extension.TaskList), goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe()))
	for name, text := range files {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		var b bytes.Buffer
		if err := md.Convert([]byte(text), &b); err != nil {
			t.Fatal(err)
		}
		checkDOM(t, name, parsePage(t, b.String()))
		if strings.Contains(b.String(), "<h1>head") {
			t.Errorf("%s: a text became a heading", name)
		}
	}
}

// A cell is safe in a spreadsheet, and reads back (case C29).
func TestCSVIsSafe(t *testing.T) {
	files := buildFixtures(t, fixtures(t))
	for name, text := range files {
		if strings.HasSuffix(name, ".csv") {
			checkCSV(t, name, text)
		}
	}
}
