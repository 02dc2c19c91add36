package verify

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func hasClass(n *html.Node, name string) bool {
	return slices.Contains(strings.Fields(attr(n, "class")), name)
}

// text is what a reader sees of a node, with one space between blocks.
func text(n *html.Node) string {
	var b strings.Builder
	visitText(n, func(s string) { b.WriteString(s) })
	return strings.Join(strings.Fields(b.String()), " ")
}

func visitText(n *html.Node, do func(string)) {
	if n.Type == html.TextNode {
		do(n.Data)
		return
	}
	if n.DataAtom == atom.Script || n.DataAtom == atom.Style || n.DataAtom == atom.Svg || n.DataAtom == atom.Template {
		return
	}
	block := n.Type == html.ElementNode && isBlock(n)
	if block {
		do(" ")
	}
	for child := range n.ChildNodes() {
		visitText(child, do)
	}
	if block {
		do(" ")
	}
}

// visit calls do for every element below a node.
func visit(n *html.Node, do func(*html.Node)) {
	for child := range n.ChildNodes() {
		if child.Type == html.ElementNode {
			do(child)
			visit(child, do)
		}
	}
}

// firstLink is the address of the first link in or around a node.
func firstLink(n *html.Node) (string, bool) {
	found, ok := "", false
	visit(n, func(a *html.Node) {
		if a.DataAtom == atom.A && !ok {
			found, ok = attr(a, "href"), true
		}
	})
	if n.Parent != nil && n.Parent.DataAtom == atom.A && !ok {
		found, ok = attr(n.Parent, "href"), true
	}
	return found, ok
}

// unitBehind is the text right behind a number: up to the next figure, or the
// end of the block that it stands in.
func unitBehind(n *html.Node) string {
	var b strings.Builder
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		if s.DataAtom == atom.Data || hasClass(s, "figure") {
			break
		}
		visitText(s, func(t string) { b.WriteString(t) })
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
