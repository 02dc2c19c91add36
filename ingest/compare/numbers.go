package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// The marks that stand in place of a number.
const (
	// NoEvidence: the runs give no evidence of a difference.
	NoEvidence = "~"
	// NoMeaning: a difference or ratio would have no meaning.
	NoMeaning = "?"
)

// Runs finds the record of a single run by its slug, among those at hand.
type Runs func(slug string) (evidence.Record, bool)

// Number is what may be said in numbers of one metric of a pair. Everything is
// in the metric's base unit.
type Number struct {
	Metric measure.MetricID `json:"metric"`
	A      Side             `json:"a"`
	B      Side             `json:"b"`
	// Mark is [NoEvidence] or [NoMeaning] where no number may stand, else empty.
	Mark string `json:"mark,omitempty"`
	// Difference is set in a controlled pair whose figures are exact. Where the
	// mark is [NoEvidence], only its interval may be shown.
	Difference *Difference `json:"difference,omitempty"`
	// Ratio is B ÷ A, of a systems ratio only.
	Ratio *float64 `json:"ratio,omitempty"`
	// Test is set where both sides have runs enough.
	Test *Test `json:"test,omitempty"`
	// Says is what a reader must know to read the number, or why there is none.
	Says string `json:"says"`
}

// Value is the ratio or the difference that may be shown, in the metric's base
// unit, and whether there is one.
func (n *Number) Value() (float64, bool) {
	switch {
	case n.Mark != "":
	case n.Ratio != nil:
		return *n.Ratio, true
	case n.Difference != nil:
		return n.Difference.X, true
	}
	return 0, false
}

// Side is the figure of one record: of a run its own, of a summary the median
// over its runs.
type Side struct {
	Record   string             `json:"record"`
	Amount   evidence.Amount    `json:"amount"`
	Interval *evidence.Interval `json:"interval,omitempty"`
	// Runs is how many valid runs the figure rests on: 1, or those of a summary.
	Runs int `json:"runs"`

	runs []float64 // the runs' own figures, where all are at hand and exact
	lack string    // why they are not
}

// Difference is B less A.
type Difference struct {
	X float64 `json:"x"`
	// Relative is X ÷ A; nil where A is 0.
	Relative *float64 `json:"relative,omitempty"`
	// Interval holds the difference; nil where the records give none.
	Interval *Bounds `json:"interval,omitempty"`
}

// Bounds is an interval of a difference.
type Bounds struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Rule string  `json:"rule"` // how it was taken, and how sure it is
}

// NumbersOf gives for each metric of a verdict what may be said of it in
// numbers, in the verdict's order; nothing where the verdict allows none. The
// records are those that the verdict is on; runs finds the members of summaries.
//
// Two single runs have a difference without evidence: how far two runs of one
// recipe lie apart is not known from one of each. Where both figures have an
// interval of their own, taken over the requests of the run, the difference has
// one from end to end: low B less high A to high B less low A. It holds the
// difference with at least 90 % (each of the two fails at most once in 20 times),
// under the condition that requests of a run are independent, and it knows
// nothing of the spread between runs.
//
// Two summaries of at least [MinRuns] valid runs each are compared by the
// Mann-Whitney U test, two-sided, at 5 %, and the difference of their medians
// has the interval that belongs to the test: see [shift]. A difference without
// evidence is "~". Of fewer runs there is the difference of the medians, and
// what is missing.
func NumbersOf(v Verdict, a, b evidence.Record, runs Runs) []Number {
	if !v.Numbers() {
		return nil
	}
	out := make([]Number, 0, len(v.Metrics))
	t := tester{}
	for _, id := range v.Metrics {
		n := Number{Metric: id, A: sideOf(a, 0, id, runs), B: sideOf(b, 1, id, runs)}
		n.fill(v, &t)
		out = append(out, n)
	}
	return out
}

func sideOf(r evidence.Record, place int, id measure.MetricID, runs Runs) Side {
	s := Side{Record: side(place, r), Runs: 1}
	v, ok := r.Value(id)
	if !ok {
		s.Amount = evidence.Amount{Kind: evidence.Undefined, Reason: "the record has no such figure"}
		return s
	}
	s.Amount = v.Amount
	if iv, ok := v.Interval.Get(); ok {
		s.Interval = &iv
	}
	if r.Kind != evidence.RepeatsRecord {
		return s
	}
	s.Runs = 0
	if p, ok := v.Population.Get(); ok {
		s.Runs = int(p.N)
	}
	s.runs, s.lack = runFigures(r, id, runs)
	if s.lack == "" && len(s.runs) != s.Runs {
		s.runs, s.lack = nil, fmt.Sprintf("%s has %d runs at hand, its figure rests on %d", s.Record, len(s.runs), s.Runs)
	}
	return s
}

