package sheet

import (
	"strings"

	"github.com/xuri/excelize/v2"

	"benchline/ingest/measure"
	"benchline/render/pack"
)

// baseUnit is the unit in which the cells of a column are.
func baseUnit(c pack.Column) string {
	m, _ := measure.Lookup(c.Metric)
	return m.Unit()
}

// valueColumn is the column of numbers on the sheet of the arithmetic.
const valueColumn = 3

// arithmetic lists every term once, then every computation as a formula over the
// terms' cells.
func (b *book) arithmetic() {
	b.line("Change a number in the column “value” of the first table: the second is computed from it.")
	b.line()
	b.heads("number", "of", "value", "unit", "vouched for", "source", "where in the evidence")
	input, err := b.f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}, Border: []excelize.Border{{Type: "bottom", Style: 1, Color: "000000"}}})
	b.try(err)
	cells := map[string]string{}
	for _, t := range b.d.Numbers() {
		b.line(t.Label, t.Of, t.Value, t.Unit, string(t.Said), t.Source, t.FromText())
		cells[t.Key] = address(valueColumn, b.row)
		if !t.Fixed {
			b.try(b.f.SetCellStyle(b.name, cells[t.Key], cells[t.Key], input))
		}
	}
	b.line()
	b.heads("computed", "of", "value", "unit", "", "what it is")
	for _, c := range b.d.Computations() {
		// The value stands in the cell for programs that do not compute.
		b.line(c.Label, c.Of, c.Value, c.Unit, atMost(c), c.Rule)
		b.computed[c.ID] = address(valueColumn, b.row)
		b.try(b.f.SetCellFormula(b.name, b.computed[c.ID], formula(c, cells)))
	}
}

func atMost(c pack.Computation) string {
	if c.AtMost {
		return "an upper bound"
	}
	return ""
}

// formula is a computation over cells: "C4*C5/C6+C7". The terms of a product come
// in an order in which the first is none to divide by.
func formula(c pack.Computation, cells map[string]string) string {
	var sum []string
	for _, p := range c.Sum {
		var b strings.Builder
		for i, t := range p {
			switch {
			case i == 0 && t.Below:
				b.WriteString("1/")
			case t.Below:
				b.WriteByte('/')
			case i > 0:
				b.WriteByte('*')
			}
			b.WriteString(cells[t.Key])
		}
		sum = append(sum, b.String())
	}
	return strings.Join(sum, "+")
}
