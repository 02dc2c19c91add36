package llmd

import (
	"errors"
	"fmt"
	"strings"
)

// The bounds of what is read as YAML.
const (
	mostDepth = 64
	mostNodes = 1 << 20
)

// node is a value of a YAML document: a mapping, a list or a scalar.
type node struct {
	keys  []string // of a mapping, in their order
	kids  []*node  // of a mapping, beside the keys, or of a list
	text  string   // of a scalar, without its quotes
	shape shape
	line  int
}

type shape uint8

const (
	scalar shape = iota + 1
	quoted       // a scalar in quotes: text, whatever it looks like
	mapping
	list
)

// at follows keys down through mappings; nil where one is missing.
func (n *node) at(keys ...string) *node {
	for _, key := range keys {
		if n == nil || n.shape != mapping {
			return nil
		}
		var next *node
		for i, k := range n.keys {
			if k == key {
				next = n.kids[i]
			}
		}
		n = next
	}
	return n
}

// value is the text of a scalar that is not null.
func (n *node) value() (string, bool) {
	if n == nil || n.shape != scalar && n.shape != quoted {
		return "", false
	}
	if n.shape == scalar && (n.text == "" || n.text == "~" || strings.EqualFold(n.text, "null")) {
		return "", false
	}
	return n.text, true
}

// items are the entries of a list.
func (n *node) items() []*node {
	if n == nil || n.shape != list {
		return nil
	}
	return n.kids
}

// yamlLine is a line that says something.
type yamlLine struct {
	indent int
	text   string // without the indent and a comment
	number int
}

// parser reads the part of YAML that reports are written in: block mappings and
// lists, plain and quoted scalars on one line, and empty flow collections.
// Anchors, tags, other flow collections, text over several lines and more than
// one document are refused by name: guessing at them would be inventing.
type parser struct {
	lines []yamlLine
	pos   int
	nodes int
}

var errYAML = errors.New("not the kind of YAML that a report is written in")

func yamlFault(line int, format string, args ...any) error {
	return fmt.Errorf("line %d: %s: %w", line, fmt.Sprintf(format, args...), errYAML)
}

// parseYAML reads a document whole.
func parseYAML(src string) (*node, error) {
	p := &parser{}
	number := 0
	for raw := range strings.Lines(strings.TrimPrefix(src, "\ufeff")) {
		number++
		raw = strings.TrimRight(raw, " \t\r\n")
		text := strings.TrimLeft(raw, " ")
		switch {
		case text == "" || text[0] == '#', text == "---" && len(p.lines) == 0:
			continue
		case text == "---" || text == "...":
			return nil, yamlFault(number, "a second document")
		case text[0] == '\t':
			return nil, yamlFault(number, "a tab as indent")
		}
		p.lines = append(p.lines, yamlLine{indent: len(raw) - len(text), text: text, number: number})
	}
	if len(p.lines) == 0 {
		return nil, fmt.Errorf("the file is empty: %w", errYAML)
	}
	n, err := p.block(p.lines[0].indent, 0)
	if err == nil && p.pos < len(p.lines) {
		err = yamlFault(p.lines[p.pos].number, "an indent that fits nothing before it")
	}
	return n, err
}

// block reads the mapping or the list whose entries stand at an indent.
func (p *parser) block(indent, depth int) (*node, error) {
	first := p.lines[p.pos]
	if depth > mostDepth {
		return nil, yamlFault(first.number, "nested deeper than %d", mostDepth)
	}
	n := &node{shape: mapping, line: first.number}
	if isItem(first.text) {
		n.shape = list
	}
	seen := map[string]bool{}
	for p.pos < len(p.lines) && p.lines[p.pos].indent == indent && isItem(p.lines[p.pos].text) == (n.shape == list) {
		if p.nodes++; p.nodes > mostNodes {
			return nil, yamlFault(p.lines[p.pos].number, "more than %d values", mostNodes)
		}
		var err error
		if n.shape == list {
			err = p.item(n, indent, depth)
		} else {
			err = p.entry(n, seen, indent, depth)
		}
		if err != nil {
			return nil, err
		}
	}
	return n, nil
}

func isItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// item reads one "- …" of a list. What follows the dash on its line is the
// first line of a block that is indented to it.
func (p *parser) item(n *node, indent, depth int) error {
	l := &p.lines[p.pos]
	rest := strings.TrimLeft(l.text[1:], " ")
	if rest != "" && (isItem(rest) || keyEnd(rest) > 0) {
		l.indent, l.text = indent+len(l.text)-len(rest), rest
		kid, err := p.block(l.indent, depth+1)
		n.kids = append(n.kids, kid)
		return err
	}
	kid, err := p.valueOf(rest, indent, indent+1, depth)
	n.kids = append(n.kids, kid)
	return err
}

// entry reads one "key: …" of a mapping.
func (p *parser) entry(n *node, seen map[string]bool, indent, depth int) error {
	l := p.lines[p.pos]
	end := keyEnd(l.text)
	if end <= 0 {
		return yamlFault(l.number, "neither \"key: value\" nor a list entry")
	}
	key, err := unquote(l.text[:end], l.number)
	if err != nil {
		return err
	}
	if seen[key.text] {
		return yamlFault(l.number, "the key %q stands twice", key.text)
	}
	seen[key.text] = true
	// A list may stand at the indent of its key.
	kid, err := p.valueOf(strings.TrimLeft(l.text[end+1:], " "), indent, indent, depth)
	n.keys, n.kids = append(n.keys, key.text), append(n.kids, kid)
	return err
}

// valueOf reads what stands behind a key or a dash: a scalar on the line, or
// the block below it.
func (p *parser) valueOf(rest string, indent, listFrom, depth int) (*node, error) {
	number := p.lines[p.pos].number
	p.pos++
	if rest != "" && rest[0] != '#' {
		return unquote(rest, number)
	}
	if p.pos < len(p.lines) {
		next := p.lines[p.pos]
		if next.indent > indent || next.indent >= listFrom && isItem(next.text) {
			return p.block(next.indent, depth+1)
		}
	}
	return &node{shape: scalar, line: number}, nil
}

// keyEnd is where the colon behind a key stands; 0 or less: there is none.
func keyEnd(text string) int {
	if text[0] == '"' || text[0] == '\'' {
		end := closing(text)
		if text[0] == '"' {
			end = strings.IndexByte(text[1:], '"') + 1
		}
		if end < 1 {
			return 0
		}
		rest := strings.TrimLeft(text[end+1:], " ")
		if rest == ":" || strings.HasPrefix(rest, ": ") {
			return len(text) - len(rest)
		}
		return 0
	}
	for i := range len(text) {
		if text[i] == ':' && (i+1 == len(text) || text[i+1] == ' ') {
			return i
		}
		if text[i] == '#' && i > 0 && text[i-1] == ' ' {
			return 0
		}
	}
	return 0
}

// unquote reads a scalar that stands on one line.
func unquote(text string, number int) (*node, error) {
	n := &node{shape: scalar, line: number}
	switch text[0] {
	case '\'':
		end := closing(text)
		if end < 0 {
			return nil, yamlFault(number, "a quoted text that does not end on its line")
		}
		n.shape, n.text = quoted, strings.ReplaceAll(text[1:end], "''", "'")
		return n, nothingAfter(text[end+1:], number)
	case '"':
		end := strings.IndexByte(text[1:], '"')
		if end < 0 || strings.Contains(text[1:1+end], `\`) {
			return nil, yamlFault(number, "a quoted text with an escape, or one that does not end on its line")
		}
		n.shape, n.text = quoted, text[1:1+end]
		return n, nothingAfter(text[end+2:], number)
	case '&', '*', '!', '|', '>', '%', '@', '`', '?':
		return nil, yamlFault(number, "a value that begins with %q", text[0])
	case '{', '[':
		if text == "{}" || text == "[]" {
			n.shape = map[byte]shape{'{': mapping, '[': list}[text[0]]
			return n, nil
		}
		return nil, yamlFault(number, "a collection in brackets")
	}
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
	}
	n.text = strings.TrimRight(text, " ")
	return n, nil
}

// nothingAfter holds that only a comment follows a quoted text.
func nothingAfter(rest string, number int) error {
	if rest = strings.TrimLeft(rest, " "); rest != "" && rest[0] != '#' {
		return yamlFault(number, "something behind a quoted text")
	}
	return nil
}

// closing is where a text in single quotes ends; two of them are one of its
// characters.
func closing(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] != '\'' {
			continue
		}
		if i+1 < len(text) && text[i+1] == '\'' {
			i++
			continue
		}
		return i
	}
	return -1
}
