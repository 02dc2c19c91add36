package evidence

import (
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"benchline/ingest/measure"
)

// visit goes through every field of a record once: it writes the canonical
// encoding and notes what is wrong wherever it stands: a Known that was never
// set or says nothing about itself, a number that is not finite, a text that is
// not UTF-8. Reflection, so that a field added later can't be forgotten; not
// encoding/json, because it calls a Known's MarshalJSON for each of a thousand
// Knowns and compacts what each returns. A test holds the two equal.
//
// The line is only good if there was no fault.
func visit(fs *faults, r Record) []byte {
	w := visitor{faults: fs, types: map[reflect.Type]fields{}, line: make([]byte, 0, sizeOf(r))}
	w.value(reflect.ValueOf(r))
	return w.line
}

// sizeOf is about how many bytes a record takes, so that its line is not copied
// while it grows.
func sizeOf(r Record) int {
	size := 8<<10 + 2<<10*len(r.Values) + 128*len(r.Facts) + len(r.PlanTOML)
	for _, d := range r.Distributions {
		size += 64*len(d.Steps) + 24*len(d.OpenAges)
	}
	return size
}

// visitor holds the way from the record down to where the visit is. Names are
// put together only when there is a fault: most records have none.
type visitor struct {
	faults *faults
	types  map[reflect.Type]fields
	path   []step
	line   []byte
}

// step is one element of the way: a key, or the index behind one.
type step struct {
	key   string
	index int
}

// fields is what the visit needs to know of a struct type.
type fields struct {
	list  []field
	known bool
}

type field struct {
	key       string
	omitEmpty bool
}

func (w *visitor) fault(format string, args ...any) {
	var at strings.Builder
	for i, s := range w.path {
		switch {
		case s.key == "":
			fmt.Fprintf(&at, "[%d]", s.index)
		case i > 0:
			at.WriteString("." + s.key)
		default:
			at.WriteString(s.key)
		}
	}
	w.faults.add(at.String(), format, args...)
}

func (w *visitor) value(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // the rest is a fault
	case reflect.Struct:
		w.fields(v)
	case reflect.Slice:
		w.elements(v)
	case reflect.Pointer:
		if v.IsNil() {
			w.line = append(w.line, "null"...)
			return
		}
		w.value(v.Elem())
	case reflect.Float64:
		w.float(v.Float())
	case reflect.String:
		w.text(v.String())
	case reflect.Int, reflect.Int64:
		w.line = strconv.AppendInt(w.line, v.Int(), 10)
	case reflect.Bool:
		w.line = strconv.AppendBool(w.line, v.Bool())
	default:
		w.named(v)
	}
}

// named writes the types that have a text of their own.
func (w *visitor) named(v reflect.Value) {
	switch v.Type() {
	case reflect.TypeFor[ID]():
		var id ID
		reflect.Copy(reflect.ValueOf(&id).Elem(), v)
		w.line = append(hex.AppendEncode(append(w.line, '"'), id[:]), '"')
	case reflect.TypeFor[measure.CacheKind]():
		w.text(measure.CacheKind(v.Uint()).String()) // checkCache says that one is not set
	default:
		w.fault("is a %s, for which there is no canonical form", v.Type())
	}
}

func (w *visitor) float(x float64) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		w.fault("%v is not a finite number", x)
	}
	w.line = appendFloat(w.line, x)
}

func (w *visitor) text(s string) {
	if !utf8.ValidString(s) {
		w.fault("%q is not UTF-8", s)
	}
	w.line = appendText(w.line, s)
}

func (w *visitor) elements(v reflect.Value) {
	w.line = append(w.line, '[')
	w.path = append(w.path, step{})
	for i := range v.Len() {
		if i > 0 {
			w.line = append(w.line, ',')
		}
		w.path[len(w.path)-1].index = i
		w.value(v.Index(i))
	}
	w.path = w.path[:len(w.path)-1]
	w.line = append(w.line, ']')
}

