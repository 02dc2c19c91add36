package render

import (
	"strings"
	"testing"
)

func TestDeadLinks(t *testing.T) {
	page := func(body string) (pageFacts, []Diagnostic) {
		return readPage("a/b.html", []byte("<html><body id=\"top\">"+body))
	}
	pages := map[string]pageFacts{"a/b.html": {}, "c.html": {IDs: []string{"größe", "here"}}}
	files := map[string]bool{"a/b.html": true, "c.html": true, "data/a b.csv": true, "a/b.md": true}
	cases := []struct {
		body, want string // want is a part of the fault; empty: none
	}{
		{`<a href="../c.html">`, ""},
		{`<a href="../c.html#here">`, ""},
		{`<a href="../c.html#gr%C3%B6%C3%9Fe">`, ""},
		{`<a href="../data/a%20b.csv">`, ""},
		{`<a href="#top">`, ""},
		{`<a href="https://example.invalid/x">`, ""},
		{`<a href="mailto:a@example.invalid">`, ""},
		{`<svg><a href="../c.html#gone"></a></svg>`, `no place "gone"`},
		{`<a href="../d.html">`, "no file d.html"},
		{`<a href="../../c.html">`, "leaves the site"},
		{`<a href="/c.html">`, "server's root"},
		{`<a href="../C.html">`, "no file C.html"},
		{`<a href="../">`, "no file"},
		{`<a href="#gone">`, "no such place"},
		{`<p id="top">`, "stands twice"},
		{`<script src="https://cdn.invalid/x.js"></script>`, "fetched from another place"},
		{`<img src="//cdn.invalid/x.png">`, "fetched from another place"},
	}
	for _, c := range cases {
		facts, ds := page(c.body)
		pages["a/b.html"] = facts
		ds = append(ds, checkLinks(pages, files)...)
		switch {
		case c.want == "" && len(ds) > 0:
			t.Errorf("%s: got %v, want none", c.body, ds)
		case c.want != "" && (len(ds) != 1 || !strings.Contains(ds[0].Msg, c.want) || ds[0].File != "a/b.html"):
			t.Errorf("%s: got %v, want one with %q", c.body, ds, c.want)
		}
	}
}

func TestKeysKeepPartsApart(t *testing.T) {
	if key("ab", "c") == key("a", "bc") {
		t.Error("two lists of parts have one key")
	}
}

func TestGoodPath(t *testing.T) {
	for p, want := range map[string]bool{"a/b.html": true, "../a": false, "/a": false, "a/../b": false, "a\\b": false, "c:x": false, "": false, ".": false, "a//b": false} {
		if got := goodPath(p); got != want {
			t.Errorf("%q: got %t, want %t", p, got, want)
		}
	}
}
