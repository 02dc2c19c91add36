package foreign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"benchline/ingest/adapter"
)

// The bounds of what is read. They are far above what any tool writes and far
// below what would fill a machine's memory.
const (
	maxDepth  = 64       // lists and objects within one another
	maxText   = 1 << 16  // bytes of one string that are kept
	maxKey    = 1 << 10  // bytes of a key or number
	maxNodes  = 1 << 20  // values kept at once, rows not among them
	maxKept   = 64 << 20 // bytes of strings kept at once
	maxBefore = 1 << 20  // bytes of log lines before, between or after values
	maxBroken = 64 << 20 // bytes behind a fault up to the line's end
	bufSize   = 64 << 10 // what is read at once, from the second time on
	firstSize = 8 << 10  // and the first time: most files are small
	maxNames  = 1 << 10  // different keys that are kept once for all objects
)

// SyntaxError says where a file is not the JSON that it should be.
type SyntaxError struct {
	Line int64
	Msg  string
}

// Error is "line 3: what is wrong".
func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// errCut is the end of the input inside of a value.
var errCut = errors.New("the file ends inside of a value")

// scanner reads bytes and knows its line.
type scanner struct {
	ctx   context.Context
	src   io.Reader
	buf   []byte
	pos   int
	end   int
	err   error // of src, once it came
	line  int64
	nodes int // kept of the value being read
	kept  int
	last  byte // the last byte that was taken
}

func newScanner(ctx context.Context, src io.Reader) *scanner {
	return &scanner{ctx: ctx, src: src, buf: make([]byte, firstSize), line: 1}
}

// scannerOf reads bytes that are there already. They are not changed.
func scannerOf(text []byte) *scanner {
	return &scanner{ctx: context.Background(), buf: text, end: len(text), err: io.EOF, line: 1}
}

// fill reads more; false at the end.
func (s *scanner) fill() bool {
	if s.err != nil {
		return false
	}
	if s.err = s.ctx.Err(); s.err != nil {
		return false
	}
	if s.end == firstSize && len(s.buf) == firstSize {
		s.buf = make([]byte, bufSize)
	}
	s.pos = 0
	for range 100 {
		s.end, s.err = s.src.Read(s.buf)
		if s.end > 0 || s.err != nil {
			break
		}
	}
	return s.end > 0
}

// peek is the next byte; false at the end.
func (s *scanner) peek() (byte, bool) {
	if s.pos >= s.end && !s.fill() {
		return 0, false
	}
	return s.buf[s.pos], true
}

// next takes a byte.
func (s *scanner) next() (byte, bool) {
	c, ok := s.peek()
	if ok {
		s.take(c)
	}
	return c, ok
}

// take moves behind the byte c that peek gave.
func (s *scanner) take(c byte) {
	s.pos++
	if c == '\n' && s.last != '\r' || c == '\r' {
		s.line++
	}
	s.last = c
}

// failure is the reader's error, or the end inside of a value.
func (s *scanner) failure() error {
	if s.err != nil && !errors.Is(s.err, io.EOF) {
		return s.err
	}
	return errCut
}

// bound is the error of a file that goes beyond a bound: nothing more of it is
// read.
func (s *scanner) bound(format string, args ...any) error {
	return &adapter.RefusedError{Why: fmt.Sprintf("line %d: ", s.line) + fmt.Sprintf(format, args...), Hint: "no tool writes such a file; is it one?"}
}

