package chart

import (
	"math"
	"strings"

	"benchline/render/report"
)

// picture is a drawing in the making: the plot area, its axes, and what is
// already occupied.
type picture struct {
	canvas
	chart   report.Chart
	size    size
	x, y    axis
	plot    box
	head    []textLine
	key     []keyRow
	foot    []textLine
	off     []offItem // points that have no place in the plot
	height  float64
	hard    []box    // marks and labels: no text may cover them
	ink     *inkGrid // curves: text should keep clear of them
	grouped bool     // holds links, so it cannot be one image to a screen reader
}

// textLine is one line of text outside the plot.
type textLine struct {
	x, y   float64
	text   string
	class  string
	anchor string
}

const (
	edge      = 8  // empty space at the sides of the drawing
	headTop   = 16 // base line of the first line of text
	headroom  = 18 // between the head and the plot: room for an arrow on the topmost mark
	markR     = 4  // radius of a mark
	insetSide = 12 // between the frame and the outermost marks
)

// draw makes the whole SVG of a checked chart.
func draw(c report.Chart, sz size) []byte {
	p := &picture{chart: c, size: sz}
	for _, s := range c.Series {
		for _, pt := range s.Points {
			p.grouped = p.grouped || pt.Href != ""
		}
	}
	p.layout()
	p.ink = newInkGrid(p.size.w, p.height)
	p.openRoot()
	p.drawGrid()
	p.drawText()
	p.drawBands()
	p.drawLines()
	p.drawSeries()
	p.drawEmpty()
	p.end()
	p.line()
	return p.buf.Bytes()
}

// layout fixes where everything outside the plot goes.
func (p *picture) layout() {
	inner := p.size.w - 2*edge
	// Axis labels depend on the unit, the unit on the domain only: an axis
	// made for measuring has the same label as the final one.
	ys := yValues(p.chart)
	yProbe := p.makeY(ys, 0, 0)
	y := float64(headTop)
	y = p.addHead(yProbe.label(), better(p.chart.Y.Better, "↑", "↓"), inner, y)
	p.key = p.makeKey(inner, y)
	y += float64(len(p.key)) * lineHeight
	p.plot.y0 = y - fontSize + headroom
	p.plot.y1 = p.plot.y0 + p.size.plotH
	p.y = p.makeY(ys, p.plot.y1, p.plot.y0)
	p.plot.x0 = edge + p.widestTick() + 6
	p.plot.x1 = p.size.w - edge - 8
	p.x = p.makeX()
	p.addFoot(inner)
}

// better is the hint that stands beside an axis label.
func better(s, up, down string) string {
	switch {
	case s == "":
		return ""
	case strings.HasPrefix(s, "higher"):
		return s + " " + up
	case strings.HasPrefix(s, "lower"):
		return s + " " + down
	}
	return s
}

// addHead places the y axis label and its hint above the plot and returns the
// base line of the next line.
func (p *picture) addHead(label, hint string, width, y float64) float64 {
	lines := wrap(label, width)
	for _, l := range lines {
		p.head = append(p.head, textLine{edge, y, l, "axis-label", "start"})
		y += lineHeight
	}
	if hint == "" {
		return y
	}
	if len(lines) > 0 {
		after := edge + textWidth(lines[len(lines)-1]) + 14
		if after+textWidth(hint) <= p.size.w-edge {
			p.head = append(p.head, textLine{p.size.w - edge, y - lineHeight, hint, "better", "end"})
			return y
		}
	}
	for _, l := range wrap(hint, width) {
		p.head = append(p.head, textLine{edge, y, l, "better", "start"})
		y += lineHeight
	}
	return y
}

// addFoot places the x axis label and its hint below the ticks and fixes the
// height of the drawing.
func (p *picture) addFoot(width float64) {
	y := p.plot.y1 + 18 + 20
	label, hint := p.x.label(), better(p.chart.X.Better, "→", "←")
	lines := wrap(label, width)
	for _, l := range lines {
		p.foot = append(p.foot, textLine{p.size.w - edge, y, l, "axis-label", "end"})
		y += lineHeight
	}
	switch {
	case hint == "":
	case len(lines) == 1 && textWidth(label)+textWidth(hint)+14 <= width:
		p.foot = append(p.foot, textLine{edge, y - lineHeight, hint, "better", "start"})
	default:
		for _, l := range wrap(hint, width) {
			p.foot = append(p.foot, textLine{p.size.w - edge, y, l, "better", "end"})
			y += lineHeight
		}
	}
	y = p.layUnplaced(y)
	p.height = math.Ceil(y - fontSize + 4)
}

