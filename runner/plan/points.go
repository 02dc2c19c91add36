package plan

import (
	"fmt"
	"maps"
	"slices"
)

// maxPoints and maxRuns bound what one plan may ask for.
const (
	maxPoints = 1000
	maxRuns   = 10_000
)

// matrix lays out the points: output lengths rising, within them input
// lengths, within them loads.
func matrix(s Spec) []Point {
	var points []Point
	for _, out := range rising(s.Workload.OutputTokens) {
		for _, in := range rising(s.Workload.InputTokens) {
			for _, p := range loadPoints(s.Load) {
				p.Index = len(points)
				p.InputTokens, p.OutputTokens = in, out
				p.Slug = fmt.Sprintf("i%d-o%d-%s", in, out, p.Slug)
				points = append(points, p)
			}
		}
	}
	return points
}

func rising(ns []int) []int { return slices.Sorted(slices.Values(ns)) }

// loadPoints are the loads, rising, as points without lengths.
func loadPoints(l LoadShape) []Point {
	var points []Point
	switch l := l.(type) {
	case Closed:
		for _, c := range rising(l.Concurrency) {
			points = append(points, Point{Slug: fmt.Sprintf("c%d", c), Concurrency: c})
		}
	case Open:
		rates := slices.Clone(l.Rates)
		slices.SortFunc(rates, func(a, b ArrivalRate) int { return a.rat().Cmp(b.rat()) })
		for _, r := range rates {
			points = append(points, Point{Slug: r.slug(), Rate: &ArrivalRate{r.Requests, r.Per}, Arrivals: l.Arrivals})
		}
	}
	return points
}

// tooMany faults a matrix, or a number of requests, that nobody can mean.
func tooMany(file string, at lines, s Spec, points []Point) *Fault {
	if len(points) > maxPoints {
		return &Fault{
			File: file, Line: at.at("workload"), Key: "workload",
			Msg: fmt.Sprintf("the matrix has %d points, at most %d are allowed", len(points), maxPoints), Hint: "split the plan",
		}
	}
	if runs := len(points) * s.Repeats; runs > maxRuns {
		return &Fault{
			File: file, Line: at.at("repeats"), Key: "repeats",
			Msg: fmt.Sprintf("the plan has %d runs, at most %d are allowed", runs, maxRuns), Hint: "split the plan",
		}
	}
	for _, pt := range points {
		if n, _ := amount(pt.Rate, s.Stop.Requests, s.Stop.Duration); n > maxRequests {
			return &Fault{
				File: file, Line: at.at("stop", "duration"), Key: "stop.duration",
				Msg: fmt.Sprintf("%s at %s is %d requests, at most %d are allowed", s.Stop.Duration, pt.Rate, n, maxRequests),
			}
		}
		if n, _ := amount(pt.Rate, s.Warmup.Requests, s.Warmup.Duration); n > maxRequests {
			return &Fault{
				File: file, Line: at.at("warmup", "duration"), Key: "warmup.duration",
				Msg: fmt.Sprintf("%s at %s is %d requests, at most %d are allowed", s.Warmup.Duration, pt.Rate, n, maxRequests),
			}
		}
	}
	return nil
}

// clone copies everything that a caller could change.
func (s Spec) clone() Spec {
	s.Profile.Quantized = clonePointer(s.Profile.Quantized)
	s.Profile.AdditionalProperties = maps.Clone(s.Profile.AdditionalProperties)
	s.Workload.InputTokens = slices.Clone(s.Workload.InputTokens)
	s.Workload.OutputTokens = slices.Clone(s.Workload.OutputTokens)
	s.Objectives = clonePointer(s.Objectives)
	switch l := s.Load.(type) {
	case Closed:
		s.Load = Closed{Concurrency: slices.Clone(l.Concurrency)}
	case Open:
		l.Rates = slices.Clone(l.Rates)
		s.Load = l
	}
	return s
}
