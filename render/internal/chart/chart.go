// Package chart draws a [report.Chart] three ways from the same data: a static
// SVG that needs no script, an ECharts option that a script may put in its
// place, and the rows of the table that stands beside both.
//
// It draws its own SVG because the page must be readable without JavaScript,
// from disk, on paper and in ten years, and because a chart of measurements
// has needs that plotting libraries lack: gaps that stay gaps, unfinished
// requests that leave a distribution open, void runs that stay visible.
//
// # What a stylesheet must know
//
// The SVG has no style attribute and no style element, so a strict content
// security policy holds. Colours come from these classes; without any
// stylesheet the drawing is legible in black:
//
//	svg.chart, svg.wide, svg.narrow   the drawing and its two sizes
//	.grid .grid-minor .frame          thin lines
//	.tick .axis-label .better         text at the axes
//	.legend .legend-text              the key
//	.s0 … .s5                         one series: sets its colour
//	.curve .band .mark .hollow .cross .arrow   parts of a series
//	.ring .ring.perhaps .under .quote .dot   what a mark has besides: its place, a claim, a derived value
//	.nodata .nodata-text              "no data" and "failed" at the axis and below
//	.ref .ref-text, with .hot         reference lines
//	.open-end                         the part of an ECDF that is not known
//	.point-label .empty-text          labels in the plot
//	a.pt .hit                         a linked point and its larger target
//
// The stylesheet that the looks were judged with is testdata/chart.css.
//
// # Limits
//
// The width of text is estimated, generously, because no font is at hand when
// a page is built. Logarithmic axes hold positive values only: a chart with a
// zero or a negative value on a logarithmic axis is drawn linear, and its label
// says so by not saying "log". Bars are not drawn.
package chart

import (
	"errors"
	"fmt"
	"math"

	"benchline/render/report"
)

// Width is one of the two sizes in which a chart is drawn. Text has the same
// size in both, so that neither has to be shrunk to fit its screen.
type Width int

// The two sizes: a column of text, and a phone.
const (
	Wide   Width = iota + 1 // 880 units
	Narrow                  // 340 units
)

// size is what depends on the width.
type size struct {
	class  string
	suffix string // of IDs
	w      float64
	plotH  float64
}

func (w Width) size() (size, error) {
	switch w {
	case Wide:
		return size{class: "wide", suffix: "w", w: 880, plotH: 236}, nil
	case Narrow:
		return size{class: "narrow", suffix: "n", w: 340, plotH: 200}, nil
	}
	return size{}, fmt.Errorf("draw chart: width %d is neither wide nor narrow", int(w))
}

// largest is the largest magnitude that can be drawn: the difference of two
// such numbers is finite in the smallest unit too.
const largest = 1e280

// SVG draws the chart. The same chart gives the same bytes. Every point lies
// within the drawing, also where it lies outside the fixed ends of an axis. A
// value that is not a finite number, an unusable ID or a band that runs
// backwards is an error.
func SVG(c report.Chart, w Width) ([]byte, error) {
	sz, err := w.size()
	if err != nil {
		return nil, err
	}
	if err := check(c); err != nil {
		return nil, fmt.Errorf("draw chart %q: %w", c.ID, err)
	}
	return draw(c, sz), nil
}

// check refuses what cannot be drawn honestly.
func check(c report.Chart) error {
	if !goodID(c.ID) {
		return errors.New("the ID must be letters, digits and '-'")
	}
	for _, a := range []report.Axis{c.X, c.Y} {
		if err := checkNumbers(a.Min, a.Max); err != nil {
			return fmt.Errorf("axis %q: %w", a.Label, err)
		}
	}
	for _, s := range c.Series {
		if err := checkSeries(s); err != nil {
			return fmt.Errorf("series %q: %w", s.Name, err)
		}
	}
	for _, l := range c.Lines {
		if (l.X == nil) == (l.Y == nil) {
			return fmt.Errorf("line %q: needs either X or Y", l.Label)
		}
		if err := checkNumbers(l.X, l.Y); err != nil {
			return fmt.Errorf("line %q: %w", l.Label, err)
		}
	}
	return nil
}

func checkSeries(s report.Series) error {
	if s.Line && s.Step {
		return errors.New("is both a line and a staircase")
	}
	if s.Style < 0 {
		return fmt.Errorf("has style %d", s.Style)
	}
	for i := range s.Points {
		if err := checkPoint(s, i); err != nil {
			return fmt.Errorf("point %d: %w", i, err)
		}
	}
	for i, b := range s.Band {
		if err := checkNumbers(&b.X, &b.Low, &b.High); err != nil {
			return fmt.Errorf("band %d: %w", i, err)
		}
		if b.Low > b.High || i > 0 && b.X < s.Band[i-1].X {
			return fmt.Errorf("band %d: runs backwards", i)
		}
	}
	return nil
}

func checkPoint(s report.Series, i int) error {
	p := s.Points[i]
	switch {
	case !knownState(p.State):
		return fmt.Errorf("unknown state %q", p.State)
	case onAxis(p.State) && p.Y != nil:
		return errors.New("has a value and says that it has none")
	case s.Step && i > 0 && p.X < s.Points[i-1].X:
		return errors.New("a staircase runs from left to right")
	}
	return checkNumbers(&p.X, p.Y)
}

func knownState(s report.PointState) bool {
	switch s {
	case report.PointOK, report.PointSuspect, report.PointVoid, report.PointDerived, report.PointClaimed, report.PointNoData, report.PointFailed, "":
		return true
	}
	return false
}

// onAxis reports whether a point in this state has no value and lies on the axis.
func onAxis(s report.PointState) bool { return s == report.PointNoData || s == report.PointFailed }

// ordinary reports whether a point needs no more than its plain mark.
func ordinary(p report.Point) bool {
	return (p.State == report.PointOK || p.State == "") && !p.XLeast && !p.YLeast && p.Place == ""
}

func checkNumbers(xs ...*float64) error {
	for _, x := range xs {
		if x != nil && (math.IsNaN(*x) || math.Abs(*x) > largest) {
			return fmt.Errorf("%v is not a number that can be drawn", *x)
		}
	}
	return nil
}

func goodID(id string) bool {
	for _, r := range id {
		ok := r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !ok {
			return false
		}
	}
	return id != ""
}
