package mapped

import (
	"cmp"
	"fmt"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// figure claims a cell's number, and keeps the cell as it is.
func (e entry) figure(d *foreign.Draft, c cell, cellOf func(place) cell) {
	name := e.at.name
	plain, rest, ok := number(c.text)
	if !ok {
		d.Note(c.line, fmt.Sprintf("“%s”: %q is no number and gives no figure", name, c.text))
		d.Record.Facts = append(d.Record.Facts, evidence.Fact{Key: name, Label: name, Value: evidence.Stated(foreign.Clean(c.text), c.where)})
		return
	}
	f := foreign.Figure{Metric: e.metric, Number: foreign.Node{Kind: foreign.Number, Text: plain, Line: c.line}, Key: name, Unit: e.unit, ZeroMeans: e.zeroWhy}
	f.Rule = fmt.Sprintf("As the file has it under “%s”, which it does not define.", name)
	f.Undefined = "what is counted, from when to when, and over which requests"
	if e.rule != "" {
		f.Rule = fmt.Sprintf("“%s” of the file, by the import.toml beside it: %s.", name, strings.TrimSuffix(e.rule, "."))
		f.Undefined = ""
	}
	if e.population != "" {
		f.Rule += " Population: " + strings.TrimSuffix(e.population, ".") + "."
	}
	f.Population = e.countOf(cellOf)
	f.Numerator = term(e.numerator, numeratorUnit(e.metric), cellOf)
	f.Denominator = term(e.denominator, "s", cellOf)
	if t, divided := f.Denominator.Get(); divided {
		f.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: t.Amount}, f.Denominator.Note())
	}
	if !d.Claim(f) {
		return
	}
	v := &d.Record.Values[len(d.Record.Values)-1]
	v.Original.Number = c.text
	if v.Amount.Kind == evidence.Quoted {
		v.Amount.Text = strings.Replace(v.Amount.Text, plain, c.text, 1)
	}
	if rest != "" {
		d.FactText(name+", behind ±", rest, c.where)
	}
}

// countOf is the population of a figure, where a place says how many requests
// it has.
func (e entry) countOf(cellOf func(place) cell) evidence.Known[evidence.Population] {
	x, where, ok := numberAt(e.n, cellOf)
	n := int64(x)
	if !ok || float64(n) != x {
		return evidence.Known[evidence.Population]{}
	}
	rule := cmp.Or(e.population, "requests, which ones is not stated")
	return evidence.Stated(evidence.Population{Rule: rule, N: n}, where)
}

// term is a part of a quotient.
func term(at place, unit string, cellOf func(place) cell) evidence.Known[evidence.Term] {
	x, where, ok := numberAt(at, cellOf)
	if !ok {
		return evidence.Known[evidence.Term]{}
	}
	return evidence.Stated(evidence.Term{Amount: x, Unit: unit, What: "“" + at.name + "” of the file"}, where)
}

// numberAt is a number that stands at a place and is more than 0.
func numberAt(at place, cellOf func(place) cell) (x float64, where string, ok bool) {
	if at.name == "" {
		return 0, "", false
	}
	c := cellOf(at)
	plain, _, ok := number(c.text)
	if c.gap != "" || !ok {
		return 0, "", false
	}
	x, ok = foreign.Node{Kind: foreign.Number, Text: plain}.Float()
	return x, c.where, ok && x > 0
}
