package figurelint

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// dimension is something about a record in which two figures can differ.
type dimension struct {
	name string
	// also are other names under which a page may declare it.
	also []string
	of   func(*evidence.Record) string
	// soft: it may differ along a line, if it is said.
	soft bool
}

// dimensions are what should be equal along a series, or be declared. The load
// is not among them: the points of a series are named by it.
func dimensions() []dimension {
	return []dimension{
		{name: "evidence class", of: func(r *evidence.Record) string { return string(r.Class) }},
		{name: "profile", of: func(r *evidence.Record) string { return r.Subject.Profile }},
		{name: "model", of: func(r *evidence.Record) string { return text(r.Subject.Model) }},
		{name: "model revision", of: func(r *evidence.Record) string { return text(r.Subject.ModelRevision) }},
		{name: "tokenizer", of: func(r *evidence.Record) string { return text(r.Subject.Tokenizer) }},
		{name: "engine", of: func(r *evidence.Record) string { return text(r.Subject.Engine) }},
		{name: "engine version", of: func(r *evidence.Record) string { return text(r.Subject.EngineVersion) }},
		{name: "precision", of: func(r *evidence.Record) string { return text(r.Subject.Precision) }},
		{name: "parallelism", of: func(r *evidence.Record) string { return text(r.Subject.Parallelism) }},
		{name: "hardware", of: func(r *evidence.Record) string { return text(r.Subject.Hardware) }},
		{name: "accelerators", of: func(r *evidence.Record) string { return count(r.Subject.Accelerators) }},
		{name: "who counted the tokens", also: []string{"token source"}, of: tokenSource},
		{name: "input tokens asked", of: func(r *evidence.Record) string { return count(r.Workload.InputTokensAsked) }},
		{name: "output tokens asked", of: func(r *evidence.Record) string { return count(r.Workload.OutputTokensAsked) }},
		{name: "request count", also: []string{"requests planned"}, of: requestCount},
		{name: "kind of load", of: func(r *evidence.Record) string { return text(r.Load.Mode) + ", " + text(r.Load.Arrivals) }},
		{name: "cache state", of: cacheState},
		{name: "client", also: []string{"measured by"}, soft: true, of: func(r *evidence.Record) string { return text(r.Subject.Tool) }},
	}
}

func text(k evidence.Known[string]) string {
	if s, ok := k.Get(); ok {
		return s
	}
	return k.State().String()
}

func count(k evidence.Known[int64]) string {
	if n, ok := k.Get(); ok {
		return measure.FormatCount(n)
	}
	return k.State().String()
}

// tokenSource is who counted, without how many requests were not counted.
func tokenSource(r *evidence.Record) string {
	name, _, _ := strings.Cut(text(r.Workload.TokenSource), " (")
	return name
}

// requestCount is how many requests were asked for, where that is a condition:
// not where it follows from others, nor of a sum over repeats.
func requestCount(r *evidence.Record) string {
	if r.Workload.Requests.State() == evidence.StateDerived || r.Kind == evidence.RepeatsRecord {
		return "not fixed"
	}
	return count(r.Workload.Requests)
}

func cacheState(r *evidence.Record) string {
	c := r.State.Cache
	return fmt.Sprintf("%s %s declared %t", c.Kind, measure.FormatShare(c.Share), c.Declared)
}

// mostValues is how many values of a dimension a note names.
const mostValues = 3

// hidden is L7: figures that are read together differ in something that nothing
// beside them names.
func hidden(v View) []Finding {
	if !v.Ranked {
		return nil
	}
	var out []Finding
	for _, l := range v.Lines {
		out = append(out, joinedAcross(l)...)
		for _, dim := range dimensions() {
			values := valuesOf(l, dim)
			if len(values) < 2 || declared(v, dim) {
				continue
			}
			if dim.name == "evidence class" && !allSaid(v, values) {
				out = append(out, fault(l.Name, "mixes evidence classes without a mark: %s", strings.Join(values, " · ")))
				continue
			}
			out = append(out, warn("", "%s differs within one column or series: %s", dim.name, firstOf(values)))
		}
		if days := apart(l); days > mostDays {
			out = append(out, warn("", "the runs of one column or series lie %d days apart", days))
		}
	}
	return out
}

