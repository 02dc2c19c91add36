package reqlog

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// The journal is the eight bytes of magic, then frames:
//
//	length   uint32, little endian: bytes of the payload
//	type     one byte
//	payload  length bytes
//	check    uint32, little endian: CRC-32C of length, type and payload
//
// A frame is either whole and right, or the journal ends before it.
const (
	magic      = "BLNJRNL1"
	frameHead  = 5
	frameTail  = 4
	maxPayload = 64 << 20
)

// frameType says what a payload holds.
type frameType byte

const (
	headerFrame   frameType = 'H' // Header, JSON; always the first frame
	sentFrame     frameType = 'S' // one attempt was handed to the socket layer
	endedFrame    frameType = 'E' // a whole Row
	markFrame     frameType = 'T' // offset up to which the run was alive
	draftFrame    frameType = 'D' // Manifest as far as known, JSON
	manifestFrame frameType = 'M' // the final Manifest, JSON; nothing follows
)

func (t frameType) known() bool {
	switch t {
	case headerFrame, sentFrame, endedFrame, markFrame, draftFrame, manifestFrame:
		return true
	}
	return false
}

// openFrame appends a frame's head; the payload follows, then closeFrame.
func openFrame(buf []byte, t frameType) []byte {
	return append(buf, 0, 0, 0, 0, byte(t))
}

// closeFrame completes the frame which starts at from.
func closeFrame(buf []byte, from int) ([]byte, error) {
	n := len(buf) - from - frameHead
	if n > maxPayload {
		return buf[:from], fmt.Errorf("journal: a frame of %d bytes is over the limit of %d", n, maxPayload)
	}
	binary.LittleEndian.PutUint32(buf[from:], uint32(n))
	return binary.LittleEndian.AppendUint32(buf, crc32.Checksum(buf[from:], castagnoli())), nil
}

// castagnoli returns the table of CRC-32C, which the standard library keeps.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// frame is one frame of a journal. The payload is valid until the next one is read.
type frame struct {
	kind    frameType
	payload []byte
	at      int64 // offset of the frame in the journal
}

// frameReader reads a journal up to its first bad frame.
type frameReader struct {
	r    *bufio.Reader
	at   int64 // offset of the next frame
	size int64
	buf  []byte
}

// errBadFrame is the cause of every end of a journal that is not its proper end.
var errBadFrame = errors.New("bad frame")

// newFrameReader reads the magic. size is the length of r in bytes.
func newFrameReader(r io.Reader, size int64) (*frameReader, error) {
	fr := &frameReader{r: bufio.NewReaderSize(r, int(min(size+1, 1<<18))), size: size}
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(fr.r, head); err != nil || string(head) != magic {
		return nil, fmt.Errorf("%w: it does not begin as a journal of version 1", errBadFrame)
	}
	fr.at = int64(len(magic))
	return fr, nil
}

// next returns the next frame; io.EOF after the last whole one where nothing
// follows, an error that wraps errBadFrame where something does.
func (fr *frameReader) next() (frame, error) {
	left := fr.size - fr.at
	if left == 0 {
		return frame{}, io.EOF
	}
	if left < frameHead+frameTail {
		return frame{}, fr.bad("it ends inside a frame")
	}
	var head [frameHead]byte
	if _, err := io.ReadFull(fr.r, head[:]); err != nil {
		return frame{}, fr.broken(err)
	}
	n := int64(binary.LittleEndian.Uint32(head[:]))
	t := frameType(head[4])
	switch {
	case !t.known():
		return frame{}, fr.bad("unknown frame type")
	case n > maxPayload:
		return frame{}, fr.bad("impossible length")
	case n > left-frameHead-frameTail:
		return frame{}, fr.bad("it ends inside a frame")
	}
	// The frame is kept whole in buf so that one pass makes the check.
	fr.buf = append(fr.buf[:0], head[:]...)
	fr.buf = append(fr.buf, make([]byte, n+frameTail)...)
	if _, err := io.ReadFull(fr.r, fr.buf[frameHead:]); err != nil {
		return frame{}, fr.broken(err)
	}
	f, err := parseFrame(fr.buf, fr.at)
	if err != nil {
		return frame{}, err
	}
	fr.at += int64(len(fr.buf))
	return f, nil
}

// parseFrame checks the frame that raw holds whole.
func parseFrame(raw []byte, at int64) (frame, error) {
	body := raw[:len(raw)-frameTail]
	if binary.LittleEndian.Uint32(raw[len(body):]) != crc32.Checksum(body, castagnoli()) {
		return frame{}, fmt.Errorf("%w at byte %d: wrong checksum", errBadFrame, at)
	}
	return frame{kind: frameType(raw[4]), payload: body[frameHead:], at: at}, nil
}

func (fr *frameReader) bad(why string) error {
	return fmt.Errorf("%w at byte %d: %s", errBadFrame, fr.at, why)
}

func (fr *frameReader) broken(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fr.bad("it ends inside a frame")
	}
	return fmt.Errorf("journal: read at byte %d: %w", fr.at, err)
}