// runFigures are the figures of a summary's valid runs, ascending; or why they
// are not at hand.
func runFigures(r evidence.Record, id measure.MetricID, runs Runs) ([]float64, string) {
	var xs []float64
	for _, m := range r.Members {
		run, ok := evidence.Record{}, false
		if runs != nil {
			run, ok = runs(m.Slug)
		}
		switch {
		case !ok || run.ID != m.ID:
			return nil, fmt.Sprintf("run %s is not at hand", m.Slug)
		case run.Void:
			continue
		}
		v, ok := run.Value(id)
		if !ok || v.Amount.Kind != evidence.Exact {
			return nil, fmt.Sprintf("run %s has no exact figure of it", m.Slug)
		}
		xs = append(xs, v.Amount.X)
	}
	slices.Sort(xs)
	return xs, ""
}

func (n *Number) fill(v Verdict, t *tester) {
	for _, s := range []Side{n.A, n.B} {
		if s.Amount.Kind != evidence.Exact || !finite(s.Amount.X) {
			n.Mark, n.Says = NoMeaning, fmt.Sprintf("%s has no exact figure (%s).", s.Record, amountWords(s.Amount))
			return
		}
	}
	if v.Kind == SystemsRatio {
		n.ratio()
	} else {
		n.difference()
	}
	if n.Mark == "" {
		n.evidence(v, t)
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func amountWords(a evidence.Amount) string {
	if a.Reason != "" {
		return string(a.Kind) + ": " + a.Reason
	}
	return string(a.Kind)
}

func (n *Number) ratio() {
	x := n.B.Amount.X / n.A.Amount.X
	if n.A.Amount.X <= 0 || n.B.Amount.X < 0 || !finite(x) {
		n.Mark, n.Says = NoMeaning, fmt.Sprintf("A ratio to %v has no meaning.", n.A.Amount.X)
		return
	}
	n.Ratio = &x
}

func (n *Number) difference() {
	d := Difference{X: n.B.Amount.X - n.A.Amount.X}
	if !finite(d.X) {
		n.Mark, n.Says = NoMeaning, "The difference is too large to be a number."
		return
	}
	if rel := d.X / n.A.Amount.X; n.A.Amount.X > 0 && finite(rel) {
		d.Relative = &rel
	}
	n.Difference = &d
}

// evidence adds what the runs say of the spread between runs.
func (n *Number) evidence(v Verdict, t *tester) {
	if n.A.runs == nil && n.B.runs == nil && n.A.lack == "" && n.B.lack == "" {
		n.single(v)
		return
	}
	for _, s := range []Side{n.A, n.B} {
		if s.lack != "" {
			n.Says = "No test: " + s.lack + "."
			return
		}
	}
	if missing := missingRuns(n.A, n.B); missing != "" {
		n.Says = fmt.Sprintf("No interval and no test: they need %d valid runs on each side; %s.", MinRuns, missing)
		return
	}
	n.test(t)
}

// single is what is said of one run on each side.
func (n *Number) single(v Verdict) {
	const alone = "One run on each side is no evidence of how far two runs of one recipe lie apart"
	n.Says = alone + "."
	if v.Repeats() {
		n.Says = "Nothing differs between these two runs: the difference is the spread of one recipe, seen once."
	}
	if n.Difference == nil || n.A.Interval == nil || n.B.Interval == nil {
		return
	}
	n.Difference.Interval = &Bounds{Low: n.B.Interval.Low - n.A.Interval.High, High: n.B.Interval.High - n.A.Interval.Low,
		Rule: "from end to end of the two figures' own intervals, at least 90 %, the requests of a run taken as independent; the spread between runs is not in it"}
}

// missingRuns says how many runs are missing on each side, and nothing where
// there are enough.
func missingRuns(sides ...Side) string {
	var out []string
	for _, s := range sides {
		if more := MinRuns - len(s.runs); more > 0 {
			are := "are"
			if more == 1 {
				are = "is"
			}
			out = append(out, fmt.Sprintf("%s has %d, %d more %s missing", s.Record, len(s.runs), more, are))
		}
	}
	return strings.Join(out, "; ")
}
