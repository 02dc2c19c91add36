package foreign

import (
	"math"
	"strconv"
)

// parser reads one value at a time from a scanner.
type parser struct {
	*scanner
	shape Shape
	diag  func(line int64, msg string)
	depth int
	at    []byte // the path of the value being read
	// partial: the input is the beginning of a file; its end closes all that is
	// open.
	partial bool
}

// value reads a value of which c is the first byte. Keep false: it is checked
// and thrown away.
func (p *parser) value(c byte, keep bool) (Node, error) {
	n := Node{Line: p.line}
	if keep {
		if p.nodes++; p.nodes > maxNodes {
			return n, p.bound("more than %d values outside of rows", maxNodes)
		}
		if p.kept > maxKept {
			return n, p.bound("more than %d bytes of text outside of rows", maxKept)
		}
	}
	switch c {
	case '{', '[':
		if p.depth++; p.depth > maxDepth {
			return n, p.bound("lists and objects stand more than %d deep within one another", maxDepth)
		}
		p.take(c)
		var err error
		if c == '{' {
			err = p.object(&n, keep)
		} else {
			err = p.list(&n, keep)
		}
		p.depth--
		return n, err
	case '"':
		p.take(c)
		n.Kind = Text
		var err error
		n.Text, n.cut, err = p.text(keep, maxText)
		return n, err
	}
	word, err := p.word()
	if err != nil {
		return n, err
	}
	if p.partial && p.atEnd() {
		return n, errCut // a number may go on
	}
	return p.scalar(n, word)
}

func (p *parser) atEnd() bool { _, ok := p.peek(); return !ok }

// scalar says what a bare word is.
func (p *parser) scalar(n Node, word string) (Node, error) {
	n.Text = word
	switch word {
	case "true", "false", "True", "False":
		n.Kind = Bool
		return n, nil
	case "null", "None":
		n.Kind = Null
		return n, nil
	case "NaN", "nan", "-NaN", "Infinity", "-Infinity", "+Infinity", "inf", "-inf", "Inf", "-Inf":
		n.Kind = NotFinite
		p.diag(n.Line, string(p.at)+" is "+word+", which is no number: no value")
		return n, nil
	}
	if !plainNumber(word) {
		c, _ := p.peek()
		if word == "" {
			return n, p.syntax("%q where a value should be", string(rune(c)))
		}
		return n, p.syntax("%q is no value", printable(word))
	}
	n.Kind = Number
	if x, err := strconv.ParseFloat(word, 64); err != nil || math.IsInf(x, 0) {
		n.Kind = NotFinite
		p.diag(n.Line, string(p.at)+" is "+word+", which no number here can hold: no value")
	}
	return n, nil
}

// object reads what follows an opening brace.
func (p *parser) object(n *Node, keep bool) error {
	n.Kind = Object
	for first := true; ; first = false {
		c, err := p.space()
		if err != nil {
			return err
		}
		if c == '}' {
			p.take(c)
			return nil
		}
		if !first {
			if c != ',' {
				return p.syntax("%q where a comma or } should be", string(rune(c)))
			}
			p.take(c)
			if c, err = p.space(); err != nil {
				return err
			}
			if c == '}' { // a comma too many
				p.take(c)
				return nil
			}
		}
		if c != '"' {
			return p.syntax("%q where a key should be", string(rune(c)))
		}
		p.take(c)
		if err := p.member(n, keep); err != nil {
			return err
		}
	}
}

// member reads a key behind its quote, and its value.
func (p *parser) member(n *Node, keep bool) error {
	key, _, err := p.text(true, maxKey)
	if err != nil {
		return err
	}
	c, err := p.space()
	if err != nil {
		return err
	}
	if c != ':' {
		return p.syntax("%q where a colon should be", string(rune(c)))
	}
	p.take(c)
	if c, err = p.space(); err != nil {
		return err
	}
	up := p.down(key)
	kept := keep && !p.shape.skips(p.at)
	v, err := p.value(c, kept)
	if kept && (err == nil || p.partial && v.Kind != Absent) {
		p.add(n, key, v)
	}
	p.at = p.at[:up]
	return err
}

// down makes the path that of a key or item, and returns the length to go back
// to.
func (p *parser) down(key string) int {
	up := len(p.at)
	if up > 0 {
		p.at = append(p.at, '.')
	}
	p.at = append(p.at, key...)
	return up
}

// add puts a field into an object. Of a key that stands twice with different
// values none is taken.
func (p *parser) add(n *Node, key string, v Node) {
	for i := range n.Fields {
		if n.Fields[i].Key != key {
			continue
		}
		if same(n.Fields[i].Value, v) {
			p.diag(v.Line, string(p.at)+" stands twice, with the same value")
			return
		}
		p.diag(v.Line, string(p.at)+" stands twice, with different values: neither is taken")
		n.Fields[i].Value = Node{Kind: Null, Line: v.Line}
		return
	}
	n.Fields = append(n.Fields, Field{Key: key, Value: v})
}

func same(a, b Node) bool {
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Fields) != len(b.Fields) || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Fields {
		if a.Fields[i].Key != b.Fields[i].Key || !same(a.Fields[i].Value, b.Fields[i].Value) {
			return false
		}
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	return true
}

// list reads what follows an opening bracket.
func (p *parser) list(n *Node, keep bool) error {
	n.Kind = List
	row := p.shape.Rows[string(p.at)]
	up := p.down("*")
	defer func() { p.at = p.at[:up] }()
	for first := true; ; first = false {
		c, err := p.space()
		if err != nil {
			return err
		}
		if c == ']' {
			p.take(c)
			return nil
		}
		if !first {
			if c != ',' {
				return p.syntax("%q where a comma or ] should be", string(rune(c)))
			}
			p.take(c)
			if c, err = p.space(); err != nil {
				return err
			}
			if c == ']' {
				p.take(c)
				return nil
			}
		}
		if err := p.item(n, c, row, keep); err != nil {
			return err
		}
	}
}

// item reads one item, and hands it over if it is a row.
func (p *parser) item(n *Node, c byte, row func(Node) error, keep bool) error {
	if row == nil {
		v, err := p.value(c, keep)
		if keep && err == nil {
			n.Items = append(n.Items, v)
		}
		return err
	}
	nodes, kept := p.nodes, p.kept
	v, err := p.value(c, true)
	p.nodes, p.kept = nodes, kept
	if err != nil {
		return err
	}
	return row(v)
}
