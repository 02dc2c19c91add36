package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// singleOptions is what a page needs to become one file.
type singleOptions struct {
	Styles string // goes into the page
	Base   string // the site's address; links lead there where it is known
	At     string // the page's path in the site
	Below  int    // by how many folders the file lies deeper than the page
}

// singleFile makes a page of the site one file without anything around it: its
// styles are in it, scripts and the site's menus are not, and it asks for nothing
// over the network. Its links lead to the site's address, or, where none is known,
// to the files beside it.
func singleFile(src []byte, o singleOptions) ([]byte, error) {
	root, err := html.Parse(bytes.NewReader(src))
	if err != nil {
		return nil, fmt.Errorf("reading the page: %w", err)
	}
	s := single{o: o}
	s.clean(root)
	head := find(root, atom.Head)
	if head == nil {
		return nil, errors.New("the page has no head")
	}
	style := &html.Node{Type: html.ElementNode, Data: "style", DataAtom: atom.Style}
	style.AppendChild(&html.Node{Type: html.TextNode, Data: o.Styles})
	head.AppendChild(style)
	var out bytes.Buffer
	if err := html.Render(&out, root); err != nil {
		return nil, fmt.Errorf("writing the page: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

type single struct{ o singleOptions }

// clean takes out what one file can't have and turns the links.
func (s single) clean(n *html.Node) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		if s.goes(child) {
			n.RemoveChild(child)
		} else {
			s.turn(child)
			s.clean(child)
		}
		child = next
	}
}

// goes reports whether an element is left out.
func (s single) goes(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.DataAtom { //nolint:exhaustive // the elements that matter
	case atom.Script, atom.Noscript:
		return true
	case atom.Link:
		return value(n, "rel") != "canonical" && value(n, "href") != "data:,"
	case atom.Header, atom.Footer:
		return hasWord(n, "site")
	case atom.A:
		return hasWord(n, "skip")
	}
	return hasWord(n, "noprint") || hasWord(n, "crumbs")
}

// turn makes links lead out of the file, and allows its own styles.
func (s single) turn(n *html.Node) {
	for i, a := range n.Attr {
		switch {
		case a.Key == "href" && n.DataAtom == atom.A:
			n.Attr[i].Val = s.link(a.Val)
		case a.Key == "content" && value(n, "http-equiv") == "Content-Security-Policy":
			sum := sha256.Sum256([]byte(s.o.Styles))
			n.Attr[i].Val = "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; img-src data:; base-uri 'none'; form-action 'none'"
		}
	}
}

func (s single) link(href string) string {
	u, err := url.Parse(href)
	if err != nil || u.Scheme != "" || u.Host != "" || strings.HasPrefix(href, "#") || href == "" {
		return href
	}
	if s.o.Base != "" {
		u.Path = path.Join(path.Dir(s.o.At), u.Path)
		return s.o.Base + u.String()
	}
	return strings.Repeat("../", s.o.Below) + href
}

func find(n *html.Node, a atom.Atom) *html.Node {
	if n.DataAtom == a {
		return n
	}
	for child := range n.ChildNodes() {
		if f := find(child, a); f != nil {
			return f
		}
	}
	return nil
}

func value(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasWord(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(value(n, "class")), class)
}
