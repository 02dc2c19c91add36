package reqlog

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// disk takes every step of the log on the file system. In production it is
// the zero value. A test sets before, which is asked before each step and may
// refuse it: that is how a run that is killed, or a disk that is full, is
// tried at every single step.
type disk struct {
	// before is told the step ("write", "rename", …), the base name of the
	// file and, for a write, the number of bytes. It returns how many of
	// those bytes still reach the file, and an error that stops the step.
	before func(step, name string, n int) (int, error)
}

func (d disk) ask(step, path string) error {
	_, err := d.askWrite(step, path, 0)
	return err
}

func (d disk) askWrite(step, path string, n int) (int, error) {
	if d.before == nil {
		return n, nil
	}
	return d.before(step, filepath.Base(path), n)
}

// handle is an open file whose steps are asked for.
type handle struct {
	*os.File
	d disk
}

// Write passes p to the operating system.
func (h *handle) Write(p []byte) (int, error) {
	n, err := h.d.askWrite("write", h.Name(), len(p))
	if err != nil {
		if n > 0 {
			n, _ = h.File.Write(p[:n]) // the part that a torn write leaves behind
		}
		return n, err
	}
	return h.File.Write(p)
}

// Sync asks the operating system to put the file on its medium.
func (h *handle) Sync() error {
	if err := h.d.ask("sync", h.Name()); err != nil {
		return err
	}
	return h.File.Sync()
}

// create makes a new file for writing; an existing one is replaced unless
// exclusive is set.
func (d disk) create(path string, exclusive bool) (*handle, error) {
	if err := d.ask("create", path); err != nil {
		return nil, err
	}
	flag := os.O_RDWR | os.O_CREATE | os.O_TRUNC
	if exclusive {
		flag = os.O_RDWR | os.O_CREATE | os.O_EXCL
	}
	f, err := os.OpenFile(path, flag, 0o644)
	if err != nil {
		return nil, err
	}
	return &handle{File: f, d: d}, nil
}

func (d disk) mkdir(path string) error {
	if err := d.ask("mkdir", path); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.Mkdir(path, 0o755)
}

func (d disk) rename(from, to string) error {
	if err := d.ask("rename", to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

func (d disk) remove(path string) error {
	if err := d.ask("remove", path); err != nil {
		return err
	}
	return os.Remove(path)
}

// syncDir puts the folder's names on its medium. File systems that cannot do
// that for folders say EINVAL or ENOTSUP; nothing better is to be had there.
func (d disk) syncDir(dir string) error {
	if err := d.ask("syncdir", dir); err != nil {
		return err
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// replace writes dir/name whole or not at all: to a temporary name, synced,
// renamed, and the folder synced.
func (d disk) replace(dir, name string, write func(io.Writer) error) error {
	tmp, final := filepath.Join(dir, name+tmpSuffix), filepath.Join(dir, name)
	f, err := d.create(tmp, false)
	if err != nil {
		return fmt.Errorf("create %s: %w", tmp, err)
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = d.remove(tmp) // room, where the disk was full
		return fmt.Errorf("write %s: %w", tmp, err)
	}
	if err := d.rename(tmp, final); err != nil {
		return fmt.Errorf("rename %s: %w", tmp, err)
	}
	if err := d.syncDir(dir); err != nil {
		return fmt.Errorf("sync folder %s: %w", dir, err)
	}
	return nil
}

// sumFile measures one file of a run folder.
func sumFile(dir, name string) (File, error) {
	path := filepath.Join(dir, name)
	f, err := os.Open(path)
	if err != nil {
		return File{}, fmt.Errorf("checksum: %w", err)
	}
	defer f.Close() //nolint:errcheck // opened for reading
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		return File{}, fmt.Errorf("checksum %s: %w", path, err)
	}
	return File{Name: name, Bytes: n, SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}
