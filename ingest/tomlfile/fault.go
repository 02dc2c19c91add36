package tomlfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fault is one thing that is wrong with a file.
type Fault struct {
	File string
	Line int // from 1
	Key  string
	Msg  string
	Hint string // may be empty
}

// String is one line: file:line: key: msg (hint).
func (f Fault) String() string {
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.said())
}

// said is the fault without its place: key: msg (hint).
func (f Fault) said() string {
	var b strings.Builder
	if f.Key != "" {
		b.WriteString(f.Key + ": ")
	}
	b.WriteString(f.Msg)
	if f.Hint != "" {
		b.WriteString(" (" + f.Hint + ")")
	}
	return b.String()
}

// Faults are all faults of a file in the order of its lines.
type Faults []Fault //nolint:errname // the name is what the callers print

// Error has one line a fault.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// In is a text a fault for a reader who knows the file's name already, "line 2:
// key: msg (hint)"; nil where the faults are another file's.
func (fs Faults) In(file string) []string {
	var texts []string
	for _, f := range fs {
		if f.File != file {
			return nil
		}
		texts = append(texts, fmt.Sprintf("line %d: %s", f.Line, f.said()))
	}
	return texts
}

// mostFaults bounds what is said about a file that is something else.
const mostFaults = 100

func (fs Faults) sorted() Faults {
	slices.SortStableFunc(fs, func(a, b Fault) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key)) })
	fs = slices.Compact(fs)
	if more := len(fs) - mostFaults; more > 0 {
		last := fs[mostFaults-1]
		fs = append(fs[:mostFaults:mostFaults], Fault{File: last.File, Line: last.Line, Msg: fmt.Sprintf("and %d more faults", more)})
	}
	return fs
}
