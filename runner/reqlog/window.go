package reqlog

import (
	"encoding/binary"
	"fmt"
	"io"
)

// window reads frames by their place. Requests end nearly in the order of
// their numbers, so most frames lie in the stretch that was read last.
type window struct {
	r    io.ReaderAt
	size int64
	from int64
	buf  []byte
}

const windowBytes = 256 << 10

// frame returns the frame at a place where a scan has found one.
func (w *window) frame(at int64) (frame, error) {
	head, err := w.bytes(at, frameHead)
	if err != nil {
		return frame{}, err
	}
	n := int64(binary.LittleEndian.Uint32(head))
	if n > maxPayload {
		return frame{}, fmt.Errorf("%w at byte %d: it changed while being read", errBadFrame, at)
	}
	raw, err := w.bytes(at, frameHead+n+frameTail)
	if err != nil {
		return frame{}, err
	}
	return parseFrame(raw, at)
}

// bytes returns n bytes at an offset, valid until the next call.
func (w *window) bytes(at, n int64) ([]byte, error) {
	if at < 0 || at+n > w.size {
		return nil, fmt.Errorf("%w at byte %d: it ends inside a frame", errBadFrame, at)
	}
	if at < w.from || at+n > w.from+int64(len(w.buf)) {
		want := min(max(n, windowBytes), w.size-at)
		if int64(cap(w.buf)) < want {
			w.buf = make([]byte, want)
		}
		w.buf = w.buf[:want]
		w.from = at
		if _, err := w.r.ReadAt(w.buf, at); err != nil {
			w.buf = w.buf[:0]
			return nil, fmt.Errorf("read at byte %d: %w", at, err)
		}
	}
	return w.buf[at-w.from : at-w.from+n], nil
}
