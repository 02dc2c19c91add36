package plan

import (
	"math/bits"
	"time"
)

// Unknown stands in [Needs] where a plan does not settle a number.
const Unknown = -1

// Needs is what a plan will send, open and last, as far as that can be known
// beforehand. A number that depends on how fast the endpoint answers is
// [Unknown], not guessed.
type Needs struct {
	Points []PointNeeds
	Runs   int // points × repeats
	// Requests and Warmup are over all runs; Unknown if any point's is.
	Requests, Warmup int64
	// Sockets is the most connections open at once.
	Sockets int
	// Seconds is warm-up and sending over all runs; Unknown if any point's
	// is. KnownSeconds is the same over the points whose is known.
	Seconds, KnownSeconds float64
	// DrainSeconds is the most that draining can add over all runs.
	DrainSeconds float64
}

// PointNeeds is what one run of one point needs.
type PointNeeds struct {
	Point            Point
	Requests, Warmup int64 // Unknown where the endpoint's speed settles it
	Sockets          int   // the most connections open at once
	Seconds          float64
	// Expected is set where arrivals are random: Requests (with a duration)
	// or Seconds (with a count) is then the expected value, not a promise.
	Expected bool
	// Notes say what is not known and why, a sentence each.
	Notes []string
}

// Needs returns what the plan needs.
func (p Plan) Needs() Needs {
	n := Needs{Runs: len(p.points) * p.spec.Repeats}
	repeats := float64(p.spec.Repeats)
	for _, pt := range p.Points() {
		pn := p.spec.needs(pt)
		n.Points = append(n.Points, pn)
		n.Requests = addKnown(n.Requests, pn.Requests, p.spec.Repeats)
		n.Warmup = addKnown(n.Warmup, pn.Warmup, p.spec.Repeats)
		n.Sockets = max(n.Sockets, pn.Sockets)
		n.DrainSeconds += repeats * p.spec.Drain.Grace.Seconds()
		if pn.Seconds == Unknown {
			n.Seconds = Unknown
			continue
		}
		n.KnownSeconds += repeats * pn.Seconds
		if n.Seconds != Unknown {
			n.Seconds += repeats * pn.Seconds
		}
	}
	return n
}

func addKnown(sum, one int64, times int) int64 {
	if sum == Unknown || one == Unknown {
		return Unknown
	}
	return sum + one*int64(times)
}

func (s Spec) needs(pt Point) PointNeeds {
	pn := PointNeeds{Point: pt, Sockets: pt.Concurrency}
	if open, ok := s.Load.(Open); ok {
		pn.Sockets = open.MaxInFlight
	}
	var warm, sending float64
	pn.Warmup, warm = amount(pt.Rate, s.Warmup.Requests, s.Warmup.Duration)
	pn.Requests, sending = amount(pt.Rate, s.Stop.Requests, s.Stop.Duration)
	switch {
	case warm == Unknown || sending == Unknown:
		pn.Seconds = Unknown
		pn.Notes = append(pn.Notes, "how long it takes depends on how fast the endpoint answers")
	default:
		pn.Seconds = warm + sending
	}
	if pn.Requests == Unknown {
		pn.Notes = append(pn.Notes, "how many requests are sent depends on how fast the endpoint answers")
	}
	if pt.Arrivals == Poisson {
		pn.Expected = true
		pn.Notes = append(pn.Notes, "arrivals are random: the expected value is given, the seed settles the true one of each repeat")
	}
	return pn
}

// amount is how many requests one phase sends and how many seconds it sends
// for. A closed loop (rate nil) knows only the one that was stated; an open
// loop knows both: the i-th request is due at i × Per ÷ Requests.
func amount(rate *ArrivalRate, requests int, d time.Duration) (int64, float64) {
	switch {
	case requests == 0 && d == 0:
		return 0, 0
	case rate == nil && d > 0:
		return Unknown, d.Seconds()
	case rate == nil:
		return int64(requests), Unknown
	case d > 0:
		return dueBefore(*rate, d), d.Seconds()
	}
	return int64(requests), float64(requests) / rate.PerSecond()
}

// dueBefore is how many of the constant due times i × Per ÷ Requests, from
// i = 0, lie before d: ⌈d × Requests ÷ Per⌉.
func dueBefore(r ArrivalRate, d time.Duration) int64 {
	hi, lo := bits.Mul64(uint64(d), uint64(r.Requests)) //nolint:gosec // both are > 0
	lo, carry := bits.Add64(lo, uint64(r.Per)-1, 0)     //nolint:gosec // > 0
	n, _ := bits.Div64(hi+carry, lo, uint64(r.Per))     //nolint:gosec // bounds: n ≤ 7 d × 100,000/s
	return int64(n)                                     //nolint:gosec // fits, see above
}
