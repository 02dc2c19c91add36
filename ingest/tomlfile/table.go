// Package tomlfile reads TOML files that people write by hand, strictly: every
// fault of a file is reported at once, each with its line; a key that nobody
// asked for is a fault; a key that is absent is told from one that is empty.
//
// A reader takes keys out of a [Table] and calls [Table.Done], which refuses the
// rest. The TOML library names the line of a syntax error only, so the lines of
// keys are found by a small scan of our own.
//
// # Limits
//
// Keys of inline tables have no line of their own: their fault has the line of
// the table.
package tomlfile

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// MostText is the longest text of a key in bytes.
const MostText = 4000

// file gathers the faults of one file.
type file struct {
	name   string
	lines  lines
	faults Faults
}

// Table is one table of a file. Keys that were asked for are known; the others
// are faults when the table is done.
type Table struct {
	f    *file
	path []string
	m    map[string]any
	seen map[string]bool
}

// Parse reads a file into its top table. The error is [Faults].
func Parse(name string, src []byte) (*Table, error) {
	var doc map[string]any
	if _, err := toml.Decode(string(src), &doc); err != nil {
		return nil, Faults{syntaxFault(name, err)}
	}
	return &Table{f: &file{name: name, lines: locate(string(src))}, m: doc, seen: map[string]bool{}}, nil
}

func syntaxFault(name string, err error) Fault {
	if parse, ok := errors.AsType[toml.ParseError](err); ok {
		return Fault{File: name, Line: max(1, parse.Position.Line), Msg: Printable(parse.Message)}
	}
	return Fault{File: name, Line: 1, Msg: Printable(strings.TrimPrefix(err.Error(), "toml: "))}
}

// Err is all faults found so far in the file's tables, as [Faults]; nil where
// there is none.
func (t *Table) Err() error {
	if len(t.f.faults) == 0 {
		return nil
	}
	return t.f.faults.sorted()
}

// Child is a table below this one which the caller has at hand already.
func (t *Table) Child(m map[string]any, path ...string) *Table {
	return &Table{f: t.f, path: append(slices.Clone(t.path), path...), m: m, seen: map[string]bool{}}
}

// Line is where a key stands; that of the table where the key is absent.
func (t *Table) Line(key string) int { return t.f.lines.at(t.at(key)) }

func (t *Table) at(key string) []string {
	if key == "" {
		return t.path
	}
	return append(slices.Clone(t.path), key)
}

// Fault notes what is wrong with a key, or with the table where key is empty.
// The hint says what to write; it may be empty.
func (t *Table) Fault(key, msg, hint string) {
	path := t.at(key)
	t.f.faults = append(t.f.faults, Fault{File: t.f.name, Line: t.f.lines.at(path), Key: dotted(path), Msg: msg, Hint: hint})
}

// dotted is a path for people: "value 2.unit".
func dotted(path []string) string {
	var b strings.Builder
	for _, p := range path {
		if i, ok := strings.CutPrefix(p, "#"); ok {
			if k, err := strconv.Atoi(i); err == nil {
				fmt.Fprintf(&b, " %d", k+1)
				continue
			}
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(Printable(p))
	}
	return b.String()
}

// Printable is text from a file for a message: what a terminal would act on is
// replaced.
func Printable(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return '\ufffd'
	}, s)
}

// Get takes a key.
func (t *Table) Get(key string) (any, bool) {
	t.seen[key] = true
	v, ok := t.m[key]
	return v, ok
}

// Has reports whether there is a key, without taking it.
func (t *Table) Has(key string) bool { _, ok := t.m[key]; return ok }

// Done faults the keys that nobody asked for.
func (t *Table) Done() {
	var known []string
	for k := range t.seen {
		known = append(known, k)
	}
	sort.Strings(known)
	for k := range t.m {
		if !t.seen[k] {
			t.Fault(k, "unknown key", "known here: "+strings.Join(known, ", "))
		}
	}
}

