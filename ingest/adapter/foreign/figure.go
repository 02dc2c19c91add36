package foreign

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// Figure is one number of a foreign file on its way into a record.
type Figure struct {
	Metric measure.MetricID
	Number Node
	Key    string // as the file has it: "mean_ttft_ms"
	// Unit is the number's unit, by the file or by the format's definition;
	// empty: not known, and then the number is quoted and computed with nowhere.
	Unit string
	// Rule is the tool's definition of the word, a sentence.
	Rule string
	// Undefined names what the tool does not say about the word; empty: it says
	// enough.
	Undefined string
	// The parts, as the tool defines them; the zero Known is not stated.
	Numerator, Denominator evidence.Known[evidence.Term]
	Window                 evidence.Known[evidence.Window]
	Population             evidence.Known[evidence.Population]
	// CountedOver and TimedOver are what the numerator of a rate was counted over
	// and which time it is divided by, where they are not the same; else empty.
	CountedOver, TimedOver string
	// ZeroMeans is why a zero here is no measurement; empty: a zero is a zero.
	ZeroMeans string
}

// amount is the figure as a claim.
func (f Figure) amount() (evidence.Amount, evidence.Original) {
	o := evidence.Original{Number: f.Number.Text, Unit: f.Unit, Key: f.Key}
	if x, ok := f.Number.Float(); ok && x == 0 && f.ZeroMeans != "" {
		return evidence.Amount{Kind: evidence.Undefined, Reason: "not stated: the file has 0 here, and " + f.ZeroMeans}, o
	}
	if f.Unit == "" {
		return evidence.Amount{Kind: evidence.Quoted, Text: f.Number.Text + ", unit not stated"}, o
	}
	a := evidence.Amount{Kind: evidence.Quoted, Text: f.Number.Text + " " + f.Unit}
	a.X, _ = Convert(f.Number.Text, f.Unit, f.Metric)
	return a, o
}

// Claim adds a figure to the record as what it is: the tool's claim. A value
// that is not there, null or no number adds nothing, and the last is noted. It
// reports whether a value was added. A figure whose metric has another one
// already is kept as a fact.
func (d *Draft) Claim(f Figure) bool {
	if !d.numeric(f.Key, f.Number) {
		return false
	}
	for i := range d.Record.Values {
		if v := &d.Record.Values[i]; v.Metric == f.Metric {
			if v.Original == nil || v.Original.Number != f.Number.Text || v.Original.Unit != f.Unit { // "median" and "p50"
				d.Fact(f.Key, f.Number)
			}
			return false
		}
	}
	a, o := f.amount()
	v := evidence.UnstatedValue(f.Metric, a, f.Rule, d.missing)
	v.Original, v.Cache = &o, d.Record.State.Cache
	v.Numerator, v.Denominator = orMissing(f.Numerator, d.missing), orMissing(f.Denominator, d.missing)
	v.Window, v.Population = orMissing(f.Window, d.missing), orMissing(f.Population, d.missing)
	v.Interval = evidence.NotStated[evidence.Interval]("the file gives none")
	at := string(f.Metric)
	v.Limits = slices.Concat(limits.DefinitionNotStated(f.Undefined).At(at), limits.WindowMismatch(f.CountedOver, f.TimedOver).At(at))
	d.Record.Values = append(d.Record.Values, v)
	return true
}

// numeric reports whether a node is a number, and notes one that is something
// else. What is not finite was noted when it was read.
func (d *Draft) numeric(key string, n Node) bool {
	switch {
	case !n.Has() || n.Kind == NotFinite:
		return false
	case n.IsNumber():
		return true
	case n.Kind == Text && wordOf(n.Text):
		d.Note(n.Line, fmt.Sprintf("%s is %q, which is no number: no value", key, n.Text))
	default:
		d.Note(n.Line, fmt.Sprintf("%s is no number and is left out", key))
	}
	return false
}

func orMissing[T any](k evidence.Known[T], reason string) evidence.Known[T] {
	if k.State() == 0 {
		return evidence.NotStated[T](reason)
	}
	return k
}

// Recomputed puts a figure that was computed from the file's rows into the
// record. Where the tool printed a figure of that name, it stands beside it as
// the claim.
func (d *Draft) Recomputed(v evidence.Value) {
	for i := range d.Record.Values {
		old := &d.Record.Values[i]
		if old.Metric != v.Metric {
			continue
		}
		if old.Original != nil {
			v.Claim = &evidence.Claim{Amount: old.Amount, Original: *old.Original, Rule: old.Rule, Population: old.Population}
		}
		for _, l := range old.Limits {
			if l.Code != evidence.DefinitionNotStated {
				v.Limits = append(v.Limits, l)
			}
		}
		d.Record.Values[i] = v
		return
	}
	d.Record.Values = append(d.Record.Values, v)
}

// Rule writes a definition as the sentence that stands at each value of its
// word.
func Rule(word, tool, says string) string {
	return "“" + word + "” as " + tool + " defines it: " + strings.TrimSuffix(says, ".") + "."
}

// Undefined names what a definition leaves open, for the limit; empty: nothing
// that matters for reading a figure.
func Undefined(d adapter.Definition) string {
	var open []string
	for _, x := range []struct{ name, text string }{{"start", d.Start}, {"end", d.End}, {"population", d.Population}, {"window", d.Window}} {
		if x.text == adapter.NotDefined {
			open = append(open, x.name)
		}
	}
	return strings.Join(open, ", ")
}
