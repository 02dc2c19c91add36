package compare_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// part is one thing that a record states: how to say otherwise, and how to say
// nothing of it. Nil where there is no such way.
type part struct {
	key      string
	change   func(*evidence.Record)
	takeAway func(*evidence.Record)
}

// known is the part that a field states.
func known[T any](key string, other T, field func(*evidence.Record) *evidence.Known[T]) part {
	return part{key, func(r *evidence.Record) { *field(r) = said(other) }, func(r *evidence.Record) { *field(r) = evidence.NotStated[T]("taken away") }}
}

func parts() []part {
	type text = *evidence.Known[string]
	type count = *evidence.Known[int64]
	out := []part{
		{key: "validity", change: func(r *evidence.Record) { r.Void = true }},
		{key: "evidence_class", change: func(r *evidence.Record) { r.Class = evidence.OwnRun }},
		{key: "record_kind", change: func(r *evidence.Record) { r.Kind = evidence.RepeatsRecord }},
		{key: "formal_benchmark", change: fact("mlperf_version", "v5.0")},
		{key: "profile", change: func(r *evidence.Record) { r.Subject.Profile = "E16" }, takeAway: func(r *evidence.Record) { r.Subject.Profile = "" }},
		{key: "cache_state", change: func(r *evidence.Record) { r.State.Cache.Kind = measure.CacheWarm }, takeAway: func(r *evidence.Record) { r.State.Cache.Declared = false }},
		known("token_source", "tokenizer:x", func(r *evidence.Record) text { return &r.Workload.TokenSource }),
		known("completeness", "interrupted: x", func(r *evidence.Record) text { return &r.State.Complete }),
		known("model", "n", func(r *evidence.Record) text { return &r.Subject.Model }),
		known("engine", "f", func(r *evidence.Record) text { return &r.Subject.Engine }),
		known("precision", "FP8", func(r *evidence.Record) text { return &r.Subject.Precision }),
		known("quality_check", "another", func(r *evidence.Record) text { return &r.Subject.Quality }),
		known("accelerators", int64(4), func(r *evidence.Record) count { return &r.Subject.Accelerators }),
		known("tool", "benchline 2", func(r *evidence.Record) text { return &r.Subject.Tool }),
		known("input_tokens_asked", int64(64), func(r *evidence.Record) count { return &r.Workload.InputTokensAsked }),
		known("request_count", int64(640), func(r *evidence.Record) count { return &r.Workload.Requests }),
		known("concurrency", int64(32), func(r *evidence.Record) count { return &r.Load.Concurrency }),
		known("load", "open loop", func(r *evidence.Record) text { return &r.Load.Mode }),
		{"output_tokens", func(r *evidence.Record) { r.Workload.OutputTokens = spread(64) },
			func(r *evidence.Record) { r.Workload.OutputTokens = evidence.NotStated[evidence.Spread]("taken away") }},
	}
	for _, key := range []string{"client_location", "driver", "runtime", "cache_config", "sampling"} {
		line := key
		if key != "client_location" {
			line = "fact:" + key
		}
		out = append(out, part{line, fact(key, "otherwise"), fact(key, "")})
	}
	return append(out, figureParts()...)
}

// figureParts are those of each figure.
func figureParts() []part {
	var out []part
	for i := range 2 {
		of := func(change func(*evidence.Value)) func(*evidence.Record) {
			return func(r *evidence.Record) {
				if i < len(r.Values) {
					figure(i, change)(r)
				}
			}
		}
		out = append(out,
			part{change: of(func(v *evidence.Value) { v.Rule = "another" })},
			part{change: of(func(v *evidence.Value) {
				v.Window = said(evidence.Window{Rule: measure.SteadyWindow, Seconds: 1})
			}), takeAway: of(func(v *evidence.Value) { v.Window = evidence.NotStated[evidence.Window]("taken away") })},
			part{change: of(func(v *evidence.Value) { v.Numerator = said(evidence.Term{Unit: "chunks"}) }),
				takeAway: of(func(v *evidence.Value) { v.Numerator = evidence.NotStated[evidence.Term]("taken away") })},
			part{change: of(func(v *evidence.Value) { v.Population = said(evidence.Population{Rule: "some"}) }),
				takeAway: of(func(v *evidence.Value) { v.Population = evidence.NotStated[evidence.Population]("taken away") })})
	}
	return append(out, part{change: func(r *evidence.Record) { r.Values = r.Values[:min(1, len(r.Values))] }})
}

// strength orders the verdicts.
func strength(v compare.Verdict) int {
	return slices.Index([]compare.Kind{compare.NotComparable, compare.Confounded, compare.SystemsRatio, compare.Controlled}, v.Kind)
}

// drawn is a record in which some parts were changed and some taken away.
func drawn(t *rapid.T, slug string) evidence.Record {
	r := record(slug)
	all := parts()
	for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(all)-1), 0, 4).Draw(t, slug) {
		if take := all[i].takeAway; take != nil && rapid.Bool().Draw(t, "take away") {
			take(&r)
		} else {
			all[i].change(&r)
		}
	}
	return r
}

