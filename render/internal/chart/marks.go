package chart

import (
	"math"
	"strings"

	"benchline/render/report"
)

// colours is how many series colours there are; shapes cycle separately, so that
// 24 series differ in the pair of both.
const colours, shapes = 6, 8

// manyPoints is the number of points of a joined series above which only the
// points that are out of the ordinary get a mark.
const manyPoints = 80

func seriesClass(style int) string { return "s" + string(rune('0'+style%colours)) }

// marksShown says whether every point of a series has a mark.
func marksShown(s report.Series) bool {
	return !s.Step && (!s.Line || len(s.Points) <= manyPoints)
}

// drawSeries draws curves first and marks above all curves, then the labels.
func (p *picture) drawSeries() {
	for _, s := range p.chart.Series {
		p.start("g", class(seriesClass(s.Style)), attr{"aria-hidden", "true"})
		if d := p.curve(s); d != "" {
			p.empty("path", class("curve"), attr{"d", d}, attr{"fill", "none"}, attr{"stroke", "currentColor"})
		}
		if s.Step {
			p.drawOpenEnd(s)
		}
		p.end()
		p.line()
	}
	for _, s := range p.chart.Series {
		p.occupyMarks(s)
	}
	p.drawLineLabels()
	for _, s := range p.chart.Series {
		p.start("g", class(seriesClass(s.Style)))
		for i, pt := range s.Points {
			p.drawPoint(s, i, pt)
		}
		p.end()
		p.line()
	}
	p.drawPointLabels()
}

// curve is the path of a series that joins its points; empty if it does not.
func (p *picture) curve(s report.Series) string {
	switch {
	case s.Step:
		return p.staircase(s)
	case s.Line:
		return p.polyline(s)
	}
	return ""
}

// polyline joins neighbours; a point without a value breaks it, and so does one
// that stands apart from the one before.
func (p *picture) polyline(s report.Series) string {
	var b strings.Builder
	pen := false
	var px, py float64
	for _, pt := range s.Points {
		if pt.Y == nil {
			pen = false
			continue
		}
		x, y := p.x.at(pt.X), p.y.at(*pt.Y)
		if pen && !pt.Apart {
			b.WriteString("L")
			p.ink.mark(px, py, x, y)
		} else {
			b.WriteString("M")
		}
		b.WriteString(coordinate(x) + "," + coordinate(y))
		px, py, pen = x, y, true
	}
	return b.String()
}

// staircase is right-continuous: the value of a step holds from its place on.
// A share starts from nothing at the left edge.
func (p *picture) staircase(s report.Series) string {
	var b strings.Builder
	pen := false
	var px, py float64
	if s.Points != nil && p.chart.Y.Share && !p.y.log && s.Points[0].Y != nil {
		px, py, pen = p.plot.x0, p.y.at(0), true
		b.WriteString("M" + coordinate(px) + "," + coordinate(py))
	}
	for i, pt := range s.Points {
		if pt.Y == nil {
			if pen {
				b.WriteString("H" + coordinate(p.x.at(pt.X)))
			}
			pen = false
			continue
		}
		x, y := p.x.at(pt.X), p.y.at(*pt.Y)
		if pen && i < len(s.Points)-1 && tiny(x-px, y-py) && s.Points[i+1].Y != nil {
			continue
		}
		if pen {
			b.WriteString("H" + coordinate(x) + "V" + coordinate(y))
			p.ink.mark(px, py, x, py)
			p.ink.mark(x, py, x, y)
		} else {
			b.WriteString("M" + coordinate(x) + "," + coordinate(y))
		}
		px, py, pen = x, y, true
	}
	if pen {
		end := p.curveEnd(s)
		b.WriteString("H" + coordinate(end))
		p.ink.mark(px, py, end, py)
	}
	return b.String()
}

// tiny says whether a step is too small to be seen, so that it can be drawn
// together with the next one.
func tiny(dx, dy float64) bool { return math.Abs(dx) < 0.6 && math.Abs(dy) < 0.6 }

// curveEnd is how far a staircase runs to the right: to the end of its band,
// else to the last step.
func (p *picture) curveEnd(s report.Series) float64 {
	x := s.Points[len(s.Points)-1].X
	if n := len(s.Band); n > 0 {
		x = math.Max(x, s.Band[n-1].X)
	}
	return p.x.at(x)
}

// drawOpenEnd marks the share of requests that a distribution does not reach:
// from the end of the curve up to 100 %.
func (p *picture) drawOpenEnd(s report.Series) {
	n := len(s.Points)
	if !p.chart.Y.Share || n == 0 || s.Points[n-1].Y == nil || *s.Points[n-1].Y >= 1 {
		return
	}
	x, y0, y1 := p.curveEnd(s), p.y.at(*s.Points[n-1].Y), p.y.at(1)
	p.empty("path", class("open-end"), attr{"d", "M" + coordinate(x) + "," + coordinate(y0) + "V" + coordinate(y1) + "m-4,0h8"},
		attr{"fill", "none"}, attr{"stroke", "currentColor"}, attr{"stroke-dasharray", "4 3"})
	p.hard = append(p.hard, box{x - 5, y1 - 2, x + 5, y0})
	p.labelOpenEnd(1-*s.Points[n-1].Y, x, y0, y1)
}

// labelOpenEnd says how large the open share is, where there is room.
func (p *picture) labelOpenEnd(share, x, y0, y1 float64) {
	lines := []string{fixed(share*100, 1) + "\u00a0% no value"}
	candidates := []place{placeText(lines, x+8, y1+12, "start"), placeText(lines, x+8, y0+20, "start"), placeText(lines, x-8, y1+12, "end")}
	// A distribution rises: below its end, far enough down, nothing is drawn.
	for y := y0 + 20; y < p.plot.y1; y += lineHeight {
		candidates = append(candidates, placeText(lines, x-8, y, "end"))
	}
	at, free := p.best(candidates)
	if free && at.anchor != "" && p.ink.count(at.box) == 0 {
		p.write(lines, at, "ref-text hot")
	}
}

