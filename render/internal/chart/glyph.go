package chart

import "benchline/render/report"

// ringR is the radius of the ring around a mark on the frontier, half the length
// of the line under a dominated one.
const ringR = 8

// drawMark draws the mark of a point at one place: its shape by the style, what
// the point is by fill, cross or quotation marks, where it stands by a ring or a
// line below, and an arrow where the true place lies further on. What reaches
// beyond the mark is drawn at the given scale.
func (p *picture) drawMark(style int, pt report.Point, x, y, scale float64) {
	cls := "mark"
	if pt.State == report.PointSuspect || pt.State == report.PointVoid || pt.State == report.PointDerived {
		cls += " hollow"
	}
	attrs := []attr{class(cls), {"d", shape(style, x, y)}, {"stroke", "currentColor"}}
	if cls != "mark" {
		attrs = append(attrs, attr{"fill", "none"})
	}
	p.empty("path", attrs...)
	at := coordinate(x) + "," + coordinate(y)
	r, d, arrow := coordinate(7*scale), coordinate(14*scale), coordinate(15*scale)
	switch pt.State {
	case report.PointVoid:
		p.stroke("cross", "M"+at+"m-"+r+",-"+r+"l"+d+","+d+"m0,-"+d+"l-"+d+","+d)
	case report.PointClaimed:
		p.stroke("quote", "M"+at+"m-9,-5v4m2.5,-4v4m13,-4v4m2.5,-4v4")
	case report.PointDerived:
		p.empty("circle", class("dot"), num("cx", x), num("cy", y), num("r", 1.5), attr{"fill", "currentColor"})
	case report.PointOK, report.PointSuspect, report.PointNoData, report.PointFailed:
	}
	if pt.YLeast {
		p.stroke("arrow", "M"+at+"v-"+arrow+"m-4,5l4,-5l4,5")
	}
	if pt.XLeast {
		p.stroke("arrow", "M"+at+"h"+arrow+"m-5,-4l5,4l-5,4")
	}
	p.drawPlace(pt.Place, x, y, ringR*max(scale, 0.8))
}

// drawPlace draws where a point stands around its mark.
func (p *picture) drawPlace(place report.Place, x, y, r float64) {
	ring := []attr{num("cx", x), num("cy", y), num("r", r), {"fill", "none"}, {"stroke", "currentColor"}}
	switch place {
	case report.OnFrontier:
		p.empty("circle", append([]attr{class("ring")}, ring...)...)
	case report.Undecided:
		p.empty("circle", append([]attr{class("ring perhaps"), {"stroke-dasharray", "2 2.5"}}, ring...)...)
	case report.Dominated:
		p.stroke("under", "M"+coordinate(x-r)+","+coordinate(y+r)+"h"+coordinate(2*r))
	case report.NotCompared, "":
	}
}

// stroke draws an outline in the colour of its series.
func (p *picture) stroke(cls, d string) {
	p.empty("path", class(cls), attr{"d", d}, attr{"fill", "none"}, attr{"stroke", "currentColor"})
}

// gapShape is the mark of a point that has no value: a struck circle, and of one
// whose run failed a circle with a cross in it.
func gapShape(st report.PointState, x, y float64) string {
	at := "M" + coordinate(x) + "," + coordinate(y) + "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z"
	if st == report.PointFailed {
		return at + "m1.2,-2.8l5.6,5.6m0,-5.6l-5.6,5.6"
	}
	return at + "m-1,5l10,-10"
}

// gapWord is what stands beside that mark.
func gapWord(st report.PointState) string {
	if st == report.PointFailed {
		return "failed"
	}
	return "no data"
}
