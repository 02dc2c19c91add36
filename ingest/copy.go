package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// copyIn copies a source from outside into the site's logs: to a temporary
// folder, checked against what was read, and then under its name, so that a half
// copied run never has one.
func (s *site) copyIn(j job, inputs []evidence.Input) error {
	if !j.source.IsDir {
		return s.copyFiles(j, inputs)
	}
	logs := filepath.Join(s.dir, logsDir)
	if err := os.MkdirAll(logs, 0o755); err != nil {
		return &fatalError{err}
	}
	tmp, err := os.MkdirTemp(logs, ".copy-*")
	if err != nil {
		return &fatalError{err}
	}
	defer os.RemoveAll(tmp) //nolint:errcheck // gone already when all went well
	for _, in := range inputs {
		if err := copyFile(filepath.Join(tmp, filepath.FromSlash(in.Name)), filepath.Join(j.source.Dir, filepath.FromSlash(in.Name)), in); err != nil {
			return fmt.Errorf("copying it into the site: %w", err)
		}
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return &fatalError{err}
	}
	if err := os.Rename(tmp, filepath.Join(s.dir, filepath.FromSlash(j.source.Unit))); err != nil {
		return &fatalError{fmt.Errorf("copying a run into the site: %w", err)}
	}
	return nil
}

// copyFile copies a file of a run, which must last: it is synced to the disk.
func copyFile(to, from string, want evidence.Input) error {
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		dst, err = os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	}
	if err != nil {
		return err
	}
	err = copyInto(dst, from, want)
	if err == nil {
		err = dst.Sync()
	}
	return errors.Join(err, dst.Close())
}

// copyInto copies a file's bytes, which must be those that were read.
func copyInto(dst io.Writer, from string, want evidence.Input) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close() //nolint:errcheck // only read from
	h := sha256.New()
	if _, err := copyAll(io.MultiWriter(dst, h), src, want.Bytes); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want.SHA256 {
		return changed(from)
	}
	return nil
}

func changed(file string) error {
	return &adapter.RefusedError{Why: file + " changed while it was read", Hint: "ingest again when nothing writes to it any more"}
}
