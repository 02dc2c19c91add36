package evidence

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode/utf8"
)

// knownField is what the walk sees of a Known, whatever it holds.
type knownField interface {
	State() KnownState
	Note() string
}

// walk visits every field of a record and reports what is wrong wherever it
// stands: a Known that was never set or says nothing about itself, a number that
// is not finite, a text that is not UTF-8. Reflection, so that a field added
// later can't be forgotten.
func walk(fs *Faults, r Record) { walkValue(fs, "", reflect.ValueOf(r)) }

func walkValue(fs *Faults, at string, v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // kinds that hold neither text nor fraction need no visit
	case reflect.Struct:
		walkStruct(fs, at, v)
	case reflect.Slice:
		for i := range v.Len() {
			walkValue(fs, fmt.Sprintf("%s[%d]", at, i), v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			walkValue(fs, at, v.Elem())
		}
	case reflect.Float64:
		if math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0) {
			fs.add(at, "%v is not a finite number", v.Float())
		}
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			fs.add(at, "%q is not UTF-8", v.String())
		}
	}
}

func walkStruct(fs *Faults, at string, v reflect.Value) {
	if v.CanInterface() {
		if k, ok := v.Interface().(knownField); ok && !checkKnown(fs, at, k) {
			return
		}
	}
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		switch {
		case name == "":
			// A field of Known, which has no name of its own in JSON.
			walkValue(fs, at, v.Field(i))
		case at == "":
			walkValue(fs, name, v.Field(i))
		default:
			walkValue(fs, at+"."+name, v.Field(i))
		}
	}
}

// checkKnown reports whether the Known's value shall be visited too.
func checkKnown(fs *Faults, at string, k knownField) bool {
	switch k.State() {
	case StateStated, StateDerived:
		if k.Note() == "" {
			fs.add(at, "is %s, but not where or by which rule", k.State())
		}
		return true
	case StateNotStated, StateNotApplicable:
		if k.Note() == "" {
			fs.add(at, "is %s, but no reason is given", k.State())
		}
		return true
	}
	fs.add(at, "%v", errZeroKnown())
	return false
}
