package recovered

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"benchline/ingest/evidence"
)

// reader gathers the faults of one file.
type reader struct {
	file   string
	lines  lines
	faults Faults
}

// node is one table of the file. Keys that were asked for are known; the
// others are faults when the node is done.
type node struct {
	r    *reader
	path []string
	m    map[string]any
	seen map[string]bool
	// where and missing are what a value without its own is noted with.
	where, missing string
}

func (n *node) child(m map[string]any, path ...string) *node {
	return &node{r: n.r, path: append(slices.Clone(n.path), path...), m: m, seen: map[string]bool{}, where: n.where, missing: n.missing}
}

func (n *node) fault(key, msg, hint string) {
	path := n.path
	if key != "" {
		path = append(slices.Clone(n.path), key)
	}
	n.r.faults = append(n.r.faults, Fault{File: n.r.file, Line: n.r.lines.at(path), Key: dotted(path), Msg: msg, Hint: hint})
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
		b.WriteString(printable(p))
	}
	return b.String()
}

func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return '\ufffd'
	}, s)
}

// get takes a key.
func (n *node) get(key string) (any, bool) {
	n.seen[key] = true
	v, ok := n.m[key]
	return v, ok
}

// has reports whether there is a key, without taking it.
func (n *node) has(key string) bool { _, ok := n.m[key]; return ok }

// done faults the keys that nobody asked for.
func (n *node) done() {
	var known []string
	for k := range n.seen {
		known = append(known, k)
	}
	sort.Strings(known)
	for k := range n.m {
		if !n.seen[k] {
			n.fault(k, "unknown key", "known here: "+strings.Join(known, ", "))
		}
	}
}

// table takes a table that may be absent.
func (n *node) table(key string) *node {
	v, ok := n.get(key)
	if !ok {
		return n.child(nil, key)
	}
	m, isTable := v.(map[string]any)
	if !isTable {
		n.fault(key, "must be a table, is "+kindOf(v), "write ["+key+"]")
	}
	return n.child(m, key)
}

// tables takes a list of tables.
func (n *node) tables(key string) []*node {
	v, ok := n.get(key)
	if !ok {
		return nil
	}
	var out []*node
	switch list := v.(type) {
	case []map[string]any:
		for i, m := range list {
			out = append(out, n.child(m, key, index(i)))
		}
	case []any:
		for i, x := range list {
			m, isTable := x.(map[string]any)
			if !isTable {
				n.fault(key, "must be a list of tables, holds "+kindOf(x), "write [["+key+"]]")
				return out
			}
			out = append(out, n.child(m, key, index(i)))
		}
	default:
		n.fault(key, "must be a list of tables, is "+kindOf(v), "write [["+key+"]]")
	}
	return out
}

// text takes a string; "" when absent or faulty.
func (n *node) text(key string) string {
	v, ok := n.get(key)
	if !ok {
		return ""
	}
	s, msg := readText(v)
	if msg != "" {
		n.fault(key, msg, "")
	}
	return s
}

// needText is text that must be there.
func (n *node) needText(key, hint string) string {
	if !n.has(key) {
		n.seen[key] = true
		n.fault(key, "is required", hint)
		return ""
	}
	return n.text(key)
}

// mostText is the longest text in bytes.
const mostText = 4000

func readText(v any) (string, string) {
	if t, ok := v.(time.Time); ok {
		return dateText(t), ""
	}
	s, ok := v.(string)
	switch {
	case !ok:
		return "", "must be a string, is " + kindOf(v)
	case strings.TrimSpace(s) == "":
		return "", "is empty; leave the key out, or say why it is missing"
	case len(s) > mostText:
		return "", fmt.Sprintf("is %d bytes long, at most %d are allowed", len(s), mostText)
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

func readCount(v any) (int64, string) {
	x, ok := v.(int64)
	switch {
	case !ok:
		return 0, "must be a whole number, is " + kindOf(v)
	case x < 0:
		return 0, fmt.Sprintf("%d is less than zero", x)
	}
	return x, ""
}

// readNumber reads a number, or a string with one as a source writes it:
// "29,100.679".
func readNumber(v any) (float64, string) {
	switch x := v.(type) {
	case int64:
		return float64(x), ""
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, "is not a finite number"
		}
		return x, ""
	case string:
		if plain, ok := plainNumber(x); ok {
			if f, err := strconv.ParseFloat(plain, 64); err == nil && !math.IsInf(f, 0) {
				return f, ""
			}
		}
		return 0, fmt.Sprintf("%q is no number", printable(x))
	}
	return 0, "must be a number, is " + kindOf(v)
}

func kindOf(v any) string {
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

// known takes a value that may be stated, derived, missing or not applicable.
// Absent is not stated, for the record's general reason.
func known[T any](n *node, key string, read func(any) (T, string)) evidence.Known[T] {
	v, ok := n.get(key)
	if !ok {
		return evidence.NotStated[T](n.missing)
	}
	m, isTable := v.(map[string]any)
	if !isTable || !isKnownTable(m) {
		x, msg := read(v)
		if msg != "" {
			n.fault(key, msg, "")
		}
		return evidence.Stated(x, n.where)
	}
	c := n.child(m, key)
	defer c.done()
	return knownTable(c, read)
}

// isKnownTable tells { missing = … } and its like from a value that is a table
// itself.
func isKnownTable(m map[string]any) bool {
	for _, k := range []string{"value", "missing", "not_applicable"} {
		if _, ok := m[k]; ok {
			return true
		}
	}
	return false
}

func knownTable[T any](c *node, read func(any) (T, string)) evidence.Known[T] {
	missing, never := c.text("missing"), c.text("not_applicable")
	where, rule := c.text("where"), c.text("rule")
	v, hasValue := c.get("value")
	said := 0
	for _, x := range []bool{hasValue, c.has("missing"), c.has("not_applicable")} {
		if x {
			said++
		}
	}
	switch {
	case said != 1:
		c.fault("", "has more than one of value, missing and not_applicable", "")
	case !hasValue && (where != "" || rule != ""):
		c.fault("", "where and rule go with a value", "")
	case where != "" && rule != "":
		c.fault("", "is stated somewhere (where) or derived by a rule, not both", "")
	case c.has("missing"):
		return evidence.NotStated[T](missing)
	case c.has("not_applicable"):
		return evidence.NotApplicable[T](never)
	}
	x, msg := read(v)
	if hasValue && msg != "" {
		c.fault("value", msg, "")
	}
	if rule != "" {
		return evidence.Derived(x, rule)
	}
	if where == "" {
		where = c.where
	}
	return evidence.Stated(x, where)
}
