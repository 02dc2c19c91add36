// Package adapter is how formats become evidence: what an adapter is, and how
// the right one is found for a file.
//
// An [Adapter] recognises its format by content, not by file name, and turns a
// file, or a folder of which the file is the head, into records. Adapters know
// nothing of one another and are listed in one place, package all, in an explicit
// [Registry]. Adding a format takes a folder, samples, one line in that list,
// and a test that calls the conformance suite of package adaptertest.
//
// What an adapter owes to the reader of its records:
//
//   - It converts a unit once, here, and keeps number, unit and key as found.
//   - What the file does not state is not stated. There are no defaults.
//   - One bad row is a [Diagnostic], not a failure; an unreadable file is an error.
//   - The same bytes give the same records, whatever the machine, its time
//     zone and the order of other files.
package adapter

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"benchline/ingest/evidence"
)

// SniffLen is how many bytes of a file an adapter gets to recognise it by.
const SniffLen = 64 << 10

// Adapter reads one format.
type Adapter interface {
	ID() ID
	// Sniff says whether a file is of this format, by its first [SniffLen]
	// bytes (all of it, if it is shorter) and its name without folders. It
	// must say no rather than guess: a file that two adapters claim is refused.
	Sniff(prefix []byte, name string) Match
	// Read yields the source's records, sealed, to the sink. Faulty rows are
	// diagnostics; the error is for a source that can't be read as a whole,
	// may be a [RefusedError], and leaves what was yielded unused. An error of the
	// sink is returned as it is.
	Read(ctx context.Context, s Source, sink Sink) ([]Diagnostic, error)
}

// ID names an adapter and the version of what it makes: it changes whenever the
// same file would give other records, so that they are made again.
type ID struct {
	Name    string
	Version int // from 1
}

// String is the name and the version, as in a record's sources: "own 1".
func (id ID) String() string { return fmt.Sprintf("%s %d", id.Name, id.Version) }

// Match is an adapter's answer to a file.
type Match struct {
	Is bool
	// Want is what the adapter looks for, in words, whether or not it was
	// there; it stands in the refusal of a file that no adapter knows.
	Want string
}

// Diagnostic is a warning about something in a source.
type Diagnostic = evidence.Diagnostic

// Sink takes one sealed record. It may be called from one goroutine at a time.
type Sink func(evidence.Sealed) error

// Grouper is an adapter whose records may be summarised: repeats of one point.
type Grouper interface {
	// Group returns a key that is equal for records which are repeats of one
	// thing; empty: the record stands alone.
	Group(r evidence.Record) (string, error)
	// Combine makes the sealed summary of at least two records of one group,
	// given in the order of their slugs.
	Combine(group []evidence.Record) (evidence.Sealed, error)
}

// RefusedError is an error that tells the user what to do about it.
type RefusedError struct {
	Why  string
	Hint string // may be empty
	Err  error  // what lies beneath; may be nil
}

// Error is the reason, without the hint.
func (r *RefusedError) Error() string {
	if r.Err != nil && r.Why == "" {
		return r.Err.Error()
	}
	return r.Why
}

// Unwrap returns what lies beneath.
func (r *RefusedError) Unwrap() error { return r.Err }

// Source is one thing to be read: a file, and the folder that it lies in for
// formats that are several files.
type Source struct {
	// Unit is the source's path as records name it: below the site folder,
	// with slashes. For a folder with a head file it is the folder.
	Unit string
	// Dir is the folder on this machine, Name the head file in it.
	Dir, Name string
	// IsDir is set when the unit is the folder.
	IsDir bool
	// As, if set, is the file's name in the site, where that can't be Name.
	As string
	// FS, if set, holds the file in place of Dir: records that come with the
	// program. Only formats that are a single file read such a source.
	FS fs.FS
	// Content, if set, are the head file's bytes, which were read already.
	Content []byte
	// Memory is shared by the sources that are read together; may be nil.
	Memory *Memory
}

// FilePath is the head file's path on this machine.
func (s Source) FilePath() string { return filepath.Join(s.Dir, s.Name) }

// Open opens the head file.
func (s Source) Open() (io.ReadCloser, error) {
	if s.Content != nil {
		return io.NopCloser(bytes.NewReader(s.Content)), nil
	}
	if s.FS != nil {
		return s.FS.Open(s.Name)
	}
	return os.Open(s.FilePath())
}

// ReadDir lists the source's folder, sorted by name.
func (s Source) ReadDir() ([]fs.DirEntry, error) { return os.ReadDir(s.Dir) }

// Path is the path of one of the source's files as records and diagnostics
// name it.
func (s Source) Path(name string) string {
	if s.IsDir {
		return path.Join(s.Unit, name)
	}
	if name == s.Name && s.As != "" {
		name = s.As
	}
	return path.Join(path.Dir(s.Unit), name)
}

// Prefix reads the bytes that adapters recognise a file by.
func (s Source) Prefix() ([]byte, error) {
	if s.Content != nil {
		return s.Content[:min(len(s.Content), SniffLen)], nil
	}
	f, err := s.Open()
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", s.Path(s.Name), err)
	}
	defer f.Close() //nolint:errcheck // only read from
	b, err := io.ReadAll(io.LimitReader(f, SniffLen))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.Path(s.Name), err)
	}
	return b, nil
}
