package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/measure"
)

// mapping says what the columns of a table are.
type mapping struct {
	headerRows int
	separator  rune // 0: by the file's name
	number     int  // Markdown: which table, from 1
	rowName    []string
	columns    []column
}

// column is one column: a figure, a part of the record, or a fact.
type column struct {
	name                            string
	metric                          measure.MetricID
	unit, population, rule, zeroWhy string
	field, fact                     string
}

// names are the columns that the mapping speaks of.
func (m mapping) names() []string {
	out := slices.Clone(m.rowName)
	for _, c := range m.columns {
		out = append(out, c.name)
	}
	return out
}

// fills reports whether a column fills a part of the record.
func (m mapping) fills(field string) bool {
	return slices.ContainsFunc(m.columns, func(c column) bool { return c.field == field })
}

// mostColumns bounds a mapping.
const mostColumns = 200

// parseMapping reads a mapping. Every fault is named.
func parseMapping(raw map[string]any) (mapping, error) {
	r := &keys{m: raw}
	m := mapping{headerRows: r.number("header_rows", 1, 3), number: r.number("number", 1, 1000), rowName: r.list("name")}
	switch sep := r.text("separator"); sep {
	case "":
	case "tab":
		m.separator = '\t'
	case ",", ";", "|":
		m.separator = rune(sep[0])
	default:
		r.fault("separator %q is none of , ; | tab", sep)
	}
	columns := r.tables("column")
	if len(columns) == 0 || len(columns) > mostColumns {
		r.fault("it needs from 1 to %d [[table.column]]", mostColumns)
	}
	metrics := map[measure.MetricID]string{}
	for _, c := range columns {
		col := parseColumn(c)
		r.faults = append(r.faults, c.faults...)
		if other, ok := metrics[col.metric]; ok && col.metric != "" {
			r.fault("columns %q and %q are both %s", other, col.name, col.metric)
		}
		metrics[col.metric] = col.name
		m.columns = append(m.columns, col)
	}
	if m.fills("concurrency") && m.fills("rate_per_s") {
		r.fault("a load is closed (concurrency) or open (rate_per_s): make one of the two a fact")
	}
	r.rest("table")
	return m, errors.Join(r.faults...)
}

func parseColumn(c *keys) column {
	col := column{name: c.text("column"), unit: c.text("unit"), population: c.text("population"), rule: c.text("definition"),
		zeroWhy: c.text("zero"), field: c.text("field"), fact: c.text("fact")}
	id, stat := c.text("metric"), c.text("statistic")
	if col.name == "" {
		c.fault("a column has no name: column = \"the header's text\"")
	}
	given := 0
	for _, s := range []string{id, col.field, col.fact} {
		if s != "" {
			given++
		}
	}
	if given != 1 {
		c.fault("column %q needs one of metric, field and fact", col.name)
	}
	if id != "" {
		var err error
		if col.metric, err = metricOf(id, stat); err != nil {
			c.fault("column %q: %v", col.name, err)
		}
	}
	if col.field != "" && !slices.Contains(fieldNames(), col.field) {
		c.fault("column %q: field %q is none of %s", col.name, col.field, strings.Join(fieldNames(), ", "))
	}
	c.rest(fmt.Sprintf("column %q", col.name))
	return col
}

// metricOf finds the metric; a latency needs its statistic.
func metricOf(id, stat string) (measure.MetricID, error) {
	m, ok := measure.Lookup(measure.MetricID(id))
	if !ok {
		return "", fmt.Errorf("metric %q is not in the metric registry", id)
	}
	stats := map[string]measure.Stat{"mean": measure.Mean, "median": measure.P50, "p50": measure.P50, "p90": measure.P90, "p95": measure.P95, "p99": measure.P99, "max": measure.StatMax}
	s, known := stats[stat]
	switch isBare := m.Quantity == measure.Time && m.Stat == measure.NoStat; {
	case isBare && known:
		return measure.ID(m.ID, s), nil
	case isBare:
		return "", fmt.Errorf("%s needs its statistic: mean, median, p90, p95, p99 or max", id)
	case stat != "":
		return "", fmt.Errorf("%s has no statistic, or has it in its name", id)
	}
	return m.ID, nil
}

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
			if m, ok := item.(map[string]any); ok {
				out = append(out, &keys{m: m})
			}
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
