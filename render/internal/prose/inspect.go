package prose

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

func itoa(n int) string { return strconv.Itoa(n) }

// inspector goes through the tree once after parsing: it places references,
// rewrites and checks links, and gathers headings and faults.
type inspector struct {
	doc   *Doc
	md    []byte
	ids   map[string]bool
	later []Diagnostic // at offsets, in any order
	local []localLink
}

// localLink is a link to a place on the same page.
type localLink struct {
	pos int
	id  string
}

// inspect does the work that needs the whole tree of a page just parsed.
func inspect(d *Doc, md []byte) []Diagnostic {
	in := &inspector{doc: d, md: md, ids: map[string]bool{}}
	var nodes []ast.Node
	walk(d.root, func(n ast.Node) { nodes = append(nodes, n) })
	for _, n := range nodes {
		in.visit(n)
	}
	for _, l := range in.local {
		if !in.ids[l.id] {
			in.fault(l.pos, fmt.Sprintf("no heading of this page has the ID %q", l.id), "IDs are the words of the heading in lower case, joined by hyphens")
		}
	}
	slices.SortStableFunc(in.later, func(a, b Diagnostic) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
	return in.later
}

func (in *inspector) fault(offset int, msg, hint string) {
	in.later = append(in.later, in.doc.at(offset, msg, hint))
}

func (in *inspector) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		in.heading(n)
	case *ast.Blockquote:
		in.passage(asPassage(n, in.md))
	case *east.TableCell:
		alignCell(n)
	case *ast.HTMLBlock:
		in.fault(n.Lines().At(0).Start, "raw HTML is not allowed", "write Markdown, or a code span")
	case *ast.RawHTML:
		in.fault(n.Segments.At(0).Start, "raw HTML is not allowed", "write Markdown, or a code span")
	case *ast.Link:
		n.Destination = in.link(n.Pos(), n.Destination, false)
	case *ast.Image:
		if strings.TrimSpace(plain(n, in.md)) == "" {
			in.fault(n.Pos(), "the picture has no text alternative", "write what it shows between the brackets")
		}
		n.Destination = in.link(n.Pos(), n.Destination, true)
	case *ast.AutoLink:
		in.autoLink(n)
	case *refNode:
		in.reference(n)
	}
}

func (in *inspector) heading(h *ast.Heading) {
	id := ""
	if v, ok := h.AttributeString("id"); ok {
		if b, ok := v.([]byte); ok {
			id = string(b)
		}
	}
	in.ids[id] = true
	in.doc.headings = append(in.doc.headings, Heading{Level: h.Level, ID: id, Text: plain(h, in.md)})
}

// plain is the text of a node without markup.
func plain(n ast.Node, md []byte) string {
	var b strings.Builder
	walk(n, func(c ast.Node) {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(md))
			if c.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		}
	})
	return b.String()
}

// reference gives a reference its place and moves it out of its paragraph if
// it is a block.
func (in *inspector) reference(n *refNode) {
	n.ref.Line, n.ref.Col = in.doc.position(n.start)
	for p := n.Parent(); p != nil; p = p.Parent() {
		switch p.(type) {
		case *east.TableCell:
			n.cell = true
		case *ast.Link, *ast.Image:
			in.misplaced(n, "a reference cannot stand inside a link", "the figure is a link itself")
		case *ast.Heading:
			in.misplaced(n, "a reference cannot stand in a heading", "headings are copied into lists without their footnotes")
		}
	}
	if n.fault == "" && n.ref.Kind == Claim {
		in.claim(n)
	}
	if n.fault == "" && n.ref.Kind.block() {
		in.ownBlock(n)
	}
	if n.fault != "" {
		in.fault(n.start, n.fault, n.hint)
	}
}

func (in *inspector) misplaced(n *refNode, fault, hint string) {
	if n.fault == "" {
		n.fault, n.hint = fault, hint
	}
}

