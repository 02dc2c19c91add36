package foreign

import (
	"math"
	"strconv"
	"strings"
)

// Kind is what a JSON value is.
type Kind uint8

// The kinds. The zero Kind is a value that is not there.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	NotFinite // a bare NaN or Infinity, or a number that no float64 holds
	Text
	List
	Object
)

// Node is one JSON value. What was not kept of it (rows, skipped keys) is not in
// it.
type Node struct {
	Kind Kind
	cut  bool // a string that was longer than what is kept
	// Text is the number as it is written, the decoded string, or the word.
	Text   string
	Line   int64 // from 1
	Fields []Field
	Items  []Node
}

// Field is one key of an object.
type Field struct {
	Key   string
	Value Node
}

// Scalar is a text of a file that is no JSON, a cell or a printed value, as JSON
// would have it: a number where it is one, and not there where it is empty.
func Scalar(text string, line int64) Node {
	n := Node{Kind: Text, Text: text, Line: line}
	switch {
	case text == "":
		n.Kind = Absent
	case n.IsNumber():
		n.Kind = Number
	}
	return n
}

// Get is the value below the keys; its kind is [Absent] where there is none.
func (n Node) Get(keys ...string) Node {
	for _, key := range keys {
		found := false
		for i := range n.Fields {
			if n.Fields[i].Key == key {
				n, found = n.Fields[i].Value, true
				break
			}
		}
		if !found {
			return Node{Line: n.Line}
		}
	}
	return n
}

// Has reports whether there is a value that is not null.
func (n Node) Has() bool { return n.Kind != Absent && n.Kind != Null }

// IsObject reports whether the value is an object.
func (n Node) IsObject() bool { return n.Kind == Object }

// IsNumber reports whether the value is a number, as such or in a string.
func (n Node) IsNumber() bool { _, ok := n.Float(); return ok }

// Float is the value as a finite number: a number, or a string that holds
// nothing but one.
func (n Node) Float() (float64, bool) {
	if n.Kind != Number && n.Kind != Text || !plainNumber(n.Text) {
		return 0, false
	}
	x, err := strconv.ParseFloat(n.Text, 64)
	return x, err == nil && !math.IsInf(x, 0)
}

// Int is the value as a whole number, also where it is written 300.0.
func (n Node) Int() (int64, bool) {
	if n.Kind != Number && n.Kind != Text || !plainNumber(n.Text) {
		return 0, false
	}
	if i, err := strconv.ParseInt(n.Text, 10, 64); err == nil {
		return i, true
	}
	x, err := strconv.ParseFloat(n.Text, 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return 0, false
	}
	return int64(x), true
}

// String is the value as a text that is not empty.
func (n Node) String() (string, bool) {
	return n.Text, n.Kind == Text && strings.TrimSpace(n.Text) != "" && !n.cut
}

// IsInfinite reports whether the value is positive infinity, however it is
// written: tools mean "no limit" by it.
func (n Node) IsInfinite() bool {
	switch strings.ToLower(strings.TrimPrefix(n.Text, "+")) {
	case "inf", "infinity":
		return n.Kind == NotFinite || n.Kind == Text
	}
	return false
}

// plainNumber reports whether a text is a number as JSON writes one.
func plainNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole := digits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if rest, ok := strings.CutPrefix(s, "."); ok {
		n := digits(rest)
		if n == 0 {
			return false
		}
		s = rest[n:]
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = s[1:]
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return s != "" && digits(s) == len(s)
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// wordOf is a string that stands for a number that is none: "nan", "inf".
func wordOf(s string) bool {
	switch strings.ToLower(strings.TrimLeft(s, "+-")) {
	case "nan", "inf", "infinity":
		return true
	}
	return false
}
