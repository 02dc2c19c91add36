package reqlog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

var errRuns = errors.New("its runs are cut short")

// tooMany is the error of a page with more values than its header says.
func tooMany(says int64) error {
	return fmt.Errorf("it says that it has %d values, and its data has more", says)
}

// content checks how many values stand in a page where few bytes can stand for
// many: in levels, in the indexes of a dictionary and in the lengths of texts.
func (w *pageWalk) content(v *format.DataPageHeaderV2, from, end int64, compressed bool, says int64) error {
	repeats, defines := int64(v.RepetitionLevelsByteLength), int64(v.DefinitionLevelsByteLength)
	levels, err := w.read(from-repeats-defines, from)
	if err != nil {
		return err
	}
	n := int64(v.NumValues)
	if err := errors.Join(runs(levels[:repeats], width(w.leaf.MaxRepetitionLevel), n), runs(levels[repeats:], width(w.leaf.MaxDefinitionLevel), n)); err != nil {
		return err
	}
	if v.Encoding == format.Plain {
		return nil
	}
	data, err := w.read(from, end)
	if err == nil && compressed {
		data, err = new(zstd.Codec).Decode(make([]byte, 0, says), data)
	}
	if err != nil {
		return err
	}
	if v.Encoding == format.DeltaLengthByteArray {
		return lengths(data, n-int64(v.NumNulls))
	}
	if len(data) == 0 {
		return nil
	}
	return runs(data[1:], uint(data[0]), n)
}

func width(maxLevel int) uint { return uint(bits.Len(uint(maxLevel))) }

func (w *pageWalk) read(from, to int64) ([]byte, error) {
	b := make([]byte, to-from)
	_, err := w.r.ReadAt(b, from)
	return b, err
}

// runs counts the values of what is encoded by their runs; up to seven more than
// there should be fill a last byte.
func runs(b []byte, width uint, says int64) error {
	for n := int64(0); len(b) > 0; {
		head, k := binary.Uvarint(b)
		if k <= 0 || head>>1 > maxGroupRows<<10 {
			return errRuns
		}
		count, bytes := int64(head>>1), int64(width+7)/8
		if head&1 != 0 { // eight values each of so many bits
			count, bytes = 8*count, count*int64(width)
		}
		if n += count; n > says+7 {
			return tooMany(says)
		}
		if bytes > int64(len(b)-k) {
			return errRuns
		}
		b = b[int64(k)+bytes:]
	}
	return nil
}

// lengths reads the head of the lengths that stand before texts: the size of a
// block, its parts, and how many there are.
func lengths(b []byte, says int64) error {
	for i := range 3 {
		x, k := binary.Uvarint(b)
		if k <= 0 {
			return errRuns
		}
		if i == 2 && x != uint64(max(says, 0)) {
			return fmt.Errorf("it says that it has %d values, and its data has %d", says, x)
		}
		b = b[k:]
	}
	return nil
}

// leafOf is a column of the schema.
func leafOf(f *parquet.File, path []string) (parquet.LeafColumn, error) {
	leaf, ok := f.Schema().Lookup(path...)
	if !ok {
		return leaf, errors.New("there is no such column")
	}
	return leaf, nil
}
