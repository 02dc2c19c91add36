// Package pace says when each request of an open loop is due.
//
// A due time is an offset from the start of a phase and depends on nothing but
// the plan: not on the clock, not on the endpoint, not on when the requests
// before were sent. It is never slid. What is late is late and says so.
//
// Constant arrivals are due at i × Per ÷ Requests, each computed from i alone
// in integers, so that no rounding adds up over a long run. Poisson arrivals
// add independent exponential gaps from a generator whose
// [Seed] follows from the plan, the repeat and the phase; the
// sum is kept in whole nanoseconds. Its generator is a stream of its own, so
// that changing the prompts does not change the arrivals, or the other way
// round.
//
// A closed loop needs no schedule: its next request starts when one ends.
package pace

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"time"

	"benchline/runner/plan"
)

// Latest is the last due time that can be stated. A schedule that would go
// beyond stays there: no run lasts that long.
const Latest = time.Duration(math.MaxInt64)

// arrivalStream is the second half of the generator's seed. Prompts are drawn
// from streams of another kind, see package workload.
const arrivalStream = 0x6172726976616c73 // "arrivals"

// Seed is what the random arrivals of one phase of one repeat are drawn from:
// the first 53 bits, so that every reader of JSON reads it exactly, of the
// SHA-256 of "benchline arrivals 1", the plan's seed and the repeat (from 1) as
// 8 bytes each, the least first, and the phase's name. So the repeats of a point
// are independent draws, and a plan that is run again draws the same. Points of
// one repeat share it: they are compared under the same draw, in their own time.
func Seed(seed uint64, repeat int, phase string) uint64 {
	b := binary.LittleEndian.AppendUint64([]byte("benchline arrivals 1"), seed)
	b = binary.LittleEndian.AppendUint64(b, uint64(repeat)) //nolint:gosec // ≥ 1
	sum := sha256.Sum256(append(b, phase...))
	return binary.BigEndian.Uint64(sum[:]) >> 11
}

// Open yields the due times of an open loop. It is not safe for concurrent use.
type Open struct {
	rate plan.ArrivalRate
	i    uint64        // requests yielded so far
	at   time.Duration // Poisson: the last due time
	draw *rand.Rand    // nil: constant
}

// NewOpen returns the schedule of a phase. The rate must come from a plan:
// both its parts more than 0. Arrivals other than Poisson are constant. The
// seed matters to Poisson arrivals only; the same seed gives the same due
// times to the nanosecond on every platform.
func NewOpen(rate plan.ArrivalRate, a plan.Arrivals, seed uint64) *Open {
	o := &Open{rate: rate}
	if a == plan.Poisson {
		o.draw = rand.New(rand.NewPCG(seed, arrivalStream)) //nolint:gosec // repeatable on purpose
	}
	return o
}

// Next returns the offset of the next due time from the start of the phase.
// Offsets never decrease. The first constant request is due at 0; the first
// Poisson one after a random gap, like all others.
func (o *Open) Next() time.Duration {
	if o.draw == nil {
		d := constant(o.i, o.rate)
		o.i++
		return d
	}
	o.at = later(o.at, o.gap())
	return o.at
}

// gap draws an exponential gap with mean Per ÷ Requests, in nanoseconds, by
// inverting the distribution: −mean × ln u.
func (o *Open) gap() time.Duration {
	mean := float64(o.rate.Per) / float64(o.rate.Requests)
	u := 1 - o.draw.Float64() // in (0, 1]: its logarithm is finite
	return time.Duration(math.RoundToEven(-mean * ln(u)))
}

// ln is the natural logarithm of x in (0, 1] to within a few units in the last
// place. math.Log is assembly on some platforms and may differ there in the
// last bit; this one is the same bits everywhere: it uses only operations that
// IEEE 754 rounds correctly, and the conversions to float64 keep a compiler
// from fusing two of them into one.
//
// x = m × 2^k with m in [√½, √2); ln m = 2 (s + s³/3 + s⁵/5 + …) with
// s = (m − 1) ÷ (m + 1), |s| < 0.172, so 12 terms are enough.
func ln(x float64) float64 {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		k--
	}
	s := (m - 1) / (m + 1)
	square := float64(s * s)
	sum := 0.0
	for n := 23; n >= 1; n -= 2 { // the smallest term first
		sum = float64(sum*square) + 1/float64(n)
	}
	return float64(float64(k)*math.Ln2) + float64(2*float64(s*sum))
}

// later adds two non-negative durations and stays at Latest.
func later(a, b time.Duration) time.Duration {
	if a > Latest-b {
		return Latest
	}
	return a + b
}

// constant is i × Per ÷ Requests, rounded down, in 128 bits.
func constant(i uint64, r plan.ArrivalRate) time.Duration {
	hi, lo := bits.Mul64(i, uint64(r.Per)) //nolint:gosec // > 0
	n := uint64(r.Requests)                //nolint:gosec // > 0
	if hi >= n {
		return Latest
	}
	q, _ := bits.Div64(hi, lo, n)
	return time.Duration(min(q, uint64(Latest))) //nolint:gosec // bounded
}
