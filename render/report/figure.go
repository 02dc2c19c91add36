package report

import (
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Figure is a performance figure in a table or a sentence. It links to the
// headline block that says what it is.
type Figure struct {
	Record string // slug
	Metric measure.MetricID
	Label  string // full name, from the registry
	Href   string // relative to the page that shows it
	Kind   evidence.AmountKind
	Value  string // shortest float64 in the base unit; empty where there is no number
	Text   string // as shown, without the unit
	Unit   string
	Void   bool
	Basis  *Basis // nil in a figure that was not made from a record
}

// Words is the figure as plain text with its unit.
func (f Figure) Words() string {
	s := f.Text
	if f.Value != "" && f.Unit != "" {
		s += " " + f.Unit
	}
	if f.Void {
		return "void (" + s + ")"
	}
	return s
}

// Hot reports whether the figure is unknown or wrong in some way.
func (f Figure) Hot() bool { return f.Void || f.Kind != evidence.Exact && f.Kind != evidence.Quoted }

// Anchor is the fragment of a metric's headline block on its record page.
func Anchor(id measure.MetricID) string {
	return "fig-" + strings.ReplaceAll(string(id), "_", "-")
}

// amountText is an amount in a scaler's unit, and whether it holds a number.
func amountText(a evidence.Amount, s measure.Scaler) (text string, number bool) {
	switch a.Kind {
	case evidence.Exact:
		return s.Text(a.X), true
	case evidence.AtLeast:
		return "≥ " + s.Text(a.X), true
	case evidence.Unbounded:
		return "unbounded", false
	case evidence.TooFew:
		return "too few", false
	case evidence.Undefined:
		return "undefined", false
	case evidence.Quoted:
		return "“" + a.Text + "”", false
	}
	return "not stated", false
}

// scalerOf is the scaler of a value with everything that stands beside it in
// one block: amount, bounds, interval.
func scalerOf(v evidence.Value) measure.Scaler {
	return supported(v, measure.Scale(v.Metric, numbersOf(v)...))
}

// supported is a scaler without the digits that the value's interval does not
// support. A number that was taken over keeps the digits of its source.
func supported(v evidence.Value, scale measure.Scaler) measure.Scaler {
	if iv, ok := v.Interval.Get(); ok && !imported(v) {
		return scale.Within(iv.High - iv.Low)
	}
	return scale
}

func numbersOf(v evidence.Value) []float64 {
	var xs []float64
	add := func(a evidence.Amount) {
		if a.Kind == evidence.Exact || a.Kind == evidence.AtLeast {
			xs = append(xs, a.X)
		}
	}
	add(v.Amount)
	if v.Bounds != nil {
		add(v.Bounds.Lower)
		add(v.Bounds.Upper)
	}
	if v.Completed != nil {
		add(v.Completed.Amount)
	}
	if v.Estimate != nil {
		xs = append(xs, v.Estimate.X)
	}
	return xs
}

// figure makes a value's linked figure in a scaler's unit. Page is the path of
// the record's page relative to the page that shows the figure; empty on that
// page itself.
func (s *Set) figure(r *evidence.Record, v evidence.Value, scale measure.Scaler, page string) Figure {
	scale = supported(v, scale)
	text, number := amountText(v.Amount, scale)
	if written, ok := asWritten(v, scale); ok {
		text = written
	}
	f := Figure{Record: r.Slug, Metric: v.Metric, Label: s.metric(v.Metric).Label, Href: page + "#" + Anchor(v.Metric),
		Kind: v.Amount.Kind, Text: text, Unit: scale.Unit(), Void: r.Void, Basis: s.basis(r, v.Metric)}
	if number {
		f.Value = shortest(v.Amount.X)
	}
	return f
}

// ownFigure is a value's figure on its own record's page, in its own unit.
func (s *Set) ownFigure(r *evidence.Record, id measure.MetricID) (Figure, bool) {
	v, ok := r.Value(id)
	if !ok {
		return Figure{}, false
	}
	return s.figure(r, v, scalerOf(v), ""), true
}
