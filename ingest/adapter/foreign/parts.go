package foreign

import (
	"context"
	"errors"
	"math"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Part is one record of a file: the draft, what tells it apart from others of
// the file (empty: there is but one), and its title.
type Part struct {
	Draft *Draft
	Part  string
	Title string
}

// ReadParts opens a source, has its parts made, and yields them sealed, in
// their order. Nothing is yielded before the whole file was read.
func ReadParts(ctx context.Context, s adapter.Source, id adapter.ID, sink adapter.Sink, read func(*File) ([]Part, []adapter.Diagnostic, error)) (_ []adapter.Diagnostic, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := Open(s)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	parts, found, err := read(f)
	if err != nil {
		return found, err
	}
	if len(parts) == 0 {
		return found, &adapter.RefusedError{Why: "there is no result in it"}
	}
	if err := f.Finish(); err != nil {
		return found, err
	}
	for _, p := range parts {
		r, err := p.Draft.Seal(f, id, p.Part, p.Title)
		found = append(found, p.Draft.Diagnostics...)
		if err != nil {
			return found, err
		}
		if err := sink(r); err != nil {
			return found, err
		}
	}
	return found, nil
}

// RuleOf is a definition as the sentence that stands at each value of its word.
func RuleOf(d adapter.Definition) string {
	q, _, ok := measure.Kind(d.Metric)
	parts := evidence.RuleParts{Counted: d.Population, Window: d.Window}
	switch {
	case ok && q == measure.Time:
		parts = evidence.RuleParts{Start: d.Start, End: d.End, Requests: d.Population, Window: d.Window, Percentiles: d.PercentileRule}
	case q == measure.OutputTokenRate || q == measure.TotalTokenRate:
		parts.Tokens = d.TokenSource
	}
	return Rule(d.Word, d.Tool, parts.Says())
}

// SpanOf is the part of a definition that holds for a single request: what
// figures that are computed from rows are made of.
func SpanOf(d adapter.Definition) string {
	return Rule(d.Word, d.Tool, evidence.RuleParts{Start: d.Start, End: d.End}.Says())
}

// Spread is what a file says of a whole-number quantity, such as output tokens.
type Spread struct{ Min, Median, Max, Mean, Sum Node }

// Spread makes a spread of a file's figures for n requests. All must be whole;
// a sum that the file does not have is mean × n, if that is whole. Where one is
// missing, what is there is kept as facts.
func (d *Draft) Spread(key string, s Spread, n evidence.Known[int64]) evidence.Known[evidence.Spread] {
	count, counted := n.Get()
	low, ok1 := s.Min.Int()
	mid, ok2 := s.Median.Int()
	high, ok3 := s.Max.Int()
	sum, summed := s.Sum.Int()
	rule := "“" + key + "” in the file"
	if mean, ok := s.Mean.Float(); ok && !summed {
		x := mean * float64(count)
		sum, summed = int64(math.Round(x)), math.Abs(x-math.Round(x)) < 1e-3 && math.Abs(x) < 1<<53
		rule += "; its sum is mean × number of requests, which is whole"
	}
	if counted && ok1 && ok2 && ok3 && summed && low <= mid && mid <= high {
		return evidence.Derived(evidence.Spread{Min: low, Median: mid, Max: high, N: count, Sum: sum}, rule)
	}
	some := false
	for _, part := range []struct {
		name string
		n    Node
	}{{"min", s.Min}, {"median", s.Median}, {"max", s.Max}, {"mean", s.Mean}, {"sum", s.Sum}} {
		some = some || part.n.Has()
		d.Fact(key+"."+part.name, part.n)
	}
	if !some {
		return evidence.NotStated[evidence.Spread](d.gap(key, Node{}))
	}
	why := "not in whole numbers in the file"
	switch {
	case !s.Min.Has() || !s.Median.Has() || !s.Max.Has():
		why = "the file lacks its smallest, middle or largest"
	case !counted:
		why = "the file does not say of how many requests it is"
	}
	return evidence.NotStated[evidence.Spread](why + "; what it has stands among the facts")
}

// OnlySum is a whole-number quantity of which a file has the sum over its completed
// requests and nothing else. The sum is kept as a fact. A spread is not made of it:
// the shortest, the middle and the longest are not known, and a quotient is the
// length of no request.
func (d *Draft) OnlySum(key string, sum Node) evidence.Known[evidence.Spread] {
	if !sum.IsNumber() {
		return evidence.NotStated[evidence.Spread](d.missing)
	}
	d.Fact(key, sum)
	why := "the file has only the sum, “" + key + "”: " + sum.Text
	if n, ok := d.Record.Outcomes.Completed.Get(); ok {
		why += ", over " + measure.FormatCount(n) + " completed requests"
	}
	return evidence.NotStated[evidence.Spread](why)
}

// Gap keeps a value of the file that is no measurement as a fact that is not
// stated, with the reason.
func (d *Draft) Gap(key, reason string) {
	d.Record.Facts = append(d.Record.Facts, evidence.Fact{Key: key, Label: d.tool + ": " + key, Value: evidence.NotStated[string](reason)})
}
