package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/yuin/goldmark"
)

// Parse reads a page. It returns all faults at once, in the order of the
// source, and a Doc in any case: what is refused is not in its output.
func Parse(file string, src []byte) (Doc, []Diagnostic) {
	d := Doc{file: file, src: src, lines: lineStarts(src)}
	if !utf8.Valid(src) {
		d.body = len(src)
		d.root = ast.NewDocument()
		return d, []Diagnostic{{File: file, Line: 1, Msg: "the page is not UTF-8"}}
	}
	front, body, err := splitFront(src)
	if err != nil {
		d.body = len(src)
		d.root = ast.NewDocument()
		return d, []Diagnostic{{File: file, Line: 1, Col: 1, Msg: err.Error(), Hint: "close it with a line of +++"}}
	}
	d.body = body
	var ds []Diagnostic
	if front != nil {
		d.front, ds = readFront(file, front)
	}
	md := src[body:]
	d.root = markdown().Parser().Parse(text.NewReader(md), parser.WithContext(parser.NewContext(parser.WithIDs(newSlugs()))))
	return d, append(ds, inspect(&d, md)...)
}

// markdown is the dialect: CommonMark with tables, strikethrough, footnotes,
// definition lists and plain addresses as links; no raw HTML.
func markdown(renderers ...goldmark.Option) goldmark.Markdown {
	options := []goldmark.Option{
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
			extension.Strikethrough, extension.Linkify, extension.Footnote, extension.DefinitionList),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithInlineParsers(util.Prioritized(refParser{}, 50))),
	}
	return goldmark.New(append(options, renderers...)...)
}

// slugs gives headings their IDs: the words in lower case, joined by hyphens,
// in any script.
type slugs struct{ used map[string]int }

func newSlugs() *slugs { return &slugs{used: map[string]int{}} }

// Generate implements [parser.IDs].
func (s *slugs) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.TrimSpace(string(value)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
			b.WriteRune(unicode.ToLower(r))
		case unicode.IsSpace(r) || r == '-' || r == '_':
			b.WriteByte('-')
		}
	}
	slug := b.String()
	if slug == "" {
		slug = "section"
	}
	for id := slug; ; id = slug + "-" + itoa(s.used[slug]) {
		if _, taken := s.used[id]; !taken {
			s.used[id] = 0
			return []byte(id)
		}
		s.used[slug]++
	}
}

// Put implements [parser.IDs].
func (s *slugs) Put(value []byte) { s.used[string(value)] = 0 }

// alignCell turns the alignment of a table cell into a class, because a style
// attribute would break a strict content security policy.
func alignCell(c *east.TableCell) {
	switch c.Alignment {
	case east.AlignRight:
		c.SetAttributeString("class", []byte("n"))
	case east.AlignCenter:
		c.SetAttributeString("class", []byte("c"))
	case east.AlignLeft, east.AlignNone:
	}
}
