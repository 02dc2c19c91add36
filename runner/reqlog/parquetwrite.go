package reqlog

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// headerKey is the key of the Parquet metadata that holds the [Header].
const headerKey = "benchline.header"

// A row group ends at the first of these, so that neither writing nor reading
// one needs much memory.
const (
	groupRows = 1 << 17
	groupGaps = 4_000_000
	groupText = 64 << 20
)

// rowWriter writes rows to a Parquet file.
type rowWriter struct {
	w     *parquet.GenericWriter[Row]
	batch []Row
	rows  int64
	gaps  int
	text  int
}

func newRowWriter(out io.Writer, h Header) (*rowWriter, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("encode header: %w", err)
	}
	w := parquet.NewGenericWriter[Row](out,
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}),
		parquet.CreatedBy("benchline reqlog", fmt.Sprint(SchemaVersion), ""),
		parquet.KeyValueMetadata(headerKey, string(text)),
		// Columns of mostly distinct strings, such as the prompt hashes of a
		// cold run, leave the dictionary early.
		parquet.DictionaryMaxBytes(1<<20),
	)
	return &rowWriter{w: w, batch: make([]Row, 0, 512)}, nil
}

// add takes one row; call it in the log's order.
func (w *rowWriter) add(r Row) error {
	w.batch = append(w.batch, r)
	w.rows++
	w.gaps += len(r.ChunkGapsNS)
	w.text += len(r.PromptText) + len(r.AnswerText)
	if len(w.batch) < cap(w.batch) && w.text < groupText {
		return nil
	}
	if err := w.write(); err != nil {
		return err
	}
	if w.rows < groupRows && w.gaps < groupGaps && w.text < groupText {
		return nil
	}
	w.rows, w.gaps, w.text = 0, 0, 0
	return guard("parquet", w.w.Flush)
}

func (w *rowWriter) write() error {
	err := guard("parquet", func() error {
		_, err := w.w.Write(w.batch)
		return err
	})
	clear(w.batch)
	w.batch = w.batch[:0]
	return err
}

// close writes what is left and the footer.
func (w *rowWriter) close() error {
	if err := w.write(); err != nil {
		return err
	}
	return guard("parquet", w.w.Close)
}

// guard turns a panic of the Parquet library, which damaged files cause, into
// an error that wraps [ErrCorrupt].
func guard(what string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %w: the reader panicked: %v", what, ErrCorrupt, p)
		}
	}()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
