package prose_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"benchline/render/internal/prose"
)

// allowed are the elements and attributes that a page's body may hold.
func allowed() map[string]string {
	return map[string]string{
		"p": "class", "a": "href title class id role aria-label", "em": "", "strong": "", "code": "class", "pre": "tabindex", "del": "", "br": "", "hr": "",
		"h1": "id", "h2": "id", "h3": "id", "h4": "id", "h5": "id", "h6": "id", "ul": "", "ol": "start", "li": "id", "blockquote": "",
		"table": "", "thead": "", "tbody": "", "tr": "", "th": "class", "td": "class", "img": "src alt title", "sup": "id", "dl": "", "dt": "", "dd": "",
		"div": "class role tabindex aria-label", "span": "class", "small": "", "section": "", "q": "",
	}
}

// FuzzParse: whatever the page, nothing panics, the output holds only our
// elements and attributes, and every address in it is harmless.
func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	for _, s := range []string{"{{ev r1 m}}", "| a |\n|:-:|\n| {{ev r1 m}} |", "> [!CLAIM https://a.b]\n> a", "> [!CLAIM]\n> a", "[a](b.md)[c](javascript:x)", "<b>", "x[^1]\n\n[^1]: y {{ev r1 m}}",
		"+++\n", "```\n{{", "a\n: b", "[{{ev r1 m}}]: x\n[{{ev r1 m}}]", "![a {{ev r1 m}}](b)", "<a:b>", "# a\n# a\n# a-1", "&#106;avascript:", "> [!TARGET]", "> [!TARGET]\n>\n> x",
		"[a]( <b\"onmouseover=x> \"t\")", "www.a.b/\"x", "a@b.c", "| {{ev r1\\|x m}} |\n|-|\n| {{claim a\\|b}} |", "<https://a.b/\"onclick=\"x>"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		d, _ := prose.Parse("p.md", src)
		d.Incomplete()
		out, _ := d.HTML(known())
		checkHTML(t, out)
		if _, ds := d.Markdown(known()); len(ds) != 0 && len(d.References()) == 0 {
			t.Errorf("Markdown of a page without references: %v", lines(ds))
		}
		again, _ := d.HTML(known())
		if !bytes.Equal(out, again) {
			t.Errorf("two renderings differ:\n%s\n%s", out, again)
		}
	})
}

func checkHTML(t *testing.T, out []byte) {
	t.Helper()
	// What the resolver gave is its own business.
	out = bytes.ReplaceAll(out, []byte(`<a href="x">5 s</a>`), nil)
	out = bytes.ReplaceAll(out, []byte("<figure>F</figure>"), nil)
	ok := allowed()
	for z := html.NewTokenizer(bytes.NewReader(out)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.CommentToken, html.DoctypeToken:
			t.Errorf("output holds a comment or doctype: %s", out)
		case html.StartTagToken, html.SelfClosingTagToken:
			tok := z.Token()
			attrs, found := ok[tok.Data]
			if !found {
				t.Fatalf("element %q in %s", tok.Data, out)
			}
			for _, a := range tok.Attr {
				if !strings.Contains(" "+attrs+" ", " "+a.Key+" ") {
					t.Errorf("attribute %q of %q in %s", a.Key, tok.Data, out)
				}
				if a.Key == "href" || a.Key == "src" {
					checkAddress(t, a.Val)
				}
			}
		case html.EndTagToken, html.TextToken:
		}
	}
}

func checkAddress(t *testing.T, s string) {
	t.Helper()
	s = strings.ToLower(strings.TrimSpace(s))
	scheme, _, found := strings.Cut(s, ":")
	switch {
	case strings.HasPrefix(s, "/"):
		t.Errorf("address %q leaves the site", s)
	case !found || strings.ContainsAny(scheme, "/?#%"):
	case scheme != "https" && scheme != "http" && scheme != "mailto":
		t.Errorf("address %q has a scheme that is not allowed", s)
	}
}

// FuzzLint: whatever the page, the linter ends, says the same twice, and
// names places that the page has.
func FuzzLint(f *testing.F) {
	for _, file := range []string{"testdata/lint-fails.txt", "testdata/lint-passes.txt"} {
		for _, part := range strings.Split(readFile(f, file), "\n%%") {
			_, src, _ := strings.Cut(part, "\n")
			f.Add([]byte(src))
		}
	}
	for _, s := range []string{"1e99999 tokens/s", strings.Repeat("9", 400) + " tok/s", "1" + strings.Repeat(",000", 200) + " tok/s", "| tok/s |\n|-|\n| 1|2 |", "5\ufffc tokens/s", "- -", "a\n: 5 ms", "TTFT:\n\n- 5\n", "\t5 tokens/s", "> [!CLAIM a]\n>\n> 5", "&#x110000;5 tok/s", "{{ev a b}}%success", "{{claim a}}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		d, _ := prose.Parse("p.md", src)
		found := d.Lint(evidenceFake{})
		rows := strings.Split(string(src), "\n")
		for _, x := range found {
			if x.Line < 1 || x.Line > len(rows) || x.Col < 1 || x.Col > len(rows[x.Line-1])+1 {
				t.Fatalf("%s: %d lines", x, len(rows))
			}
		}
		again, _ := prose.Parse("p.md", src)
		if a, b := lines(found), lines(again.Lint(evidenceFake{})); strings.Join(a, "\n") != strings.Join(b, "\n") {
			t.Fatalf("got %q and then %q", a, b)
		}
	})
}

func readFile(f *testing.F, name string) string {
	f.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	return string(b)
}
