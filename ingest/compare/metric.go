package compare

import (
	"cmp"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// The aspects of a figure: what two figures of one metric must have alike. Their
// names are stable.
const (
	aspectQuoted      = "a quoted claim"
	aspectDefinition  = "definition"
	aspectClock       = "clock start"
	aspectEnd         = "clock end"
	aspectNumerator   = "numerator"
	aspectWindow      = "window"
	aspectDuration    = "duration" // the window where it is not stated
	aspectPopulation  = "population"
	aspectPercentiles = "percentile rule"
	aspectTokens      = "token source"
	aspectObjectives  = "objectives"
)

// Metric says whether the two figures of one metric may be set side by side.
type Metric struct {
	Metric measure.MetricID `json:"metric"`
	// Differs names the aspects that differ; where it is not empty there is
	// nothing to compare. A metric that one side lacks has "missing on SLUG".
	Differs []string `json:"differs"`
	// NotStated names the aspects that a side does not state.
	NotStated []string `json:"not_stated"`
}

// Comparable reports whether nothing is known to differ between the figures.
func (m *Metric) Comparable() bool { return len(m.Differs) == 0 }

// Words says in words how the two figures go together.
func (m *Metric) Words() string {
	rest := slices.DeleteFunc(slices.Clone(m.Differs), func(s string) bool { return s == aspectQuoted })
	switch {
	case len(m.Differs) == 1 && isMissing(m.Differs[0]):
		return m.Differs[0]
	case len(rest) < len(m.Differs) && len(rest) > 0:
		return "not alike: a side is a quoted claim, and " + differWords(rest)
	case len(rest) < len(m.Differs):
		return "not alike: a side is a quoted claim"
	case len(rest) > 0:
		return "not alike: " + differWords(rest)
	case len(m.NotStated) > 0:
		return "alike in what is stated; not stated: " + list(m.NotStated)
	}
	return "alike"
}

// metricsOf judges each metric that a record has, in the registry's order.
func metricsOf(a, b evidence.Record) []Metric {
	out := make([]Metric, 0, len(a.Values))
	both := make(map[measure.MetricID]bool, len(a.Values))
	for _, x := range a.Values {
		m := Metric{Metric: x.Metric, Differs: []string{}, NotStated: []string{}}
		y, ok := b.Value(x.Metric)
		if !ok {
			m.Differs = append(m.Differs, missingOn+side(1, b))
		} else {
			both[x.Metric] = true
			m.judge(x, y, a, b)
		}
		out = append(out, m)
	}
	n := len(out)
	for _, y := range b.Values {
		if !both[y.Metric] {
			out = append(out, Metric{Metric: y.Metric, Differs: []string{missingOn + side(0, a)}, NotStated: []string{}})
		}
	}
	if len(out) > n {
		slices.SortStableFunc(out, func(x, y Metric) int { return cmp.Compare(place(x.Metric), place(y.Metric)) })
	}
	return out
}

// place is a metric's place in the registry; what is in none comes first.
func place(id measure.MetricID) int {
	n, ok := measure.Place(id)
	if !ok {
		return -1
	}
	return n
}

const missingOn = "missing on "

// judge compares the aspects of two figures of one metric.
func (m *Metric) judge(x, y evidence.Value, a, b evidence.Record) {
	if x.Amount.Kind == evidence.Quoted || y.Amount.Kind == evidence.Quoted {
		m.Differs = append(m.Differs, aspectQuoted)
	}
	alike := x.Rule == y.Rule || sameOverAll(x, y)
	if !alike {
		m.Differs = append(m.Differs, unlikeParts(x.Rule, y.Rule)...)
	}
	if alike && (undefined(x) || undefined(y)) {
		m.NotStated = append(m.NotStated, aspectDefinition)
	}
	n, o := terms(x.Numerator), terms(y.Numerator)
	p, q := populationOf(x.Population), populationOf(y.Population)
	repeats := a.Kind == evidence.RepeatsRecord && b.Kind == evidence.RepeatsRecord
	if repeats {
		n, o = n.ignored(), o.ignored() // the middle run of an odd number, or the two of an even one
	}
	if repeats || alike && x.Rule != y.Rule {
		p, q = p.ignored(), q.ignored() // the words hold the runs' own figures; or it is one population in two wordings
	}
	m.aspect(aspectNumerator, n, o)
	m.aspect(aspectWindow, windowOf(x.Window), windowOf(y.Window))
	m.aspect(aspectPopulation, p, q)
	if quantity, _, _ := measure.Kind(x.Metric); quantity == measure.GoodRate {
		m.aspect(aspectObjectives, text(a.State.Objectives), text(b.State.Objectives))
	}
}

// said is what a record says of one aspect.
type said struct {
	words string
	known bool // or it is a gap
}

// ignored keeps of an aspect only whether it is known.
func (s said) ignored() said { return said{known: s.known} }

func (m *Metric) aspect(name string, x, y said) {
	list := &m.NotStated
	if x.known && y.known {
		if x.words == y.words {
			return
		}
		list = &m.Differs
	} else if name == aspectWindow {
		name = aspectDuration
	}
	if !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
}

func text(k evidence.Known[string]) said {
	v, _ := k.Get()
	return said{v, !isGap(k.State())}
}

func terms(k evidence.Known[evidence.Term]) said {
	v, _ := k.Get()
	return said{v.Unit, !isGap(k.State())}
}

// windowOf is the rule that cut a window. One that a source states in its own
// words has these as its rule.
func windowOf(k evidence.Known[evidence.Window]) said {
	v, ok := k.Get()
	words := string(v.Rule)
	if ok && v.Rule == measure.StatedWindow {
		words += ": " + k.Note()
	}
	return said{words, !isGap(k.State())}
}

func populationOf(k evidence.Known[evidence.Population]) said {
	v, _ := k.Get()
	return said{v.Rule, !isGap(k.State())}
}

// undefined reports whether a value's source does not say how it defines it.
func undefined(v evidence.Value) bool {
	return slices.ContainsFunc(v.Limits, func(l evidence.Limit) bool { return l.Code == evidence.DefinitionNotStated })
}

// sameOverAll reports whether two quantiles are both over all requests that
// finished or were still open: one because it counts the open ones with their
// age, the other because it had none. Their definitions differ by the sentence
// that says the former.
func sameOverAll(x, y evidence.Value) bool {
	return (strings.HasPrefix(x.Rule, y.Rule) || strings.HasPrefix(y.Rule, x.Rule)) && overAll(x) && overAll(y)
}

func overAll(v evidence.Value) bool {
	if v.Completed != nil {
		return true
	}
	b := v.Bounds
	return b != nil && b.Lower.Kind == evidence.Exact && b.Lower == b.Upper
}

// unlikeParts names the parts in which two definitions differ: those that
// [evidence.PartsOfRule] can tell apart, else the definition as a whole.
func unlikeParts(x, y string) []string {
	p, okX := evidence.PartsOfRule(x)
	q, okY := evidence.PartsOfRule(y)
	if !okX || !okY {
		return []string{aspectDefinition}
	}
	var out []string
	for _, part := range []struct{ name, x, y string }{
		{aspectNumerator, p.Counted, q.Counted}, {aspectTokens, p.Tokens, q.Tokens}, {aspectClock, p.Start, q.Start}, {aspectEnd, p.End, q.End},
		{aspectWindow, p.Window, q.Window}, {aspectPopulation, p.Requests, q.Requests}, {aspectPercentiles, p.Percentiles, q.Percentiles},
	} {
		if part.x != part.y && part.x != "" && part.y != "" {
			out = append(out, part.name)
		}
	}
	if len(out) == 0 {
		return []string{aspectDefinition} // another word, or another tool, for what reads alike
	}
	return out
}
