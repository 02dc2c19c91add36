package target

import "errors"

// coding is how the end of a body is known.
type coding int

const (
	untilClose coding = iota
	byLength
	chunked
)

// state is where a chunked body is being read.
type state int

const (
	inSize state = iota
	inExtension
	inData
	afterData
	inTrailer
)

// maxFramingLine bounds a chunk-size line and the trailer, in bytes.
const maxFramingLine = 16 << 10

// framing takes the transfer coding off a body, piece by piece and in place.
// The standard library's decoder may wait for the rest of a chunk while it
// holds the first part; this one gives what there is, at its own stamp.
type framing struct {
	coding coding
	left   int64 // bytes of the body, or of the chunk, to come
	state  state
	digits int
	line   int // length of the size line or trailer so far
	blank  bool
	ended  bool
}

// next takes bytes off the front of b. It gives the body bytes among them,
// which may be none, and what is left of b. After ended, it takes nothing.
func (f *framing) next(b []byte) (data, rest []byte, err error) {
	switch f.coding {
	case untilClose:
		return b, nil, nil
	case byLength:
		n := min(int64(len(b)), f.left)
		f.left -= n
		f.ended = f.left == 0
		return b[:n], b[n:], nil
	case chunked:
		return f.chunk(b)
	}
	return nil, nil, errors.New("unknown body coding")
}

func (f *framing) chunk(b []byte) (data, rest []byte, err error) {
	for len(b) > 0 && !f.ended {
		if f.state == inData {
			n := min(int64(len(b)), f.left)
			f.left -= n
			if f.left == 0 {
				f.state, f.line = afterData, 0
			}
			return b[:n], b[n:], nil
		}
		c := b[0]
		b = b[1:]
		if f.line++; f.line > maxFramingLine {
			return nil, nil, errors.New("malformed chunked body: a framing line is too long")
		}
		if err := f.step(c); err != nil {
			return nil, nil, err
		}
	}
	return nil, b, nil
}

// step takes one byte that is not of the body.
func (f *framing) step(c byte) error {
	switch f.state {
	case inSize:
		return f.size(c)
	case inExtension:
		if c != '\n' {
			return nil
		}
		f.digits, f.line = 0, 0
		if f.state = inData; f.left == 0 {
			f.state, f.blank = inTrailer, true
		}
	case afterData:
		if c == '\r' && f.line == 1 {
			return nil
		}
		if c != '\n' {
			return errors.New("malformed chunked body: chunk is longer than its size")
		}
		f.state, f.line = inSize, 0
	case inTrailer:
		f.ended = c == '\n' && f.blank
		f.blank = c == '\n' || c == '\r' && f.blank
	case inData:
		return errors.New("malformed chunked body")
	}
	return nil
}

// size takes one byte of a chunk's size.
func (f *framing) size(c byte) error {
	if isHex(c) {
		if f.digits++; f.digits > 15 {
			return errors.New("malformed chunked body: chunk size too large")
		}
		f.left = f.left<<4 | int64(hexValue(c))
		return nil
	}
	if f.digits == 0 || c != '\r' && c != '\n' && c != ';' && c != ' ' && c != '\t' {
		return errors.New("malformed chunked body: chunk size is not a number")
	}
	f.state = inExtension
	return f.step(c)
}

func hexValue(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	default:
		return c - 'a' + 10
	}
}
