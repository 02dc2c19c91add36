package compare

import (
	"fmt"
	"slices"
	"strings"

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
	// SystemsRatio: the profiles differ under one workload, load and cache
	// state. A ratio may be shown, with [RatioSentence].
	SystemsRatio Kind = "systems ratio"
	// NotComparable: what was measured is not the same thing. No number.
	NotComparable Kind = "not comparable"
)

// RatioSentence stands beside every systems ratio.
const RatioSentence = "A ratio of two whole systems: neither a ranking of model quality nor the isolated gain of any one change."

// State is how a dimension compares.
type State string

// The states of a dimension.
const (
	Same      State = "same"
	Differs   State = "differs"
	NotStated State = "not stated"
)

// Group says which part of the tuple a dimension belongs to.
type Group string

// The groups, in the order of the table.
const (
	Measurement Group = "measurement" // what was counted, over what, by whom
	Subject     Group = "subject"
	Workload    Group = "workload"
	Load        Group = "load"
	CacheState  Group = "state"
	Environment Group = "environment"
)

// Dimension is one line of the table: both sides in words.
type Dimension struct {
	Group Group  `json:"group"`
	Name  string `json:"name"`
	A     string `json:"a"`
	B     string `json:"b"`
	State State  `json:"state"`
	// Note says why, where the two words do not: "neither states it; one plan".
	Note string `json:"note,omitempty"`
}

// Verdict is what a comparison of two records may be read as.
type Verdict struct {
	Kind       Kind        `json:"kind"`
	Dimensions []Dimension `json:"dimensions"`
	// Why names the dimensions that decided, in the table's order.
	Why []string `json:"why"`
	// Sentence is the verdict in words.
	Sentence string `json:"sentence"`
	// Metrics are those that both records have under the same rule, window and
	// population: only of them a number may be shown. Empty unless the kind
	// allows numbers.
	Metrics []measure.MetricID `json:"metrics"`
}

// Numbers reports whether the verdict allows a number: a difference or a ratio.
func (v Verdict) Numbers() bool { return v.Kind == Controlled || v.Kind == SystemsRatio }

// Compare gives the verdict on two records. It is symmetric but for the sides'
// places. It never fails: what is missing is part of the verdict.
func Compare(a, b evidence.Record) Verdict {
	v := Verdict{Dimensions: dimensions(a, b), Metrics: []measure.MetricID{}}
	shared, unlike := metrics(a, b)
	decide(&v, a, b, shared, unlike)
	if v.Numbers() {
		v.Metrics = shared
	}
	return v
}

func decide(v *Verdict, a, b evidence.Record, shared []measure.MetricID, unlike []string) {
	differ := v.names(func(d Dimension) bool { return d.State == Differs })
	gaps := v.names(func(d Dimension) bool { return d.State == NotStated })
	measured := v.names(func(d Dimension) bool { return d.Group == Measurement && d.State == Differs })
	systems := v.names(func(d Dimension) bool { return d.Group == Subject && d.Name == "profile" && d.State == Differs })
	conditions := v.names(func(d Dimension) bool {
		return d.State == Differs && (d.Group == Workload || d.Group == Load || d.Group == CacheState)
	})
	switch {
	case a.Void || b.Void:
		say(v, NotComparable, []string{"void"}, "Not comparable: %s is void, which is no measurement.", voidOf(a, b))
	case len(measured) > 0:
		say(v, NotComparable, measured, "Not comparable: %s.", differWords(measured))
	case len(shared) == 0 && len(unlike) > 0:
		say(v, NotComparable, unlike, "Not comparable: of no metric have both a figure under one rule (%s).", list(unlike))
	case len(shared) == 0:
		say(v, NotComparable, []string{"metric"}, "Not comparable: the records have no metric in common.")
	case len(systems) > 0 && len(conditions) == 0:
		say(v, SystemsRatio, systems, "Systems ratio. %s%s", RatioSentence, gapWords(gaps))
	case len(differ) > 1 || len(differ)+len(gaps) > 1:
		say(v, Confounded, append(differ, gaps...), "Confounded: %s.%s", differWords(differ), gapWords(gaps))
	case len(gaps) == 1:
		say(v, Confounded, gaps, "Confounded: %s is not stated, so it may differ.", gaps[0])
	case len(differ) == 1:
		say(v, Controlled, differ, "Controlled: only the %s differs; all else is stated and equal.", differ[0])
	default:
		say(v, Controlled, []string{}, "Controlled: nothing differs; these are repeats of one recipe.")
	}
}

func say(v *Verdict, k Kind, why []string, format string, args ...any) {
	v.Kind, v.Why = k, why
	v.Sentence = strings.TrimSpace(fmt.Sprintf(format, args...))
}

func (v Verdict) names(when func(Dimension) bool) []string {
	names := []string{}
	for _, d := range v.Dimensions {
		if when(d) {
			names = append(names, d.Name)
		}
	}
	return names
}

func voidOf(a, b evidence.Record) string {
	switch {
	case a.Void && b.Void:
		return "each of the two"
	case a.Void:
		return a.Slug
	default:
		return b.Slug
	}
}

func differWords(names []string) string {
	switch len(names) {
	case 0:
		return "nothing that is stated differs"
	case 1:
		return "the " + names[0] + " differs"
	default:
		return list(names) + " differ"
	}
}

func gapWords(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " Not stated on a side: " + list(names) + "."
}

func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// metrics are those of which both records have a figure under the same rule,
// window rule and population rule; unlike names what differs at the others.
func metrics(a, b evidence.Record) (shared []measure.MetricID, unlike []string) {
	for _, x := range a.Values {
		i := slices.IndexFunc(b.Values, func(y evidence.Value) bool { return y.Metric == x.Metric })
		if i < 0 {
			continue
		}
		if what := unlikeness(x, b.Values[i], a.Kind); what != "" {
			if !slices.Contains(unlike, what) {
				unlike = append(unlike, what)
			}
			continue
		}
		shared = append(shared, x.Metric)
	}
	return shared, unlike
}

// unlikeness is what keeps two figures of one metric from being compared.
func unlikeness(x, y evidence.Value, kind evidence.Kind) string {
	wx, okx := x.Window.Get()
	wy, oky := y.Window.Get()
	px, popX := x.Population.Get()
	py, popY := y.Population.Get()
	nx, numX := x.Numerator.Get()
	ny, numY := y.Numerator.Get()
	switch {
	case x.Amount.Kind == evidence.Quoted || y.Amount.Kind == evidence.Quoted:
		return "a quoted claim"
	case x.Rule != y.Rule:
		return "definition"
	case okx != oky || okx && wx.Rule != wy.Rule:
		return "window"
	case okx && wx.Rule == measure.StatedWindow && x.Window.Note() != y.Window.Note():
		return "window"
	case popX != popY || popX && kind == evidence.RunRecord && px.Rule != py.Rule:
		return "population"
	case numX && numY && nx.Unit != ny.Unit:
		return "numerator"
	default:
		return ""
	}
}
