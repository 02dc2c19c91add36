package report

import (
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// headUnit is what the head of a column of figures says of its unit beside the
// label. A quotation keeps the unit that its source gave it, which may be another
// than that of the numbers around it, so the head of a column with quotations
// says that its unit is not theirs, and that of a column of nothing else names
// none. Empty where the label is the unit itself.
func headUnit(rs []*evidence.Record, id measure.MetricID, label, unit string) string {
	quoted, numbers := false, false
	for _, r := range rs {
		if v, ok := r.Value(id); ok {
			quoted = quoted || v.Amount.Kind == evidence.Quoted
			numbers = numbers || v.Amount.Kind == evidence.Exact || v.Amount.Kind == evidence.AtLeast
		}
	}
	if strings.EqualFold(label, unit) {
		unit = ""
	}
	switch {
	case !quoted:
		return unit
	case !numbers:
		return "as quoted"
	case unit == "":
		return "or as quoted"
	}
	return unit + ", or as quoted"
}

// columnHead is a column's head in words.
func columnHead(label, unit string) string {
	if unit == "" {
		return label
	}
	return label + ", " + unit
}
