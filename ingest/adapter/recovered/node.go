package recovered

import (
	"math"
	"strconv"

	"benchline/ingest/evidence"
	"benchline/ingest/tomlfile"
)

// node is one table of the file.
type node struct {
	*tomlfile.Table
	// where and missing are what a value without its own is noted with.
	where, missing string
}

func (n *node) under(t *tomlfile.Table) *node {
	return &node{Table: t, where: n.where, missing: n.missing}
}

func (n *node) child(m map[string]any, path ...string) *node { return n.under(n.Child(m, path...)) }

// table takes a table that may be absent.
func (n *node) table(key string) *node { return n.under(n.Table.Table(key)) }

// tables takes a list of tables.
func (n *node) tables(key string) []*node {
	var out []*node
	for _, t := range n.Tables(key) {
		out = append(out, n.under(t))
	}
	return out
}

// readNumber reads a number, or a string with one as a source writes it:
// "29,100.679".
func readNumber(v any) (float64, string) {
	s, ok := v.(string)
	if !ok {
		return tomlfile.ReadNumber(v)
	}
	if plain, ok := plainNumber(s); ok {
		if f, err := strconv.ParseFloat(plain, 64); err == nil && !math.IsInf(f, 0) {
			return f, ""
		}
	}
	return 0, noNumber(s)
}

// known takes a value that may be stated, derived, missing or not applicable.
// Absent is not stated, for the record's general reason.
func known[T any](n *node, key string, read func(any) (T, string)) evidence.Known[T] {
	v, ok := n.Get(key)
	if !ok {
		return evidence.NotStated[T](n.missing)
	}
	m, isTable := v.(map[string]any)
	if !isTable || !isKnownTable(m) {
		x, msg := read(v)
		if msg != "" {
			n.Fault(key, msg, "")
		}
		return evidence.Stated(x, n.where)
	}
	c := n.child(m, key)
	defer c.Done()
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
	missing, never := c.Text("missing"), c.Text("not_applicable")
	where, rule := c.Text("where"), c.Text("rule")
	v, hasValue := c.Get("value")
	said := 0
	for _, x := range []bool{hasValue, c.Has("missing"), c.Has("not_applicable")} {
		if x {
			said++
		}
	}
	switch {
	case said != 1:
		c.Fault("", "has more than one of value, missing and not_applicable", "")
	case !hasValue && (where != "" || rule != ""):
		c.Fault("", "where and rule go with a value", "")
	case where != "" && rule != "":
		c.Fault("", "is stated somewhere (where) or derived by a rule, not both", "")
	case c.Has("missing"):
		return evidence.NotStated[T](missing)
	case c.Has("not_applicable"):
		return evidence.NotApplicable[T](never)
	}
	x, msg := read(v)
	if hasValue && msg != "" {
		c.Fault("value", msg, "")
	}
	if rule != "" {
		return evidence.Derived(x, rule)
	}
	if where == "" {
		where = c.where
	}
	return evidence.Stated(x, where)
}
