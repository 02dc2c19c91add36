package chart

import (
	"bytes"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// canvas writes XML. It knows nothing of charts.
type canvas struct {
	buf  bytes.Buffer
	open []string
}

// attr is one attribute; attributes are written in the order given.
type attr struct{ name, value string }

func num(name string, x float64) attr { return attr{name, coordinate(x)} }
func class(names string) attr         { return attr{"class", names} }

// start opens an element that end closes.
func (c *canvas) start(name string, attrs ...attr) {
	c.tag(name, attrs)
	c.buf.WriteByte('>')
	c.open = append(c.open, name)
}

func (c *canvas) end() {
	last := len(c.open) - 1
	c.buf.WriteString("</" + c.open[last] + ">")
	c.open = c.open[:last]
}

// empty writes an element without content.
func (c *canvas) empty(name string, attrs ...attr) {
	c.tag(name, attrs)
	c.buf.WriteString("/>")
}

// leaf writes an element that holds text only.
func (c *canvas) leaf(name, text string, attrs ...attr) {
	c.start(name, attrs...)
	c.buf.WriteString(escape(text))
	c.end()
}

// line breaks the line of the file, so that a changed drawing has a readable diff.
func (c *canvas) line() { c.buf.WriteByte('\n') }

func (c *canvas) tag(name string, attrs []attr) {
	c.buf.WriteString("<" + name)
	for _, a := range attrs {
		c.buf.WriteString(" " + a.name + `="` + escape(a.value) + `"`)
	}
}

// escape makes text safe inside an element and inside a quoted attribute.
func escape(s string) string {
	if !strings.ContainsFunc(s, special) {
		return s // paths and most labels
	}
	var b strings.Builder
	for _, r := range s {
		switch r = shown(r); r {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '"':
			b.WriteString("&#34;")
		case '\'':
			b.WriteString("&#39;")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// special says whether escape may have to do something about r.
func special(r rune) bool {
	return r < 0x20 || r > 0x7e || r == '&' || r == '<' || r == '>' || r == '"' || r == '\''
}

// shown replaces what XML cannot hold and what would reorder the text around
// it.
func shown(r rune) rune {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return ' '
	case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfffe, r == 0xffff:
		return utf8.RuneError
	}
	return r
}

// fontSize is the size of all text, in drawing units, which are pixels where
// the drawing is shown at its own size.
const fontSize = 12

// lineHeight is the distance between two lines of text.
const lineHeight = 16

// textWidth estimates how wide text is at fontSize. It errs on the wide side:
// it is about right for a wide face such as DejaVu Sans.
func textWidth(s string) float64 {
	w := 0.0
	for _, r := range s {
		w += runeWidth(shown(r))
	}
	return w * fontSize
}

// runeWidth is the width of one character in ems.
func runeWidth(r rune) float64 {
	switch {
	case strings.ContainsRune("iljI.,:;'|![]()/ ft\u00a0", r):
		return 0.42
	case strings.ContainsRune("mwMW@%—…", r):
		return 0.98
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r):
		return 0
	case r >= 0x2e80:
		return 1.1
	case unicode.IsUpper(r):
		return 0.74
	case unicode.IsDigit(r):
		return 0.62
	case r < 0x250:
		return 0.59
	}
	return 0.85
}

// wrap breaks text into lines of at most width. A word that is longer than a
// line is cut with an ellipsis; the whole text stands in the table.
func wrap(s string, width float64) []string {
	var lines []string
	line := ""
	for _, word := range strings.FieldsFunc(s, breakable) {
		word = cut(word, width)
		switch {
		case line == "":
			line = word
		case textWidth(line+" "+word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// breakable says whether a line may be broken at r; not at a no-break space.
func breakable(r rune) bool { return r != '\u00a0' && unicode.IsSpace(r) }

// cut shortens text to width.
func cut(s string, width float64) string {
	if textWidth(s) <= width {
		return s
	}
	runes := []rune(s)
	for len(runes) > 0 && textWidth(string(runes))+textWidth("…") > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// box is a rectangle that something occupies.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) overlaps(o box) bool {
	return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1
}

func (b box) within(o box) bool {
	return b.x0 >= o.x0 && b.x1 <= o.x1 && b.y0 >= o.y0 && b.y1 <= o.y1
}

// around is a square of half-width r.
func around(x, y, r float64) box { return box{x - r, y - r, x + r, y + r} }

// inkGrid remembers roughly where curves run, in cells of a few units, so that
// keeping text clear of them costs the same for ten points and for thousands.
type inkGrid struct {
	cols, rows int
	cells      []bool
}

// inkCell is the side of a cell.
const inkCell = 4

func newInkGrid(w, h float64) *inkGrid {
	g := &inkGrid{cols: int(w/inkCell) + 1, rows: int(h/inkCell) + 1}
	g.cells = make([]bool, g.cols*g.rows)
	return g
}

func (g *inkGrid) col(x float64) int { return min(max(int(x/inkCell), 0), g.cols-1) }
func (g *inkGrid) row(y float64) int { return min(max(int(y/inkCell), 0), g.rows-1) }

// mark inks the cells of a line.
func (g *inkGrid) mark(x0, y0, x1, y1 float64) {
	n := int(math.Max(math.Abs(x1-x0), math.Abs(y1-y0))/inkCell) + 1
	for i := 0; i <= n; i++ {
		t := float64(i) / float64(n)
		g.cells[g.row(y0+t*(y1-y0))*g.cols+g.col(x0+t*(x1-x0))] = true
	}
}

// count is how many inked cells a box touches.
func (g *inkGrid) count(b box) int {
	n := 0
	for r := g.row(b.y0); r <= g.row(b.y1); r++ {
		for _, inked := range g.cells[r*g.cols+g.col(b.x0) : r*g.cols+g.col(b.x1)+1] {
			if inked {
				n++
			}
		}
	}
	return n
}
