package chart

import (
	"math"
	"strings"

	"benchline/render/report"
)

// place is a candidate for a text: its anchor point and where it would lie.
type place struct {
	x, y   float64 // base line of the first line
	anchor string
	box    box
}

// placeText makes a candidate for lines of text whose first base line starts
// at x, y.
func placeText(lines []string, x, y float64, anchor string) place {
	w := 0.0
	for _, l := range lines {
		w = math.Max(w, textWidth(l))
	}
	left := x
	switch anchor {
	case "end":
		left = x - w
	case "middle":
		left = x - w/2
	}
	top := y - fontSize + 1
	return place{x, y, anchor, box{left - 2, top, left + w + 2, y + 4 + float64(len(lines)-1)*lineHeight}}
}

// covered is the cost of covering a mark or a label: more than any number of
// curves.
const covered = 1e6

// best is the candidate that collides least, and whether it covers no mark and
// no other label.
func (p *picture) best(candidates []place) (place, bool) {
	found, cost := p.cheapest(candidates)
	return found, cost < covered
}

// cheapest is the candidate that collides least, with its cost. Candidates
// outside the drawing do not count; the cost is infinite if none is left.
func (p *picture) cheapest(candidates []place) (place, float64) {
	bounds := box{1, p.plot.y0 - headroom + 3, p.size.w - 1, p.plot.y1}
	var found place
	least := math.Inf(1)
	for i, c := range candidates {
		if !c.box.within(bounds) {
			continue
		}
		hard := 0
		for _, b := range p.hard {
			if c.box.overlaps(b) {
				hard++
			}
		}
		cost := float64(hard)*covered + float64(p.ink.count(c.box))*8 + float64(i)*0.1
		if cost < least {
			found, least = c, cost
		}
	}
	return found, least
}

// write draws text at a chosen place and occupies it.
func (p *picture) write(lines []string, at place, cls string) {
	p.hard = append(p.hard, at.box)
	p.start("text", class(cls), num("x", at.x), num("y", at.y), attr{"text-anchor", at.anchor}, attr{"aria-hidden", "true"})
	for i, l := range lines {
		if i == 0 {
			p.buf.WriteString(escape(l))
			continue
		}
		p.leaf("tspan", l, num("x", at.x), num("dy", lineHeight))
	}
	p.end()
}

// drawLines draws the reference lines, below the data.
func (p *picture) drawLines() {
	p.start("g", attr{"aria-hidden", "true"})
	for _, l := range p.chart.Lines {
		x1, y1, x2, y2 := p.lineEnds(l)
		p.empty("line", class(hot("ref", l.Hot)), num("x1", x1), num("y1", y1), num("x2", x2), num("y2", y2),
			attr{"stroke", "currentColor"}, attr{"stroke-dasharray", "5 3"})
		p.ink.mark(x1, y1, x2, y2)
	}
	p.end()
	p.line()
}

func hot(cls string, yes bool) string {
	if yes {
		return cls + " hot"
	}
	return cls
}

func (p *picture) lineEnds(l report.RefLine) (x1, y1, x2, y2 float64) {
	if l.X != nil {
		x := p.x.at(*l.X)
		return x, p.plot.y0, x, p.plot.y1
	}
	y := p.y.at(*l.Y)
	return p.plot.x0, y, p.plot.x1, y
}

// drawLineLabels labels the reference lines. A label is always drawn: a line
// without its meaning would be worse than a crowded one.
func (p *picture) drawLineLabels() {
	for _, l := range p.chart.Lines {
		if strings.TrimSpace(l.Label) == "" {
			continue
		}
		at, lines := p.lineLabel(l)
		p.write(lines, at, hot("ref-text", l.Hot))
		p.line()
	}
}

// lineLabel finds the place of a reference line's label: on one line of text,
// or in narrower blocks where they collide less.
func (p *picture) lineLabel(l report.RefLine) (place, []string) {
	room := p.plot.x1 - p.plot.x0
	lines := []string{cut(l.Label, room-12)}
	found := placeText(lines, p.plot.x0+6, p.plot.y0+14, "start")
	least := math.Inf(1)
	for i, width := range []float64{room - 12, room * 0.62, room * 0.45, room * 0.33} {
		block := wrap(l.Label, width)
		at, cost := p.cheapest(p.lineCandidates(l, block))
		if cost += 15*float64(i) + 25*float64(len(block)-1); cost < least {
			found, lines, least = at, block, cost
		}
	}
	return found, lines
}

