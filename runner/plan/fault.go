package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fault is one thing wrong with a plan file. Its texts never hold the value of
// a key that may be a secret.
type Fault struct {
	File string // as it was named to Load or Parse
	Line int    // from 1; 0 when the fault has no place in the file
	Key  string // dotted, e.g. "load.rates"; empty when the fault is in no key
	Msg  string // what is wrong, lower case
	Hint string // what to write instead; may be empty
}

// String is one line: file:line: key: msg (hint).
func (f Fault) String() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d", f.Line)
	}
	b.WriteString(": ")
	if f.Key != "" {
		b.WriteString(f.Key + ": ")
	}
	b.WriteString(f.Msg)
	if f.Hint != "" {
		b.WriteString(" (" + f.Hint + ")")
	}
	return b.String()
}

// Faults are all faults of a plan file, in the order of their lines. It is the
// error that [Parse] and [Load] return for a plan that could be read but is
// not right.
type Faults []Fault //nolint:errname // the name is what the callers print

// Error has one line per fault.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// maxFaults bounds what is printed for a file that is not a plan at all.
const maxFaults = 100

// sorted puts faults in file order, drops repeats and bounds their number.
func (fs Faults) sorted() Faults {
	slices.SortStableFunc(fs, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key))
	})
	fs = slices.Compact(fs)
	if n := len(fs) - maxFaults; n > 0 {
		last := fs[maxFaults-1]
		fs = append(fs[:maxFaults:maxFaults], Fault{
			File: last.File, Line: last.Line, Msg: fmt.Sprintf("and %d more faults", n),
		})
	}
	return fs
}

// nearest returns the name in names that a typing slip could have turned into
// key, or "".
func nearest(key string, names []string) string {
	const longest = 64
	if len(key) > longest {
		return ""
	}
	best, at := "", 2 // one slip in a short key, two in a longer one
	if len(key) >= 4 {
		at = 3
	}
	for _, n := range names {
		if d := Distance(strings.ToLower(key), n); d < at {
			best, at = n, d
		}
	}
	return best
}

// Distance is the Levenshtein distance of two short names, in bytes.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
