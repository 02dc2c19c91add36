package prose

import (
	"bytes"
	"html"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// HTML renders the page's body. A reference that cannot be resolved is a
// diagnostic, and stands in the output as its own text, marked.
func (d Doc) HTML(r Resolver) ([]byte, []Diagnostic) {
	done, ds := d.resolve(r)
	h := &htmlRenderer{done: done}
	md := markdown(goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(h, 100))))
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, d.src[d.body:], d.root); err != nil {
		ds = append(ds, Diagnostic{File: d.file, Msg: "render page: " + err.Error()})
	}
	return b.Bytes(), ds
}

// Markdown is the page's body as the author wrote it, with every reference
// replaced by what it stands for. Front matter is not part of it.
func (d Doc) Markdown(r Resolver) ([]byte, []Diagnostic) {
	done, ds := d.resolve(r)
	md := d.src[d.body:]
	type cut struct {
		start, end int
		text       []byte
	}
	var cuts []cut
	walk(d.root, func(n ast.Node) {
		switch n := n.(type) {
		case *refNode:
			cuts = append(cuts, cut{n.start, n.end, n.markdown(done[n])})
		case *passageNode:
			cuts = append(cuts, cut{n.start, n.end, []byte(n.labelMarkdown())})
		}
	})
	slices.SortFunc(cuts, func(a, b cut) int { return a.start - b.start })
	var b bytes.Buffer
	at := 0
	for _, c := range cuts {
		if c.start < at || c.end > len(md) {
			continue // cannot happen: references do not overlap
		}
		b.Write(md[at:c.start])
		b.Write(c.text)
		at = c.end
	}
	b.Write(md[at:])
	return b.Bytes(), ds
}

// resolve asks for every reference once. Marks need no evidence.
func (d Doc) resolve(r Resolver) (map[*refNode]Resolved, []Diagnostic) {
	done := map[*refNode]Resolved{}
	var ds []Diagnostic
	d.eachReference(func(n *refNode) {
		if n.fault != "" || n.ref.Kind.marks() {
			return
		}
		got, err := r.Resolve(n.ref)
		if err != nil {
			ds = append(ds, d.at(n.start, err.Error(), ""))
			return
		}
		done[n] = got
	})
	return done, ds
}

// markdown is what stands in the twin in the reference's place.
func (n *refNode) markdown(got Resolved) []byte {
	switch {
	case n.fault == "" && n.ref.Kind.marks():
		return []byte(n.markMarkdown())
	case got.Markdown == nil:
		return []byte("[unresolved: " + strings.TrimSpace(string(n.ref.Kind)+" "+strings.ReplaceAll(n.text, "]", "")) + "]")
	case n.alone:
		return bytes.TrimSpace(got.Markdown)
	}
	text := bytes.Join(bytes.Fields(got.Markdown), []byte(" "))
	if n.cell {
		text = bytes.ReplaceAll(text, []byte("|"), []byte(`\|`))
	}
	return text
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// htmlRenderer renders what is ours, and the few elements to which goldmark
// gives less than a page needs.
type htmlRenderer struct{ done map[*refNode]Resolved }

// RegisterFuncs implements [renderer.NodeRenderer].
func (h *htmlRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(kindReference, h.reference)
	reg.Register(kindPassage, h.passage)
	reg.Register(east.KindTable, h.table)
	reg.Register(ast.KindFencedCodeBlock, h.code)
	reg.Register(ast.KindCodeBlock, h.code)
	reg.Register(ast.KindHTMLBlock, nothing)
	reg.Register(ast.KindRawHTML, nothing)
}

// nothing leaves raw HTML out; it was reported when the page was read.
func nothing(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkSkipChildren, nil
}

func (h *htmlRenderer) reference(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*refNode)
	if !ok || !entering {
		return ast.WalkContinue, nil
	}
	got := h.done[n]
	text := html.EscapeString(n.text)
	var err error
	switch {
	case n.fault == "" && n.ref.Kind.marks():
		_, err = w.WriteString(n.markHTML())
	case got.HTML != nil:
		_, err = w.Write(got.HTML)
		if n.alone && err == nil {
			err = w.WriteByte('\n')
		}
	default:
		_, err = w.WriteString(`<span class="unresolved">unresolved: ` + strings.TrimSpace(html.EscapeString(string(n.ref.Kind))+" "+text) + `</span>`)
	}
	return ast.WalkContinue, err
}

func (h *htmlRenderer) passage(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*passageNode)
	if !ok {
		return ast.WalkContinue, nil
	}
	if !entering {
		_, err := w.WriteString("</div>\n")
		return ast.WalkContinue, err
	}
	_, err := w.WriteString(`<div class="mark ` + string(n.mark) + `" role="note">` + "\n" + `<p class="mark-label">` + n.labelHTML() + "</p>\n")
	return ast.WalkContinue, err
}

// table puts a table into a box that scrolls on its own and can be reached by
// keyboard, so that a wide table does not move the page on a phone.
func (h *htmlRenderer) table(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, err := w.WriteString("</table></div>\n")
		return ast.WalkContinue, err
	}
	name := "Table"
	if head := n.FirstChild(); head != nil {
		var cells []string
		for c := head.FirstChild(); c != nil; c = c.NextSibling() {
			if s := strings.TrimSpace(plain(c, source)); s != "" {
				cells = append(cells, s)
			}
		}
		if len(cells) > 0 {
			name += ": " + strings.Join(cells, ", ")
		}
	}
	_, err := w.WriteString(`<div class="scroll" role="region" tabindex="0" aria-label="` + html.EscapeString(name) + `"><table>` + "\n")
	return ast.WalkContinue, err
}

// code renders a block of code in a box that can be reached by keyboard.
func (h *htmlRenderer) code(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	open := `<pre tabindex="0"><code`
	if f, ok := n.(*ast.FencedCodeBlock); ok {
		if lang := f.Language(source); lang != nil {
			open += ` class="language-` + html.EscapeString(string(lang)) + `"`
		}
	}
	var b strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		b.WriteString(html.EscapeString(string(seg.Value(source))))
	}
	_, err := w.WriteString(open + ">" + b.String() + "</code></pre>\n")
	return ast.WalkSkipChildren, err
}
