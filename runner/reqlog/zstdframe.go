package reqlog

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	zstdMagic    = 0xfd2fb528
	zstdMaxBlock = 128 << 10 // bytes that a compressed block unpacks to at most (RFC 8878, 3.1.1.2.4)
	zstdMaxHead  = 4 + 1 + 1 + 4 + 8
)

var errFrame = errors.New("its packed data is cut short")

// frames goes through the Zstandard frames of a page, which lie from one offset
// to another, by the headers of their blocks: nothing is unpacked. What a frame
// says of its own length holds, since the decoder holds it to that; where it says
// nothing, its blocks bound it.
func (w *pageWalk) frames(at, end, says int64) error {
	unpacked := int64(0)
	for at < end {
		frame, next, err := w.frame(at, end)
		if err != nil {
			return err
		}
		if unpacked += frame; frame < 0 || unpacked > says+zstdMaxBlock {
			return fmt.Errorf("it says that it unpacks to %d bytes, and its data to more", says)
		}
		at = next
	}
	return nil
}

// frame is how many bytes a frame unpacks to at most, and where it ends.
func (w *pageWalk) frame(at, end int64) (unpacks, next int64, err error) {
	var head [zstdMaxHead]byte
	b := head[:min(int64(len(head)), end-at)]
	if _, err := w.r.ReadAt(b, at); err != nil {
		return 0, 0, err
	}
	if len(b) < 6 || binary.LittleEndian.Uint32(b) != zstdMagic {
		return 0, 0, errors.New("its packed data is no Zstandard frame")
	}
	flags := b[4]
	single, checksum := flags&0x20 != 0, int64(flags>>2&1)*4
	n := 5
	if !single {
		n++ // the window
	}
	n += []int{0, 1, 2, 4}[flags&3] // the dictionary's number
	says, length, err := contentSize(b[min(n, len(b)):], flags>>6, single)
	if err != nil {
		return 0, 0, err
	}
	most, next, err := w.blocks(at+int64(n+length), end)
	if says >= 0 {
		most = says
	}
	if next+checksum > end {
		return 0, 0, errFrame
	}
	return most, next + checksum, err
}

// contentSize reads what a frame says of its length; −1: nothing.
func contentSize(b []byte, kind byte, single bool) (says int64, length int, err error) {
	if kind == 0 && !single {
		return -1, 0, nil
	}
	length = 1 << kind
	if len(b) < length {
		return 0, 0, errFrame
	}
	switch kind {
	case 0:
		return int64(b[0]), length, nil
	case 1:
		return int64(binary.LittleEndian.Uint16(b)) + 256, length, nil
	case 2:
		return int64(binary.LittleEndian.Uint32(b)), length, nil
	}
	if says := binary.LittleEndian.Uint64(b); says <= maxChunkBytes {
		return int64(says), length, nil
	}
	return 0, 0, errors.New("its packed data says that it unpacks to more than a column may have")
}

// blocks goes through the blocks of a frame up to its last one.
func (w *pageWalk) blocks(at, end int64) (unpacks, next int64, err error) {
	for {
		var b [3]byte
		if at+int64(len(b)) > end {
			return 0, 0, errFrame
		}
		if _, err := w.r.ReadAt(b[:], at); err != nil {
			return 0, 0, err
		}
		head := int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16
		at += int64(len(b))
		size := head >> 3
		switch head >> 1 & 3 {
		case 0: // as it is
			unpacks += size
		case 1: // one byte, repeated
			unpacks += size
			size = 1
		case 2:
			unpacks += zstdMaxBlock
		default:
			return 0, 0, errors.New("its packed data has a block of the reserved kind")
		}
		if at += size; at > end {
			return 0, 0, errFrame
		}
		if head&1 != 0 {
			return unpacks, at, nil
		}
	}
}
