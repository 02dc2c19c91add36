package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
)

// Schema is the version of the record's encoding that this package writes and
// the only one that it reads.
const Schema = 1

// MaxLine is the longest encoded record that is read, in bytes.
const MaxLine = 64 << 20

// idPrefix is how each encoded record begins; 64 digits and a quote follow.
const idPrefix = `{"id":"`

// Sealed is a record and its canonical encoding. Only [SealLine] makes one, so
// that a record is encoded once on its way from a source to the store.
type Sealed struct {
	record Record
	line   []byte // with a line feed
}

// Record is the record. What its lists hold must not be changed.
func (s Sealed) Record() Record { return s.record }

// Line is the record's canonical encoding, without a line feed. It must not be
// changed.
func (s Sealed) Line() []byte { return bytes.TrimSuffix(s.line, []byte("\n")) }

// SealLine checks a record, puts it in canonical form and gives it its ID. The
// schema is set; an ID that the record already has is replaced. The record
// passed in is not changed. The error is a [FieldErrors] with every fault found.
func SealLine(r Record) (Sealed, error) {
	r.Schema, r.ID = Schema, ID{}
	r = tidy(r)
	line, err := checked(r)
	if err != nil {
		return Sealed{}, fmt.Errorf("sealing record %q: %w", r.Slug, err)
	}
	r.ID = hashLine(line)
	hex.Encode(line[len(idPrefix):], r.ID[:])
	return Sealed{record: r, line: append(line, '\n')}, nil
}

// Seal is [SealLine] for those who do not write the record.
func Seal(r Record) (Record, error) {
	s, err := SealLine(r)
	return s.record, err
}

// Line returns the canonical encoding of a sealed record, without a line feed.
// It is an error if the record has changed since it was sealed.
func Line(r Record) ([]byte, error) {
	line, err := encode(tidy(r))
	if err != nil {
		return nil, fmt.Errorf("encoding record %q: %w", r.Slug, err)
	}
	if got := hashLine(line); got != r.ID {
		return nil, fmt.Errorf("encoding record %q: its ID is %s but its content hashes to %s: it was not sealed, or changed afterwards", r.Slug, r.ID, got)
	}
	return line, nil
}

// Encode writes sealed records, one a line, in the order given.
func Encode(w io.Writer, records ...Record) error {
	for _, r := range records {
		line, err := Line(r)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("writing record %q: %w", r.Slug, err)
		}
	}
	return nil
}

// encode returns the line of a record, whatever its ID is.
func encode(r Record) ([]byte, error) {
	var fs faults
	line := visit(&fs, r)
	if len(fs.found) > 0 {
		return nil, fs.found
	}
	return line, nil
}

// hashLine is the ID of an encoded record: the hash of the line without its
// first key.
func hashLine(line []byte) ID {
	h := sha256.New()
	h.Write([]byte("{"))
	h.Write(line[min(len(line), len(idPrefix)+64+len(`",`)):])
	var id ID
	h.Sum(id[:0])
	return id
}

// Parse reads one encoded record. It is strict: see the package comment.
func Parse(line []byte) (Record, error) {
	var r Record
	if err := unmarshal(line, &r); err != nil {
		return Record{}, err
	}
	if r.Schema != Schema {
		return Record{}, fmt.Errorf("record schema %d is not %d, the one this version reads", r.Schema, Schema)
	}
	again, fault := checked(tidy(r))
	if at := differAt(line, again); at >= 0 {
		return Record{}, fmt.Errorf("not in canonical form from byte %d on: …%s… should be …%s…", at+1, around(line, at), around(again, at))
	}
	if got := hashLine(line); got != r.ID {
		return Record{}, fmt.Errorf("the ID is %s but the content hashes to %s: the record was changed", r.ID, got)
	}
	if fault != nil {
		return Record{}, fault
	}
	return r, nil
}

// differAt is the first position at which two encodings differ, or -1.
func differAt(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) != len(b) {
		return n
	}
	return -1
}

func around(b []byte, at int) []byte {
	return bytes.ToValidUTF8(b[max(0, at-20):min(len(b), at+20)], nil)
}

// Decode yields the records of JSON lines, in order. It ends with the first
// error, which names the line. Name says what is read, for errors.
func Decode(name string, src io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		n := 0
		for line, err := range lines(src, 1<<16) {
			n++
			var r Record
			if err == nil {
				r, err = Parse(line)
			}
			if err != nil {
				yield(Record{}, fmt.Errorf("%s:%d: %w", name, n, err))
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}
