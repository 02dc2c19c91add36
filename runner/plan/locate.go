package plan

import (
	"strings"
)

// lines maps a key's path to the line it is written on. The TOML library names
// unknown keys without their lines, so a small scanner of our own finds them.
// It reads only what the library has already accepted; on other input it may
// find nothing, but it ends and does not panic.
type lines map[string]int

// pathSep joins the parts of a path; TOML keys cannot hold it unescaped.
const pathSep = "\x00"

// at returns the line of the path, or of its nearest parent that is written
// out, or 1.
func (l lines) at(path ...string) int {
	for n := len(path); n > 0; n-- {
		if line, ok := l[strings.Join(path[:n], pathSep)]; ok {
			return line
		}
	}
	return 1
}

// locate finds the line of each key in src.
func locate(src []byte) lines {
	s := scanner{src: src, line: 1, found: lines{}}
	var section []string
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == '#':
			s.comment()
		case c == '[':
			for s.peek() == '[' {
				s.next()
			}
			section = s.key(nil)
			s.record(section)
			s.restOfLine()
		case isSpace(c):
			s.next()
		default:
			s.assignment(section)
			s.restOfLine()
		}
	}
	return s.found
}

type scanner struct {
	src   []byte
	pos   int
	line  int
	depth int
	found lines
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// peek returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

func (s *scanner) next() {
	if s.peek() == '\n' {
		s.line++
	}
	s.pos++
}

func (s *scanner) comment() {
	for s.pos < len(s.src) && s.src[s.pos] != '\n' {
		s.pos++
	}
}

// restOfLine skips to the next line; what stands there was accepted already.
func (s *scanner) restOfLine() {
	s.comment()
	s.next()
}

// record notes the first line of a path and of each of its parents.
func (s *scanner) record(path []string) {
	for n := range path {
		p := strings.Join(path[:n+1], pathSep)
		if _, ok := s.found[p]; !ok {
			s.found[p] = s.line
		}
	}
}

// key reads a dotted key, bare or quoted, up to '=' or ']', after prefix.
func (s *scanner) key(prefix []string) []string {
	path := append([]string(nil), prefix...)
	var bare strings.Builder
	end := func() {
		if bare.Len() > 0 {
			path = append(path, bare.String())
			bare.Reset()
		}
	}
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case '"', '\'':
			from := s.pos + 1
			s.quoted()
			path = append(path, string(s.src[from:max(from, min(s.pos-1, len(s.src)))]))
			continue
		case '=', ']', '\n', '}':
			end()
			return path
		case '.':
			end()
		case ' ', '\t', '\r':
		default:
			bare.WriteByte(c)
		}
		s.pos++
	}
	end()
	return path
}

// assignment reads KEY = VALUE and records the key.
func (s *scanner) assignment(prefix []string) {
	path := s.key(prefix)
	if len(path) > len(prefix) {
		s.record(path)
	}
	if s.peek() != '=' {
		return
	}
	s.pos++
	s.value(path)
}

// value skips a value and records the keys of inline tables in it.
func (s *scanner) value(path []string) {
	const deepest = 100
	if s.depth++; s.depth > deepest {
		s.pos = len(s.src)
	}
	defer func() { s.depth-- }()
	for s.peek() == ' ' || s.peek() == '\t' {
		s.pos++
	}
	switch s.peek() {
	case '"', '\'':
		s.quoted()
	case '[':
		s.group(']', func() { s.value(path) })
	case '{':
		s.group('}', func() { s.assignment(path) })
	default:
		for s.pos < len(s.src) && !strings.ContainsRune(",]}#\n", rune(s.src[s.pos])) {
			s.pos++
		}
	}
}

// group reads an array or an inline table, item by item.
func (s *scanner) group(closing byte, item func()) {
	s.next()
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == closing:
			s.next()
			return
		case c == '#':
			s.comment()
		case c == ',' || isSpace(c):
			s.next()
		default:
			before := s.pos
			item()
			if s.pos == before { // a stray byte: step over it
				s.next()
			}
		}
	}
}

// quoted skips a string of any of the four kinds.
func (s *scanner) quoted() {
	q := s.src[s.pos]
	triple := strings.Repeat(string(q), 3)
	long := strings.HasPrefix(string(s.src[s.pos:min(s.pos+3, len(s.src))]), triple)
	if long {
		s.pos += 2
	}
	s.pos++
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		switch {
		case c == '\\' && q == '"':
			s.next()
		case c == '\n' && !long:
			return
		case c == q && !long:
			s.pos++
			return
		case c == q && s.closesLong(triple):
			return
		}
		s.next()
	}
}

// closesLong steps over the end of a multi-line string, which may have up to
// two more quotes before its closing three.
func (s *scanner) closesLong(triple string) bool {
	rest := s.src[s.pos:min(s.pos+5, len(s.src))]
	if !strings.HasPrefix(string(rest), triple) {
		return false
	}
	for _, c := range rest {
		if c != triple[0] {
			break
		}
		s.pos++
	}
	return true
}
