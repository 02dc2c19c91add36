package adapter

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"strings"
)

// MaxTextLine is how much of one line of a text is kept.
const MaxTextLine = 1 << 20

// TextLine is one line of a text file.
type TextLine struct {
	N    int64  // from 1
	Text string // without its end; valid UTF-8
	Cut  bool   // the line is longer than [MaxTextLine], and Text is its beginning
}

// TextLines reads a text line by line, whatever its size: with a BOM or not,
// with LF or CR LF. What is not UTF-8 becomes U+FFFD. The error, of reading or of
// the context, comes last.
func TextLines(ctx context.Context, r io.Reader) iter.Seq2[TextLine, error] {
	return func(yield func(TextLine, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		var buf []byte
		for n := int64(1); ; n++ {
			if n%256 == 1 && ctx.Err() != nil {
				yield(TextLine{}, ctx.Err())
				return
			}
			line, cut, err := textLine(in, buf[:0])
			buf = line
			if n == 1 {
				line = bytes.TrimPrefix(line, []byte("\ufeff"))
			}
			switch ended := errors.Is(err, io.EOF); {
			case err != nil && !ended:
				yield(TextLine{}, err)
				return
			case ended && len(line) == 0:
				return
			}
			text := strings.ToValidUTF8(string(bytes.TrimRight(line, "\r\n")), "\ufffd")
			if !yield(TextLine{N: n, Text: text, Cut: cut}, nil) || err != nil {
				return
			}
		}
	}
}

// textLine appends one line to the buffer, as far as it may be kept.
func textLine(in *bufio.Reader, buf []byte) (line []byte, cut bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		room := MaxTextLine - len(buf)
		cut = cut || len(part) > room
		buf = append(buf, part[:min(len(part), room)]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return buf, cut, err
		}
	}
}