// drawBands draws the areas in which a staircase can lie.
func (p *picture) drawBands() {
	for _, s := range p.chart.Series {
		if len(s.Band) == 0 {
			continue
		}
		p.start("g", class(seriesClass(s.Style)), attr{"aria-hidden", "true"})
		p.empty("path", class("band"), attr{"d", p.bandPath(s.Band)}, attr{"fill-opacity", "0.2"})
		p.end()
	}
}

func (p *picture) bandPath(band []report.BandPoint) string {
	var b strings.Builder
	x, y := p.x.at(band[0].X), p.y.at(band[0].High)
	b.WriteString("M" + coordinate(x) + "," + coordinate(y))
	for i, s := range band[1:] {
		nx, ny := p.x.at(s.X), p.y.at(s.High)
		if tiny(nx-x, ny-y) && i < len(band)-2 {
			continue
		}
		p.ink.mark(x, y, nx, y)
		p.ink.mark(nx, y, nx, ny)
		x, y = nx, ny
		b.WriteString("H" + coordinate(x) + "V" + coordinate(y))
	}
	y = p.y.at(band[len(band)-1].Low)
	b.WriteString("V" + coordinate(y))
	for i := len(band) - 1; i > 0; i-- {
		nx, ny := p.x.at(band[i].X), p.y.at(band[i-1].Low)
		if tiny(nx-x, ny-y) && i > 1 {
			continue
		}
		x, y = nx, ny
		b.WriteString("H" + coordinate(x) + "V" + coordinate(y))
	}
	b.WriteString("H" + coordinate(p.x.at(band[0].X)) + "Z")
	return b.String()
}

// occupyMarks reserves the place of the marks of a series.
func (p *picture) occupyMarks(s report.Series) {
	for i, pt := range s.Points {
		if pt.Y == nil || !markShown(s, i) {
			continue
		}
		x, y := p.x.at(pt.X), p.y.at(*pt.Y)
		b := around(x, y, markR+1)
		if pt.Place != "" || pt.State == report.PointClaimed {
			b = around(x, y, ringR+2)
		}
		if pt.YLeast {
			b.y0 = y - 18
		}
		if pt.XLeast {
			b.x1 = x + 18
		}
		p.hard = append(p.hard, b)
	}
}

// markShown says whether a point has a mark: always if it is out of the
// ordinary, and if it would otherwise not be seen at all.
func markShown(s report.Series, i int) bool {
	pt := s.Points[i]
	if marksShown(s) || !ordinary(pt) || pt.Href != "" {
		return true
	}
	alone := (i == 0 || s.Points[i-1].Y == nil) && (i == len(s.Points)-1 || s.Points[i+1].Y == nil)
	return alone && !s.Step
}

// drawPoint draws one point with its tooltip, linked where it has a page.
func (p *picture) drawPoint(s report.Series, i int, pt report.Point) {
	if pt.Y == nil {
		p.drawNoData(s, pt)
		return
	}
	if !markShown(s, i) {
		return
	}
	x, y := p.x.at(pt.X), p.y.at(*pt.Y)
	tip := p.tip(s, pt)
	if pt.Href != "" {
		p.start("a", attr{"href", pt.Href}, class("pt"), attr{"aria-label", tip})
		p.empty("circle", class("hit"), num("cx", x), num("cy", y), num("r", 11), attr{"fill", "none"}, attr{"pointer-events", "all"})
	} else {
		p.start("g", class("pt"))
	}
	p.leaf("title", tip)
	p.drawMark(s.Style, pt, x, y, 1)
	p.end()
}

// tip is what is said about a point in words.
func (p *picture) tip(s report.Series, pt report.Point) string {
	var parts []string
	if s.Name != "" {
		parts = append(parts, s.Name)
	}
	if pt.Label != "" {
		parts = append(parts, pt.Label)
	}
	parts = append(parts, p.chart.X.Label+" "+atLeast(pt.XLeast)+p.x.text(pt.X))
	if pt.Y != nil {
		parts = append(parts, p.chart.Y.Label+" "+atLeast(pt.YLeast)+p.y.text(*pt.Y))
	} else {
		parts = append(parts, "no data"+because(pt.Reason))
	}
	for _, words := range []string{report.PlaceOf{Place: pt.Place, By: pt.By}.Words(), kindWords(pt)} {
		if words != "" && pt.Y != nil {
			parts = append(parts, words)
		}
	}
	return strings.Join(parts, "; ")
}

func atLeast(yes bool) string {
	if yes {
		return "at least "
	}
	return ""
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// shape is the outline of a mark. Each style has its own, so that series
// differ without colour.
func shape(style int, x, y float64) string {
	at := "M" + coordinate(x) + "," + coordinate(y)
	switch style % shapes {
	case 1:
		return at + "m-3.5,-3.5h7v7h-7Z" // square
	case 2:
		return at + "m0,-4.5l4.5,8h-9Z" // triangle
	case 3:
		return at + "m0,-5l5,5l-5,5l-5,-5Z" // diamond
	case 4:
		return at + "m0,4.5l4.5,-8h-9Z" // triangle on its tip
	case 5:
		return at + "m-1.5,-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3Z" // plus
	case 6:
		return at + "m-2,-4.5h4l2.5,4.5l-2.5,4.5h-4l-2.5,-4.5Z" // hexagon
	case 7:
		return at + "m-5,-2.5h10v5h-10Z" // bar
	}
	return at + "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z" // circle
}
