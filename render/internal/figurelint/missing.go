package figurelint

import (
	"math"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/render/report"
)

// missing is L6: what is not known is drawn at a number or stands as a blank,
// and what has no upper end as something else.
func missing(v View) []Finding {
	var out []Finding
	v.each(func(f Field, l Line, d Datum) {
		what := missingInTable(d)
		if v.Chart {
			what = missingInChart(f, d)
		}
		if what != "" {
			out = append(out, fault(v.name(l, d), "%s", what))
		}
	})
	return out
}

func missingInChart(f Field, d Datum) string {
	if d.Number == nil {
		if d.Reason == "" {
			return "a gap without a reason"
		}
		return ""
	}
	switch {
	case math.IsNaN(*d.Number) || math.IsInf(*d.Number, 0):
		return "drawn at what is no number"
	case d.State == report.PointNoData || d.State == report.PointFailed:
		return "drawn at a number, and marked as without one"
	case f.Metric != "" && *d.Number < 0:
		return "drawn below zero, where its metric cannot lie"
	case d.Basis == nil:
		return ""
	}
	switch d.Basis.Value.Amount.Kind {
	case evidence.Unbounded, evidence.TooFew, evidence.Undefined:
		return "drawn at a number, where its record says " + string(d.Basis.Value.Amount.Kind)
	case evidence.AtLeast:
		if !d.Least {
			return "a lower bound, drawn as a value"
		}
	case evidence.Exact, evidence.Quoted:
		if d.Least {
			return "a value, drawn as a lower bound"
		}
	}
	return ""
}

// placeholders are texts that say nothing.
func placeholders() []string {
	return []string{"", "-", "–", "—", "n/a", "na", "none", "null", "nil", "nan", "inf", "+inf", "?", "0?", "tbd"}
}

func missingInTable(d Datum) string {
	text := strings.ToLower(strings.TrimSpace(d.Text))
	if slices.Contains(placeholders(), text) {
		return "the cell says “" + d.Text + "”: a gap says what it is"
	}
	if _, _, isNumber := number(d.Text); d.Gap && isNumber {
		return "a gap, shown as the number " + d.Text
	}
	if d.Basis == nil {
		return ""
	}
	starts := map[evidence.AmountKind]string{evidence.Unbounded: "unbounded", evidence.TooFew: "too few", evidence.Undefined: "undefined", evidence.AtLeast: "≥", evidence.Quoted: "“"}
	kind := d.Basis.Value.Amount.Kind
	if begin, ok := starts[kind]; ok && !strings.HasPrefix(text, begin) {
		return "its record says " + string(kind) + ", the cell “" + d.Text + "”"
	}
	return ""
}

// unmeasured is L8: a point that was derived, claimed or made up stands like one
// that was measured.
func unmeasured(v View) []Finding {
	var out []Finding
	v.each(func(_ Field, l Line, d Datum) {
		if what := unmeasuredAs(v, l, d); what != "" {
			out = append(out, fault(v.name(l, d), "%s", what))
		}
	})
	return out
}

func unmeasuredAs(v View, l Line, d Datum) string {
	_, _, isNumber := number(d.Text)
	shown := d.Number != nil || isNumber
	if d.Basis == nil {
		if l.Metric != "" && shown && v.Ranked && !l.Step {
			return "a number that rests on no record"
		}
		return ""
	}
	quoted := d.Basis.Value.Amount.Kind == evidence.Quoted
	derived := d.Basis.Record.Class == evidence.DerivedClass
	if v.Chart {
		switch {
		case d.Number == nil || d.State == report.PointVoid || d.State == report.PointClaimed:
		case quoted:
			return "claimed by its source, and drawn like a measurement"
		case derived && d.State != report.PointDerived:
			return "derived from other figures, and drawn like a measurement"
		}
		return ""
	}
	if derived && !d.hasMark(string(evidence.DerivedClass)) {
		return "derived from other figures, and its row does not say so"
	}
	return ""
}
