package verify

import (
	"encoding/json"
	"fmt"
	"slices"
)

// mostDifferences is how many differences of one record are told.
const mostDifferences = 8

// differences says where two encoded records differ, by their keys.
func differences(stored, made []byte) []string {
	var a, b any
	if err := json.Unmarshal(stored, &a); err != nil {
		return []string{err.Error()}
	}
	if err := json.Unmarshal(made, &b); err != nil {
		return []string{err.Error()}
	}
	var out []string
	differ("", a, b, &out)
	out = slices.DeleteFunc(out, func(s string) bool { return len(s) > 4 && s[:4] == "id: " })
	if len(out) == 0 {
		return []string{"the stored bytes differ from those made again"}
	}
	if len(out) > mostDifferences {
		out = append(out[:mostDifferences], fmt.Sprintf("and %d more differences", len(out)-mostDifferences))
	}
	return out
}

func differ(at string, a, b any, out *[]string) {
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			differMaps(at, x, y, out)
			return
		}
	case []any:
		if y, ok := b.([]any); ok && len(x) == len(y) {
			for i := range x {
				differ(fmt.Sprintf("%s[%d]", at, i), x[i], y[i], out)
			}
			return
		}
	default:
		if a == b {
			return
		}
	}
	*out = append(*out, fmt.Sprintf("%s: stored %s, recomputed %s", at, short(a), short(b)))
}

func differMaps(at string, a, b map[string]any, out *[]string) {
	keys := sortedKeys(a)
	for _, k := range sortedKeys(b) {
		if _, ok := a[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		name := k
		if at != "" {
			name = at + "." + k
		}
		differ(name, a[k], b[k], out)
	}
}

// short is a JSON value, cut.
func short(v any) string {
	if v == nil {
		return "nothing"
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	if len(b) > 80 {
		return string(b[:80]) + "…"
	}
	return string(b)
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
