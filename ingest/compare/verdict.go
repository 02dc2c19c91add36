package compare

import (
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Kind is what a comparison may be read as.
type Kind string

// The kinds of verdict.
const (
	// Controlled: at most one dimension differs, and all others are stated and
	// equal. A difference may be shown.
	Controlled Kind = "controlled"
	// Confounded: more than one dimension differs, or one is not stated. No number.
	Confounded Kind = "confounded"
	// SystemsRatio: the profiles differ, and nothing is known to differ in
	// workload, load, cache state and place of the client. A ratio may be shown,
	// with [RatioSentence] and with what is not stated.
	SystemsRatio Kind = "systems ratio"
	// NotComparable: what was measured is not the same thing. No number.
	NotComparable Kind = "not comparable"
)

// RatioSentence stands beside every systems ratio.
const RatioSentence = "A ratio of two whole systems: neither a ranking of model quality nor the isolated gain of any one change."

// Verdict is what a comparison of two records may be read as.
type Verdict struct {
	// A and B are the records' slugs. A is the base: a difference is B less A, a
	// ratio B divided by A.
	A    string `json:"a"`
	B    string `json:"b"`
	Kind Kind   `json:"kind"`
	// Sentence is the verdict in words.
	Sentence string `json:"sentence"`
	// Why names the dimensions that decided, in the table's order: what differs
	// and, where that decided too, what is not stated.
	Why []string `json:"why"`
	// Differs names all counting dimensions that are known to differ; NotStated
	// those that a side does not state, of the pair and of all figures that the
	// sides have in common.
	Differs   []string `json:"differs"`
	NotStated []string `json:"not_stated"`
	// Needs says what would have to be known or done before more could be said,
	// a sentence each; empty where there is nothing.
	Needs      []string    `json:"needs"`
	Dimensions []Dimension `json:"dimensions"`
	// Metrics are those of which a number may be shown: empty unless the kind
	// allows numbers. In a controlled pair all aspects of their figures are
	// stated; in a systems ratio none is known to differ.
	Metrics []measure.MetricID `json:"metrics"`
	// Figures judges every metric that a side has, one by one.
	Figures []Metric `json:"figures"`
}

// Numbers reports whether the verdict allows a number: a difference or a ratio.
func (v Verdict) Numbers() bool { return v.Kind == Controlled || v.Kind == SystemsRatio }

// Repeats reports whether nothing differs: two measurements of one recipe. A
// difference between them is the spread of that recipe and no effect.
func (v Verdict) Repeats() bool { return v.Kind == Controlled && len(v.Why) == 0 }

// Compare gives the verdict on two records. It is symmetric but for the sides'
// places. It never fails: what is missing is part of the verdict.
//
// What is known to differ in the measurement itself (validity, evidence class,
// kind of record, formal benchmark, token source, completeness) leaves nothing
// to compare, and so does the lack of any metric whose two figures are alike in
// definition, numerator, window, population, clock start and percentile rule.
// Between two named profiles a known difference in workload, load, cache state
// or place of the client confounds; what is not stated is named beside the
// ratio. Within one profile the pair is controlled if at most one dimension
// differs and every other one is stated.
//
// To state less never makes a verdict controlled, and to take away what both
// sides state alike never makes it stronger. One gap remains: two known
// differences between profiles that are no longer stated are named as gaps of a
// ratio, because the archive's ratios have such gaps.
func Compare(a, b evidence.Record) Verdict {
	j := judgement{a: a, b: b, dims: dimensions(a, b), figures: metricsOf(a, b)}
	j.sort()
	v := j.decide()
	v.A, v.B, v.Dimensions, v.Figures = a.Slug, b.Slug, j.dims, j.figures
	v.Metrics = []measure.MetricID{}
	for i := range j.figures {
		m := &j.figures[i]
		if v.Kind == SystemsRatio && m.Comparable() || v.Kind == Controlled && m.whole() {
			v.Metrics = append(v.Metrics, m.Metric)
		}
	}
	v.Differs, v.NotStated = names(j.differ), names(j.gaps)
	if v.Kind == SystemsRatio || v.Kind == Confounded {
		v.NotStated = appendNew(v.NotStated, j.commonGaps...)
	}
	v.Needs = j.needs(v)
	return v
}

// whole reports whether nothing differs and nothing is left open.
func (m *Metric) whole() bool { return m.Comparable() && len(m.NotStated) == 0 }

// judgement is what a verdict is made from.
type judgement struct {
	a, b    evidence.Record
	dims    []Dimension
	figures []Metric
	// The counting dimensions, sorted.
	differ, gaps, measured, conditions []Dimension
	systems                            bool // the profiles differ
	shared, whole                      int  // metrics without a known difference, and without a gap
	unlike                             []string
	// commonGaps are the aspects that all comparable metrics leave open.
	commonGaps []string
}

func (j *judgement) sort() {
	for _, d := range j.dims {
		switch {
		case !d.Counts || d.State == Same:
		case d.State == NotStated:
			j.gaps = append(j.gaps, d)
		default:
			j.differ = append(j.differ, d)
			if d.Group == Measurement {
				j.measured = append(j.measured, d)
			}
			if isCondition(d) {
				j.conditions = append(j.conditions, d)
			}
			j.systems = j.systems || d.Key == keyProfile
		}
	}
	for _, m := range j.figures {
		if !m.Comparable() {
			j.unlike = appendNew(j.unlike, unlikeness(m)...)
			continue
		}
		if m.whole() {
			j.whole++
		}
		if j.shared++; j.shared == 1 {
			j.commonGaps = slices.Clone(m.NotStated)
		}
		j.commonGaps = slices.DeleteFunc(j.commonGaps, func(name string) bool { return !slices.Contains(m.NotStated, name) })
	}
}

// isCondition reports whether a dimension is a condition under which systems
// were measured and not a part of the systems.
func isCondition(d Dimension) bool {
	return d.Group == Workload || d.Group == Load || d.Group == CacheState || d.Key == keyLocation
}

// unlikeness is what differs between the figures of a metric that both have.
func unlikeness(m Metric) []string {
	if len(m.Differs) == 1 && isMissing(m.Differs[0]) {
		return nil
	}
	return m.Differs
}

func (j *judgement) decide() Verdict {
	differ, gaps := names(j.differ), names(j.gaps)
	if !j.systems && j.shared > 0 && j.whole == 0 {
		gaps = appendNew(gaps, j.openAspects()...)
	}
	switch {
	case j.a.Void || j.b.Void:
		return say(NotComparable, []string{keyValidity}, "Not comparable: %s is void, which is no measurement.", j.voidSide())
	case len(j.measured) > 0:
		return say(NotComparable, names(j.measured), "Not comparable: %s.", differWords(names(j.measured)))
	case j.shared == 0 && len(j.unlike) > 0:
		return say(NotComparable, j.unlike, "Not comparable: there is no metric whose two figures were made alike (%s).", some(j.unlike))
	case j.shared == 0:
		return say(NotComparable, []string{"metric"}, "Not comparable: the records have no metric in common.")
	case j.systems && len(j.conditions) == 0:
		return say(SystemsRatio, []string{keyProfile}, "Systems ratio. %s%s", RatioSentence, gapWords(j.openConditions()))
	case j.systems:
		return say(Confounded, append(differ, gaps...), "Confounded: between these two profiles %s as well.%s", differWords(names(j.conditions)), gapWords(j.openConditions()))
	case len(differ) > 1 || len(differ)+len(gaps) > 1:
		return say(Confounded, append(differ, gaps...), "Confounded: %s.%s", differWords(differ), gapWords(gaps))
	case len(gaps) == 1:
		return say(Confounded, gaps, "Confounded: the %s is not stated, so it may differ.", gaps[0])
	case len(differ) == 1:
		return say(Controlled, differ, "Controlled: only the %s differs; %s.", differ[0], j.allElse())
	default:
		return say(Controlled, []string{}, "Controlled: nothing differs; these are repeats of one recipe.")
	}
}

// openAspects are what the comparable metrics leave open, each once.
func (j *judgement) openAspects() []string {
	var out []string
	for _, m := range j.figures {
		if m.Comparable() {
			out = appendNew(out, m.NotStated...)
		}
	}
	return out
}

// openConditions are the gaps that matter to a ratio: conditions that may
// differ, and what the figures themselves do not state. What is not stated of
// the systems stands in the table.
func (j *judgement) openConditions() []string {
	var out []string
	for _, d := range j.gaps {
		if d.Group == Measurement || isCondition(d) {
			out = append(out, d.Name)
		}
	}
	return appendNew(slices.Clone(j.commonGaps), out...)
}

// allElse is what is known of the dimensions that do not differ.
func (j *judgement) allElse() string {
	for _, d := range j.dims {
		if d.Note == sharedGap {
			return "all else is equal, stated or of one invocation of one plan"
		}
	}
	return "all else is stated and equal"
}

func (j *judgement) voidSide() string {
	switch {
	case j.a.Void && j.b.Void:
		return "each of the two"
	case j.a.Void:
		return side(0, j.a)
	default:
		return side(1, j.b)
	}
}
