package target

// maxDepth bounds the nesting that the scanner follows; deeper values go to
// the careful decoder.
const maxDepth = 32

// scanner walks JSON in place. It is strict: whatever is not plain, valid
// JSON sets bad, and the careful decoder then has the last word. It never
// allocates and never looks at a byte twice but in strings.
type scanner struct {
	b    []byte
	i    int
	name []byte // key of the member that member found
	bad  bool
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\n', '\r':
			s.i++
		default:
			return
		}
	}
}

// eat takes c if it is next.
func (s *scanner) eat(c byte) bool {
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// once marks a key as seen; a second time is for the careful decoder.
func (s *scanner) once(seen *int, bit int) {
	if *seen&bit != 0 {
		s.bad = true
	}
	*seen |= bit
}

// next steps to the next entry of an object or array and reports whether
// there is one. first must be true before the first call.
func (s *scanner) next(first *bool, open, shut byte) bool {
	if s.bad {
		return false
	}
	s.space()
	if *first {
		*first = false
		if !s.eat(open) {
			s.bad = true
			return false
		}
		s.space()
		return !s.eat(shut)
	}
	if s.eat(shut) {
		return false
	}
	if !s.eat(',') {
		s.bad = true
		return false
	}
	s.space()
	return true
}

// member steps to the next member of an object, leaves its key in name and
// stands before its value.
func (s *scanner) member(first *bool) bool {
	if !s.next(first, '{', '}') {
		return false
	}
	s.name = s.text()
	s.space()
	if !s.eat(':') {
		s.bad = true
	}
	s.space()
	return !s.bad
}

// element steps to the next element of an array.
func (s *scanner) element(first *bool) bool { return s.next(first, '[', ']') }

// text takes a string without escapes and gives its bytes; any other value
// is for the careful decoder.
func (s *scanner) text() []byte {
	from := s.i + 1
	if plain := s.str(); !plain || s.bad {
		s.bad = true
		return nil
	}
	return s.b[from : s.i-1]
}

// filled takes a string or null and reports whether the string is not empty.
func (s *scanner) filled() bool {
	if s.null() {
		return false
	}
	from := s.i
	s.str()
	return s.i-from > 2
}

// str takes a string and reports whether it has no escapes.
func (s *scanner) str() bool {
	plain := true
	if !s.eat('"') {
		s.bad = true
		return false
	}
	for s.i < len(s.b) {
		switch c := s.b[s.i]; {
		case c == '"':
			s.i++
			return plain
		case c == '\\':
			plain = false
			if !s.escape() {
				s.bad = true
				return false
			}
		case c < ' ':
			s.bad = true
			return false
		default:
			s.i++
		}
	}
	s.bad = true
	return false
}

// escape takes one escape sequence.
func (s *scanner) escape() bool {
	if s.i+1 >= len(s.b) {
		return false
	}
	switch s.b[s.i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.i += 2
		return true
	case 'u':
		if s.i+6 > len(s.b) {
			return false
		}
		for _, c := range s.b[s.i+2 : s.i+6] {
			if !isHex(c) {
				return false
			}
		}
		s.i += 6
		return true
	default:
		return false
	}
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// null takes a null if it is next.
func (s *scanner) null() bool {
	if s.i < len(s.b) && s.b[s.i] == 'n' {
		return s.word("null")
	}
	return false
}

func (s *scanner) word(w string) bool {
	if len(s.b)-s.i < len(w) || string(s.b[s.i:s.i+len(w)]) != w {
		s.bad = true
		return false
	}
	s.i += len(w)
	return true
}

// whole takes a count: null, or digits without sign, fraction or exponent.
func (s *scanner) whole() count {
	if s.null() {
		return count{}
	}
	from := s.i
	var n int64
	for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		n = n*10 + int64(s.b[s.i]-'0')
		s.i++
	}
	digits := s.i - from
	leadingZero := digits > 1 && s.b[from] == '0'
	if digits == 0 || digits > 15 || leadingZero || s.fraction() {
		s.bad = true
		return count{}
	}
	return count{n, true}
}

func (s *scanner) fraction() bool {
	if s.i >= len(s.b) {
		return false
	}
	c := s.b[s.i]
	return c == '.' || c == 'e' || c == 'E'
}

// skip takes any value.
func (s *scanner) skip(depth int) {
	if s.bad || depth > maxDepth || s.i >= len(s.b) {
		s.bad = true
		return
	}
	switch c := s.b[s.i]; c {
	case '"':
		s.str()
	case '{':
		for first := true; s.member(&first); {
			s.skip(depth + 1)
		}
	case '[':
		for first := true; s.element(&first); {
			s.skip(depth + 1)
		}
	case 't':
		s.word("true")
	case 'f':
		s.word("false")
	case 'n':
		s.word("null")
	default:
		s.number()
	}
}

// number takes any JSON number.
func (s *scanner) number() {
	s.eat('-')
	if !s.eat('0') && !s.digits() {
		s.bad = true
		return
	}
	if s.eat('.') && !s.digits() {
		s.bad = true
	}
	if s.eat('e') || s.eat('E') {
		if !s.eat('+') {
			s.eat('-')
		}
		if !s.digits() {
			s.bad = true
		}
	}
}

func (s *scanner) digits() bool {
	from := s.i
	for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		s.i++
	}
	return s.i > from
}