// TestSymmetric: changing sides changes no verdict.
func TestSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawn(t, "a"), drawn(t, "b")
		v, w := compare.Compare(a, b), compare.Compare(b, a)
		if v.Kind != w.Kind || !slices.Equal(v.Why, w.Why) || !slices.Equal(v.Metrics, w.Metrics) || v.Sentence != w.Sentence ||
			!slices.Equal(v.Differs, w.Differs) || !slices.Equal(v.NotStated, w.NotStated) || v.A != w.B || v.B != w.A || len(v.Needs) != len(w.Needs) {
			t.Fatalf("got %+v\nand %+v", v, w)
		}
		for i, d := range v.Dimensions {
			if e := w.Dimensions[i]; d.Key != e.Key || d.A != e.B || d.B != e.A || d.State != e.State || d.Counts != e.Counts {
				t.Fatalf("got %+v and %+v", d, e)
			}
		}
		for i, m := range v.Figures {
			if w.Figures[i].Metric != m.Metric || len(w.Figures[i].Differs) != len(m.Differs) {
				t.Fatalf("got %+v and %+v", m, w.Figures[i])
			}
		}
	})
}

// stateOf is the state of a line.
func stateOf(v compare.Verdict, key string) compare.State {
	for _, d := range v.Dimensions {
		if d.Key == key {
			return d.State
		}
	}
	return ""
}

func allWhole(v compare.Verdict) bool {
	return !slices.ContainsFunc(v.Figures, func(m compare.Metric) bool { return len(m.Differs)+len(m.NotStated) > 0 })
}

// TestADifferenceNeverStrengthens: to change what was alike makes no verdict
// stronger. Another profile is the one exception: it asks another question, and
// never makes a pair controlled.
func TestADifferenceNeverStrengthens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawn(t, "a"), drawn(t, "b")
		before := compare.Compare(a, b)
		for _, p := range parts() {
			if p.key != "" && stateOf(before, p.key) != compare.Same || p.key == "" && !allWhole(before) {
				continue // it may become alike by the change
			}
			changed := b
			p.change(&changed)
			after := compare.Compare(a, changed)
			if p.key == "profile" {
				if after.Kind == compare.Controlled {
					t.Fatalf("another profile: from %s\nto %s", before.Sentence, after.Sentence)
				}
				continue
			}
			if strength(after) > strength(before) {
				t.Fatalf("%s: from %s\nto %s", p.key, before.Sentence, after.Sentence)
			}
		}
	})
}

// TestStatingLessNeverStrengthens: what is taken away of both sides or of one
// makes no pair controlled; and where the sides agreed on it, no verdict stronger.
func TestStatingLessNeverStrengthens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawn(t, "a"), drawn(t, "b")
		before := compare.Compare(a, b)
		for i, p := range parts() {
			if p.takeAway == nil {
				continue
			}
			x, y := a, b
			p.takeAway(&x)
			p.takeAway(&y)
			agreed := p.key != "" && stateOf(before, p.key) == compare.Same
			for side, pair := range [][2]evidence.Record{{x, b}, {a, y}, {x, y}} {
				after := compare.Compare(pair[0], pair[1])
				if after.Kind == compare.Controlled && before.Kind != compare.Controlled || agreed && strength(after) > strength(before) {
					t.Fatalf("part %d (%s), case %d: from %s\nto %s", i, p.key, side, before.Sentence, after.Sentence)
				}
			}
		}
	})
}

// TestItself: a record that may be compared at all is a repeat of itself, or has
// gaps.
func TestItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawn(t, "a")
		v := compare.Compare(a, a)
		complete, _ := a.State.Complete.Get()
		valid := !a.Void && complete != "interrupted: x" && len(a.Values) > 0
		if len(v.Differs) > 0 && valid || v.Kind == compare.SystemsRatio {
			t.Fatalf("got %s", v.Sentence)
		}
		if valid && v.Kind != compare.Confounded && !v.Repeats() && !slices.Contains(v.Why, "MLPerf version") {
			t.Fatalf("got %s", v.Sentence)
		}
	})
}

// TestNoNumberWithoutLeave: a verdict that allows no number has none, and one
// that allows numbers has one at least.
func TestNoNumberWithoutLeave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawn(t, "a"), drawn(t, "b")
		v := compare.Compare(a, b)
		if v.Numbers() != (len(v.Metrics) > 0) || len(compare.NumbersOf(v, a, b, nil)) != len(v.Metrics) {
			t.Fatalf("%s: %v", v.Sentence, v.Metrics)
		}
		for _, n := range compare.NumbersOf(v, a, b, nil) {
			if (n.Ratio != nil) != (v.Kind == compare.SystemsRatio) || (n.Difference != nil) != (v.Kind == compare.Controlled) {
				t.Fatalf("%s: %+v", v.Sentence, n)
			}
		}
	})
}
