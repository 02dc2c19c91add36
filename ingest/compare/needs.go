package compare

import (
	"fmt"
	"slices"

	"benchline/ingest/evidence"
)

// needs says what would have to be known or done before more could be said.
func (j *judgement) needs(v Verdict) []string {
	out := []string{}
	switch v.Kind {
	case Controlled:
		return out
	case NotComparable:
		return append(out, j.measureAlike()...)
	case Confounded:
		out = append(out, j.makeEqual()...)
	case SystemsRatio:
		if s := j.declareQuality(); s != "" {
			out = append(out, s)
		}
	}
	return append(out, j.state(v)...)
}

// measureAlike says for each part of the measurement that differs how it could
// be made the same.
func (j *judgement) measureAlike() []string {
	var out []string
	for _, d := range j.measured {
		switch d.Key {
		case keyValidity:
			out = append(out, fmt.Sprintf("Run %s again: a void record has no figure to compare.", j.voidSide()))
		case "evidence_class":
			out = append(out, j.ofOneClass())
		case "record_kind":
			out = append(out, "Compare a run with a run, or a summary with a summary.")
		case keyBenchmark:
			out = append(out, "Nothing makes these comparable: an MLPerf result is compared with MLPerf results only.")
		case "token_source":
			out = append(out, "Count the tokens of both in one way: by the endpoint's usage, or with one named tokenizer.")
		case "completeness":
			out = append(out, fmt.Sprintf("Run %s again to its planned end.", list(j.sidesWith(d, interrupted))))
		default:
			out = append(out, fmt.Sprintf("Take two results with the same %s.", d.Name))
		}
	}
	if len(out) == 0 && len(j.unlike) == 0 {
		return []string{"Measure one metric on both sides."}
	}
	if len(out) == 0 {
		if slices.Contains(j.unlike, aspectQuoted) {
			out = append(out, "Get the per-request rows, or the numerator and the time: a quoted claim is computed with nowhere.")
		}
		if rest := slices.DeleteFunc(slices.Clone(j.unlike), func(s string) bool { return s == aspectQuoted }); len(rest) > 0 {
			out = append(out, fmt.Sprintf("Measure both with one client, or compute both from their per-request rows, so that they have the same %s.", list(rest)))
		}
	}
	return out
}

// ofOneClass says what a pair of two evidence classes lacks.
func (j *judgement) ofOneClass() string {
	for i, r := range []evidence.Record{j.a, j.b} {
		switch r.Class { //nolint:exhaustive // the classes that have an advice of their own
		case evidence.Simulated:
			return fmt.Sprintf("Run %s against a real endpoint: a simulated one says nothing of any system.", side(i, r))
		case evidence.DerivedClass:
			return fmt.Sprintf("Find the records from which %s was worked out, or run both again under one plan.", side(i, r))
		}
	}
	return fmt.Sprintf("Run both under one plan: one is %s evidence, the other %s.", j.a.Class, j.b.Class)
}

// sidesWith names the records that have a word in a line.
func (j *judgement) sidesWith(d Dimension, word string) []string {
	var out []string
	if d.A == word {
		out = append(out, side(0, j.a))
	}
	if d.B == word {
		out = append(out, side(1, j.b))
	}
	return out
}

// makeEqual says which of several differences has to go so that one remains. A
// difference of profiles remains in any case; else the request count goes first
// and the subject last, because that is the question that most comparisons ask.
func (j *judgement) makeEqual() []string {
	differ := slices.Clone(j.differ)
	if j.systems {
		differ = slices.Clone(j.conditions)
	} else if len(differ) > 0 {
		keep := 0
		for i, d := range differ {
			if interest(d) > interest(differ[keep]) {
				keep = i
			}
		}
		differ = slices.Delete(differ, keep, keep+1)
	}
	if len(differ) == 0 {
		return nil
	}
	if i := slices.IndexFunc(differ, func(d Dimension) bool { return d.Key == keyRequests }); i >= 0 && len(differ) == 1 {
		if s, ok := j.sameRequests(); ok {
			return []string{s}
		}
	}
	settings := make([]string, len(differ))
	for i, d := range differ {
		settings[i] = d.Name
	}
	return []string{fmt.Sprintf("Run one side again with the other's %s.", list(settings))}
}

// sameRequests asks for as many requests as the larger run had.
func (j *judgement) sameRequests() (string, bool) {
	x, okX := fixedRequests(j.a).Get()
	y, okY := fixedRequests(j.b).Get()
	if !okX || !okY {
		return "", false
	}
	small, n := side(0, j.a), y
	if x > y {
		small, n = side(1, j.b), x
	}
	return fmt.Sprintf("Run %s with %s requests.", small, words(evidence.Stated(n, ""))), true
}

// interest orders differences by how likely they are what a comparison is about.
func interest(d Dimension) int {
	switch d.Group {
	case Subject:
		return 5
	case Load:
		return 4
	case CacheState:
		return 3
	case Workload:
		if d.Key == keyRequests {
			return 0
		}
		return 2
	case Environment:
		return 1
	case Client, Measurement:
		return 0
	}
	return 0
}

// declareQuality asks for a quality check where two systems differ in precision
// and one of them has none.
func (j *judgement) declareQuality() string {
	p, okP := j.a.Subject.Precision.Get()
	q, okQ := j.b.Subject.Precision.Get()
	if !okP || !okQ || p == q {
		return ""
	}
	var lack []string
	for i, r := range []evidence.Record{j.a, j.b} {
		if needsGate(r) && isGap(r.Subject.Quality.State()) {
			lack = append(lack, side(i, r))
		}
	}
	if len(lack) == 0 {
		return ""
	}
	return fmt.Sprintf("Declare a quality check of %s: the precisions differ.", list(lack))
}

// state asks for what is not stated: of one side, of the other, of both.
func (j *judgement) state(v Verdict) []string {
	ofA, ofB, both := []string{}, []string{}, []string{}
	for _, d := range j.gaps {
		if v.Kind == SystemsRatio && d.Group != Measurement && !isCondition(d) {
			continue
		}
		switch {
		case d.GapA && d.GapB:
			both = append(both, d.Name)
		case d.GapA:
			ofA = append(ofA, d.Name)
		case d.GapB:
			ofB = append(ofB, d.Name)
		}
	}
	both = appendNew(both, j.commonGaps...)
	var out []string
	for _, x := range []struct {
		of    string
		names []string
	}{{"both", both}, {side(0, j.a), ofA}, {side(1, j.b), ofB}} {
		if len(x.names) > 0 {
			out = append(out, fmt.Sprintf("State for %s: %s.", x.of, list(x.names)))
		}
	}
	if slices.ContainsFunc(j.gaps, func(d Dimension) bool { return d.Key == "cache_state" && d.Note != "" }) {
		out = append(out, "Find out why the measured cache hits contradict the declared state, and run again.")
	}
	return out
}
