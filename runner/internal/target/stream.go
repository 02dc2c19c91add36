package target

import "bytes"

// maxLine bounds one line, and one event, of a stream, in bytes.
const maxLine = 64 << 20

// stream reads server-sent events from pieces of any size: lines end with CR,
// LF or CRLF, a colon may or may not be followed by a space, several data
// lines of an event are joined with LF, and comments and unknown fields say
// nothing. A piece that holds whole lines is read in place.
type stream struct {
	emit   func(kind, data []byte) bool // false: no more events are wanted
	line   []byte                       // start of a line whose end has not come
	data   []byte                       // data lines of the event so far
	kind   []byte                       // its event field
	lines  int                          // number of its data lines
	skipLF bool                         // the last line ended with CR
	begun  bool                         // the first line was looked at for a byte order mark
	tooBig bool
	done   bool // emit said so
	limit  int
}

// feed takes the next piece. It reports whether more is wanted.
func (s *stream) feed(b []byte) bool {
	if s.skipLF && len(b) > 0 {
		if b[0] == '\n' {
			b = b[1:]
		}
		s.skipLF = false
	}
	for len(b) > 0 && !s.done && !s.tooBig {
		end := lineEnd(b)
		if end < 0 {
			s.hold(b)
			return !s.tooBig
		}
		line := b[:end]
		if len(s.line) > 0 {
			s.hold(line)
			line = s.line
		}
		cr := b[end] == '\r'
		b = b[end+1:]
		if cr && len(b) > 0 && b[0] == '\n' {
			b = b[1:]
		} else if cr && len(b) == 0 {
			s.skipLF = true
		}
		s.take(line)
		s.line = s.line[:0]
	}
	return !s.done && !s.tooBig
}

// finish takes the end of the stream. An event whose empty line never came
// is dropped by the rules of the format; but engines end their last line
// carelessly, so it is kept where complete says that its data is whole. It
// reports whether something was cut.
func (s *stream) finish(complete func(data []byte) bool) (cut bool) {
	if s.done || s.tooBig {
		return false
	}
	if len(s.line) > 0 {
		s.take(s.line)
		s.line = s.line[:0]
	}
	if s.lines == 0 {
		return false
	}
	if !complete(s.data) {
		return true
	}
	s.dispatch()
	return false
}

// lineEnd is the index of the first CR or LF, or -1.
func lineEnd(b []byte) int {
	lf := bytes.IndexByte(b, '\n')
	head := b
	if lf >= 0 {
		head = b[:lf]
	}
	if cr := bytes.IndexByte(head, '\r'); cr >= 0 {
		return cr
	}
	return lf
}

func (s *stream) hold(b []byte) {
	if len(s.line)+len(b) > s.limit {
		s.tooBig = true
		return
	}
	s.line = append(s.line, b...)
}

func (s *stream) take(line []byte) {
	if !s.begun {
		s.begun = true
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	if len(line) == 0 {
		s.dispatch()
		return
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	switch string(name) {
	case "data":
		if len(s.data)+len(value) >= s.limit {
			s.tooBig = true
			return
		}
		if s.lines > 0 {
			s.data = append(s.data, '\n')
		}
		s.data = append(s.data, value...)
		s.lines++
	case "event":
		s.kind = append(s.kind[:0], value...)
	case "error":
		// Not of the format, but llama.cpp sent its errors so.
		s.kind = append(s.kind[:0], "error"...)
		s.data = append(s.data, value...)
		s.lines++
	}
}

func (s *stream) dispatch() {
	if len(s.data) > 0 && !s.emit(s.kind, s.data) {
		s.done = true
	}
	s.data, s.kind, s.lines = s.data[:0], s.kind[:0], 0
}
