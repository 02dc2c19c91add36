package figurelint

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/report"
)

// labels is L1: the label of an axis or column is not the registry's name of
// what is shown there.
func labels(v View) []Finding {
	var out []Finding
	for _, f := range v.Fields {
		m, known := measure.Lookup(f.Metric)
		switch {
		case f.Metric != "" && !known:
			out = append(out, fault("", "the registry has no metric %q", f.Metric))
		case f.Metric != "" && f.Label != m.Short && !strings.HasPrefix(f.Label, m.Label):
			out = append(out, fault("", "%q is not what the registry calls %s (%q)", f.Label, f.Metric, m.Label))
		case f.Metric == "" && !slices.Contains(report.Quantities(), f.Of):
			out = append(out, fault("", "%q is the label of no metric and of no other quantity", f.Label))
		case f.Metric == "" && !strings.HasPrefix(f.Label, string(f.Of)):
			out = append(out, fault("", "%q is not what is called %q", f.Label, f.Of))
		}
	}
	for _, l := range v.Lines {
		if !under(l.Metric, v.Fields[l.Field].Metric) {
			out = append(out, fault(l.Name, "shows %s under the label of %s", orNone(l.Metric), orNone(v.Fields[l.Field].Metric)))
		}
	}
	v.each(func(_ Field, l Line, d Datum) {
		if d.Basis != nil && d.Basis.Value.Metric != l.Metric {
			out = append(out, fault(v.name(l, d), "the figure is %s and stands where %s is shown", d.Basis.Value.Metric, orNone(l.Metric)))
		}
	})
	return out
}

// under reports whether figures of a metric may stand under a field's label: the
// field's own metric, or a statistic of it.
func under(m, field measure.MetricID) bool {
	if m == field {
		return true
	}
	x, ok := measure.Lookup(m)
	return ok && field != "" && x.Base == field
}

func orNone(id measure.MetricID) string {
	if id == "" {
		return "no metric"
	}
	return string(id)
}

// units is L2: the unit beside a figure is not the figure's, or the number is
// not the record's in that unit.
func units(v View) []Finding {
	var out []Finding
	for _, f := range v.Fields {
		if !slices.Contains(allowedUnits(f, v.Chart), f.Unit) {
			out = append(out, fault("", "%q is no unit of %q", f.Unit, f.Label))
		}
	}
	v.each(func(f Field, l Line, d Datum) {
		if d.Basis == nil {
			return
		}
		a := d.Basis.Value.Amount
		switch {
		case v.Chart && d.Number != nil && *d.Number != a.X:
			out = append(out, fault(v.name(l, d), "drawn at %v, where its record has %v %s", *d.Number, a.X, f.Unit))
		case !v.Chart && (a.Kind == evidence.Exact || a.Kind == evidence.AtLeast) && !shows(d.Text, f.Unit, a.X):
			out = append(out, fault(v.name(l, d), "shown as %q %s, where its record has %v in the base unit", d.Text, f.Unit, a.X))
		}
	})
	return out
}

// allowedUnits are the units that a field may have. The axes of charts are in
// base units; columns may have another for times.
func allowedUnits(f Field, chart bool) []string {
	m, ok := measure.Lookup(f.Metric)
	switch {
	case !ok:
		return []string{f.Of.Unit()}
	case m.Quantity == measure.Time && !chart:
		return []string{"s", "ms", "µs", "ns"}
	}
	return []string{m.Unit()}
}

// shows reports whether a text in a unit is the number x, as far as its digits
// go.
func shows(text, unit string, x float64) bool {
	n, half, ok := number(text)
	if !ok {
		return false
	}
	by := map[string]float64{"ms": 1e3, "µs": 1e6, "ns": 1e9}[unit]
	if by == 0 {
		by = 1
	}
	return math.Abs(x*by-n) <= half*(1+1e-9)+math.Abs(n)*1e-12
}

// number reads a shown number, and half the unit of its last digit.
func number(text string) (n, half float64, ok bool) {
	// Every cell of a site comes here: a Replacer built for each cost more than the rest.
	plain := strings.ReplaceAll(strings.TrimSpace(text), "≥ ", "")
	plain = strings.ReplaceAll(strings.ReplaceAll(plain, ",", ""), "−", "-")
	n, err := strconv.ParseFloat(plain, 64)
	if err != nil || strings.ContainsAny(plain, "eEnNxX") {
		return 0, 0, false
	}
	return n, math.Pow10(-decimals(plain)) / 2, true
}

func decimals(text string) int {
	if i := strings.IndexByte(text, '.'); i >= 0 {
		return len(text) - i - 1
	}
	return 0
}

// perWords finds a denominator in a label or unit.
func perWords() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:\bper\s+|/\s*)(gpu|accelerator|chip|card|device|node|user|client)s?\b`)
}

// denominators is L3: a figure for each accelerator or user, where no manifest
// states how many there were.
func denominators(v View) []Finding {
	var out []Finding
	per := perWords()
	whats := make([]string, len(v.Fields)) // by field; empty: it is for all
	for i, f := range v.Fields {
		if found := per.FindStringSubmatch(f.Label + " " + f.Unit); found != nil {
			whats[i] = strings.ToLower(found[1])
		}
	}
	v.each(func(_ Field, l Line, d Datum) {
		what := whats[l.Field]
		if what != "" && !d.Gap && (d.Basis == nil || !dividedBy(d.Basis.Record, what)) {
			out = append(out, fault(v.name(l, d), "is for each %s, and its record does not state how many there were", what))
		}
	})
	return out
}

func dividedBy(r *evidence.Record, what string) bool {
	if what == "user" || what == "client" {
		return r.Load.Concurrency.State() == evidence.StateStated
	}
	return r.Subject.Accelerators.State() == evidence.StateStated
}