func (p *picture) lineCandidates(l report.RefLine, lines []string) []place {
	var out []place
	tall := float64(len(lines)-1) * lineHeight
	if l.Y != nil {
		y := p.y.at(*l.Y)
		above, below := y-5-tall, y+15
		for _, at := range []struct {
			x      float64
			anchor string
		}{{p.plot.x1 - 4, "end"}, {p.plot.x0 + 6, "start"}, {(p.plot.x0 + p.plot.x1) / 2, "middle"}, {p.plot.x0 + (p.plot.x1-p.plot.x0)/4, "start"}} {
			out = append(out, placeText(lines, at.x, above, at.anchor), placeText(lines, at.x, below, at.anchor))
		}
		return out
	}
	x := p.x.at(*l.X)
	for y := p.plot.y0 + 13; y+tall < p.plot.y1-4; y += lineHeight {
		out = append(out, placeText(lines, x+5, y, "start"), placeText(lines, x-5, y, "end"))
	}
	return out
}

// drawNoData marks a gap on the x axis and says what it is.
func (p *picture) drawNoData(s report.Series, pt report.Point) {
	x, y := p.x.at(pt.X), p.plot.y1
	if p.taken(around(x, y-7, 6)) {
		if !hasValue(s) {
			return // the key says that the whole series is empty
		}
		x += 12 // beside the mark of a value at zero
	}
	p.start("g", class("nodata"))
	p.leaf("title", p.tip(s, pt))
	p.stroke("nodata", gapShape(pt.State, x, y-7))
	p.end()
	p.hard = append(p.hard, around(x, y-7, 6))
	if !hasValue(s) {
		return // said once, in the key or in the middle of the frame
	}
	lines := []string{gapWord(pt.State)}
	at, free := p.best([]place{placeText(lines, x, y-18, "middle"), placeText(lines, x+9, y-4, "start"), placeText(lines, x-9, y-4, "end")})
	if free && at.anchor != "" {
		p.write(lines, at, "nodata-text")
	}
}

// taken says whether a mark or a label is there.
func (p *picture) taken(b box) bool {
	for _, h := range p.hard {
		if b.overlaps(h) {
			return true
		}
	}
	return false
}

// drawPointLabels labels points directly where the x axis is itself measured,
// so that its ticks do not say which point is which. A label that finds no
// room is left out; the table has it.
func (p *picture) drawPointLabels() {
	if p.chart.X.Metric == "" {
		return
	}
	for _, s := range p.chart.Series {
		if s.Step || len(s.Points) > 40 {
			continue
		}
		for _, pt := range s.Points {
			if pt.Y != nil && pt.Label != "" {
				p.labelPoint(s, pt)
			}
		}
	}
	p.line()
}

func (p *picture) labelPoint(s report.Series, pt report.Point) {
	x, y := p.x.at(pt.X), p.y.at(*pt.Y)
	if textWidth(pt.Label) > p.size.w/3 {
		return // a cut name says less than none
	}
	lines := []string{pt.Label}
	side, up, down := 8.0, y-9, y+19
	if pt.Place != "" || pt.State == report.PointClaimed {
		side, up, down = 12, y-12, y+21
	}
	if pt.YLeast {
		up = y - 21
	}
	at, free := p.best([]place{
		placeText(lines, x+side, y+4, "start"), placeText(lines, x, up, "middle"), placeText(lines, x, down, "middle"),
		placeText(lines, x-side, y+4, "end"), placeText(lines, x+7, y-7, "start"), placeText(lines, x+7, y+16, "start"),
		placeText(lines, x-7, y-7, "end"), placeText(lines, x-7, y+16, "end"),
	})
	if !free || at.anchor == "" {
		return
	}
	p.start("g", class(seriesClass(s.Style)))
	p.write(lines, at, "point-label")
	p.end()
}

// allEmpty says whether nothing can be drawn.
func allEmpty(c report.Chart) bool {
	for _, s := range c.Series {
		if hasValue(s) {
			return false
		}
	}
	return true
}

// drawEmpty says in the frame that there is nothing to draw, and why.
func (p *picture) drawEmpty() {
	if !allEmpty(p.chart) {
		return
	}
	width := p.plot.x1 - p.plot.x0 - 24
	lines := wrap("No data", width)
	for _, r := range reasons(p.chart) {
		lines = append(lines, wrap(r, width)...)
	}
	if most := int(p.size.plotH/lineHeight) - 3; len(lines) > most {
		lines = append(lines[:most], "…")
	}
	at := placeText(lines, (p.plot.x0+p.plot.x1)/2, p.plot.y0+p.size.plotH/2-float64(len(lines))*lineHeight/2, "middle")
	p.write(lines, at, "empty-text")
	p.line()
}

// reasons are the distinct reasons for missing values, in order, with the
// series they belong to.
func reasons(c report.Chart) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range c.Series {
		for _, pt := range s.Points {
			text := pt.Reason
			if text != "" && s.Name != "" {
				text = s.Name + ": " + text
			}
			if text != "" && !seen[text] {
				seen[text] = true
				out = append(out, text)
			}
		}
	}
	return out
}