// makeY makes the y axis between two heights.
func (p *picture) makeY(ys values, bottom, top float64) axis {
	n := 5
	place := func(a *axis) { a.from, a.to = bottom, top }
	fits := func(a *axis, ticks []tick) bool {
		if bottom == top {
			return true
		}
		return apart(a, ticks, func(string) float64 { return lineHeight + 4 })
	}
	a := newAxis(p.chart.Y, ys, !p.chart.Y.Log, n, place, fits)
	if len(ys.data)+len(ys.refs) == 0 && !p.chart.Y.Share {
		a.ticks, a.minor = nil, nil // numbers beside an empty frame would be invented
	}
	return a
}

// makeX makes the x axis. Marks keep clear of the frame except at zero.
func (p *picture) makeX() axis {
	place := func(a *axis) {
		a.from, a.to = p.plot.x0, p.plot.x1-insetSide
		if a.log || a.lo != 0 {
			a.from += insetSide
		}
	}
	fits := func(a *axis, ticks []tick) bool {
		return apart(a, ticks, func(s string) float64 { return textWidth(s) + 10 })
	}
	return newAxis(p.chart.X, xValues(p.chart), false, int(p.size.w/75), place, fits)
}

// apart says whether labels of the given size do not touch.
func apart(a *axis, ticks []tick, size func(string) float64) bool {
	for i := 1; i < len(ticks); i++ {
		room := math.Abs(a.place(ticks[i].at) - a.place(ticks[i-1].at))
		if room < (size(ticks[i].text)+size(ticks[i-1].text))/2 {
			return false
		}
	}
	return true
}

func (p *picture) widestTick() float64 {
	w := 0.0
	for _, t := range p.y.ticks {
		w = math.Max(w, textWidth(t.text))
	}
	return w
}

// openRoot writes the root element with its text alternative. A drawing with
// links in it is a group, because an image has no parts that could be reached.
func (p *picture) openRoot() {
	id := p.chart.ID + "-" + p.size.suffix
	role := "img"
	if p.grouped {
		role = "group"
	}
	p.start("svg", attr{"xmlns", "http://www.w3.org/2000/svg"}, class("chart "+p.size.class),
		attr{"viewBox", "0 0 " + coordinate(p.size.w) + " " + coordinate(p.height)},
		num("width", p.size.w), num("height", p.height),
		attr{"font-family", "system-ui, sans-serif"}, num("font-size", fontSize),
		attr{"role", role}, attr{"aria-labelledby", id + "-t " + id + "-d"})
	p.leaf("title", p.chart.Title, attr{"id", id + "-t"})
	p.leaf("desc", p.chart.Desc, attr{"id", id + "-d"})
	p.line()
}

// drawGrid draws grid lines, the frame and the tick labels.
func (p *picture) drawGrid() {
	p.start("g", attr{"aria-hidden", "true"})
	hair := attr{"stroke", "currentColor"}
	faint := attr{"stroke-opacity", "0.2"}
	for _, t := range p.x.minor {
		x := p.x.place(t.at)
		p.empty("line", class("grid-minor"), num("x1", x), num("y1", p.plot.y1), num("x2", x), num("y2", p.plot.y1+3), hair, faint)
	}
	for _, t := range p.y.minor {
		y := p.y.place(t.at)
		p.empty("line", class("grid-minor"), num("x1", p.plot.x0), num("y1", y), num("x2", p.plot.x1), num("y2", y), hair, faint)
	}
	for _, t := range p.y.ticks {
		y := p.y.place(t.at)
		p.empty("line", class("grid"), num("x1", p.plot.x0), num("y1", y), num("x2", p.plot.x1), num("y2", y), hair, faint)
		p.leaf("text", t.text, class("tick"), num("x", p.plot.x0-6), num("y", y+4), attr{"text-anchor", "end"})
	}
	right := 0.0
	for _, t := range p.x.ticks {
		x := p.x.place(t.at)
		p.empty("line", class("frame"), num("x1", x), num("y1", p.plot.y1), num("x2", x), num("y2", p.plot.y1+5), hair)
		half := textWidth(t.text) / 2
		mid := math.Max(2+half, math.Min(x, p.size.w-2-half)) // a long number must not reach outside
		if mid-half < right {
			continue
		}
		right = mid + half + 4
		p.leaf("text", t.text, class("tick"), num("x", mid), num("y", p.plot.y1+18), attr{"text-anchor", "middle"})
	}
	p.empty("line", class("frame"), num("x1", p.plot.x0), num("y1", p.plot.y1), num("x2", p.plot.x1), num("y2", p.plot.y1), hair)
	p.end()
	p.line()
}

// drawText draws the axis labels, the hints and the key.
func (p *picture) drawText() {
	p.start("g", attr{"aria-hidden", "true"})
	for _, l := range append(append([]textLine{}, p.head...), p.foot...) {
		p.leaf("text", l.text, class(l.class), num("x", l.x), num("y", l.y), attr{"text-anchor", l.anchor})
	}
	p.drawKey()
	p.drawUnplaced()
	p.end()
	p.line()
}
