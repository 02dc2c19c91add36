package consistency

import (
	"fmt"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// meansForPercentiles marks the mean of a latency of which the record has no
// percentile: that is where a reader would take it for one.
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
		if _, stat, _ := measure.Kind(v.Metric); stat == measure.Mean && !percentile[baseOf(v.Metric, stat)] {
			out = append(out, note(evidence.MeanNotPercentile, string(v.Metric)))
		}
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
	if open < 1 || !ok {
		return nil
	}
	var out []evidence.Limit
	for _, v := range r.Values {
		if isLatency(v) && v.Amount.Kind == evidence.Exact {
			out = append(out, note(evidence.CompletionConditioned, string(v.Metric), measure.FormatCount(completed)))
		}
	}
	return out
}

// How far throughput × latency may lie from the requests outstanding. Above
// it there would be more in flight than clients; far below it the clients were
// not kept busy, or the two figures are of different things.
const (
	mostInFlight  = 1.10
	leastInFlight = 0.50
)

// inFlight is Little's law as plausibility: requests per second × time in the
// system is the number in flight, which the clients bound. It holds for means;
// with a median it is a hint, and the note says which was used.
func inFlight(r evidence.Record) []evidence.Limit {
	clients, ok := r.Load.Concurrency.Get()
	if !ok || clients < 1 {
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
	n := pace.x * stay.x
	over := n > mostInFlight*float64(clients)
	under := stay.whole && n < leastInFlight*float64(clients)
	if !over && !under {
		return nil
	}
	return []evidence.Limit{note(evidence.InFlightImplausible, "record", fmt.Sprintf("%.4g", pace.x), pace.words,
		fmt.Sprintf("%.4g", stay.x), stay.words, fmt.Sprintf("%.1f", n), measure.FormatCount(clients))}
}

// estimate is a quantity with how it was come by.
type estimate struct {
	x     float64
	words string
	whole bool // the whole stay in the system, not only the wait for the first token
}

// requestPace is completed requests per second: as stated, or as the counts or
// the output rate imply.
func requestPace(r evidence.Record) (estimate, bool) {
	if x, ok := number(r, "request_rate"); ok {
		return estimate{x: x, words: "as stated"}, x > 0
	}
	completed, hasCompleted := r.Outcomes.Completed.Get()
	if w, ok := r.State.Window.Get(); ok && hasCompleted && w.Seconds > 0 {
		return estimate{x: float64(completed) / w.Seconds, words: "completed by seconds"}, completed > 0
	}
	rate, hasRate := number(r, "output_token_rate")
	target, hasTarget := r.Workload.OutputTokensAsked.Get()
	if hasRate && hasTarget && target > 0 {
		return estimate{x: rate / float64(target), words: "output rate by output target, if every output reached it"}, rate > 0
	}
	return estimate{}, false
}

// timeInSystem is how long a request stays: end to end, or first token plus the
// remaining ones, or at least the wait for the first token.
func timeInSystem(r evidence.Record) (estimate, bool) {
	stats := []struct {
		stat measure.Stat
		word string
	}{{measure.Mean, "mean"}, {measure.P50, "median, which stands in for a mean here"}}
	for _, s := range stats {
		if x, ok := number(r, measure.ID("e2e", s.stat)); ok {
			return estimate{x: x, words: "end to end, " + s.word, whole: true}, x > 0
		}
	}
	for _, s := range stats {
		first, hasFirst := number(r, measure.ID("ttft", s.stat))
		each, hasEach := number(r, measure.ID("tpot", s.stat))
		target, hasTarget := r.Workload.OutputTokensAsked.Get()
		switch {
		case hasFirst && hasEach && hasTarget && target > 1:
			return estimate{x: first + float64(target-1)*each, words: "TTFT and TPOT over the output target, " + s.word, whole: true}, first > 0
		case hasFirst:
			return estimate{x: first, words: "TTFT alone, " + s.word}, first > 0
		}
	}
	return estimate{}, false
}
