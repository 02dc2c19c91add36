package evidence

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unit says what one file of the store was made from: a run folder, a foreign
// file, or the members of a summary. It is the file's first line; the records
// follow, one a line.
type Unit struct {
	// Name is the unit's path below the site folder, with slashes:
	// "logs/RUN", "imports/x/result.json"; summaries have names of their own.
	Name string `json:"unit"`
	// Reader is the name and version of what read it: "own 1".
	Reader string `json:"reader"`
	// Inputs are the files that were read, or the members, sorted by name.
	Inputs  []Input `json:"inputs"`
	Records []Entry `json:"records"`
	// Diagnostics are kept so that a warning does not vanish when the unit is
	// not read again.
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Input is one file that a unit was read from. For a summary it is a member,
// with its ID for the hash.
type Input struct {
	Name   string `json:"name"` // relative to the unit, with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Entry is a record of a unit, in short.
type Entry struct {
	ID   ID     `json:"id"`
	Slug string `json:"slug"`
	// Group is equal for records that a summary may be made over; empty: none.
	Group string `json:"group,omitempty"`
	// RunID is what the source calls its run; empty: it does not.
	RunID string `json:"run_id,omitempty"`
}

// Diagnostic is a warning about something in a source that did not stop it
// from being read.
type Diagnostic struct {
	File string `json:"file"`
	// Line (of a text) or Row (of a table), from 1; 0: not about one.
	Line int64  `json:"line,omitempty"`
	Row  int64  `json:"row,omitempty"`
	Msg  string `json:"msg"`
	Hint string `json:"hint,omitempty"`
}

// String is the diagnostic on one line: "file:12: message (hint)".
func (d Diagnostic) String() string {
	var b strings.Builder
	b.WriteString(ShownPath(d.File))
	switch {
	case d.Line > 0:
		fmt.Fprintf(&b, ":%d", d.Line)
	case d.Row > 0:
		fmt.Fprintf(&b, ", row %d", d.Row)
	}
	b.WriteString(": " + d.Msg)
	if d.Hint != "" {
		b.WriteString(" (" + d.Hint + ")")
	}
	return b.String()
}

// ShownPath is a path as it stands in a message: as it is, or in quotes and
// escaped where it holds what a terminal would act on or would not show.
func ShownPath(path string) string {
	if !utf8.ValidString(path) || strings.ContainsFunc(path, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return strconv.Quote(path)
	}
	return path
}

// SameSource reports whether two units were read from the same bytes by the same
// reader, so that the one need not be read again.
func (u Unit) SameSource(v Unit) bool {
	return u.Name == v.Name && u.Reader == v.Reader && slices.Equal(u.Inputs, v.Inputs)
}

// encodeUnit returns the lines of a unit's file. The unit's entries must be the
// records', in order.
func encodeUnit(u Unit, records []Sealed) ([][]byte, error) {
	if u.Name == "" || u.Reader == "" || len(u.Inputs) == 0 {
		return nil, fmt.Errorf("unit %q needs a name, a reader and inputs", u.Name)
	}
	if len(u.Records) != len(records) {
		return nil, fmt.Errorf("unit %s lists %d records, has %d", u.Name, len(u.Records), len(records))
	}
	for i, s := range records {
		r := s.Record()
		if r.ID.IsZero() || u.Records[i].ID != r.ID || u.Records[i].Slug != r.Slug {
			return nil, fmt.Errorf("unit %s lists record %s in place of %s", u.Name, u.Records[i].Slug, r.Slug)
		}
	}
	u.Inputs, u.Records, u.Diagnostics = orEmpty(u.Inputs), orEmpty(u.Records), orEmpty(u.Diagnostics)
	head, err := marshal(u)
	if err != nil {
		return nil, fmt.Errorf("encoding unit %s: %w", u.Name, err)
	}
	lines := [][]byte{append(head, '\n')}
	for _, s := range records {
		lines = append(lines, s.line)
	}
	return lines, nil
}

func parseUnit(line []byte) (Unit, error) {
	var u Unit
	if err := unmarshal(line, &u); err != nil {
		return Unit{}, fmt.Errorf("reading the first line: %w", err)
	}
	if u.Name == "" || u.Reader == "" {
		return Unit{}, errors.New("the first line does not say what was read, and by what")
	}
	return u, nil
}
