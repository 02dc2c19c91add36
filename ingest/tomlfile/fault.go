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
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d: ", f.File, f.Line)
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
