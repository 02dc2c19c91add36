package summarize

import (
	"fmt"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// gapValues are the statistics of gaps between chunks. Gaps have no ages: an
// unfinished request's open gap is not known to be one.
func (r *run) gapValues() ([]evidence.Value, error) {
	var notKept int64
	for i := range r.entries {
		if e := &r.entries[i]; e.outcome == reqlog.Completed && !e.gapsKept {
			notKept++
		}
	}
	of, err := measure.NewPopulation("gaps between token-bearing chunks of completed requests of the measured phase", r.gaps.n(),
		with(with(r.ledgerOut(), measure.GapsNotKept, notKept), measure.TimesOutOfOrder, r.gaps.wrong)...)
	if err != nil {
		return nil, fmt.Errorf("chunk_gap: %w", err)
	}
	list := plainSample{unit: "gaps", n: r.gaps.n(), sum: r.gaps.sum, rank: r.gaps.rank,
		none: "no gap between chunks of completed requests was recorded", noInterval: "gaps of one stream are not independent"}
	return r.plainValues("chunk_gap", of, list, func(id measure.MetricID) []evidence.Limit { return r.gapLimits(id) })
}

// lagValues are the statistics of the time from due to sent, in an open loop.
func (r *run) lagValues() ([]evidence.Value, error) {
	if !r.open() {
		return nil, nil
	}
	var lags []int64
	var list plainSample
	for i := range r.entries {
		if e := &r.entries[i]; e.sent != none && e.sent >= e.due {
			lags = append(lags, e.sent-e.due)
			list.sum += e.sent - e.due
		}
	}
	slices.Sort(lags)
	list.unit, list.n = "requests", int64(len(lags))
	list.rank = func(rank int64) int64 { return lags[rank-1] }
	list.none, list.noInterval = "no request was sent", "lags of requests that wait for one client are not independent"
	of, err := measure.NewPopulation(sentRule, list.n, measure.Exclusion{Reason: measure.WasNeverSent, N: r.ledger.NeverSent})
	if err != nil {
		return nil, fmt.Errorf("send_lag: %w", err)
	}
	return r.plainValues("send_lag", of, list, func(measure.MetricID) []evidence.Limit { return []evidence.Limit{} })
}

// plainSample is a sample of whole nanoseconds in which all values are known.
type plainSample struct {
	unit       string // what is counted
	n, sum     int64
	rank       func(rank int64) int64
	none       string // why there is no figure when n is 0
	noInterval string
}

func (r *run) plainValues(base measure.MetricID, of measure.Population, s plainSample, limits func(measure.MetricID) []evidence.Limit) ([]evidence.Value, error) {
	var values []evidence.Value
	for _, stat := range measure.Stats() {
		m, ok := measure.Lookup(measure.ID(base, stat))
		if !ok {
			return nil, fmt.Errorf("%s: the metric registry has no %s of it", base, stat)
		}
		v := r.emptyValue(m)
		v.Population = evidence.Derived(populationOf(of), countedNote)
		v.Window = r.observed()
		fillPlain(&v, stat, s)
		v.Limits = limits(m.ID)
		if v.Amount.Kind == evidence.TooFew {
			v.Limits = append(v.Limits, tooFew(m.ID, v.Amount.N)...)
		}
		values = append(values, v)
	}
	return values, nil
}

func fillPlain(v *evidence.Value, stat measure.Stat, s plainSample) {
	if s.n == 0 {
		undefined(v, s.none)
		return
	}
	v.Interval = evidence.NotApplicable[evidence.Interval](s.noInterval)
	q, ok := stat.Q()
	if !ok {
		v.Amount = evidence.Amount{Kind: evidence.Exact, X: measure.Seconds(s.sum) / float64(s.n)}
		v.Numerator = evidence.Derived(evidence.Term{Amount: measure.Seconds(s.sum), Unit: "s", What: "sum over the " + s.unit}, countedNote)
		v.Denominator = evidence.Derived(evidence.Term{Amount: float64(s.n), Unit: s.unit, What: s.unit}, countedNote)
		return
	}
	rank(v, q, s.n, s.unit)
	v.Denominator = evidence.Derived(evidence.Term{Amount: float64(s.n), Unit: s.unit, What: s.unit}, countedNote)
	v.Amount = evidence.Amount{Kind: evidence.Exact, X: measure.Seconds(s.rank(q.Rank(s.n)))}
	if need := measure.MinN(q); tailed(q) && s.n < need {
		v.Amount = evidence.Amount{Kind: evidence.TooFew, N: s.n, Need: need}
	}
}
