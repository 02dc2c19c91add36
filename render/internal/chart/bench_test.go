package chart_test

import (
	"testing"

	"benchline/render/internal/chart"
	"benchline/render/report"
)

// BenchmarkSVG is the cost of one drawing: of a load curve, and of a
// distribution with as many steps as a record keeps.
func BenchmarkSVG(b *testing.B) {
	long := ecdf()
	s := &long.Series[0]
	s.Points, s.Band = nil, nil
	for i := range 512 {
		x, y := float64(i)*0.02, float64(i)/550
		s.Points = append(s.Points, report.Point{X: x, Y: ptr(y), State: report.PointOK})
		s.Band = append(s.Band, report.BandPoint{X: x, Low: y, High: y * 1.07})
	}
	for _, c := range []report.Chart{loadCurve(), long} {
		b.Run(c.ID, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := chart.SVG(c, chart.Wide); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
