// Package prose reads an authored page: TOML front matter between lines of
// +++, then Markdown in which figures are named, not typed.
//
// A page says {{ev RECORD METRIC}} where a figure shall stand, and the figure
// comes from the evidence each time the site is built, with its unit, its link
// and its footnotes. So a page cannot drift from its evidence, and a figure
// without evidence has to be marked as what it is: an illustration, a target
// or somebody's claim.
//
// # References
//
// Inside a sentence or a table cell:
//
//	{{ev RECORD METRIC}}          the figure, linked to its record
//	{{illustration TEXT}}         numbers chosen to explain something
//	{{target TEXT}}               a number that is aimed at
//	{{claim SOURCE TEXT}}         a number that somebody states
//
// Alone in a paragraph at the top level of the page:
//
//	{{headline RECORD METRIC}}    the whole headline block
//	{{table …}} {{chart …}}       a table or a chart of records
//	{{compare A B}}               the verdict on two records
//
// A quotation that starts with [!ILLUSTRATION], [!TARGET] or [!CLAIM SOURCE] is
// a longer passage of that kind. A claim's source is an address or the key of
// one of the page's [[sources]]. Code is never searched for references, and a
// backslash before the braces keeps them as they are.
//
// # What is refused
//
// Raw HTML; links with a scheme other than https, http or mailto; links from
// the root or to another host without a scheme, because a site must work below
// any path and from disk; pictures from another host; links to a heading that
// the page does not have. Each is a [Diagnostic] with its place. Nothing of it
// reaches the output, also if the caller goes on.
//
// # Figures typed by hand
//
// [Doc.Lint] walks the tree and finds numbers that stand for a measurement and
// are neither references nor marked: flat.go gives each paragraph, heading and
// cell as the text that a reader sees, token.go and number.go cut it, words.go
// and unit.go know the vocabulary, figures.go decides about each number and
// headed.go about those that a head of a table or list makes figures of. It
// reads English, and digits: "twice as fast" and "five thousand tokens a
// second" pass.
//
// # Limits
//
// The Markdown twin is the author's own source with the references replaced at
// their places, so it keeps the author's line breaks and links.
package prose

import (
	"fmt"
	"slices"

	"github.com/yuin/goldmark/ast"
)

// Diagnostic is one fault of a page and where it is. Line and Col count from
// 1, Col in bytes; 0 means that the fault is not at one place.
type Diagnostic struct {
	File      string
	Line, Col int
	Msg       string
	Hint      string // what to do about it; may be empty
}

// String is the diagnostic as one line, as compilers print it.
func (d Diagnostic) String() string {
	at := d.File
	if d.Line > 0 {
		at += fmt.Sprintf(":%d", d.Line)
	}
	if d.Line > 0 && d.Col > 0 {
		at += fmt.Sprintf(":%d", d.Col)
	}
	s := at + ": " + d.Msg
	if d.Hint != "" {
		s += " (" + d.Hint + ")"
	}
	return s
}

// Heading is one heading of a page, for its table of contents.
type Heading struct {
	Level int
	ID    string
	Text  string
}

// Link is one link or picture of a page, as the author wrote it, for the check
// that its target exists.
type Link struct {
	Target    string
	Picture   bool
	Line, Col int
}

// Doc is a parsed page. It is not changed by rendering and may be rendered
// several times, but not by two goroutines at once.
type Doc struct {
	file     string
	src      []byte
	body     int   // offset of the Markdown in src
	lines    []int // offset of each line in src
	front    Front
	root     ast.Node
	headings []Heading
	links    []Link
}

// File is the name of the page's source as given to [Parse].
func (d Doc) File() string { return d.file }

// Front is the page's front matter.
func (d Doc) Front() Front { return d.front.clone() }

// Headings are the page's headings in order.
func (d Doc) Headings() []Heading { return slices.Clone(d.headings) }

// Links are the page's links and pictures in order.
func (d Doc) Links() []Link { return slices.Clone(d.links) }

// References are the sound references to evidence in order, without the marked
// illustrations, targets and claims.
func (d Doc) References() []Reference {
	var refs []Reference
	d.eachReference(func(n *refNode) {
		if !n.ref.Kind.marks() && n.fault == "" {
			refs = append(refs, n.ref)
		}
	})
	return refs
}

func (d Doc) eachReference(do func(*refNode)) {
	if d.root == nil {
		return
	}
	walk(d.root, func(n ast.Node) {
		if r, ok := n.(*refNode); ok {
			do(r)
		}
	})
}

// walk visits every node once, parents first.
func walk(n ast.Node, visit func(ast.Node)) {
	visit(n)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		walk(c, visit)
	}
}

// position is the line and column of an offset into the Markdown.
func (d Doc) position(offset int) (line, col int) {
	offset = min(max(d.body+offset, 0), len(d.src))
	line, found := slices.BinarySearch(d.lines, offset)
	if found {
		line++ // the offset is a line's first
	}
	if line == 0 {
		return 1, 1
	}
	return line, offset - d.lines[line-1] + 1
}

// lineStarts are the offsets at which the lines of src begin.
func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, b := range src {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// at makes a diagnostic for an offset into the Markdown.
func (d Doc) at(offset int, msg, hint string) Diagnostic {
	line, col := d.position(offset)
	return Diagnostic{File: d.file, Line: line, Col: col, Msg: msg, Hint: hint}
}
