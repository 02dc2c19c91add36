package summarize

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"slices"
)

// Durations is a list of durations in nanoseconds, not negative, of which there
// may be more than memory should hold: a run of an hour has tens of millions of
// gaps between chunks. They take about four bytes each, and go to a temporary
// file once there are many. Ranks are exact.
//
// The zero Durations is empty. What went to a file must be closed.
type Durations struct {
	N   int64 // how many there are
	Sum int64 // ns
	max int64
	buf []byte // the last ones, as unsigned varints
	// file holds those before; nil: none.
	file    *os.File
	onDisk  int64 // bytes
	remains bool  // the file could not be removed while it is open
}

// mostInMemory is how many bytes of a list are kept in memory: some 260,000
// durations.
const mostInMemory = 1 << 20

// Add appends a duration.
func (d *Durations) Add(ns int64) error {
	if len(d.buf) >= mostInMemory {
		if err := d.spill(); err != nil {
			return fmt.Errorf("keeping durations in a temporary file: %w", err)
		}
	}
	d.buf = binary.AppendUvarint(d.buf, uint64(ns)) //nolint:gosec // not negative
	d.N, d.Sum, d.max = d.N+1, d.Sum+ns, max(d.max, ns)
	return nil
}

func (d *Durations) spill() error {
	if d.file == nil {
		f, err := os.CreateTemp("", "benchline-durations-*")
		if err != nil {
			return err
		}
		d.file, d.remains = f, os.Remove(f.Name()) != nil
	}
	n, err := d.file.Write(d.buf)
	d.onDisk, d.buf = d.onDisk+int64(n), d.buf[:0]
	return err
}

// Close gives the file back. The list is empty then.
func (d *Durations) Close() error {
	f, remains := d.file, d.remains
	*d = Durations{}
	if f == nil {
		return nil
	}
	err := f.Close()
	if remains {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// DurationReader gives the durations of a list in their order. It is good until
// one is added.
type DurationReader struct{ src *bufio.Reader }

// Reader starts at the first.
func (d *Durations) Reader() *DurationReader {
	var src io.Reader = bytes.NewReader(d.buf)
	if d.file != nil {
		src = io.MultiReader(io.NewSectionReader(d.file, 0, d.onDisk), src)
	}
	return &DurationReader{src: bufio.NewReaderSize(src, min(len(d.buf)+16, 1<<16))}
}

// Next is the next duration; the error is io.EOF behind the last.
func (r *DurationReader) Next() (int64, error) {
	ns, err := binary.ReadUvarint(r.src)
	return int64(ns), err //nolint:gosec // Add wrote it
}

// each calls f with every duration, in order.
func (d *Durations) each(f func(ns int64)) error {
	r := d.Reader()
	for range d.N {
		ns, err := r.Next()
		if err != nil {
			return fmt.Errorf("reading durations from a temporary file: %w", err)
		}
		f(ns)
	}
	return nil
}

// Ranks are the durations of the given ranks, from 1 for the smallest to N.
func (d *Durations) Ranks(ranks ...int64) ([]int64, error) {
	if d.file != nil {
		return d.counted(ranks)
	}
	all := make([]int64, 0, d.N)
	if err := d.each(func(ns int64) { all = append(all, ns) }); err != nil {
		return nil, err
	}
	slices.Sort(all)
	out := make([]int64, len(ranks))
	for i, rank := range ranks {
		out[i] = all[rank-1]
	}
	return out, nil
}

// digit is how many bits of a duration are counted in one reading.
const digit = 16

// counted finds ranks by counting: how many durations there are for each value
// of their first 16 bits, then, among those with the first bits of the one that
// is looked for, for each value of the next 16, and so on. It takes one reading
// for 16 bits, and half a megabyte for a rank.
func (d *Durations) counted(ranks []int64) ([]int64, error) {
	found := make([]int64, len(ranks))                                                         // the bits that are known
	left := slices.Clone(ranks)                                                                // the rank among those with these bits
	for shift := (bits.Len64(uint64(d.max)) - 1) / digit * digit; shift >= 0; shift -= digit { //nolint:gosec // not negative
		tables := map[int64]*[1 << digit]int64{}
		for _, x := range found {
			tables[x] = new([1 << digit]int64)
		}
		last, table := int64(-1), (*[1 << digit]int64)(nil)
		err := d.each(func(ns int64) {
			if first := ns >> shift >> digit; first != last {
				last, table = first, tables[first]
			}
			if table != nil {
				table[ns>>shift&(1<<digit-1)]++
			}
		})
		if err != nil {
			return nil, err
		}
		for i, x := range found {
			var next int64
			for n := tables[x]; left[i] > n[next]; next++ {
				left[i] -= n[next]
			}
			found[i] = x<<digit | next
		}
	}
	return found, nil
}
