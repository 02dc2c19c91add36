package reqlog

import (
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// firstPageHeader is how much is read for the header of a page at first. Most have
// a few hundred bytes; two texts may stand in it as bounds.
const firstPageHeader = 4 << 10

// samePages goes through the pages of every column chunk without unpacking
// them. A page that would unpack to more than it says, or pages that say more
// than their chunk, are refused before any memory is taken for them.
func samePages(r io.ReaderAt, f *parquet.File) error {
	for i, g := range f.Metadata().RowGroups {
		for _, c := range g.Columns {
			w := pageWalk{r: r, chunk: &c.MetaData}
			leaf, err := leafOf(f, c.MetaData.PathInSchema)
			if w.leaf = leaf; err == nil {
				err = w.walk()
			}
			if err != nil {
				return fmt.Errorf("%w: row group %d: column %v: %w", ErrCorrupt, i, c.MetaData.PathInSchema, err)
			}
		}
	}
	return nil
}

// pageWalk is one column chunk.
type pageWalk struct {
	r     io.ReaderAt
	chunk *format.ColumnMetaData
	leaf  parquet.LeafColumn

	at, end  int64
	unpacked int64
	values   int64
}

func (w *pageWalk) walk() error {
	w.at = startOf(w.chunk)
	w.end = w.at + w.chunk.TotalCompressedSize
	for page := 0; w.at < w.end; page++ {
		if err := w.page(); err != nil {
			return fmt.Errorf("page %d: %w", page, err)
		}
	}
	if w.values != w.chunk.NumValues {
		return fmt.Errorf("its pages have %d values, not %d", w.values, w.chunk.NumValues)
	}
	return nil
}

// page checks the page at which the walk stands.
func (w *pageWalk) page() error {
	h, err := w.header()
	if err != nil {
		return fmt.Errorf("its header: %w", err)
	}
	packed, says := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	if packed < 0 || packed > w.end-w.at {
		return fmt.Errorf("it says that it has %d bytes", packed)
	}
	if w.unpacked += says; says < 0 || w.unpacked > w.chunk.TotalUncompressedSize {
		return fmt.Errorf("it says that it unpacks to %d bytes, which its column does not", says)
	}
	from, compressed, err := w.data(&h)
	end := w.at + packed
	if err == nil && compressed {
		err = w.frames(from, end, says)
	}
	if err == nil && h.Type == format.DataPageV2 {
		err = w.content(&h.DataPageHeaderV2.V, from, end, compressed, says)
	}
	w.at = end
	return err
}

// header reads the header of the page, and moves behind it.
func (w *pageWalk) header() (h format.PageHeader, err error) {
	for most := int64(firstPageHeader); ; most *= 8 {
		b, err := w.read(w.at, min(w.at+most, w.end))
		if err != nil {
			return h, err
		}
		compact := thrift.CompactProtocol{}
		r := compact.NewReaderFromBytes(b)
		h = format.PageHeader{}
		if err = thrift.NewDecoder(r).Decode(&h); err == nil {
			w.at += int64(r.BytesRead())
			return h, nil
		}
		if int64(len(b)) < most { // there is no more of it
			return h, err
		}
	}
}

// data is where the packed part of a page begins, and whether it is packed. The
// encoding must be one that this program writes: others make any number of
// values of a few bytes.
func (w *pageWalk) data(h *format.PageHeader) (from int64, compressed bool, err error) {
	switch h.Type {
	case format.DictionaryPage:
		if n := int64(h.DictionaryPageHeader.V.NumValues); n > w.chunk.NumValues {
			return 0, false, fmt.Errorf("it is a dictionary of %d words for %d values", n, w.chunk.NumValues)
		}
		return w.at, true, plainOr(h.DictionaryPageHeader.V.Encoding)
	case format.DataPageV2:
		v := &h.DataPageHeaderV2.V
		levels := int64(v.RepetitionLevelsByteLength) + int64(v.DefinitionLevelsByteLength)
		if v.RepetitionLevelsByteLength < 0 || v.DefinitionLevelsByteLength < 0 || levels > int64(h.CompressedPageSize) {
			return 0, false, fmt.Errorf("its levels say that they have %d bytes", levels)
		}
		if w.values += int64(v.NumValues); v.NumValues < 0 || w.values > w.chunk.NumValues {
			return 0, false, fmt.Errorf("it says that it has %d values, which its column does not", v.NumValues)
		}
		return w.at + levels, !v.IsCompressed.Valid || v.IsCompressed.V, plainOr(v.Encoding, format.RLEDictionary, format.DeltaLengthByteArray)
	case format.DataPage, format.IndexPage:
	}
	return 0, false, fmt.Errorf("it is of the kind %s, which this program does not write", h.Type)
}

func plainOr(e format.Encoding, others ...format.Encoding) error {
	if e != format.Plain && !slices.Contains(others, e) {
		return fmt.Errorf("its encoding is %s, which this program does not write", e)
	}
	return nil
}
