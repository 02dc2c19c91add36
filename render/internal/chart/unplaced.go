package chart

import (
	"fmt"

	"benchline/render/report"
)

// offItem is a point that has no place in the plot: its mark and its name, below
// the axes.
type offItem struct {
	x, y float64
	pt   report.Unplaced
	text string
	bare bool // text without a mark
}

// mostOff is how many such points are named in the drawing; the words beside it
// name all.
const mostOff = 12

// layUnplaced lays them out from the base line y and returns the next one.
func (p *picture) layUnplaced(y float64) float64 {
	if len(p.chart.Unplaced) == 0 {
		return y
	}
	x, y := float64(edge), y+4
	add := func(it offItem, width float64) {
		if x+width > p.size.w-edge && x > edge {
			x = edge
			y += lineHeight
		}
		it.x, it.y = x, y
		p.off = append(p.off, it)
		x += width + keyGap
	}
	title := "Not on the axes:"
	add(offItem{text: title, bare: true}, textWidth(title))
	for i, u := range p.chart.Unplaced {
		if i == mostOff {
			more := fmt.Sprintf("and %d more", len(p.chart.Unplaced)-mostOff)
			add(offItem{text: more, bare: true}, textWidth(more))
			break
		}
		text := cut(u.Label+", "+stateWord(u.State), p.size.w-2*edge-20)
		add(offItem{pt: u, text: text}, 16+textWidth(text))
	}
	return y + lineHeight
}

func stateWord(st report.PointState) string {
	if st == report.PointVoid {
		return "void"
	}
	return gapWord(st)
}

func (p *picture) drawUnplaced() {
	for _, it := range p.off {
		if it.bare {
			p.leaf("text", it.text, class("axis-label"), num("x", it.x), num("y", it.y))
			continue
		}
		p.start("g", class("nodata"))
		if it.pt.State == report.PointVoid {
			p.drawMark(0, report.Point{State: report.PointVoid}, it.x+5, it.y-4, 0.7)
		} else {
			p.stroke("nodata", gapShape(it.pt.State, it.x+5, it.y-4))
		}
		p.end()
		p.leaf("text", it.text, class("nodata-text"), num("x", it.x+14), num("y", it.y))
	}
}
