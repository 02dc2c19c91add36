package evidence

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// lines yields the lines of a text without their line feeds, reading so many
// bytes at once. A line is good
// until the next one is asked for. A last line without a line feed is an error:
// what was cut off can't be told.
func lines(src io.Reader, size int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		br := bufio.NewReaderSize(src, size)
		var long []byte
		for {
			part, err := br.ReadSlice('\n')
			switch {
			case errors.Is(err, bufio.ErrBufferFull):
				if len(long)+len(part) > MaxLine {
					yield(nil, fmt.Errorf("the line is longer than %d bytes", MaxLine))
					return
				}
				long = append(long, part...)
				continue
			case errors.Is(err, io.EOF) && len(long)+len(part) == 0:
				return
			case errors.Is(err, io.EOF):
				yield(nil, errors.New("the last line does not end: the file is cut short"))
				return
			case err != nil:
				yield(nil, err)
				return
			}
			line := part
			if len(long) > 0 {
				line = append(long, part...)
				long = long[:0]
			}
			if !yield(bytes.TrimSuffix(line, []byte("\n")), nil) {
				return
			}
		}
	}
}