func (s *scanner) syntax(format string, args ...any) error {
	return &SyntaxError{Line: s.line, Msg: fmt.Sprintf(format, args...)}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// space skips white space and gives the byte behind it.
func (s *scanner) space() (byte, error) {
	for {
		c, ok := s.peek()
		if !ok {
			return 0, s.failure()
		}
		if !isSpace(c) {
			return c, nil
		}
		s.take(c)
	}
}

// text reads a string behind its opening quote. Of a long one the beginning is
// kept; keep false: none of it. The bytes are good until more is read.
func (s *scanner) text(keep bool, limit int) ([]byte, bool, error) {
	if part, ok := s.whole(limit); ok {
		if !keep {
			part = nil
		}
		s.kept += len(part)
		return valid(part), false, nil
	}
	var b []byte
	cut := false
	add := func(c ...byte) {
		switch {
		case !keep:
		case len(b)+len(c) > limit:
			cut = true
		default:
			b = append(b, c...)
		}
	}
	for {
		if s.pos >= s.end && !s.fill() {
			return nil, false, s.failure()
		}
		part := s.buf[s.pos:s.end]
		n := plain(part)
		if n > 0 {
			add(part[:n]...)
			s.pos += n
			s.last = part[n-1]
			continue
		}
		c := part[0]
		s.take(c)
		switch c {
		case '"':
			s.kept += len(b)
			return valid(b), cut, nil
		case '\\':
			if err := s.escape(add); err != nil {
				return nil, false, err
			}
		case '\n', '\r':
			return nil, false, s.syntax("a string does not end on its line")
		default: // other control characters stand unescaped in some files
			add(c)
		}
	}
}

// whole takes a string of plain bytes up to its quote, if it lies in the buffer
// whole: most do.
func (s *scanner) whole(limit int) ([]byte, bool) {
	part := s.buf[s.pos:s.end]
	n := plain(part)
	if n == len(part) || n > limit || part[n] != '"' {
		return nil, false
	}
	s.pos += n
	s.take('"')
	return part[:n], true
}

// valid is a text with U+FFFD for what is not UTF-8.
func valid(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	return bytes.ToValidUTF8(b, []byte("\ufffd"))
}

// plain is how many bytes of a string come before one that means something.
func plain(b []byte) int {
	for i, c := range b {
		if c == '"' || c == '\\' || c < 0x20 {
			return i
		}
	}
	return len(b)
}

// escape reads what stands behind a backslash.
func (s *scanner) escape(add func(...byte)) error {
	c, ok := s.next()
	if !ok {
		return s.failure()
	}
	switch c {
	case '"', '\\', '/':
		add(c)
	case 'b':
		add('\b')
	case 'f':
		add('\f')
	case 'n':
		add('\n')
	case 'r':
		add('\r')
	case 't':
		add('\t')
	case 'u':
		r, err := s.hex()
		if err != nil {
			return err
		}
		return s.rune(r, add)
	default:
		return s.syntax("a string has \\%c, which is no escape", c)
	}
	return nil
}

// rune adds a code unit, and the second of a pair. A lone half becomes U+FFFD.
func (s *scanner) rune(r rune, add func(...byte)) error {
	for utf16.IsSurrogate(r) {
		c, ok := s.peek()
		if !ok || c != '\\' {
			r = utf8.RuneError
			break
		}
		s.take(c)
		if c, ok = s.peek(); !ok || c != 'u' {
			add([]byte(string(utf8.RuneError))...)
			return s.escape(add)
		}
		s.take(c)
		second, err := s.hex()
		if err != nil {
			return err
		}
		if pair := utf16.DecodeRune(r, second); pair != utf8.RuneError {
			r = pair
			break
		}
		add([]byte(string(utf8.RuneError))...)
		r = second
	}
	add([]byte(string(r))...)
	return nil
}

func (s *scanner) hex() (rune, error) {
	var r rune
	for range 4 {
		c, ok := s.next()
		if !ok {
			return 0, s.failure()
		}
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, s.syntax("a string has \\u without four hexadecimal digits")
		}
	}
	return r, nil
}

// word reads a number or a bare word.
func (s *scanner) word() (string, error) {
	part := s.buf[s.pos:s.end]
	if n := wordLen(part); n > 0 && n < len(part) && n <= maxKey { // it lies in the buffer whole
		s.pos += n
		s.last = part[n-1]
		return string(part[:n]), nil
	}
	var b [64]byte
	w := b[:0]
	for {
		c, ok := s.peek()
		if !ok {
			if s.err != nil && !errors.Is(s.err, io.EOF) {
				return "", s.err
			}
			return string(w), nil
		}
		if !inWord(c) {
			return string(w), nil
		}
		if len(w) >= maxKey {
			return "", s.syntax("a number or word is longer than %d bytes", maxKey)
		}
		w = append(w, c)
		s.pos++
		s.last = c
	}
}

func inWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '+' || c == '-' || c == '.'
}

// wordLen is how many bytes of a word the text begins with.
func wordLen(text []byte) int {
	for i, c := range text {
		if !inWord(c) {
			return i
		}
	}
	return len(text)
}
