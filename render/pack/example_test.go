package pack_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"benchline/render/pack"
)

// The example is a pack as it stands, and names nothing that a new site lacks.
func TestExampleIsAPack(t *testing.T) {
	p, err := pack.Parse("packs/example.toml", pack.Example())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range p.Options {
		if len(o.Records)+len(o.Families)+len(o.Claims) > 0 {
			t.Errorf("option %s names records", o.Name)
		}
	}
	d := built(t, p, nil)
	for _, o := range d.Options {
		if o.Gap != "not measured" {
			t.Errorf("option %s: got %q", o.Name, o.Gap)
		}
	}
}

// shown is the example with its commented keys as keys, but for some.
func shown(t *testing.T, src string, not ...string) pack.Pack {
	t.Helper()
	key := regexp.MustCompile(`(?m)^# ((?:\[+)?([a-z_0-9.]+)(?: += |\]).*)$`)
	src = key.ReplaceAllStringFunc(src, func(line string) string {
		if m := key.FindStringSubmatch(line); !slices.Contains(not, m[2]) {
			return m[1]
		}
		return line
	})
	p, err := pack.Parse("packs/example.toml", []byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return p
}

// What the example shows as a comment can be read, and with its alternatives it shows
// all that a pack can have: no part of what is read stays empty.
func TestExampleShowsEveryKey(t *testing.T) {
	src := string(pack.Example())
	closed := shown(t, src, "mix", "workload_hash", "arrival_rate", "arrivals", "cache_share", "no_conflicts")
	gone := regexp.MustCompile(`(?m)^(?:input_tokens|output_tokens|length_tolerance|concurrency) .*$`)
	src = gone.ReplaceAllString(src, "")
	src = strings.NewReplacer(`"ttft_p95"`, `"ttft_due_p95"`, `= "cold"`, `= "shared prefix"`, "# [[conflicts]]", "# [[reservations]]").Replace(src)
	open := shown(t, src)
	filled := map[string]bool{}
	for _, p := range []pack.Pack{closed, open} {
		fill(filled, "pack", reflect.ValueOf(p))
	}
	if len(filled) < 60 {
		t.Errorf("looked at %d parts only", len(filled))
	}
	for path, ok := range filled {
		if !ok {
			t.Errorf("the example has no %s", path)
		}
	}
}

// fill notes of every field whether it was ever set.
func fill(filled map[string]bool, path string, v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // the kinds that hold others
	case reflect.Pointer:
		if v.IsNil() {
			filled[path] = filled[path] || false
			return
		}
		filled[path] = true
		fill(filled, path, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			fill(filled, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		filled[path] = filled[path] || v.Len() > 0
		for i := range v.Len() {
			fill(filled, path, v.Index(i))
		}
	default:
		filled[path] = filled[path] || !v.IsZero()
	}
}
