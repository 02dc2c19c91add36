package summarize

import (
	"fmt"

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
	of, err := measure.NewPopulation("gaps between token-bearing chunks of completed requests of the measured phase", r.gaps.N,
		with(with(r.ledgerOut(), measure.GapsNotKept, notKept), measure.TimesOutOfOrder, r.wrongGaps)...)
	if err != nil {
		return nil, fmt.Errorf("chunk_gap: %w", err)
	}
	list := plainSample{unit: "gaps", Durations: &r.gaps, none: "no gap between chunks of completed requests was recorded", noInterval: "gaps of one stream are not independent"}
	return r.plainValues("chunk_gap", of, list, func(id measure.MetricID) []evidence.Limit { return r.gapLimits(id) })
}

// lagValues are the statistics of the time from due to sent, in an open loop.
func (r *run) lagValues() ([]evidence.Value, error) {
	if !r.open() {
		return nil, nil
	}
	var lags Durations
	defer lags.Close() //nolint:errcheck // nothing is written any more
	for i := range r.entries {
		if e := &r.entries[i]; e.sent != none && e.sent >= e.due {
			if err := lags.Add(e.sent - e.due); err != nil {
				return nil, fmt.Errorf("send_lag: %w", err)
			}
		}
	}
	list := plainSample{unit: "requests", Durations: &lags, none: "no request was sent", noInterval: "lags of requests that wait for one client are not independent"}
	of, err := measure.NewPopulation(sentRule, lags.N, measure.Exclusion{Reason: measure.WasNeverSent, N: r.ledger.NeverSent})
	if err != nil {
		return nil, fmt.Errorf("send_lag: %w", err)
	}
	return r.plainValues("send_lag", of, list, func(measure.MetricID) []evidence.Limit { return []evidence.Limit{} })
}

// plainSample is a sample in which all values are known.
type plainSample struct {
	*Durations
	unit       string // what is counted
	none       string // why there is no figure when there is none
	noInterval string
}

// quantiles are the sample's values at the statistics that are quantiles; none
// if it is empty.
func (s plainSample) quantiles() (map[measure.Stat]int64, error) {
	var stats []measure.Stat
	var ranks []int64
	for _, stat := range measure.Stats() {
		if q, ok := stat.Q(); ok && s.N > 0 {
			stats, ranks = append(stats, stat), append(ranks, q.Rank(s.N))
		}
	}
	values, err := s.Ranks(ranks...)
	at := map[measure.Stat]int64{}
	for i := range values {
		at[stats[i]] = values[i]
	}
	return at, err
}

func (r *run) plainValues(base measure.MetricID, of measure.Population, s plainSample, limits func(measure.MetricID) []evidence.Limit) ([]evidence.Value, error) {
	at, err := s.quantiles()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", base, err)
	}
	var values []evidence.Value
	for _, stat := range measure.Stats() {
		m, ok := measure.Lookup(measure.ID(base, stat))
		if !ok {
			return nil, fmt.Errorf("%s: the metric registry has no %s of it", base, stat)
		}
		v := r.emptyValue(m)
		v.Population = evidence.Derived(populationOf(of), countedNote)
		v.Window = r.observed()
		fillPlain(&v, stat, s, at[stat])
		v.Limits = limits(m.ID)
		if v.Amount.Kind == evidence.TooFew {
			v.Limits = append(v.Limits, tooFew(m.ID, v.Amount.N)...)
		}
		values = append(values, v)
	}
	return values, nil
}

// fillPlain sets the amount. At is the value at the statistic, ns, if that is a
// quantile.
func fillPlain(v *evidence.Value, stat measure.Stat, s plainSample, at int64) {
	if s.N == 0 {
		undefined(v, s.none)
		return
	}
	v.Interval = evidence.NotApplicable[evidence.Interval](s.noInterval)
	q, ok := stat.Q()
	if !ok {
		v.Amount = evidence.Amount{Kind: evidence.Exact, X: measure.Seconds(s.Sum) / float64(s.N)}
		v.Numerator = evidence.Derived(evidence.Term{Amount: measure.Seconds(s.Sum), Unit: "s", What: "sum over the " + s.unit}, countedNote)
		v.Denominator = evidence.Derived(evidence.Term{Amount: float64(s.N), Unit: s.unit, What: s.unit}, countedNote)
		return
	}
	rank(v, q, s.N, s.unit)
	v.Denominator = evidence.Derived(evidence.Term{Amount: float64(s.N), Unit: s.unit, What: s.unit}, countedNote)
	v.Amount = evidence.Amount{Kind: evidence.Exact, X: measure.Seconds(at)}
	if need := measure.MinN(q); tailed(q) && s.N < need {
		v.Amount = evidence.Amount{Kind: evidence.TooFew, N: s.N, Need: need}
	}
}