// Table takes a table that may be absent.
func (t *Table) Table(key string) *Table {
	v, ok := t.Get(key)
	if !ok {
		return t.Child(nil, key)
	}
	m, isTable := v.(map[string]any)
	if !isTable {
		t.Fault(key, "must be a table, is "+KindOf(v), "write ["+key+"]")
	}
	return t.Child(m, key)
}

// Tables takes a list of tables.
func (t *Table) Tables(key string) []*Table {
	v, ok := t.Get(key)
	if !ok {
		return nil
	}
	var out []*Table
	switch list := v.(type) {
	case []map[string]any:
		for i, m := range list {
			out = append(out, t.Child(m, key, index(i)))
		}
	case []any:
		for i, x := range list {
			m, isTable := x.(map[string]any)
			if !isTable {
				t.Fault(key, "must be a list of tables, holds "+KindOf(x), "write [["+key+"]]")
				return out
			}
			out = append(out, t.Child(m, key, index(i)))
		}
	default:
		t.Fault(key, "must be a list of tables, is "+KindOf(v), "write [["+key+"]]")
	}
	return out
}

// Text takes a string on one line, or a date; "" when absent or faulty.
func (t *Table) Text(key string) string {
	v, ok := t.Get(key)
	if !ok {
		return ""
	}
	s, msg := ReadText(v)
	if msg != "" {
		t.Fault(key, msg, "")
	}
	return s
}

// NeedText is text that must be there.
func (t *Table) NeedText(key, hint string) string {
	if !t.Has(key) {
		t.seen[key] = true
		t.Fault(key, "is required", hint)
		return ""
	}
	return t.Text(key)
}

// ReadText reads a string that is not empty, its white space run together, or a
// date as it is written; or says what is wrong.
func ReadText(v any) (text, fault string) {
	if d, ok := v.(time.Time); ok {
		return dateText(d), ""
	}
	s, ok := v.(string)
	switch {
	case !ok:
		return "", "must be a string, is " + KindOf(v)
	case strings.TrimSpace(s) == "":
		return "", "is empty; leave the key out, or say why it is missing"
	case len(s) > MostText:
		return "", fmt.Sprintf("is %d bytes long, at most %d are allowed", len(s), MostText)
	case !utf8.ValidString(s):
		return "", "is not UTF-8"
	case strings.ContainsFunc(s, func(c rune) bool { return c != '\n' && c != '\t' && !unicode.IsPrint(c) }):
		return "", "holds a character that can't be printed"
	}
	return strings.Join(strings.Fields(s), " "), ""
}

// dateText writes a TOML date or time as it was meant.
func dateText(t time.Time) string {
	switch t.Location().String() {
	case "date-local":
		return t.Format(time.DateOnly)
	case "datetime-local":
		return t.Format("2006-01-02T15:04:05")
	case "time-local":
		return t.Format(time.TimeOnly)
	}
	return t.UTC().Format(time.RFC3339)
}

// ReadCount reads a whole number that is not negative, or says what is wrong.
func ReadCount(v any) (n int64, fault string) {
	x, ok := v.(int64)
	switch {
	case !ok:
		return 0, "must be a whole number, is " + KindOf(v)
	case x < 0:
		return 0, fmt.Sprintf("%d is less than zero", x)
	}
	return x, ""
}

// ReadNumber reads a finite number, or says what is wrong.
func ReadNumber(v any) (x float64, fault string) {
	switch x := v.(type) {
	case int64:
		return float64(x), ""
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, "is not a finite number"
		}
		return x, ""
	}
	return 0, "must be a number, is " + KindOf(v)
}

// KindOf names a TOML value's type.
func KindOf(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case int64:
		return "a whole number"
	case float64:
		return "a decimal number"
	case bool:
		return "true or false"
	case time.Time:
		return "a date or time"
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	}
	return "of another kind"
}
