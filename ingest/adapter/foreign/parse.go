package foreign

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// parser reads one value at a time from a scanner.
type parser struct {
	*scanner
	shape Shape
	diag  func(line int64, msg string)
	depth int
	at    []byte            // the path of the value being read
	names map[string]string // keys that came before
	// fields and items are those of all objects and lists that are being read,
	// outermost first: each gets its own list, of the right length, when it ends.
	fields []Field
	items  []Node
	// partial: the input is the beginning of a file; its end closes all that is
	// open, and of what stands deep within nothing is kept.
	partial bool
}

// begin forgets what was left of the value before, which may have been broken.
func (p *parser) begin() {
	p.nodes, p.kept, p.depth = 0, 0, 0
	p.shape, p.at = Shape{}, p.at[:0]
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
		var text []byte
		text, n.cut, err = p.text(keep, maxText)
		n.Text = string(text)
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
	if tooLarge(word) {
		n.Kind = NotFinite
		p.diag(n.Line, string(p.at)+" is "+word+", which no number here can hold: no value")
	}
	return n, nil
}

// tooLarge reports whether no float64 holds a number. One that is short and has
// no exponent is not asked for long.
func tooLarge(number string) bool {
	if len(number) < 300 && !strings.ContainsAny(number, "eE") {
		return false
	}
	x, err := strconv.ParseFloat(number, 64)
	return err != nil || math.IsInf(x, 0)
}

// name is a key as a text. In rows the keys are always the same: they are not
// copied again.
func (p *parser) name(key []byte) string {
	if name, ok := p.names[string(key)]; ok {
		return name
	}
	name := string(key)
	if len(p.names) < maxNames {
		if p.names == nil {
			p.names = map[string]string{}
		}
		p.names[name] = name
	}
	return name
}

// object reads what follows an opening brace.
func (p *parser) object(n *Node, keep bool) error {
	n.Kind = Object
	o := object{from: len(p.fields)}
	defer func() {
		n.Fields = append([]Field(nil), p.fields[o.from:]...)
		p.fields = p.fields[:o.from]
	}()
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
		if err := p.member(&o, keep); err != nil {
			return err
		}
	}
}

// headDepth is how deep a format is recognised by: a key of an object in a list
// in an object.
const headDepth = 3

func (p *parser) tooDeep() bool { return p.partial && p.depth > headDepth }

// member reads a key behind its quote, and its value.
func (p *parser) member(o *object, keep bool) error {
	text, _, err := p.text(true, maxKey)
	if err != nil {
		return err
	}
	key := p.name(text)
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
	kept := keep && !p.tooDeep() && !p.shape.skips(p.at)
	v, err := p.value(c, kept)
	if kept && (err == nil || p.partial && v.Kind != Absent) {
		p.add(o, key, v)
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

// object is an object while it is read: where its fields begin, and the places
// of its keys once it has many.
type object struct {
	from   int
	places map[string]int
}

// manyFields is from how many fields on keys are looked up in a table: an object
// with a million keys must not take a million million steps.
const manyFields = 32

// find is the place of a key, or -1.
func (o *object) find(fields []Field, key string) int {
	if len(fields)-o.from < manyFields {
		return slices.IndexFunc(fields[o.from:], func(f Field) bool { return f.Key == key })
	}
	if o.places == nil {
		o.places = map[string]int{}
		for i, f := range fields[o.from:] {
			o.places[f.Key] = i
		}
	}
	if i, ok := o.places[key]; ok {
		return i
	}
	o.places[key] = len(fields) - o.from // where it will be put
	return -1
}

// add puts a field into an object. Of a key that stands twice with different
// values none is taken.
func (p *parser) add(o *object, key string, v Node) {
	i := o.find(p.fields, key)
	if i < 0 {
		p.fields = append(p.fields, Field{Key: key, Value: v})
		return
	}
	before := &p.fields[o.from+i].Value
	if same(*before, v) {
		p.diag(v.Line, string(p.at)+" stands twice, with the same value")
		return
	}
	p.diag(v.Line, string(p.at)+" stands twice, with different values: neither is taken")
	*before = Node{Kind: Null, Line: v.Line}
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
	from := len(p.items)
	defer func() {
		n.Items = append([]Node(nil), p.items[from:]...)
		p.items = p.items[:from]
	}()
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
		if err := p.item(c, row, keep); err != nil {
			return err
		}
	}
}

// item reads one item, and hands it over if it is a row.
func (p *parser) item(c byte, row func(Node) error, keep bool) error {
	if row == nil {
		keep = keep && !p.tooDeep()
		v, err := p.value(c, keep)
		if keep && (err == nil || p.partial && v.Kind != Absent) {
			p.items = append(p.items, v)
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
