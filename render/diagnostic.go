package render

import (
	"errors"
	"fmt"
	"strings"
)

// Diagnostic is one thing that stops a build, or a warning, with its place.
type Diagnostic struct {
	File    string `json:"file"`           // a source file, or a page of the site
	Line    int    `json:"line,omitempty"` // from 1; 0: the whole file
	Col     int    `json:"col,omitempty"`  // from 1, in bytes; 0: the whole line
	Msg     string `json:"msg"`
	Hint    string `json:"hint,omitempty"`
	Warning bool   `json:"warning"`
}

// String is the diagnostic as one line: "file:line:column: message (hint)".
func (d Diagnostic) String() string {
	var b strings.Builder
	b.WriteString(d.File)
	if d.Line > 0 {
		fmt.Fprintf(&b, ":%d", d.Line)
	}
	if d.Line > 0 && d.Col > 0 {
		fmt.Fprintf(&b, ":%d", d.Col)
	}
	b.WriteString(": ")
	if d.Warning {
		b.WriteString("warning: ")
	}
	b.WriteString(d.Msg)
	if d.Hint != "" {
		fmt.Fprintf(&b, " (%s)", d.Hint)
	}
	return b.String()
}

// Faults is the error of a build: every diagnostic that stopped it.
type Faults []Diagnostic //nolint:errname // the name is what the callers print

// Error lists the faults, one a line.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, d := range fs {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// faultsOf returns the diagnostics in an error: its own, or one about a file.
func faultsOf(file string, err error) Faults {
	if err == nil {
		return nil
	}
	if fs, ok := errors.AsType[Faults](err); ok {
		return fs
	}
	return Faults{{File: file, Msg: err.Error()}}
}

// stopping returns the diagnostics that are no warnings.
func stopping(ds []Diagnostic) Faults {
	var out Faults
	for _, d := range ds {
		if !d.Warning {
			out = append(out, d)
		}
	}
	return out
}
