package plan

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Default is a value that the plan file left out and Parse filled in, for
// `benchline plan` to print: no default is hidden.
type Default struct {
	Key   string // dotted
	Value string // as the file would write it
}

// reader collects the faults and the defaults of one plan file.
type reader struct {
	file     string
	lines    lines
	faults   Faults
	defaults []Default
	secret   *regexp.Regexp
	secretAt map[int]bool // lines already refused for a secret
}

func newReader(file string) *reader {
	return &reader{file: file, secret: secretPattern(), secretAt: map[int]bool{}}
}

// table reads one table of the file. A getter of a key that is absent returns
// the default without a fault; need asks for the key's presence.
type table struct {
	r       *reader
	path    []string // nil for the top of the file
	m       map[string]any
	present bool
}

// section returns the named table; absent and mistyped ones read as empty.
func (t *table) section(name string) *table {
	sub := &table{r: t.r, path: append(slices.Clone(t.path), name)}
	v, ok := t.m[name]
	if !ok {
		return sub
	}
	sub.m, sub.present = v.(map[string]any)
	if !sub.present {
		t.fault(name, "must be a table, is "+kindOf(v), "write ["+strings.Join(sub.path, ".")+"]")
		sub.r = newReader("") // what follows from this fault is not reported
	}
	return sub
}

func (t *table) has(key string) bool {
	_, ok := t.m[key]
	return ok
}

// keyName is the dotted name of a key, for people.
func (t *table) keyName(key string) string {
	parts := t.path
	if key != "" {
		parts = append(slices.Clone(t.path), key)
	}
	name := strings.Join(parts, ".")
	if t.r.secret.MatchString(name) {
		return "(a key that looks like a secret)"
	}
	return cleanRunes(name)
}

// cleanRunes replaces what a terminal would act on.
func cleanRunes(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\ufffd'
	}, s)
}

func (t *table) fault(key, msg, hint string) {
	path := t.path
	if key != "" {
		path = append(slices.Clone(t.path), key)
	}
	t.r.faults = append(t.r.faults, Fault{
		File: t.r.file, Line: t.r.lines.at(path...), Key: t.keyName(key), Msg: msg, Hint: hint,
	})
}

// filled notes a default.
func (t *table) filled(key, value string) {
	t.r.defaults = append(t.r.defaults, Default{Key: t.keyName(key), Value: value})
}

// need faults an absent key.
func (t *table) need(key, hint string) bool {
	if t.has(key) {
		return true
	}
	t.fault(key, "is required", hint)
	return false
}

// kindOf names a TOML value's type.
func kindOf(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case int64:
		return "an integer"
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

// typed returns the value of key if it is a T.
func typed[T any](t *table, key, want string) (T, bool) {
	var none T
	v, ok := t.m[key]
	if !ok {
		return none, false
	}
	got, ok := v.(T)
	if !ok {
		t.fault(key, fmt.Sprintf("must be %s, is %s", want, kindOf(v)), "")
	}
	return got, ok
}

// text returns one line of printable text of at most longest bytes; "" when absent.
func (t *table) text(key string, longest int) string {
	s, ok := typed[string](t, key, "a string")
	if !ok {
		return ""
	}
	if msg := badText(s, longest, false); msg != "" {
		t.fault(key, msg, "")
		return ""
	}
	return s
}

// needText is text that must be there and not be empty.
func (t *table) needText(key string, longest int, hint string) string {
	if !t.need(key, hint) {
		return ""
	}
	before := len(t.r.faults)
	s := t.text(key, longest)
	if s == "" && len(t.r.faults) == before {
		t.fault(key, "must not be empty", hint)
	}
	return s
}

// badText says what is wrong with a text, or "".
func badText(s string, longest int, manyLines bool) string {
	if len(s) > longest {
		return fmt.Sprintf("is %d bytes long, at most %d are allowed", len(s), longest)
	}
	if !utf8.ValidString(s) {
		return "is not valid UTF-8"
	}
	if s != strings.TrimSpace(s) && !manyLines {
		return "begins or ends with white space"
	}
	for _, r := range s {
		if (r == '\n' || r == '\t') && manyLines {
			continue
		}
		if !unicode.IsPrint(r) {
			return fmt.Sprintf("holds the unprintable character %U", r)
		}
	}
	return ""
}

// choice returns one of options; the first is the default where def is true.
func (t *table) choice(key string, def bool, options ...string) string {
	s, ok := typed[string](t, key, "a string")
	if !ok {
		if def && !t.has(key) {
			t.filled(key, fmt.Sprintf("%q", options[0]))
			return options[0]
		}
		return ""
	}
	if !slices.Contains(options, s) {
		hint := "one of " + strings.Join(quoteAll(options), ", ")
		if n := nearest(s, options); n != "" {
			hint = fmt.Sprintf("did you mean %q? %s", n, hint)
		}
		t.fault(key, t.r.quoteSafe(s)+" is not known", hint)
		return ""
	}
	return s
}

func quoteAll(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = fmt.Sprintf("%q", n)
	}
	return out
}

// integer returns a whole number from lo to hi; def when absent.
func (t *table) integer(key string, lo, hi, def int64) int64 {
	n, ok := typed[int64](t, key, "a whole number")
	if !ok {
		return def
	}
	if n < lo || n > hi {
		t.fault(key, fmt.Sprintf("%d is out of range", n), fmt.Sprintf("from %d to %d", lo, hi))
		return def
	}
	return n
}

