package report

import (
	"strconv"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// imported reports whether a figure was taken over from a source instead of
// being computed here. Then the definitions of the metric registry, which are
// those of benchline's own figures, are not its own.
func imported(v evidence.Value) bool { return v.Original != nil }

// allImported reports whether a record has figures and every one was taken over.
func allImported(r *evidence.Record) bool {
	for _, v := range r.Values {
		if !imported(v) {
			return false
		}
	}
	return len(r.Values) > 0
}

// asWritten is an imported number as its source writes it, when it stands in
// the unit that is shown: no digit is added and none is lost.
func asWritten(v evidence.Value, scale measure.Scaler) (string, bool) {
	if v.Original == nil || v.Amount.Kind != evidence.Exact {
		return "", false
	}
	plain := strings.ReplaceAll(v.Original.Number, ",", "")
	x, err := strconv.ParseFloat(plain, 64)
	if err != nil || strings.ContainsAny(plain, "eExXpP_+-") {
		return "", false
	}
	inUnit := v.Original.Unit == scale.Unit()
	if m, ok := measure.Lookup(v.Metric); ok && m.Quantity != measure.Time {
		inUnit = x == v.Amount.X
	}
	if !inUnit {
		return "", false
	}
	whole, fraction, point := strings.Cut(plain, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return "", false
	}
	text := measure.FormatCount(n)
	if point {
		text += "." + fraction
	}
	return text, true
}

// howImported stands in the place of our formula.
func howImported(v evidence.Value) string {
	if v.Original.Key == "" {
		return "as the source has it"
	}
	return "as the source has it: “" + v.Original.Key + "”"
}

// derivedBy says by which rule the numerator of a figure that was taken over was
// made, where its source does not state it: otherwise it would read as the
// source's own.
func derivedBy(s *Spans, v evidence.Value) {
	if imported(v) && v.Numerator.State() == evidence.StateDerived {
		s.say(" (derived: " + v.Numerator.Note() + ")")
	}
}

// inTheSource is a number as its source writes it, with the source's name for it
// where that is known.
func inTheSource(o evidence.Original) string {
	text := strings.TrimSpace(o.Number + " " + o.Unit)
	if o.Key == "" {
		return text
	}
	return text + " (" + o.Key + ")"
}

// importedSentence names what a figure would be made of where its source does
// not say how much of it there was: the kind of tokens, the missing time.
func importedSentence(s *Spans, v evidence.Value, m measure.Metric) {
	num, den := show(v.Numerator, termWords), show(v.Denominator, termWords)
	if m.Quantity == measure.Time {
		s.say("The " + statWords(m.Stat) + " of ")
		s.part("numerator", instead(num, "single times that are not stated"))
		derivedBy(s, v)
		s.say(", of ")
		den = instead(den, "a number of requests that is not stated")
		if p, ok := v.Population.Get(); ok && v.Denominator.State() == evidence.StateNotStated {
			den = Text{State: v.Population.State(), Text: measure.Counted(p.N, "request")}
		}
		s.part("denominator", den)
	} else {
		s.part("numerator", instead(num, numeratorWords(m.Quantity)+", how many is not stated"))
		derivedBy(s, v)
		s.say(", divided by ")
		s.part("denominator", instead(den, "an elapsed time that is not stated"))
	}
	s.say("; window: ")
	s.part("window", windowText(v.Window))
	s.say("; population: ")
	s.part("population", show(v.Population, populationWords))
	s.say(".")
}

func instead(t Text, words string) Text {
	if t.Gap() {
		t.Text = words
	}
	return t
}

func statWords(s measure.Stat) string {
	switch s {
	case measure.Mean:
		return "mean"
	case measure.P50:
		return "median"
	case measure.StatMax:
		return "largest"
	case measure.P90, measure.P95, measure.P99, measure.NoStat:
	}
	return string(s)
}

func numeratorWords(q measure.Quantity) string {
	switch q {
	case measure.OutputTokenRate:
		return "output tokens"
	case measure.TotalTokenRate:
		return "input and output tokens"
	case measure.RequestRate:
		return "requests"
	case measure.GoodRate:
		return "requests within the objectives"
	case measure.Time:
	}
	return "what was counted"
}

// windowText is a window in words. Of one that a source states, where it is
// stated says what its timer includes (M02).
func windowText(k evidence.Known[evidence.Window]) Text {
	t := show(k, windowWords)
	if w, ok := k.Get(); ok && w.Rule == measure.StatedWindow && k.Note() != "" {
		t.Text += " (" + k.Note() + ")"
	}
	return t
}

// inputWords is the asked input length: the number, or what the source writes
// in place of one.
func inputWords(r *evidence.Record) Text {
	t := showCount(r.Workload.InputTokensAsked)
	if p, ok := r.Workload.Prompts.Get(); ok && t.Gap() {
		t.Text, _, _ = strings.Cut(p, ";")
		t.State = r.Workload.Prompts.State()
	}
	return t
}

// drawable reports whether a load curve of these records says something. Of
// figures that were taken over it does only if the load rises along it.
func drawable(members []*evidence.Record, base measure.MetricID) bool {
	loads := map[float64]bool{}
	for _, r := range members {
		if !allImported(r) {
			return true
		}
		for _, st := range []measure.Stat{measure.P50, measure.P95, measure.Mean} {
			if v, ok := r.Value(measure.ID(base, st)); ok && hasNumber(v) {
				loads[loadSize(r)] = true
			}
		}
	}
	return len(loads) > 1
}

// rising reports whether records with an output-token rate were made at more than
// one load.
func rising(members []*evidence.Record) bool {
	loads := map[float64]bool{}
	for _, r := range members {
		if v, ok := r.Value("output_token_rate"); ok && hasNumber(v) && loadQuantity(r) != "" {
			loads[loadSize(r)] = true
		}
	}
	return len(loads) > 1
}

// valueGaps are what single figures of a record lack, with the reasons. What a
// mean or a percentile was taken of is its population.
func (s *Set) valueGaps(g *gapList, r *evidence.Record) {
	for _, v := range r.Values {
		if !imported(v) {
			continue
		}
		m := s.metric(v.Metric)
		if m.Quantity != measure.Time {
			gap(g, m.Short+": numerator", v.Numerator)
			gap(g, m.Short+": denominator", v.Denominator)
		}
		gap(g, m.Short+": population", v.Population)
	}
}
