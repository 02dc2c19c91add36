package prose

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// origin is where a claim comes from.
type origin struct {
	name    string
	anchor  string // of its line in the page's source register; empty where it has none
	address string // empty where it has none
}

// Anchor is the ID of a source's line in the register of its page. It holds a
// point, which no heading's ID does.
func (s Source) Anchor() string {
	if s.Key == "" {
		return ""
	}
	return "source." + s.Key
}

// originOf finds the source that a claim names: one of the page's register by
// its key, or an address.
func (d Doc) originOf(name string) (origin, bool) {
	for _, s := range d.front.Sources {
		if s.Key != "" && s.Key == name {
			return origin{name: s.Name, anchor: s.Anchor(), address: s.Address}, true
		}
	}
	u, err := url.Parse(name)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.ContainsAny(name, "<>\"\\") {
		return origin{}, false
	}
	return origin{name: u.Host, address: name}, true
}

// noOrigin is what is wrong with a claim whose source is not known.
func (d Doc) noOrigin(name string) (fault, hint string) {
	var keys []string
	for _, s := range d.front.Sources {
		if s.Key != "" {
			keys = append(keys, s.Key)
		}
	}
	hint = "write {{claim SOURCE TEXT}} or > [!CLAIM SOURCE]: SOURCE is an https address or the key of one of the page's [[sources]]"
	if len(keys) > 0 {
		hint += ": " + strings.Join(keys, ", ")
	}
	if name == "" {
		return "a claim needs its source", hint
	}
	return fmt.Sprintf("a claim needs its source, and %q is none", name), hint
}

// link is the source of a claim as HTML. Label is what a screen reader says
// where the text alone does not tell links apart.
func (o origin) link(text, label string) string {
	href := o.address
	if o.anchor != "" {
		href = "#" + o.anchor
	}
	if label != "" {
		label = ` aria-label="` + html.EscapeString(label) + `"`
	}
	return `<a href="` + html.EscapeString(href) + `"` + label + `>` + html.EscapeString(text) + `</a>`
}

// markdown is the source of a claim in the twin.
func (o origin) markdown() string {
	name := escapeMarkdown(o.name)
	if o.address == "" {
		return name
	}
	return "[" + name + "](<" + o.address + ">)"
}

// escapeMarkdown keeps a name from being read as markup.
func escapeMarkdown(s string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(s), " ") {
		if strings.ContainsRune("\\`*_[]<>#|~&!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// markHTML is a marked text in a sentence.
func (n *refNode) markHTML() string {
	text := html.EscapeString(n.text)
	if n.ref.Kind == Claim {
		return `<span class="mark claim"><q>` + text + `</q> <small>(` + n.ref.Kind.words() + "; " + n.origin.link("source", "source: "+n.origin.name) + `)</small></span>`
	}
	return `<span class="mark ` + string(n.ref.Kind) + `">` + text + ` <small>(` + n.ref.Kind.words() + `)</small></span>`
}

// markMarkdown is a marked text in the twin.
func (n *refNode) markMarkdown() string {
	if n.ref.Kind == Claim {
		return "“" + n.text + "” (" + n.ref.Kind.words() + "; source: " + n.origin.markdown() + ")"
	}
	return n.text + " (" + n.ref.Kind.words() + ")"
}

// passageNode is a marked quotation: an illustration, a target or a claim.
type passageNode struct {
	ast.BaseBlock
	mark       Kind
	source     string // of a claim, as written
	origin     origin
	start, end int // of the mark itself, offsets into the Markdown
}

// Kind implements [ast.Node].
func (n *passageNode) Kind() ast.NodeKind { return kindPassage }

// Dump implements [ast.Node].
func (n *passageNode) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"mark": string(n.mark)}, nil)
}

// label is what stands above a passage.
func (n *passageNode) labelHTML() string {
	s := html.EscapeString(upper(n.mark.words())) + "."
	if n.mark == Claim && n.origin.name != "" {
		s += " Source: " + n.origin.link(n.origin.name, "") + "."
	}
	return s
}

func (n *passageNode) labelMarkdown() string {
	s := "**" + upper(n.mark.words()) + ".**"
	if n.mark == Claim && n.origin.name != "" {
		s += " Source: " + n.origin.markdown() + "."
	}
	return s
}

// passageMark finds the mark in the first line of a quotation.
func passageMark(q *ast.Blockquote, md []byte) (*ast.Paragraph, *passageNode) {
	p, ok := q.FirstChild().(*ast.Paragraph)
	if !ok || p.Lines().Len() == 0 {
		return nil, nil
	}
	seg := p.Lines().At(0)
	first := bytes.TrimSpace(seg.Value(md))
	inner, ok := strings.CutPrefix(string(first), "[!")
	if !ok || !strings.HasSuffix(inner, "]") {
		return nil, nil
	}
	word, source, _ := strings.Cut(strings.TrimSuffix(inner, "]"), " ")
	for _, k := range []Kind{Illustration, Target, Claim} {
		if word == strings.ToUpper(string(k)) {
			return p, &passageNode{mark: k, source: strings.TrimSpace(source), start: seg.Start, end: seg.Start + len(first)}
		}
	}
	return nil, nil
}

// asPassage replaces a marked quotation by a passage without the mark's text.
func asPassage(q *ast.Blockquote, md []byte) *passageNode {
	p, passage := passageMark(q, md)
	if passage == nil {
		return nil
	}
	stop := p.Lines().At(0).Stop
	for c := p.FirstChild(); c != nil; {
		next := c.NextSibling()
		if c.Pos() < stop {
			p.RemoveChild(p, c)
		}
		c = next
	}
	if p.FirstChild() == nil {
		q.RemoveChild(q, p)
	}
	for c := q.FirstChild(); c != nil; {
		next := c.NextSibling()
		passage.AppendChild(passage, c)
		c = next
	}
	q.Parent().ReplaceChild(q.Parent(), q, passage)
	return passage
}

// passage gives a marked passage its source.
func (in *inspector) passage(n *passageNode) {
	if n == nil {
		return
	}
	if n.mark != Claim {
		if n.source != "" {
			in.fault(n.start, "only a claim has a source", "leave \""+n.source+"\" out")
		}
		return
	}
	found, ok := in.doc.originOf(n.source)
	if !ok {
		fault, hint := in.doc.noOrigin(n.source)
		in.fault(n.start, fault, hint)
	}
	n.origin = found
}

// claim takes the first word of a claim in a sentence for its source.
func (in *inspector) claim(n *refNode) {
	source, text, _ := strings.Cut(n.text, " ")
	found, ok := in.doc.originOf(source)
	if trimmed := strings.TrimSpace(text); ok && trimmed != "" {
		n.textAt += strings.LastIndex(n.text, trimmed)
		n.text, n.origin = trimmed, found
		return
	}
	if ok {
		n.fault, n.hint = "a claim needs its words behind the source", "write {{claim SOURCE TEXT}}"
		return
	}
	n.fault, n.hint = in.doc.noOrigin(source)
}
