package summarize

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// Foreign says what the per-request rows of another tool's file hold, so that
// nothing is computed which they do not allow.
type Foreign struct {
	// Latencies are those whose two events the rows have, without a statistic.
	Latencies []measure.MetricID
	// Gaps: the rows have the times between chunks.
	Gaps bool
	// Clock: the times of all rows are on one clock, so that rates can be over
	// the time from the first send to the last token.
	Clock bool
	// Events says in a sentence which events of the tool stand for ours; it is
	// added to the rule of each latency.
	Events string
	// From is the note of what was counted: "counted from the file's rows".
	From string
}

// Figures are what per-request rows give under the definitions of package
// measure.
type Figures struct {
	Values        []evidence.Value // in the registry's order; none that has nothing to be computed from
	Distributions []evidence.Distribution
	Ledger        reqlog.Ledger // of the rows
	Inputs        evidence.Known[evidence.Spread]
	Outputs       evidence.Known[evidence.Spread]
	TokenSource   string // empty: no row has a count
	Cached        evidence.CacheMeasure
	Window        evidence.Known[evidence.Window]
}

// rowsWindow is added to the rule of a rate: the rows say when requests were
// sent and ended, not when observation was to.
const rowsWindow = " Here the window is from the first send to the last token of a completed request, which is what the rows of the file allow."

// Rows computes figures from the rows of a foreign file by the same code as those
// of our own logs. The error is the first that rows gives.
func Rows(rows iter.Seq2[reqlog.Row, error], f Foreign) (Figures, error) {
	c, err := readColumns(rows)
	if err != nil {
		return Figures{}, err
	}
	defer c.gaps.Close() //nolint:errcheck // nothing is written any more
	r := &run{columns: c, samples: map[measure.MetricID]latencySample{}}
	r.m.State, r.m.Ledger = reqlog.Complete, c.ledger
	if f.Clock {
		r.m.Windows = r.spanOfRows()
	}
	if err := r.prepare(); err != nil {
		return Figures{}, fmt.Errorf("computing the rows of a foreign file: %w", err)
	}
	out := Figures{Ledger: r.ledger, Inputs: r.actual(r.inputs), Outputs: r.actual(r.outputs), TokenSource: r.source, Cached: r.cached, Window: f.window(r.observed())}
	if out.Values, err = r.foreignValues(f); err != nil {
		return Figures{}, fmt.Errorf("computing the rows of a foreign file: %w", err)
	}
	for _, d := range r.distributions() {
		if d.Finished > 0 && slices.Contains(f.Latencies, d.Metric) {
			out.Distributions = append(out.Distributions, d)
		}
	}
	return out, nil
}

// spanOfRows is from the first send to the last token of a completed request;
// without either it has no length.
func (r *run) spanOfRows() reqlog.Windows {
	w := reqlog.Windows{MeasureFromNS: math.MaxInt64, ObservedToNS: math.MinInt64}
	for i := range r.entries {
		e := &r.entries[i]
		if e.sent != none {
			w.MeasureFromNS, w.SendEndNS = min(w.MeasureFromNS, e.sent), max(w.SendEndNS, e.sent)
		}
		if e.outcome == reqlog.Completed && e.last != none {
			w.ObservedToNS = max(w.ObservedToNS, e.last)
		}
	}
	if w.ObservedToNS <= w.MeasureFromNS {
		return reqlog.Windows{}
	}
	return w
}

func (r *run) foreignValues(f Foreign) ([]evidence.Value, error) {
	var values []evidence.Value
	if f.Clock {
		parts := append(r.tokenRates(), r.requestRates()...)
		for _, p := range parts {
			if p.id == "output_token_rate_steady" || p.undef != "" || !p.over.IsValid() {
				continue // the planned load is not the rows' to say
			}
			v, err := r.rateValue(p)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.id, err)
			}
			v.Rule += rowsWindow
			values = append(values, v)
		}
	}
	for _, base := range f.Latencies {
		more, err := r.latencyValues(base, r.sample(base))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", base, err)
		}
		values = append(values, more...)
	}
	if f.Gaps {
		more, err := r.gapValues()
		if err != nil {
			return nil, err
		}
		values = append(values, more...)
	}
	values = slices.DeleteFunc(values, func(v evidence.Value) bool { return v.Amount.Kind == evidence.Undefined })
	for i := range values {
		f.place(&values[i])
	}
	evidence.SortValues(values)
	return values, nil
}

// place says of a value that it is from a file's rows, not from a log of ours.
func (f Foreign) place(v *evidence.Value) {
	v.Numerator, v.Denominator, v.Population = renamed(v.Numerator, f.From), renamed(v.Denominator, f.From), renamed(v.Population, f.From)
	v.Window = f.window(v.Window)
	// When sending was to stop is the plan's to say; the last send is not it.
	v.Limits = slices.DeleteFunc(v.Limits, func(l evidence.Limit) bool { return l.Code == evidence.DrainDominates })
	if q, _, _ := measure.Kind(v.Metric); q == measure.Time {
		v.Rule += " " + f.Events
		return
	}
	if d, ok := v.Denominator.Get(); ok {
		d.What = string(measure.FirstSendToLastToken)
		v.Denominator = evidence.Derived(d, f.From)
	}
}

// renamed gives a value that was counted from rows the note that says whose.
func renamed[T any](k evidence.Known[T], from string) evidence.Known[T] {
	x, ok := k.Get()
	if !ok || k.Note() != countedNote && k.Note() != windowNote(measure.ObservationWindow) {
		return k
	}
	return evidence.Derived(x, from)
}

func (f Foreign) window(k evidence.Known[evidence.Window]) evidence.Known[evidence.Window] {
	w, ok := k.Get()
	if !ok {
		return evidence.NotStated[evidence.Window]("the file's rows have no times on one clock")
	}
	w.Rule, w.FromNS, w.ToNS = measure.FirstSendToLastToken, 0, w.ToNS-w.FromNS
	return evidence.Derived(w, f.From)
}