func firstOf(values []string) string {
	if more := len(values) - mostValues; more > 0 {
		return strings.Join(values[:mostValues], " · ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(values, " · ")
}

func valuesOf(l Line, dim dimension) []string {
	var all []string
	for _, d := range l.Data {
		if d.Basis != nil && !d.Gap {
			all = append(all, dim.of(d.Basis.Record))
		}
	}
	return distinct(all)
}

// declared reports whether the words beside the figures name the dimension.
func declared(v View, dim dimension) bool {
	words := strings.ToLower(v.Words)
	for _, name := range append(dim.also, dim.name) {
		if strings.Contains(words, name) {
			return true
		}
	}
	return false
}

func allSaid(v View, values []string) bool {
	for _, x := range values {
		if !strings.Contains(v.Words, x) {
			return false
		}
	}
	return true
}

// joinedAcross finds lines between two points that differ in more than what rises
// along the line.
func joinedAcross(l Line) []Finding {
	var out []Finding
	eachSegment(l, func(a, b Datum) {
		if a.Basis == nil || b.Basis == nil {
			return
		}
		for _, dim := range dimensions() {
			if x, y := dim.of(a.Basis.Record), dim.of(b.Basis.Record); x != y && !dim.soft {
				out = append(out, fault(l.Name, "a line from %s to %s, between which the %s differs too: %s, %s", a.Name, b.Name, dim.name, x, y))
			}
		}
	})
	return out
}

// eachSegment does something with each two points that a line joins.
func eachSegment(l Line, do func(a, b Datum)) {
	if !l.Joined {
		return
	}
	for i := 1; i < len(l.Data); i++ {
		if a, b := l.Data[i-1], l.Data[i]; a.Number != nil && b.Number != nil && !b.Apart {
			do(a, b)
		}
	}
}

// mostDays is how far apart the runs of a series may lie before it is said.
const mostDays = 90

// apart is how many days lie between the first and the last run.
func apart(l Line) int {
	var first, last time.Time
	for _, d := range l.Data {
		if d.Basis == nil {
			continue
		}
		at, err := time.Parse(time.RFC3339, text(d.Basis.Record.Subject.Started))
		if err != nil {
			continue
		}
		if first.IsZero() || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	return int(last.Sub(first).Hours() / 24)
}

// meanWords finds a mean in a definition.
func meanWords() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(mean|average|averaged)\b`) }

// aggregates is L13: a mean of percentiles, of rates or of ratios; or a summary
// over runs that does not say that it is one.
func aggregates(v View) []Finding {
	var out []Finding
	mean := meanWords()
	for _, f := range v.Fields {
		if _, st, ok := measure.Kind(f.Metric); ok && st != measure.Mean && mean.MatchString(f.Label) {
			out = append(out, fault("", "%q names a mean, and %s is none", f.Label, f.Metric))
		}
	}
	v.each(func(_ Field, l Line, d Datum) {
		if d.Basis == nil || d.Gap {
			return
		}
		_, st, ok := measure.Kind(d.Basis.Value.Metric)
		if ok && st != measure.Mean && mean.MatchString(d.Basis.Value.Rule) {
			f := fault
			if taken(d.Basis.Value) {
				f = warn
			}
			out = append(out, f(v.name(l, d), "by its definition a mean of percentiles or of rates, which no total gives"))
		}
		if d.Basis.Record.Kind == evidence.RepeatsRecord && !v.Chart && !d.hasMark("runs") {
			out = append(out, fault(v.name(l, d), "a summary over runs, and its row does not say so"))
		}
	})
	return out
}
