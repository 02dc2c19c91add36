package reqlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
)

// readBuffer is how much of a column is read at once.
const readBuffer = 256 << 10

// Log is a finished run, open for reading. It may be read by many goroutines
// at once.
type Log struct {
	manifest Manifest
	plan     []byte
	file     *os.File // closed by Close; nil when opened from memory
	name     string
	pq       *parquet.File
	header   Header
}

// Open opens a finished run folder. Before anything is read from a file, its
// length and SHA-256 are held against the manifest; then the Parquet columns
// against the declared ones, because a missing column would read as zeros. An unfinished run is [ErrNotComplete]; the message says how to recover
// it. Close the log after use.
func Open(dir string) (*Log, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	if err := checkFiles(dir, m); err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	l, err := OpenParquet(filepath.Join(dir, RequestsName))
	if err != nil {
		return nil, err
	}
	l.manifest = m
	if l.plan, err = os.ReadFile(filepath.Join(dir, PlanName)); err != nil {
		return nil, errors.Join(fmt.Errorf("open log: %w", err), l.Close())
	}
	if l.header.RunID != m.RunID || l.header.PlanHash != m.PlanHash {
		err := fmt.Errorf("open log: %s: %w: it is of run %q, the manifest of %q", l.name, ErrChanged, l.header.RunID, m.RunID)
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// OpenParquet opens a requests file alone: its columns are checked, but there
// is no manifest that could vouch for its bytes. Manifest then holds only the
// header.
func OpenParquet(path string) (*Log, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open log: %w", err), f.Close())
	}
	l, err := openParquet(f, info.Size(), path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	l.file = f
	return l, nil
}

func openParquet(r io.ReaderAt, size int64, name string) (*Log, error) {
	l := &Log{name: name}
	err := guard(name, func() error {
		err := sameFooter(r, size)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		if l.pq, err = parquet.OpenFile(r, size,
			parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(readBuffer)); err != nil {
			return fmt.Errorf("%w: not a whole Parquet file: %w", ErrCorrupt, err)
		}
		text, ok := l.pq.Lookup(headerKey)
		if !ok {
			return fmt.Errorf("%w: its metadata has no %s", ErrSchema, headerKey)
		}
		if err := json.Unmarshal([]byte(text), &l.header); err != nil {
			return fmt.Errorf("%w: metadata %s: %w", ErrCorrupt, headerKey, err)
		}
		if err := readable(l.header.Schema); err != nil {
			return err
		}
		if err := sameColumns(l.pq.Schema(), schema()); err != nil {
			return err
		}
		if err := sameLayout(l.pq.Metadata(), size); err != nil {
			return err
		}
		return samePages(r, l.pq)
	})
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	l.manifest.Header = l.header
	return l, nil
}

// Manifest returns the manifest.
func (l *Log) Manifest() Manifest { return l.manifest }

// Plan returns the text of the plan.
func (l *Log) Plan() []byte { return append([]byte(nil), l.plan...) }

// Len returns the number of rows.
func (l *Log) Len() int64 { return l.pq.NumRows() }

// Close closes the file.
func (l *Log) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
