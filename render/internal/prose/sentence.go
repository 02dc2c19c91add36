package prose

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/measure"
)

// compared checks a sentence that names figures of several records and says
// that one is better: only what the verdict on the records carries may be said.
func (x *reader) compared(f *flat, ts []token) {
	if x.ev == nil {
		return
	}
	word, falls, ok := comparing(ts)
	if !ok {
		return
	}
	const most = 20 // figures of one sentence
	var refs []*refNode
	for _, t := range ts {
		if t.kind != refToken || t.ref.fault != "" || t.ref.ref.Kind != Ev || len(refs) == most {
			continue
		}
		if !slices.ContainsFunc(refs, func(r *refNode) bool { return slices.Equal(r.ref.Args, t.ref.ref.Args) }) {
			refs = append(refs, t.ref)
		}
	}
	for i, a := range refs {
		for _, b := range refs[i+1:] {
			if x.pair(f, word, falls, a, b) {
				return // one fault a sentence: the next shows when it is mended
			}
		}
	}
}

// pair checks two references of one sentence and reports whether it found a fault.
func (x *reader) pair(f *flat, word token, falls bool, a, b *refNode) bool {
	one, two := a.ref.Args, b.ref.Args
	if one[0] == two[0] {
		return false
	}
	v, ok := x.ev.Versus(one[0], two[0])
	if !ok {
		return false // a record is missing: that is reported where it is named
	}
	d := x.doc.at(f.at[word.start], "", "")
	switch {
	case falls && !v.OneFamily:
		d.Msg = fmt.Sprintf("%q is said of %s and %s, which are of different families", word.text, one[0], two[0])
		d.Hint = "a difference between recipes is no regression: name both figures and say that the recipes differ"
	case !v.Controlled:
		d.Msg = fmt.Sprintf("%q compares %s with %s. %s", word.text, one[0], two[0], strings.TrimSuffix(v.Sentence, "."))
		d.Hint = "name both figures without comparing them"
		if v.Ratio {
			d.Hint = fmt.Sprintf("show the ratio with its sentence instead: {{compare %s %s}}", one[0], two[0])
		}
	case one[1] == two[1] && !v.Shares(measure.MetricID(one[1])):
		d.Msg = fmt.Sprintf("%q compares %s of %s with that of %s, and they are not figures under one rule, window and population", word.text, one[1], one[0], two[0])
		d.Hint = "compare a metric that both records have under one rule"
	default:
		return false
	}
	x.out = append(x.out, d)
	return true
}

// comparing finds the word by which a sentence compares. Falls is true of a
// word that says that something became worse than it was.
func comparing(ts []token) (word token, falls, ok bool) {
	for i, t := range ts {
		if t.kind == symbolToken && t.is("×") && i > 0 && ts[i-1].kind != numberToken && ts[i-1].kind != refToken {
			continue // a product
		}
		switch t.text {
		case "regression", "regressions", "regressed", "regresses":
			return t, true, true
		case "faster", "slower", "quicker", "better", "worse", "higher", "lower",
			"outperform", "outperforms", "outperformed", "outperforming", "beats", "beat", "exceeds", "exceeded", "surpasses", "surpassed",
			"improvement", "improvements", "improve", "improves", "improved", "improving", "speedup", "speedups", "gain", "gains", "gained", "advantage",
			"best", "worst", "fastest", "slowest", "twice", "double", "doubles", "doubled", "triple", "half", "halves", "halved", "×", "fold",
			"degraded", "degrades", "degradation", "increase", "increases", "increased", "decrease", "decreases", "decreased", "rose", "rises", "fell", "drops", "dropped":
			if !ok {
				word, ok = t, true
			}
		case "more", "less", "than":
			if !ok && (t.is("than") || than(ts[i+1:])) {
				word, ok = t, true
			}
		}
	}
	return word, false, ok
}

// than reports whether "than" follows within a few words: "more tokens than".
func than(ts []token) bool {
	const reach = 5
	for _, t := range ts[:min(len(ts), reach)] {
		if t.is("than") {
			return true
		}
	}
	return false
}
