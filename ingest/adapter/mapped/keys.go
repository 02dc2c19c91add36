package mapped

import (
	"fmt"
	"slices"
	"strings"
)

// keys reads a TOML table by its keys and gathers faults.
type keys struct {
	m      map[string]any
	used   []string
	faults []error
}

func (k *keys) fault(format string, args ...any) {
	k.faults = append(k.faults, fmt.Errorf(format, args...))
}

func (k *keys) get(key string) (any, bool) {
	k.used = append(k.used, key)
	v, ok := k.m[key]
	return v, ok
}

func (k *keys) text(key string) string {
	v, ok := k.get(key)
	s, isText := v.(string)
	if ok && (!isText || strings.TrimSpace(s) == "") {
		k.fault("%s must be a text", key)
	}
	return strings.TrimSpace(s)
}

// number is a whole number from 1 to most; absent: least.
func (k *keys) number(key string, least, most int) int {
	v, ok := k.get(key)
	if !ok {
		return least
	}
	n, isNumber := v.(int64)
	if !isNumber || n < int64(least) || n > int64(most) {
		k.fault("%s must be a whole number from %d to %d", key, least, most)
		return least
	}
	return int(n)
}

func (k *keys) list(key string) []string {
	v, ok := k.get(key)
	if !ok {
		return nil
	}
	var out []string
	items, isList := v.([]any)
	for _, item := range items {
		s, isText := item.(string)
		isList = isList && isText
		out = append(out, s)
	}
	if !isList {
		k.fault("%s must be a list of texts", key)
	}
	return out
}

// path is a path into JSON: a text with dots between its parts, or a list of
// them.
func (k *keys) path(key string) place {
	if v, ok := k.m[key]; ok {
		if _, isText := v.(string); !isText {
			parts := k.list(key)
			return place{name: strings.Join(parts, "."), path: parts}
		}
	}
	return dotted(k.text(key))
}

func (k *keys) tables(key string) []*keys {
	v, _ := k.get(key)
	var out []*keys
	switch items := v.(type) {
	case []map[string]any:
		for _, m := range items {
			out = append(out, &keys{m: m})
		}
	case []any:
		for _, item := range items {
			m, ok := item.(map[string]any)
			if !ok {
				k.fault("%s must be a list of tables", key)
			}
			out = append(out, &keys{m: m})
		}
	}
	return out
}

// rest faults what was not asked for: a key with a typing error must not be
// passed over.
func (k *keys) rest(where string) {
	var unknown []string
	for key := range k.m {
		if !slices.Contains(k.used, key) {
			unknown = append(unknown, key)
		}
	}
	slices.Sort(unknown)
	if len(unknown) > 0 {
		k.fault("%s has unknown keys: %s", where, strings.Join(unknown, ", "))
	}
}
