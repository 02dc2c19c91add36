package summarize

import (
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

const (
	// mostSteps is how many steps a distribution is thinned to: more than a
	// drawing of it has columns of ink.
	mostSteps = 256
	// tailSteps of them are the largest values, all of them, so that the tail
	// is exact.
	tailSteps = 128
)

// distributions are the latencies over all sent requests: in an open loop also
// those from due.
func (r *run) distributions() []evidence.Distribution {
	bases := []measure.MetricID{"ttft", "tpot", "e2e"}
	if r.open() {
		bases = []measure.MetricID{"ttft", "ttft_due", "tpot", "e2e", "e2e_due"}
	}
	out := make([]evidence.Distribution, 0, len(bases))
	for _, base := range bases {
		start := "sent"
		if base == "ttft_due" || base == "e2e_due" {
			start = "due"
		}
		if base == "tpot" {
			start = "first token"
		}
		s := r.sample(base)
		d := evidence.Distribution{Metric: base, Start: start, N: r.ledger.Sent,
			Finished: int64(len(s.all.Finished())), Open: int64(len(s.all.Open())), OpenAges: []float64{}}
		d.Ended = d.N - d.Finished - d.Open
		d.Steps = steps(s.all.Finished(), d.N)
		if base != "tpot" { // an unfinished request's age says nothing of its time per token
			d.OpenAges = thin(s.all.Open())
		}
		out = append(out, d)
	}
	return out
}

// steps is the empirical distribution of ascending values over n requests,
// thinned; each step that is kept is exact.
func steps(ascending []float64, n int64) []evidence.Step {
	out := []evidence.Step{}
	for _, i := range kept(len(ascending)) {
		// The step is as high as the last of equal values.
		above, _ := slices.BinarySearchFunc(ascending, ascending[i], func(x, limit float64) int {
			if x <= limit {
				return -1
			}
			return 1
		})
		s := evidence.Step{X: ascending[i], Share: float64(above) / float64(n)}
		if len(out) == 0 || out[len(out)-1] != s {
			out = append(out, s)
		}
	}
	return out
}

func thin(ascending []float64) []float64 {
	out := []float64{}
	for _, i := range kept(len(ascending)) {
		out = append(out, ascending[i])
	}
	return out
}

// kept are the places of n values that are kept: all, or the largest and an
// even choice of the others, the smallest among them.
func kept(n int) []int {
	all := make([]int, 0, min(n, mostSteps))
	if n <= mostSteps {
		for i := range n {
			all = append(all, i)
		}
		return all
	}
	body, few := n-tailSteps, mostSteps-tailSteps
	for i := range few {
		all = append(all, i*(body-1)/(few-1))
	}
	for i := body; i < n; i++ {
		all = append(all, i)
	}
	return all
}
