package prose

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// class says how a character of a page stands there.
type class uint8

const (
	said   class = iota // the author says it
	coded               // in a code span
	marked              // within an illustration, a target or a claim
)

// hole stands in a flat text where a reference or an address does.
const hole = "\ufffc"

// flat is the text that a reader sees of one paragraph, heading or cell, in one
// piece whatever the markup in it, and where each byte of it came from.
type flat struct {
	text  []byte
	at    []int // offset into the source for each byte
	class []class
	refs  map[int]*refNode // references by the place of their hole
}

// flatten gathers the text of the inline nodes below n.
func flatten(n ast.Node, md []byte) *flat {
	f := &flat{refs: map[int]*refNode{}}
	f.children(n, md, said)
	return f
}

// flatString is the flat text of a string that lies at one place.
func flatString(s string, at int) *flat {
	f := &flat{refs: map[int]*refNode{}}
	f.add(s, at, 0, said)
	return f
}

// add appends a text. Each step bytes of it lie step bytes further on in the
// source: 1 for text as it stands, 0 for text that stands for something else.
func (f *flat) add(s string, at, step int, c class) {
	for i, r := range s {
		if invisible(r) {
			continue
		}
		if r >= 0xff01 && r <= 0xff5e { // full-width forms of ASCII
			r -= 0xfee0
		}
		for range len(utf8.AppendRune(nil, r)) {
			f.at = append(f.at, at+i*step)
			f.class = append(f.class, c)
		}
		f.text = utf8.AppendRune(f.text, r)
	}
}

// invisible characters could stand between the digits of a number unseen.
func invisible(r rune) bool {
	switch r {
	case 0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff:
		return true
	}
	return false
}

func (f *flat) children(n ast.Node, md []byte, c class) {
	for k := n.FirstChild(); k != nil; k = k.NextSibling() {
		f.node(k, md, c)
	}
}

func (f *flat) node(n ast.Node, md []byte, c class) {
	switch n := n.(type) {
	case *ast.Text:
		f.source(n, md, c)
	case *ast.String:
		f.add(string(n.Value), max(n.Pos(), f.end()), 0, c)
	case *ast.CodeSpan:
		f.children(n, md, max(c, coded))
	case *ast.AutoLink:
		f.add(hole, max(n.Pos(), f.end()), 0, c)
	case *ast.RawHTML, *east.FootnoteLink, *east.FootnoteBacklink:
	case *refNode:
		if n.ref.Kind.marks() {
			f.add(n.text, n.textAt, 1, marked)
			return
		}
		f.refs[len(f.text)] = n
		f.add(hole, n.start, 0, c)
	default:
		f.children(n, md, c)
	}
}

// end is the place in the source of the last byte so far.
func (f *flat) end() int {
	if len(f.at) == 0 {
		return 0
	}
	return f.at[len(f.at)-1]
}

// source appends text as a browser shows it: without backslashes, with
// character references resolved, a line break as a space.
func (f *flat) source(n *ast.Text, md []byte, c class) {
	at, value := n.Segment.Start, n.Segment.Value(md)
	at -= n.Segment.Padding // which Value has in front
	if n.IsRaw() || c == coded {
		f.add(string(value), at, 1, c)
	} else {
		f.decode(value, at, c)
	}
	if n.SoftLineBreak() || n.HardLineBreak() {
		f.add(" ", max(n.Segment.Stop-1, 0), 0, c)
	}
}

func (f *flat) decode(value []byte, at int, c class) {
	from := 0
	for i := 0; i < len(value); {
		skip, is := 0, ""
		switch {
		case value[i] == '\\' && i+1 < len(value) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", value[i+1]) >= 0:
			skip, is = 2, string(value[i+1])
		case value[i] == '&':
			skip, is = entity(value[i:])
		}
		if skip == 0 {
			i++
			continue
		}
		f.add(string(value[from:i]), at+from, 1, c)
		f.add(is, at+i, 0, c)
		i += skip
		from = i
	}
	f.add(string(value[from:]), at+from, 1, c)
}

// entity reads a character reference at the start of b: its length, 0 if there
// is none, and what it stands for.
func entity(b []byte) (length int, is string) {
	const longest = 33 // &CounterClockwiseContourIntegral;
	end := bytes.IndexByte(b[:min(len(b), longest)], ';')
	if end < 0 {
		return 0, ""
	}
	whole := string(b[:end+1])
	is = html.UnescapeString(whole)
	if is == whole {
		return 0, ""
	}
	return end + 1, is
}