func (w *visitor) fields(v reflect.Value) {
	t, ok := w.types[v.Type()]
	if !ok {
		t = fieldsOf(v.Type())
		w.types[v.Type()] = t
	}
	if t.known {
		w.known(v)
		return
	}
	w.line = append(w.line, '{')
	empty := len(w.line)
	for i, f := range t.list {
		x := v.Field(i)
		if f.omitEmpty && isEmpty(x) {
			continue
		}
		if len(w.line) > empty {
			w.line = append(w.line, ',')
		}
		w.line = append(append(append(w.line, '"'), f.key...), `":`...)
		w.path = append(w.path, step{key: f.key})
		w.value(x)
		w.path = w.path[:len(w.path)-1]
	}
	w.line = append(w.line, '}')
}

func fieldsOf(t reflect.Type) fields {
	if t.Implements(reflect.TypeFor[interface{ State() KnownState }]()) {
		return fields{known: true}
	}
	f := fields{list: make([]field, t.NumField())}
	for i := range f.list {
		tag, _ := strings.CutPrefix(string(t.Field(i).Tag), `json:"`) // no record has other tags
		tag, _ = strings.CutSuffix(tag, `"`)
		key, options, _ := strings.Cut(tag, ",")
		f.list[i] = field{key: key, omitEmpty: options == "omitempty"}
	}
	return f
}

// isEmpty is what encoding/json means by it.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() { //nolint:exhaustive // a struct is never empty
	case reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Float64:
		return v.Float() == 0 // and so is -0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// known writes a Known as its MarshalJSON does. It reads the fields by their
// place, since the value's type is not known here and the way by names is long.
// The value has no name of its own in faults.
func (w *visitor) known(v reflect.Value) {
	state, value, note := KnownState(v.Field(0).Uint()), v.Field(1), v.Field(2).String()
	key := `,"reason":`
	switch state {
	case StateStated, StateDerived:
		key = `,"where":`
		if state == StateDerived {
			key = `,"rule":`
		}
		if note == "" {
			w.fault("is %s, but not where or by which rule", state)
		}
	case StateNotStated, StateNotApplicable:
		if note == "" {
			w.fault("is %s, but no reason is given", state)
		}
	default:
		w.fault("%v", errZeroKnown())
		return
	}
	w.line = append(append(append(w.line, `{"state":"`...), state.String()...), '"')
	if state == StateStated || state == StateDerived {
		w.line = append(w.line, `,"value":`...)
		w.value(value)
	}
	w.line = append(w.line, key...)
	w.text(note)
	w.line = append(w.line, '}')
}

// appendFloat writes the shortest decimal that reads back as the same float,
// with an exponent from 1e21 on and below 1e-6, as encoding/json and ECMAScript
// do.
func appendFloat(b []byte, x float64) []byte {
	if abs := math.Abs(x); abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(b, x, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, x, 'e', -1, 64)
	if n := len(b); n >= 4 && b[n-4] == 'e' && b[n-2] == '0' { // e-09 is written e-9
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}

// appendText writes a string in quotes: only what JSON demands is escaped, plus
// U+2028 and U+2029.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= ' ' && c != '"' && c != '\\' && c != 0xe2 {
			continue
		}
		escaped := escape(s[i:])
		if escaped == "" {
			continue
		}
		b = append(append(b, s[from:i]...), escaped...)
		from = i + 1
		if s[i] == 0xe2 {
			from = i + len("\u2028")
			i = from - 1
		}
	}
	return append(append(b, s[from:]...), '"')
}

// escape is how the character that the text begins with is written; empty: as
// it is.
func escape(s string) string {
	switch c := s[0]; c {
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	case 0xe2:
		if strings.HasPrefix(s, "\u2028") {
			return `\u2028`
		}
		if strings.HasPrefix(s, "\u2029") {
			return `\u2029`
		}
		return ""
	default:
		return fmt.Sprintf(`\u%04x`, c)
	}
}
