package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// hashesName is the file of remembered checksums.
const hashesName = "ingest-checksums.json"

// hashes takes checksums of files and remembers them by length and time of
// change. A change that keeps both escapes it, but not verify. What can't be
// read of the memory is forgotten: it only saves time.
type hashes struct {
	dir string // empty: nothing is remembered
	wd  string // what relative paths start from

	mu   sync.Mutex
	old  map[string]remembered
	used map[string]remembered
}

type remembered struct {
	Bytes   int64  `json:"bytes"`
	MTimeNS int64  `json:"mtime_ns"`
	SHA256  string `json:"sha256"`
}

func loadHashes(dir string) (*hashes, error) {
	wd, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("remembering checksums: %w", err)
	}
	h := &hashes{dir: dir, wd: wd, old: map[string]remembered{}, used: map[string]remembered{}}
	if dir == "" {
		return h, nil
	}
	b, err := os.ReadFile(filepath.Join(dir, hashesName))
	if err == nil && json.Unmarshal(b, &h.old) != nil {
		h.old = map[string]remembered{}
	}
	return h, nil
}

// file returns length and checksum of a file; the name is left to the caller.
func (h *hashes) file(path string) (evidence.Input, error) {
	f, info, err := openRegular(path)
	if err != nil {
		return evidence.Input{}, err
	}
	defer f.Close() //nolint:errcheck // only read from
	return h.of(path, f, info)
}

// small returns the bytes of a file that has few: at most what adapters
// recognise a file by. Of a larger one there are none.
func (h *hashes) small(path string) ([]byte, error) {
	f, info, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	if info.Size() > adapter.SniffLen {
		return nil, nil
	}
	b := make([]byte, info.Size()+1) // to see its end
	n, err := io.ReadFull(f, b)
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err // it grew, or can't be read
	}
	return b[:n:n], nil
}

// openRegular opens a file that is one. It is asked before, too: opening a pipe
// waits for somebody who writes to it.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, nil, &adapter.RefusedError{Why: filepath.Base(path) + " is " + kindOf(info.Mode()) + " and no file"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// of is the checksum of an open file: the remembered one, or else a new one.
func (h *hashes) of(path string, f io.Reader, info fs.FileInfo) (evidence.Input, error) {
	now := remembered{Bytes: info.Size(), MTimeNS: info.ModTime().UnixNano()}
	key := path
	if !filepath.IsAbs(path) {
		key = filepath.Join(h.wd, path)
	}
	h.mu.Lock()
	old := h.old[key]
	h.mu.Unlock()
	if old.Bytes == now.Bytes && old.MTimeNS == now.MTimeNS && old.SHA256 != "" {
		now.SHA256 = old.SHA256
	} else {
		sum := sha256.New()
		var err error
		if now.Bytes, err = copyAll(sum, f, now.Bytes); err != nil {
			return evidence.Input{}, fmt.Errorf("reading %s: %w", path, err)
		}
		now.SHA256 = hex.EncodeToString(sum.Sum(nil))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.used[key] = now
	return evidence.Input{Bytes: now.Bytes, SHA256: now.SHA256}, nil
}

// copyAll copies a file of about a length, with no larger a buffer than that.
func copyAll(dst io.Writer, src io.Reader, length int64) (int64, error) {
	buf := make([]byte, min(length+1, 64<<10))
	return io.CopyBuffer(struct{ io.Writer }{dst}, struct{ io.Reader }{src}, buf) // the structs hide other ways
}

// save remembers what was used this time.
func (h *hashes) save() error {
	if h.dir == "" {
		return nil
	}
	b, err := json.Marshal(h.used)
	if err != nil {
		return fmt.Errorf("remembering checksums: %w", err)
	}
	if err := os.MkdirAll(h.dir, 0o755); err != nil {
		return fmt.Errorf("remembering checksums: %w", err)
	}
	f, err := os.CreateTemp(h.dir, ".tmp-*")
	if err != nil {
		return fmt.Errorf("remembering checksums: %w", err)
	}
	defer os.Remove(f.Name()) //nolint:errcheck // gone already when all went well
	_, err = f.Write(b)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("remembering checksums: %w", err)
	}
	return os.Rename(f.Name(), filepath.Join(h.dir, hashesName))
}
