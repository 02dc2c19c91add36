package reqlog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Bounds of a footer. This program writes about 5 kB a row group, and where texts
// are kept also the least and the greatest of them.
const (
	maxFooter     = 128 << 20
	maxFooterList = 1 << 16
	maxFooterDeep = 32
)

// sameFooter walks the footer of a Parquet file before the library reads it: the
// library takes the lengths in it at their word and asks for that much memory,
// which for a hostile file ends the process.
func sameFooter(r io.ReaderAt, size int64) error {
	var tail [8]byte
	if size < int64(len(tail))+4 {
		return fmt.Errorf("%w: it is too short", ErrCut)
	}
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return err
	}
	if string(tail[4:]) != "PAR1" {
		return fmt.Errorf("%w: it ends with %q", ErrCut, tail[4:])
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > maxFooter || n > size-int64(len(tail))-4 {
		return fmt.Errorf("its footer says that it has %d bytes", n)
	}
	footer := make([]byte, n)
	if _, err := r.ReadAt(footer, size-int64(len(tail))-n); err != nil {
		return err
	}
	w := thriftWalk{rest: footer}
	return w.structure(0)
}

// thriftWalk reads over a value in Thrift's compact form, and checks that what
// it says of lengths can be true.
type thriftWalk struct{ rest []byte }

var errFooter = errors.New("its footer is cut short")

// The types of the compact form.
const (
	thriftStop, thriftTrue, thriftFalse, thriftByte                = 0, 1, 2, 3
	thriftI16, thriftI32, thriftI64, thriftDouble, thriftBinary    = 4, 5, 6, 7, 8
	thriftList, thriftSet, thriftMap, thriftStruct, thriftLongSize = 9, 10, 11, 12, 15
)

func (w *thriftWalk) structure(depth int) error {
	for {
		head, err := w.byte()
		if err != nil || head == thriftStop {
			return err
		}
		if head>>4 == 0 { // the field's number stands apart
			if _, err := w.varint(); err != nil {
				return err
			}
		}
		if kind := head & 15; kind != thriftTrue && kind != thriftFalse { // these are their own values
			if err := w.value(kind, depth+1); err != nil {
				return err
			}
		}
	}
}

func (w *thriftWalk) value(kind byte, depth int) error {
	if depth > maxFooterDeep {
		return errors.New("its footer is nested too deep")
	}
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return w.skip(1)
	case thriftI16, thriftI32, thriftI64:
		_, err := w.varint()
		return err
	case thriftDouble:
		return w.skip(8)
	case thriftBinary:
		n, err := w.varint()
		if err != nil {
			return err
		}
		return w.skip(n)
	case thriftList, thriftSet:
		return w.list(depth)
	case thriftMap:
		return errors.New("its footer has a map, which no Parquet footer has")
	case thriftStruct:
		return w.structure(depth)
	}
	return fmt.Errorf("its footer has a value of the unknown type %d", kind)
}

func (w *thriftWalk) list(depth int) error {
	head, err := w.byte()
	if err != nil {
		return err
	}
	n := uint64(head >> 4)
	if n == thriftLongSize {
		if n, err = w.varint(); err != nil {
			return err
		}
	}
	if n > maxFooterList || n > uint64(len(w.rest)) {
		return fmt.Errorf("its footer has a list that says that it has %d items", n)
	}
	for range n {
		if err := w.value(head&15, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *thriftWalk) byte() (byte, error) {
	if len(w.rest) == 0 {
		return 0, errFooter
	}
	b := w.rest[0]
	w.rest = w.rest[1:]
	return b, nil
}

func (w *thriftWalk) varint() (uint64, error) {
	x, n := binary.Uvarint(w.rest)
	if n <= 0 {
		return 0, errFooter
	}
	w.rest = w.rest[n:]
	return x, nil
}

func (w *thriftWalk) skip(n uint64) error {
	if n > uint64(len(w.rest)) {
		return errFooter
	}
	w.rest = w.rest[n:]
	return nil
}
