package report

import "math"

// logFrom is the ratio of largest to smallest from which an axis is logarithmic.
const logFrom = 30

// shareAxes gives charts that stand side by side the same axes: of those that
// have the same quantity to the right. An axis that is logarithmic already stays so.
func shareAxes(charts []Chart, of Quantity) {
	xs, ys := span{}, span{}
	for _, c := range charts {
		if c.X.Of != of {
			continue
		}
		for _, s := range c.Series {
			for _, p := range s.Points {
				xs.add(p.X)
				if p.Y != nil {
					ys.add(*p.Y)
				}
			}
		}
	}
	for i := range charts {
		if charts[i].X.Of != of {
			continue
		}
		xs.fix(&charts[i].X)
		ys.fix(&charts[i].Y)
	}
}

// span is the range of the numbers on an axis.
type span struct {
	low, high float64
	any       bool
}

func (s *span) add(x float64) {
	if !s.any {
		s.low, s.high, s.any = x, x, true
		return
	}
	s.low, s.high = math.Min(s.low, x), math.Max(s.high, x)
}

// fix sets an axis's ends: logarithmic where the numbers span decades, from zero
// otherwise. Both ends leave room for marks.
func (s *span) fix(a *Axis) {
	if !s.any || s.high <= 0 {
		return
	}
	if s.low > 0 && (a.Log || s.high/s.low >= logFrom) {
		low, high := s.low/1.3, s.high*1.3
		a.Log, a.Min, a.Max = true, &low, &high
		return
	}
	low, high := math.Min(0, s.low), s.high*1.06
	a.Log, a.Min, a.Max = false, &low, &high
}
