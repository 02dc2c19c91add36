package evidence

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode/utf8"
)

// walk visits every field of a record and reports what is wrong wherever it
// stands: a Known that was never set or says nothing about itself, a number that
// is not finite, a text that is not UTF-8. Reflection, so that a field added
// later can't be forgotten.
func walk(fs *faults, r Record) {
	w := walker{faults: fs, types: map[reflect.Type]fields{}}
	w.value(reflect.ValueOf(r))
}

// walker holds the way from the record down to where the walk is. Names are put
// together only when there is a fault: most records have none.
type walker struct {
	faults *faults
	types  map[reflect.Type]fields
	path   []step
}

// step is one element of the way: a key, or the index behind one.
type step struct {
	key   string
	index int
}

// fields is what the walk needs to know of a struct type.
type fields struct {
	keys  []string
	known bool
}

func (w *walker) fault(format string, args ...any) {
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

func (w *walker) value(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // kinds that hold neither text nor fraction need no visit
	case reflect.Struct:
		w.fields(v)
	case reflect.Slice:
		w.elements(v)
	case reflect.Pointer:
		if !v.IsNil() {
			w.value(v.Elem())
		}
	case reflect.Float64:
		if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) {
			w.fault("%v is not a finite number", x)
		}
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			w.fault("%q is not UTF-8", v.String())
		}
	}
}

func (w *walker) elements(v reflect.Value) {
	switch v.Type().Elem().Kind() { //nolint:exhaustive // only whole numbers need no visit
	case reflect.Int64, reflect.Uint8:
		return
	}
	w.path = append(w.path, step{})
	for i := range v.Len() {
		w.path[len(w.path)-1].index = i
		w.value(v.Index(i))
	}
	w.path = w.path[:len(w.path)-1]
}

func (w *walker) fields(v reflect.Value) {
	t, ok := w.types[v.Type()]
	if !ok {
		t = fieldsOf(v.Type())
		w.types[v.Type()] = t
	}
	if t.known && !w.known(v) {
		return
	}
	for i, key := range t.keys {
		if key == "" { // the value of a Known has no name of its own
			w.value(v.Field(i))
			continue
		}
		w.path = append(w.path, step{key: key})
		w.value(v.Field(i))
		w.path = w.path[:len(w.path)-1]
	}
}

func fieldsOf(t reflect.Type) fields {
	var f fields
	for i := range t.NumField() {
		key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		f.keys = append(f.keys, key)
	}
	f.known = t.Implements(reflect.TypeFor[interface{ State() KnownState }]())
	return f
}

// known reports whether the Known's value shall be visited too. It reads the
// fields as they are, since the value's type is not known here.
func (w *walker) known(v reflect.Value) bool {
	state, note := KnownState(v.FieldByName("state").Uint()), v.FieldByName("note").String()
	switch state {
	case StateStated, StateDerived:
		if note == "" {
			w.fault("is %s, but not where or by which rule", state)
		}
		return true
	case StateNotStated, StateNotApplicable:
		if note == "" {
			w.fault("is %s, but no reason is given", state)
		}
		if !utf8.ValidString(note) {
			w.fault("%q is not UTF-8", note)
		}
		return false
	}
	w.fault("%v", errZeroKnown())
	return false
}
