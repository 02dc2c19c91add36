package foreign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode"

	"benchline/ingest/adapter"
)

// Shape says what of a JSON value is wanted. A path is keys joined by dots,
// with "*" for an item of a list: "benchmarks.*.requests.successful"; the value
// itself is "".
type Shape struct {
	// Skip are paths that are read over: texts of prompts and answers.
	Skip []string
	// Rows are lists of which each item is handed over as soon as it was read,
	// and not kept. An error of the function ends the reading and is returned.
	Rows map[string]func(Node) error
}

func (s Shape) skips(at []byte) bool {
	for _, skip := range s.Skip {
		if skip == string(at) {
			return true
		}
	}
	return false
}

// Values are what is done with the values of a file. A file may hold several:
// JSON Lines, or objects that were appended one to another.
type Values struct {
	// Begin is called before each value; nil: everything is kept.
	Begin func() Shape
	// Each gets each value when it was read whole.
	Each func(Node) error
}

// rowError is an error of a function of the caller's: it is not the file's.
type rowError struct{ err error }

func (e *rowError) Error() string { return e.err.Error() }
func (e *rowError) Unwrap() error { return e.err }

// ReadJSON reads the values of a file. Faults that leave something to be read
// are diagnostics: a value that is broken while others are not, text before or
// between values, keys that stand twice, numbers that are none. The error is
// for a file of which nothing can be read, or of src, ctx or the caller's
// functions.
func ReadJSON(ctx context.Context, name string, src io.Reader, v Values) ([]adapter.Diagnostic, error) {
	r := &reader{name: name, scanner: newScanner(ctx, src), values: v}
	r.parser = &parser{scanner: r.scanner, diag: r.note}
	err := r.all()
	if err == nil && r.read == 0 {
		err = r.first
		if err == nil {
			err = &SyntaxError{Line: 1, Msg: "there is no JSON object or list of objects in it"}
		}
	}
	return r.diagnostics, err
}

// errStopped is the end of a reading whose rows nobody wants any more.
var errStopped = errors.New("no more rows are wanted")

// Stream yields what a function makes of the rows of a file, each as soon as it was
// read; false: the row is left out. Values says where rows stand, given what is to
// be done with each. What the reading found is there when the rows are at their end.
func Stream[R any](ctx context.Context, f *File, values func(each func(Node) error) Values, row func(Node) (R, bool)) (rows iter.Seq2[R, error], found *[]adapter.Diagnostic) {
	found = new([]adapter.Diagnostic)
	return func(yield func(R, error) bool) {
		var err error
		*found, err = f.ReadJSON(ctx, values(func(n Node) error {
			if r, ok := row(n); ok && !yield(r, nil) {
				return errStopped
			}
			return nil
		}))
		if err != nil && !errors.Is(err, errStopped) {
			var none R
			yield(none, err)
		}
	}, found
}

// mostDiagnostics bounds what is said about one file.
const mostDiagnostics = 50

type reader struct {
	*scanner
	parser      *parser
	name        string
	values      Values
	read        int
	first       error // the first broken value's
	diagnostics []adapter.Diagnostic
	more        int
}

func (r *reader) note(line int64, msg string) {
	if len(r.diagnostics) >= mostDiagnostics {
		r.more++
		r.diagnostics[mostDiagnostics-1] = adapter.Diagnostic{File: r.name, Msg: fmt.Sprintf("and %d more of its kind", r.more+1)}
		return
	}
	r.diagnostics = append(r.diagnostics, adapter.Diagnostic{File: r.name, Line: line, Msg: printable(msg)})
}

func (r *reader) all() error {
	r.bom()
	for {
		c, err := r.start()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := r.one(c); err != nil {
			return err
		}
	}
}

// bom skips a byte order mark.
func (r *reader) bom() {
	if _, ok := r.peek(); ok && bytes.HasPrefix(r.buf[r.pos:r.end], []byte("\xef\xbb\xbf")) {
		r.pos += 3
	}
}