// ownBlock puts a block reference into the place of its paragraph.
func (in *inspector) ownBlock(n *refNode) {
	p, ok := n.Parent().(*ast.Paragraph)
	if !ok || p.ChildCount() != 1 || p.Parent() == nil || p.Parent().Kind() != ast.KindDocument {
		n.fault = fmt.Sprintf("{{%s}} has to stand alone in a paragraph of its own", n.ref.Kind)
		n.hint = "put an empty line before and after it, outside lists, quotations and tables"
		return
	}
	parent := p.Parent()
	p.RemoveChild(p, n)
	parent.ReplaceChild(parent, p, n)
	n.alone = true
}

// autoLink checks a bare address. One that is refused keeps its text only.
func (in *inspector) autoLink(n *ast.AutoLink) {
	address := string(n.URL(in.md))
	if n.AutoLinkType == ast.AutoLinkEmail {
		address = "mailto:" + strings.TrimPrefix(address, "mailto:")
	}
	if _, fault := linkTarget(address, false); fault != "" {
		in.fault(max(n.Pos(), 0), fault, "")
		text := ast.NewString(bytes.Clone(n.Label(in.md)))
		n.Parent().ReplaceChild(n.Parent(), n, text)
		return
	}
	in.remember(n.Pos(), address, false)
}

func (in *inspector) remember(pos int, target string, picture bool) {
	line, col := in.doc.position(pos)
	in.doc.links = append(in.doc.links, Link{Target: target, Picture: picture, Line: line, Col: col})
}

// link checks a destination and returns what the HTML has in its place:
// nothing if it is refused.
func (in *inspector) link(pos int, dest []byte, picture bool) []byte {
	target, fault := linkTarget(decoded(dest), picture)
	if fault != "" {
		in.fault(pos, fault, "")
		return nil
	}
	in.remember(pos, string(dest), picture)
	if id, ok := strings.CutPrefix(string(dest), "#"); ok {
		if plainID, err := url.PathUnescape(id); err == nil {
			id = plainID
		}
		in.local = append(in.local, localLink{pos, id})
	}
	return []byte(target)
}

// decoded is a destination as a browser will read it: goldmark resolves
// character references only when it writes the link.
func decoded(dest []byte) string {
	for {
		next := util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(dest)))
		if bytes.Equal(next, dest) {
			return string(dest)
		}
		dest = next
	}
}

// linkTarget checks an address as an author wrote it and returns it as the
// HTML has it, where a link to another page's Markdown is one to its HTML.
func linkTarget(dest string, picture bool) (target, fault string) {
	u, err := url.Parse(dest)
	switch {
	case err != nil || strings.ContainsFunc(dest, func(r rune) bool { return r < 0x20 || r == 0x7f || r == '\\' }):
		return "", fmt.Sprintf("%q is not an address", dest)
	case u.Scheme == "" && u.Host == "" && !strings.HasPrefix(dest, "//"):
		return localTarget(u, dest, picture)
	case picture:
		return "", fmt.Sprintf("the picture %q lies on another host", dest)
	case u.Scheme == "mailto":
		return dest, ""
	case (u.Scheme == "https" || u.Scheme == "http") && u.Host != "":
		return dest, ""
	case strings.HasPrefix(dest, "//"):
		return "", fmt.Sprintf("the link %q has a host and no scheme", dest)
	}
	return "", fmt.Sprintf("the link %q has a scheme that is not allowed", dest)
}

func localTarget(u *url.URL, dest string, picture bool) (target, fault string) {
	switch {
	case dest == "":
		return "", "the link has no target"
	case strings.HasPrefix(u.Path, "/"):
		return "", fmt.Sprintf("the link %q starts at the root: a site must work below any path", dest)
	case picture || !strings.HasSuffix(u.Path, ".md"):
		return dest, ""
	}
	path, rest := dest, ""
	if i := strings.IndexAny(dest, "?#"); i >= 0 {
		path, rest = dest[:i], dest[i:]
	}
	return strings.TrimSuffix(path, ".md") + ".html" + rest, ""
}