// number returns a finite number that ok accepts; def when absent.
func (t *table) number(key string, def float64, ok func(float64) bool, hint string) float64 {
	v, there := t.m[key]
	if !there {
		return def
	}
	var x float64
	switch n := v.(type) {
	case int64:
		x = float64(n)
	case float64:
		x = n
	default:
		t.fault(key, "must be a number, is "+kindOf(v), hint)
		return def
	}
	if math.IsNaN(x) || math.IsInf(x, 0) || !ok(x) {
		t.fault(key, fmt.Sprintf("%v is out of range", x), hint)
		return def
	}
	return x
}

// boolean returns true or false; def when absent.
func (t *table) boolean(key string, def bool) bool {
	if !t.has(key) {
		t.filled(key, fmt.Sprint(def))
		return def
	}
	b, ok := typed[bool](t, key, "true or false")
	if !ok {
		return def
	}
	return b
}

// maxList bounds each list of the matrix.
const maxList = 100

// integers returns a list of distinct whole numbers from lo to hi.
func (t *table) integers(key string, lo, hi int64, hint string) []int {
	if !t.need(key, hint) {
		return nil
	}
	list, ok := t.list(key, "a list of whole numbers", hint)
	if !ok {
		return nil
	}
	var out []int
	for i, v := range list {
		n, ok := v.(int64)
		name := fmt.Sprintf("entry %d", i+1)
		switch {
		case !ok:
			t.fault(key, fmt.Sprintf("%s must be a whole number, is %s", name, kindOf(v)), hint)
		case n < lo || n > hi:
			t.fault(key, fmt.Sprintf("%s, %d, is out of range", name, n), fmt.Sprintf("from %d to %d", lo, hi))
		case slices.Contains(out, int(n)):
			t.fault(key, fmt.Sprintf("%d stands there twice", n), "each point is run once; more runs of a point are repeats")
		default:
			out = append(out, int(n))
		}
	}
	return out
}

// list returns a list that is neither empty nor too long.
func (t *table) list(key, want, hint string) ([]any, bool) {
	list, ok := typed[[]any](t, key, want)
	if !ok {
		return nil, false
	}
	if len(list) == 0 {
		t.fault(key, "is empty", hint)
		return nil, false
	}
	if len(list) > maxList {
		t.fault(key, fmt.Sprintf("has %d entries, at most %d are allowed", len(list), maxList), "")
		return nil, false
	}
	return list, true
}

// span is what a duration key accepts.
type span struct {
	lo, hi time.Duration
	none   bool // "none" is allowed and reads as 0
}

// duration returns the duration of a key, written "250ms" or "2m30s"; 0 when
// it is absent or faulty.
func (t *table) duration(key string, s span) time.Duration {
	v, there := t.m[key]
	if !there {
		return 0
	}
	hint := fmt.Sprintf("a duration in quotes from %s to %s, as in \"30s\"", shortDuration(s.lo), shortDuration(s.hi))
	if s.none {
		hint += `, or "none"`
	}
	text, ok := v.(string)
	if !ok {
		t.fault(key, "must be a duration in quotes, is "+kindOf(v), hint)
		return 0
	}
	if s.none && text == "none" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.fault(key, t.r.quoteSafe(text)+" is no duration", hint)
		return 0
	}
	if d < s.lo || d > s.hi {
		t.fault(key, t.r.quoteSafe(text)+" is out of range", hint)
		return 0
	}
	return d
}

// unknown faults every key that is not in the schema, here and in the tables
// below.
func (r *reader) unknown(doc map[string]any) {
	known := schema()
	top := &table{r: r, m: doc}
	for _, key := range sortedKeys(doc) {
		sub, isTable := doc[key].(map[string]any)
		_, isSection := known[key]
		switch {
		case isSection && isTable:
			t := &table{r: r, path: []string{key}, m: sub}
			for _, k := range sortedKeys(sub) {
				if !slices.Contains(known[key], k) {
					t.unknownKey(k, known[key])
				}
			}
		case isSection: // the section's own reader says that it must be a table
		case !slices.Contains(known[""], key):
			top.unknownKey(key, append(slices.Clone(known[""]), sectionNames()...))
		}
	}
}

// unknownKey faults a key which the schema does not have. A key that may hold
// a secret is refused with the way to do it.
func (t *table) unknownKey(key string, names []string) {
	if sub, ok := t.m[key].(map[string]any); ok {
		inner := &table{r: t.r, path: append(slices.Clone(t.path), key), m: sub}
		for _, k := range sortedKeys(sub) {
			if namesSecret(k) {
				inner.secretKey(k)
			}
		}
	}
	if namesSecret(key) {
		t.secretKey(key)
		return
	}
	hint := ""
	if n := nearest(key, names); n != "" {
		hint = "did you mean " + n + "?"
	} else if s := sectionOf(key); s != "" && len(t.path) == 0 {
		hint = "it belongs in [" + s + "]"
	} else if s != "" {
		hint = "it belongs in " + s
	}
	t.fault(key, "unknown key", hint)
}

// secretKey faults a key whose name says that its value is a secret.
func (t *table) secretKey(key string) {
	t.r.secretAt[t.r.lines.at(append(slices.Clone(t.path), key)...)] = true
	t.fault(key, "a plan never holds a key, a password or a header with one",
		`put it into an environment variable and name that: endpoint.key_env = "NAME"`)
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
