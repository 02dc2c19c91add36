package reqlog

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// Bounds of what this program reads. Its own files stay far below them; a
// damaged or hostile file would otherwise choose how much memory is taken.
const (
	maxGroupRows  = 1 << 20
	maxChunkBytes = 1 << 30 // of a column, and of all columns of a row group together
)

// sameLayout checks what the footer says of each column chunk against what
// this program writes. Not only for tidiness: the library's decoders of other
// codecs can ask for any amount of memory.
func sameLayout(md *format.FileMetaData, size int64) error {
	leaves := len(schema().Columns())
	rows := int64(0)
	for i, g := range md.RowGroups {
		rows += g.NumRows
		if g.NumRows < 0 || g.NumRows > maxGroupRows {
			return fmt.Errorf("%w: row group %d says that it has %d rows", ErrCorrupt, i, g.NumRows)
		}
		if len(g.Columns) != leaves {
			return fmt.Errorf("%w: row group %d has %d column chunks, not %d", ErrCorrupt, i, len(g.Columns), leaves)
		}
		unpacked := int64(0)
		for _, c := range g.Columns {
			if err := sameChunk(&c.MetaData, g.NumRows, size); err != nil {
				return fmt.Errorf("%w: row group %d: column %v: %w", ErrCorrupt, i, c.MetaData.PathInSchema, err)
			}
			unpacked += c.MetaData.TotalUncompressedSize
		}
		if unpacked > maxChunkBytes {
			return fmt.Errorf("%w: row group %d says that it unpacks to %d bytes", ErrCorrupt, i, unpacked)
		}
	}
	if rows != md.NumRows {
		return fmt.Errorf("%w: its row groups have %d rows, the file %d", ErrCorrupt, rows, md.NumRows)
	}
	return nil
}

func sameChunk(c *format.ColumnMetaData, rows, size int64) error {
	if c.Codec != format.Zstd {
		return fmt.Errorf("the codec is %s, not %s", c.Codec, format.Zstd)
	}
	for _, n := range []int64{c.DataPageOffset, c.DictionaryPageOffset, c.TotalCompressedSize, startOf(c) + c.TotalCompressedSize} {
		if n < 0 || n > size {
			return fmt.Errorf("it lies outside the file")
		}
	}
	if c.TotalUncompressedSize < 0 || c.TotalUncompressedSize > maxChunkBytes {
		return fmt.Errorf("it says that it unpacks to %d bytes", c.TotalUncompressedSize)
	}
	most := rows // but for a list, of which each item takes eight bytes
	if len(c.PathInSchema) > 1 {
		most += c.TotalUncompressedSize / 8
	}
	if c.NumValues < rows || c.NumValues > most {
		return fmt.Errorf("it says that it has %d values for %d rows", c.NumValues, rows)
	}
	return nil
}

// startOf is where the pages of a column chunk begin.
func startOf(c *format.ColumnMetaData) int64 {
	if c.DictionaryPageOffset > 0 {
		return min(c.DictionaryPageOffset, c.DataPageOffset)
	}
	return c.DataPageOffset
}

// schema is the declared columns.
func schema() *parquet.Schema { return parquet.SchemaOf(Row{}) }

// sameColumns tells the first difference between two schemas.
func sameColumns(got, want parquet.Node) error {
	have := map[string]parquet.Node{}
	for _, f := range got.Fields() {
		have[f.Name()] = f
	}
	for _, f := range want.Fields() {
		g, ok := have[f.Name()]
		if !ok {
			return fmt.Errorf("%w: column %q is missing", ErrSchema, f.Name())
		}
		if !parquet.EqualNodes(g, f) {
			return fmt.Errorf("%w: column %q is %s, not %s", ErrSchema, f.Name(), describe(g), describe(f))
		}
		delete(have, f.Name())
	}
	for _, f := range got.Fields() {
		if _, more := have[f.Name()]; more {
			return fmt.Errorf("%w: column %q is not declared", ErrSchema, f.Name())
		}
	}
	if !parquet.EqualNodes(got, want) {
		return fmt.Errorf("%w: the columns are in another order", ErrSchema)
	}
	return nil
}

// describe tells a column's type and whether it may be null.
func describe(n parquet.Node) string {
	if n.Optional() {
		return "optional " + n.String()
	}
	return n.String()
}
