package reqlog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// bomb is a good requests file in which one page, its header or the footer is put
// to another use.
type bomb struct {
	t      *testing.T
	body   []byte
	footer format.FileMetaData
}

func newBomb(t *testing.T) *bomb {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(finished(t), RequestsName))
	if err != nil {
		t.Fatal(err)
	}
	end := len(text) - 8
	from := end - int(binary.LittleEndian.Uint32(text[end:]))
	b := &bomb{t: t, body: text[:from]}
	if err := thrift.Unmarshal(&thrift.CompactProtocol{}, text[from:end], &b.footer); err != nil {
		t.Fatal(err)
	}
	return b
}

func marshal(t *testing.T, x any) []byte {
	t.Helper()
	text, err := thrift.Marshal(&thrift.CompactProtocol{}, x)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// withFooter is the file with a footer.
func (b *bomb) withFooter(footer []byte) []byte {
	out := append(slices.Clone(b.body), footer...)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(footer))), "PAR1"...)
}

func (b *bomb) file() []byte { return b.withFooter(marshal(b.t, &b.footer)) }

func (b *bomb) column(name string) *format.ColumnMetaData {
	columns := b.footer.RowGroups[0].Columns
	i := slices.IndexFunc(columns, func(c format.ColumnChunk) bool { return c.MetaData.PathInSchema[0] == name })
	return &columns[i].MetaData
}

// page gives a column without a dictionary another page, behind the others. The
// change gets the header and what stands behind it, as they are.
func (b *bomb) page(column string, change func(h *format.PageHeader, data []byte) []byte) *bomb {
	b.t.Helper()
	m := b.column(column)
	r := (&thrift.CompactProtocol{}).NewReaderFromBytes(b.body[m.DataPageOffset:])
	var h format.PageHeader
	if err := thrift.NewDecoder(r).Decode(&h); err != nil {
		b.t.Fatal(err)
	}
	from := int(m.DataPageOffset) + r.BytesRead()
	data := change(&h, slices.Clone(b.body[from:from+int(h.CompressedPageSize)]))
	h.CRC, h.CompressedPageSize = 0, int32(len(data))
	head := marshal(b.t, &h)
	m.DataPageOffset, m.TotalCompressedSize = int64(len(b.body)), int64(len(head)+len(data))
	b.body = append(append(b.body, head...), data...)
	return b
}

// frame is a Zstandard frame that says its length and holds blocks.
func zframe(says uint32, blocks ...[]byte) []byte {
	out := append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0xa0}, binary.LittleEndian.AppendUint32(nil, says)...)
	return append(out, slices.Concat(blocks...)...)
}

func block(kind, size int, last bool, data ...byte) []byte {
	head := size<<3 | kind<<1
	if last {
		head |= 1
	}
	return append([]byte{byte(head), byte(head >> 8), byte(head >> 16)}, data...)
}

// asIs is a frame of bytes that are not packed.
func asIs(data []byte) []byte { return zframe(uint32(len(data)), block(0, len(data), true, data...)) }

func uvarints(xs ...uint64) (out []byte) {
	for _, x := range xs {
		out = binary.AppendUvarint(out, x)
	}
	return out
}

// The same page at another place is read: what is refused below is not refused for
// how it was put there.
func TestMovedPageIsRead(t *testing.T) {
	same := func(_ *format.PageHeader, data []byte) []byte { return data }
	for _, column := range []string{"seq", "sent_ns", "request_id", "chunk_gaps_ns"} {
		if err := readParquet(newBomb(t).page(column, same).file()); err != nil {
			t.Errorf("%s: %v", column, err)
		}
	}
}

