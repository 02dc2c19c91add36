package mapped

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/measure"
)

// tableMapping says what the columns of a table are.
type tableMapping struct {
	headerRows int
	separator  rune // 0: by the file's name
	number     int  // Markdown: which table, from 1
	rowName    []place
	entries    []entry
}

// jsonMapping says what the keys of a JSON file are.
type jsonMapping struct {
	rows    []string // the path of the rows; empty: each value of the file
	rowName []place
	entries []entry
}

// place is where in a row something stands.
type place struct {
	name string   // a column, or a path as it is written
	path []string // JSON
}

// self is the place of a row's own key.
const self = "*"

func (p place) isSelf() bool { return len(p.path) == 1 && p.path[0] == self }

// entry is one place that is mapped: a figure, a part of the record, or a fact.
type entry struct {
	at                              place
	metric                          measure.MetricID
	unit, population, rule, zeroWhy string
	// Of a figure: how many requests it is about, and what was divided.
	n, numerator, denominator place
	field, fact               string
}

// places are all that a mapping speaks of.
func places(by []place, entries []entry) []place {
	out := slices.Clone(by)
	for _, e := range entries {
		for _, p := range []place{e.at, e.n, e.numerator, e.denominator} {
			if p.name != "" {
				out = append(out, p)
			}
		}
	}
	return out
}

// mostEntries bounds a mapping.
const mostEntries = 200

// parseTable reads the mapping of a table. Every fault is named.
func parseTable(raw map[string]any) (tableMapping, error) {
	r := &keys{m: raw}
	m := tableMapping{headerRows: r.number("header_rows", 1, 3), number: r.number("number", 1, 1000)}
	for _, name := range r.list("name") {
		m.rowName = append(m.rowName, place{name: name})
	}
	switch sep := r.text("separator"); sep {
	case "":
	case "tab":
		m.separator = '\t'
	case ",", ";", "|":
		m.separator = rune(sep[0])
	default:
		r.fault("separator %q is none of , ; | tab", sep)
	}
	m.entries = r.entries("table", "column", "column", func(k *keys, key string) place { return place{name: k.text(key)} })
	r.rest("table")
	return m, errors.Join(r.faults...)
}

// parseJSON reads the mapping of a JSON file. Every fault is named.
func parseJSON(raw map[string]any) (jsonMapping, error) {
	r := &keys{m: raw}
	m := jsonMapping{rows: r.path("rows").path}
	if len(m.rows) > 0 && !slices.Contains(m.rows, self) {
		r.fault("rows has no *, which stands for each item of a list or member of an object: %q", strings.Join(m.rows, "."))
	}
	for _, name := range r.list("name") {
		m.rowName = append(m.rowName, dotted(name))
	}
	m.entries = r.entries("json", "value", "key", (*keys).path)
	for _, p := range places(m.rowName, m.entries) {
		if p.name != "" && !p.isSelf() && slices.Contains(p.path, self) {
			r.fault("key %q: * stands alone, for the row's own key", p.name)
		}
		if p.isSelf() && len(m.rows) == 0 {
			r.fault("key %q is the row's own, and without rows there is none", p.name)
		}
		if slices.Contains(p.path, "") {
			r.fault("key %q has an empty part", p.name)
		}
	}
	r.rest("json")
	return m, errors.Join(r.faults...)
}

// dotted is a path as it is written: parts with dots between.
func dotted(text string) place {
	if text == "" {
		return place{}
	}
	return place{name: text, path: strings.Split(text, ".")}
}

// entries reads the list of what is mapped: [[table.column]] or [[json.value]].
// Key is the key of an entry's place, at reads a place.
func (k *keys) entries(section, list, key string, at func(k *keys, key string) place) []entry {
	given := k.tables(list)
	if len(given) == 0 || len(given) > mostEntries {
		k.fault("it needs from 1 to %d [[%s.%s]]", mostEntries, section, list)
	}
	metrics := map[measure.MetricID]string{}
	fields := map[string]string{}
	var out []entry
	for _, g := range given {
		e := parseEntry(g, list, key, at)
		k.faults = append(k.faults, g.faults...)
		if other, ok := metrics[e.metric]; ok && e.metric != "" {
			k.fault("%ss %q and %q are both %s", list, other, e.at.name, e.metric)
		}
		if other, ok := fields[e.field]; ok && e.field != "" {
			k.fault("%ss %q and %q both fill %s", list, other, e.at.name, e.field)
		}
		metrics[e.metric], fields[e.field] = e.at.name, e.at.name
		out = append(out, e)
	}
	if _, closed := fields["concurrency"]; closed && fields["rate_per_s"] != "" {
		k.fault("a load is closed (concurrency) or open (rate_per_s): make one of the two a fact")
	}
	return out
}

func parseEntry(k *keys, list, key string, at func(k *keys, key string) place) entry {
	e := entry{at: at(k, key), n: at(k, "n"), numerator: at(k, "numerator"), denominator: at(k, "denominator"), unit: k.text("unit"), population: k.text("population"), rule: k.text("definition"),
		zeroWhy: k.text("zero"), field: k.text("field"), fact: k.text("fact")}
	id, stat := k.text("metric"), k.text("statistic")
	what := fmt.Sprintf("%s %q", list, e.at.name)
	if e.at.name == "" {
		k.fault("a %s has no %s", list, key)
	}
	given := 0
	for _, s := range []string{id, e.field, e.fact} {
		if s != "" {
			given++
		}
	}
	if given != 1 {
		k.fault("%s needs one of metric, field and fact", what)
	}
	if id != "" {
		var err error
		if e.metric, err = metricOf(id, stat); err != nil {
			k.fault("%s: %w", what, err)
		}
	} else if stat+e.unit+e.population+e.rule+e.zeroWhy+e.n.name != "" {
		k.fault("%s: statistic, unit, population, n, definition and zero go with a metric", what)
	}
	if e.numerator.name+e.denominator.name != "" && numeratorUnit(e.metric) == "" {
		k.fault("%s: numerator and denominator go with a rate", what)
	}
	if e.field != "" && !slices.Contains(fieldNames(), e.field) {
		k.fault("%s: field %q is none of %s", what, e.field, strings.Join(fieldNames(), ", "))
	}
	k.rest(what)
	return e
}

// numeratorUnit is what a rate counts; empty: it is no rate.
func numeratorUnit(id measure.MetricID) string {
	m, ok := measure.Lookup(id)
	if !ok || m.Quantity == measure.Time {
		return ""
	}
	return strings.TrimSuffix(m.Unit(), "/s")
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
