package chart

import (
	"math"
	"slices"
	"sort"
)

// tick is one mark of an axis, in display units. A minor tick has no text.
type tick struct {
	at   float64
	text string
}

// niceStep is the smallest of 1, 2, 2.5 and 5 times a power of ten that cuts
// span into at most n parts.
func niceStep(span float64, n int) float64 {
	raw := span / float64(n)
	pow := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5, 10} {
		if m*pow >= raw*(1-1e-9) {
			return m * pow
		}
	}
	return 10 * pow
}

// decimalsOf is how many decimals write multiples of step exactly.
func decimalsOf(step float64) int {
	for d := 0; d < 9; d++ {
		x := step * math.Pow(10, float64(d))
		if math.Abs(x-math.Round(x)) < 1e-6*x {
			return d
		}
	}
	return 9
}

// linearTicks widens lo…hi to whole steps and returns the ticks; at most n+1
// of them, at least two. Ends that are pinned are not widened.
func linearTicks(lo, hi float64, pinLo, pinHi bool, n int) (float64, float64, []tick) {
	step := niceStep(hi-lo, max(n, 1))
	first, last := math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
	if !pinLo {
		first = math.Floor(lo/step + 1e-9)
		lo = math.Min(lo, first*step)
	}
	if !pinHi {
		last = math.Ceil(hi/step - 1e-9)
		hi = math.Max(hi, last*step)
	}
	decimals := decimalsOf(step)
	var ticks []tick
	for i := 0; i <= int(math.Min(last-first, 100)); i++ {
		at := (first + float64(i)) * step
		ticks = append(ticks, tick{at, fixed(at, decimals)})
	}
	return lo, hi, ticks
}

// logEnds rounds the ends outwards to 1, 2 or 5 times a power of ten.
func logEnds(lo, hi float64) (float64, float64) {
	down, up := lo, hi
	p := math.Pow(10, math.Floor(math.Log10(lo)))
	for _, m := range []float64{1, 2, 5} {
		if m*p <= lo*(1+1e-9) {
			down = m * p
		}
	}
	p = math.Pow(10, math.Floor(math.Log10(hi)))
	for _, m := range []float64{10, 5, 2, 1} {
		if m*p >= hi*(1-1e-9) {
			up = m * p
		}
	}
	if down == up {
		return down / 2, up * 2
	}
	return math.Min(down, lo), math.Max(up, hi)
}

// logLadder is a set of multipliers labelled in each decade, or a number of
// decades between labels.
type logLadder struct {
	mults  []float64
	stride int
}

// logTicks returns the labelled ticks of the densest ladder for which fits
// agrees, and the unlabelled minor ones.
func logTicks(lo, hi float64, fits func([]tick) bool) (major, minor []tick) {
	from, to := int(math.Floor(math.Log10(lo)+1e-9)), int(math.Ceil(math.Log10(hi)-1e-9))
	ladders := []logLadder{
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 1}, {[]float64{1, 2, 5}, 1}, {[]float64{1, 3}, 1}, {[]float64{1}, 1},
	}
	for stride := 2; stride <= to-from; stride++ {
		ladders = append(ladders, logLadder{[]float64{1}, stride})
	}
	for _, l := range ladders {
		major = l.ticks(lo, hi, from, to)
		if len(major) >= 2 && fits(major) {
			break
		}
	}
	if to-from <= 8 {
		for _, t := range ladders[0].ticks(lo, hi, from, to) {
			if !hasTick(major, t.at) {
				minor = append(minor, tick{at: t.at})
			}
		}
	}
	return major, minor
}

func (l logLadder) ticks(lo, hi float64, from, to int) []tick {
	var ticks []tick
	for e := from; e <= to; e += l.stride {
		for _, m := range l.mults {
			at := m * math.Pow(10, float64(e))
			if at >= lo*(1-1e-9) && at <= hi*(1+1e-9) {
				ticks = append(ticks, tick{at, fixed(at, max(0, -e))})
			}
		}
	}
	return ticks
}

func hasTick(ticks []tick, at float64) bool {
	for _, t := range ticks {
		if math.Abs(t.at-at) <= 1e-9*math.Abs(at) {
			return true
		}
	}
	return false
}

// octaveTicks returns ticks at powers of two if every value is one and they
// span at least two octaves: a ladder of concurrencies is read at its rungs.
// Every octave gets a tick if there is room, else every value, else some.
func octaveTicks(values []float64, fits func([]tick) bool) []tick {
	rungs := slices.Clone(values)
	sort.Float64s(rungs)
	rungs = slices.Compact(rungs)
	for _, v := range rungs {
		if frac, _ := math.Frexp(v); frac != 0.5 || v < 1 || v > 1<<24 {
			return nil
		}
	}
	if len(rungs) < 2 || rungs[len(rungs)-1] < 4*rungs[0] {
		return nil
	}
	var octaves []float64
	for v := rungs[0]; v <= rungs[len(rungs)-1]; v *= 2 {
		octaves = append(octaves, v)
	}
	if ticks := everyNth(octaves, 1); fits(ticks) {
		return ticks
	}
	for stride := 1; stride < len(rungs); stride++ {
		if ticks := everyNth(rungs, stride); fits(ticks) {
			return ticks
		}
	}
	return nil
}

func everyNth(values []float64, stride int) []tick {
	var ticks []tick
	for i := 0; i < len(values); i += stride {
		ticks = append(ticks, tick{values[i], fixed(values[i], 0)})
	}
	return ticks
}