// Files of a few kilobytes that unpack to gigabytes, or say so, are refused by the
// name of the column, and take next to no memory.
func TestBombs(t *testing.T) {
	many := bytes.Repeat(block(1, 128<<10, false, 'x'), 20_000) // 2.6 GB
	big := func(b *bomb) { b.column("seq").TotalUncompressedSize = maxChunkBytes / 2 }
	for name, c := range map[string]struct {
		make func(b *bomb) []byte
		want string
	}{
		"footer's length": {func(b *bomb) []byte {
			text := b.file()
			binary.LittleEndian.PutUint32(text[len(text)-8:], math.MaxInt32)
			return text
		}, "its footer says that it has 2147483647 bytes"},
		"list in the footer": {func(b *bomb) []byte {
			return b.withFooter(append([]byte{0x29, 0xfc}, uvarints(math.MaxInt32)...))
		}, "a list that says that it has 2147483647 items"},
		"nested footer": {func(b *bomb) []byte { return b.withFooter(bytes.Repeat([]byte{0x1c}, 1000)) }, "nested too deep"},
		"column in the footer": {func(b *bomb) []byte {
			b.column("seq").TotalUncompressedSize = 1 << 40
			return b.file()
		}, "it says that it unpacks to 1099511627776 bytes"},
		"columns together": {func(b *bomb) []byte {
			for i := range b.footer.RowGroups[0].Columns {
				b.footer.RowGroups[0].Columns[i].MetaData.TotalUncompressedSize = maxChunkBytes / 4
			}
			return b.file()
		}, "row group 0 says that it unpacks to"},
		"page's header": {func(b *bomb) []byte {
			return b.page("seq", func(h *format.PageHeader, data []byte) []byte {
				h.UncompressedPageSize = math.MaxInt32
				return data
			}).file()
		}, "column [seq]: page 0: it says that it unpacks to 2147483647 bytes, which its column does not"},
		"packed data": {func(b *bomb) []byte {
			big(b)
			return b.page("seq", func(*format.PageHeader, []byte) []byte {
				return append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0x50}, append(many, block(1, 1, true, 'x')...)...)
			}).file()
		}, "column [seq]: page 0: it says that it unpacks to 288 bytes, and its data to more"},
		"packed data that says its length": {func(b *bomb) []byte {
			big(b)
			return b.page("seq", func(*format.PageHeader, []byte) []byte {
				return zframe(1<<29, many, block(1, 1, true, 'x'))
			}).file()
		}, "and its data to more"},
		"many frames": {func(b *bomb) []byte {
			big(b)
			return b.page("seq", func(h *format.PageHeader, _ []byte) []byte {
				h.UncompressedPageSize = 1 << 20
				return bytes.Repeat(zframe(1<<20, bytes.Repeat(block(1, 128<<10, false, 'x'), 7), block(1, 128<<10, true, 'x')), 3000)
			}).file()
		}, "and its data to more"},
		"levels": {func(b *bomb) []byte {
			return b.page("sent_ns", func(h *format.PageHeader, data []byte) []byte {
				old := int(h.DataPageHeaderV2.V.DefinitionLevelsByteLength)
				levels := bytes.Repeat(append(uvarints(1<<29<<1), 1), 8)
				h.DataPageHeaderV2.V.DefinitionLevelsByteLength = int32(len(levels))
				return append(levels, data[old:]...)
			}).file()
		}, "column [sent_ns]: page 0: it says that it has 36 values, and its data has more"},
		"lengths of texts": {func(b *bomb) []byte {
			return b.page("request_id", func(*format.PageHeader, []byte) []byte { return asIs(uvarints(128, 4, math.MaxInt32, 0)) }).file()
		}, "column [request_id]: page 0: it says that it has 36 values, and its data has 2147483647"},
		"indexes of words": {func(b *bomb) []byte {
			return b.page("seq", func(h *format.PageHeader, _ []byte) []byte {
				h.DataPageHeaderV2.V.Encoding = format.RLEDictionary
				return asIs(append([]byte{8}, append(uvarints(1<<29<<1), 1)...))
			}).file()
		}, "column [seq]: page 0: it says that it has 36 values, and its data has more"},
		"another encoding": {func(b *bomb) []byte {
			return b.page("seq", func(h *format.PageHeader, data []byte) []byte {
				h.DataPageHeaderV2.V.Encoding = format.DeltaBinaryPacked
				return data
			}).file()
		}, "its encoding is DELTA_BINARY_PACKED"},
	} {
		t.Run(name, func(t *testing.T) {
			text := c.make(newBomb(t))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := readParquet(text)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
				t.Errorf("%d bytes were allocated for a file of %d", took, len(text))
			}
		})
	}
}
