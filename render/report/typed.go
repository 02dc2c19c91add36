package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Typed is a number that somebody typed beside a performance unit or word.
type Typed struct {
	// Readings are what the number may mean, in base units: seconds, per second.
	Readings []Reading
	// Quantities are those that its unit belongs to.
	Quantities []measure.Quantity
	// Base and Stat are the latency and the statistic that are named beside it,
	// empty where none is.
	Base measure.MetricID
	Stat measure.Stat
}

// Reading is a value and half of what its last digit is worth.
type Reading struct{ X, Half float64 }

// Like is a figure that a typed number may be.
type Like struct {
	Record string
	Metric measure.MetricID
	Label  string // the metric's, in lower case for a sentence
	near   int
}

// Like lists the figures of which a typed number may be the value, rounded as
// it is: first those of the metric that is named beside it, then those that
// are equal to more digits, then by record.
func (s *Set) Like(t Typed) []Like {
	var out []Like
	for i := range s.records {
		for _, v := range s.records[i].Values {
			if v.Amount.Kind != evidence.Exact && v.Amount.Kind != evidence.AtLeast {
				continue
			}
			quantity, stat, ok := measure.Kind(v.Metric)
			if !ok || !slices.Contains(t.Quantities, quantity) || !readsAs(t.Readings, v) {
				continue
			}
			m := s.metric(v.Metric)
			l := Like{Record: s.records[i].Slug, Metric: v.Metric, Label: lowerFirst(m.Label)}
			if t.Base != "" && m.Base != t.Base {
				l.near += 2
			}
			if t.Stat != measure.NoStat && stat != t.Stat {
				l.near++
			}
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b Like) int {
		return cmp.Or(cmp.Compare(a.near, b.near), naturally(a.Record, b.Record), strings.Compare(string(a.Metric), string(b.Metric)))
	})
	if k := slices.IndexFunc(out, func(l Like) bool { return l.near > 0 }); k > 0 {
		out = out[:k]
	}
	return out
}

// Versus is what a sentence may say of two records.
type Versus struct {
	Controlled bool // one thing differs, and a difference may be read as its effect
	Ratio      bool // only a ratio of two systems may be shown
	OneFamily  bool
	Sentence   string             // the verdict in words
	Metrics    []measure.MetricID // those that both have under one rule
}

// Shares reports whether both records have a metric under one rule.
func (v Versus) Shares(id measure.MetricID) bool { return slices.Contains(v.Metrics, id) }

// Versus is the verdict on two records by their slugs; false if one is missing.
func (s *Set) Versus(a, b string) (Versus, bool) {
	i, okA := s.bySlug[a]
	j, okB := s.bySlug[b]
	if !okA || !okB {
		return Versus{}, false
	}
	v := compare.Compare(s.records[i], s.records[j])
	return Versus{Controlled: v.Kind == compare.Controlled && !v.Repeats(), Ratio: v.Kind == compare.SystemsRatio,
		OneFamily: s.records[i].Family != "" && s.records[i].Family == s.records[j].Family, Sentence: v.Sentence, Metrics: v.Metrics}, true
}

// readsAs reports whether a value, rounded as the number was typed, is the number.
func readsAs(readings []Reading, v evidence.Value) bool {
	const slack = 1e-9 // of the number: a half that rounds either way counts
	for _, r := range readings {
		if math.Abs(v.Amount.X-r.X) <= r.Half*(1+1e-6)+slack*math.Abs(r.X) {
			return true
		}
	}
	return false
}

// lowerFirst lowers the first letter of a label, but not of an abbreviation.
func lowerFirst(s string) string {
	if len(s) > 1 && strings.ToUpper(s[:2]) != s[:2] {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}