// one reads a value. A broken one is noted, and reading goes on with the next
// line that begins with a brace.
func (r *reader) one(c byte) error {
	p := r.parser
	p.begin()
	if r.values.Begin != nil {
		p.shape = r.values.Begin()
	}
	wrapped := map[string]func(Node) error{}
	for at, f := range p.shape.Rows {
		wrapped[at] = func(n Node) error {
			if err := f(n); err != nil {
				return &rowError{err}
			}
			return nil
		}
	}
	p.shape.Rows = wrapped
	line := r.line
	n, err := p.value(c, true)
	var row *rowError
	var syntax *SyntaxError
	switch {
	case err == nil:
		r.read++
		return r.values.Each(n)
	case errors.As(err, &row):
		return row.err
	case errors.As(err, &syntax), errors.Is(err, errCut):
	default:
		return err
	}
	if errors.Is(err, errCut) {
		err = &SyntaxError{Line: line, Msg: "what begins here does not end: the file is cut short"}
	}
	if r.first == nil {
		r.first = err
	}
	r.note(0, err.Error()+"; what begins on line "+fmt.Sprint(line)+" is left out")
	if r.last == '\n' { // the fault was the end of its line
		return nil
	}
	size := 0
	return r.skipLine(&size, maxBroken)
}

// start finds the beginning of the next value. Lines that begin neither with a
// brace nor with a list of objects are noted and skipped. The error is io.EOF
// when there is none.
func (r *reader) start() (byte, error) {
	skipped, from, size := 0, r.line, 0
	for {
		c, err := r.space()
		if errors.Is(err, errCut) {
			err = io.EOF
		}
		if err == nil && (c == '{' || c == '[' && r.listAhead()) {
			r.skippedNote(skipped, from)
			return c, nil
		}
		if err != nil {
			r.skippedNote(skipped, from)
			return 0, err
		}
		if skipped == 0 {
			from = r.line
		}
		skipped++
		if err := r.skipLine(&size, maxBefore); err != nil {
			return 0, err
		}
	}
}

func (r *reader) skippedNote(n int, from int64) {
	if n > 0 {
		r.note(from, fmt.Sprintf("%d lines that are no JSON are left out, from this one on", n))
	}
}

// skipLine skips to the end of the line. Size counts bytes, which may be at
// most so many.
func (r *reader) skipLine(size *int, most int) error {
	for {
		c, ok := r.peek()
		if !ok {
			if err := r.failure(); !errors.Is(err, errCut) {
				return err
			}
			return nil
		}
		r.take(c)
		if *size++; *size > most {
			return r.bound("more than %d bytes that are no JSON", most)
		}
		if c == '\n' {
			return nil
		}
	}
}

// listAhead reports whether the bracket that comes next opens a list of objects
// or lists, as far as the buffer shows: log lines begin with brackets too.
func (r *reader) listAhead() bool {
	for _, c := range r.buf[r.pos+1 : r.end] {
		if !isSpace(c) {
			return c == '{' || c == '[' || c == ']'
		}
	}
	return true // white space up to the end of the buffer
}

// Head reads the beginning of a file as far as it goes: for Sniff. What is
// open at its end is closed, a value that may go on is left out, and so is what
// stands more than three deep.
func Head(prefix []byte) (Node, bool) {
	r := &reader{scanner: scannerOf(prefix)}
	r.bom()
	c, err := r.start()
	if err != nil {
		return Node{}, false
	}
	p := &parser{scanner: r.scanner, diag: func(int64, string) {}, partial: true}
	n, err := p.value(c, true)
	var syntax *SyntaxError
	return n, !errors.As(err, &syntax) || len(n.Fields) > 0 || len(n.Items) > 0
}

// Mentions reports whether all of the texts stand in the bytes: a cheap first
// question of Sniff.
func Mentions(prefix []byte, texts ...string) bool {
	for _, t := range texts {
		if !bytes.Contains(prefix, []byte(t)) {
			return false
		}
	}
	return true
}

// printable is a text without characters that a terminal would act on.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if c == '\n' || c == '\t' || unicode.IsPrint(c) {
			return c
		}
		return '\ufffd'
	}, s)
}
