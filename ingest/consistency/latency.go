package consistency

import (
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// meansForPercentiles marks the mean of a latency of which the record has no
// percentile.
func meansForPercentiles(r evidence.Record) []evidence.Limit {
	percentile := map[measure.MetricID]bool{}
	for _, v := range r.Values {
		_, stat, _ := measure.Kind(v.Metric)
		if _, isQuantile := stat.Q(); isQuantile {
			percentile[baseOf(v.Metric, stat)] = true
		}
	}
	var out []evidence.Limit
	for _, v := range r.Values {
		_, stat, _ := measure.Kind(v.Metric)
		out = append(out, limits.MeanNotPercentile(stat, percentile[baseOf(v.Metric, stat)]).At(string(v.Metric))...)
	}
	return out
}

// baseOf is a latency without its statistic.
func baseOf(id measure.MetricID, stat measure.Stat) measure.MetricID {
	return measure.MetricID(strings.TrimSuffix(string(id), "_"+string(stat)))
}

// completedOnly marks latencies of completed requests where requests are known
// to be unfinished.
func completedOnly(r evidence.Record) []evidence.Limit {
	open, _ := r.Outcomes.Unresolved.Get()
	completed, ok := r.Outcomes.Completed.Get()
	if !ok {
		return nil
	}
	var out []evidence.Limit
	for _, v := range r.Values {
		if isLatency(v) && v.Amount.Kind == evidence.Exact {
			out = append(out, limits.CompletionConditioned(completed, open).At(string(v.Metric))...)
		}
	}
	return out
}

// inFlight holds throughput and latency against the number of clients. Little's
// law holds for means; with a median it is a hint, and the note says which was
// used.
func inFlight(r evidence.Record) []evidence.Limit {
	clients, ok := r.Load.Concurrency.Get()
	if !ok {
		return nil
	}
	pace, ok := requestPace(r)
	if !ok {
		return nil
	}
	stay, ok := timeInSystem(r)
	if !ok {
		return nil
	}
	return limits.InFlightImplausible(pace, stay, clients).Record()
}

// requestPace is completed requests per second: as stated, or as the counts or
// the output rate imply.
func requestPace(r evidence.Record) (limits.Estimate, bool) {
	if x, ok := number(r, "request_rate"); ok {
		return limits.Estimate{X: x, Words: "as stated"}, x > 0
	}
	completed, hasCompleted := r.Outcomes.Completed.Get()
	if w, ok := r.State.Window.Get(); ok && hasCompleted && w.Seconds > 0 {
		return limits.Estimate{X: float64(completed) / w.Seconds, Words: "completed by seconds"}, completed > 0
	}
	rate, hasRate := number(r, "output_token_rate")
	target, hasTarget := r.Workload.OutputTokensAsked.Get()
	if hasRate && hasTarget && target > 0 {
		return limits.Estimate{X: rate / float64(target), Words: "output rate by output target, if every output reached it"}, rate > 0
	}
	return limits.Estimate{}, false
}

// timeInSystem is how long a request stays: end to end, or first token plus the
// remaining ones, or at least the wait for the first token.
func timeInSystem(r evidence.Record) (limits.Estimate, bool) {
	stats := []struct {
		stat measure.Stat
		word string
	}{{measure.Mean, "mean"}, {measure.P50, "median, which stands in for a mean here"}}
	for _, s := range stats {
		if x, ok := number(r, measure.ID("e2e", s.stat)); ok {
			return limits.Estimate{X: x, Words: "end to end, " + s.word, Whole: true}, x > 0
		}
	}
	for _, s := range stats {
		first, hasFirst := number(r, measure.ID("ttft", s.stat))
		each, hasEach := number(r, measure.ID("tpot", s.stat))
		target, hasTarget := r.Workload.OutputTokensAsked.Get()
		switch {
		case hasFirst && hasEach && hasTarget && target > 1:
			return limits.Estimate{X: first + float64(target-1)*each, Words: "TTFT and TPOT over the output target, " + s.word, Whole: true}, first > 0
		case hasFirst:
			return limits.Estimate{X: first, Words: "TTFT alone, " + s.word}, first > 0
		}
	}
	return limits.Estimate{}, false
}
