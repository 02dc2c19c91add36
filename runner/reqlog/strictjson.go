package reqlog

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// strictJSON decodes text into the struct that v points to. Unlike
// encoding/json it refuses a key that is missing, doubled, unknown or written
// in another case, null where a value is needed, and anything that follows.
func strictJSON(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := checkValue(d, reflect.TypeOf(v).Elem(), ""); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("text follows the value")
	}
	return json.Unmarshal(text, v)
}

// checkValue reads one value and holds its keys against the type.
func checkValue(d *json.Decoder, t reflect.Type, at string) error {
	tok, err := d.Token()
	if err != nil {
		return fmt.Errorf("key %q: %w", at, err)
	}
	if tok == nil {
		if t.Kind() == reflect.Pointer {
			return nil
		}
		return fmt.Errorf("key %q: null where a value is needed", at)
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch tok {
	case json.Delim('{'):
		return checkObject(d, t, at)
	case json.Delim('['):
		return checkArray(d, t, at)
	}
	return checkScalar(tok, t, at)
}

// checkScalar holds the JSON kind against the type's; json.Unmarshal checks
// the ranges later.
func checkScalar(tok json.Token, t reflect.Type, at string) error {
	ok := false
	switch tok.(type) {
	case string:
		ok = t.Kind() == reflect.String || reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	case bool:
		ok = t.Kind() == reflect.Bool
	case json.Number:
		ok = t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64
	}
	if !ok {
		return fmt.Errorf("key %q: a %s cannot be read from this value", at, t.Kind())
	}
	return nil
}

func checkArray(d *json.Decoder, t reflect.Type, at string) error {
	if t.Kind() != reflect.Slice {
		return fmt.Errorf("key %q: a list where none is expected", at)
	}
	for i := 0; d.More(); i++ {
		if err := checkValue(d, t.Elem(), fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

func checkObject(d *json.Decoder, t reflect.Type, at string) error {
	if t.Kind() != reflect.Struct {
		return fmt.Errorf("key %q: an object where none is expected", at)
	}
	fields := jsonFields(t)
	seen := map[string]bool{}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return fmt.Errorf("key %q: %w", at, err)
		}
		name, _ := tok.(string)
		path := strings.TrimPrefix(at+"."+name, ".")
		i := indexOf(fields, name)
		if i < 0 {
			return fmt.Errorf("key %q is unknown", path)
		}
		if seen[name] {
			return fmt.Errorf("key %q stands twice", path)
		}
		seen[name] = true
		if err := checkValue(d, fields[i].typ, path); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if !seen[f.name] && !f.mayMiss {
			return fmt.Errorf("key %q is missing", strings.TrimPrefix(at+"."+f.name, "."))
		}
	}
	_, err := d.Token()
	return err
}

// jsonField is one key of a struct.
type jsonField struct {
	name    string
	typ     reflect.Type
	mayMiss bool // omitempty
}

// jsonFields lists the keys of a struct, embedded structs included.
func jsonFields(t reflect.Type) []jsonField {
	var out []jsonField
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			out = append(out, jsonFields(f.Type)...)
			continue
		}
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		out = append(out, jsonField{name, f.Type, rest == "omitempty"})
	}
	return out
}

func indexOf(fields []jsonField, name string) int {
	for i, f := range fields {
		if f.name == name {
			return i
		}
	}
	return -1
}
