package chart

import "benchline/render/report"

// keyItem is one entry of the key: a sample and what it means. A long text goes
// on in entries without a sample.
type keyItem struct {
	style int // series colour and shape; -1 for what a mark has besides
	point report.Point
	line  bool
	band  bool
	mark  bool
	text  string
	x     float64
}

// keyRow is one row of the key, on one base line.
type keyRow struct {
	y     float64
	items []keyItem
}

const (
	keySample = 22 // width of a sample
	keyGap    = 18 // between two entries
)

// makeKey lays out the key from the first base line y. Series are named even
// if there is only one, and each state that occurs is explained.
func (p *picture) makeKey(width, y float64) []keyRow {
	var rows []keyRow
	x := float64(edge)
	add := func(it keyItem) {
		w := keySample + 6 + textWidth(it.text)
		if len(rows) == 0 || x+w > p.size.w-edge {
			rows = append(rows, keyRow{y: y + 2})
			y += lineHeight
			x = edge
		}
		it.x = x
		last := &rows[len(rows)-1]
		last.items = append(last.items, it)
		x += w + keyGap
	}
	for _, it := range keyItems(p.chart) {
		lines := wrap(it.text, width-keySample-6)
		for i, text := range lines {
			it.text = text
			if i > 0 {
				it = keyItem{style: -1, text: text}
			}
			if len(lines) > 1 {
				x = p.size.w // lines of one entry stand below each other
			}
			add(it)
		}
	}
	return rows
}

func keyItems(c report.Chart) []keyItem {
	var items []keyItem
	for _, s := range c.Series {
		if s.Name == "" {
			continue
		}
		it := keyItem{style: s.Style, line: s.Line || s.Step, mark: !s.Step && marksShown(s), text: s.Name}
		if !hasValue(s) {
			it.text += noDataNote(c, s)
		}
		items = append(items, it)
		if len(s.Band) > 0 {
			items = append(items, keyItem{style: s.Style, band: true, text: bandName(s)})
		}
	}
	for _, m := range meanings() {
		if hasPoint(c, m.has) {
			items = append(items, keyItem{style: -1, point: m.sample, mark: true, text: m.text})
		}
	}
	return items
}

// meaning is something that marks say besides their series: each that occurs is
// explained in the key.
type meaning struct {
	has    func(report.Point) bool
	sample report.Point
	text   string
}

func meanings() []meaning {
	state := func(st report.PointState, text string) meaning {
		return meaning{func(p report.Point) bool { return p.State == st && p.Y != nil }, report.Point{State: st}, text}
	}
	place := func(pl report.Place, text string) meaning {
		return meaning{func(p report.Point) bool { return p.Place == pl }, report.Point{Place: pl}, text}
	}
	return []meaning{
		place(report.OnFrontier, "frontier: none comparable is better"),
		place(report.Dominated, "dominated: one comparable is better"),
		place(report.Undecided, "undecided: it may be dominated"),
		place(report.NotCompared, "no ring, not underlined: not compared"),
		state(report.PointSuspect, "suspect: the client may have been late"),
		state(report.PointVoid, "void: not a measurement"),
		state(report.PointClaimed, "claimed: printed by the source"),
		state(report.PointDerived, "derived: computed from other figures"),
		{func(p report.Point) bool { return p.YLeast && p.Y != nil }, report.Point{YLeast: true}, "at least: the true value lies higher"},
		{func(p report.Point) bool { return p.XLeast && p.Y != nil }, report.Point{XLeast: true}, "at least: the true value lies to the right"},
	}
}

// noDataNote says that a series is empty, with the reason if it is one and is
// not said in the middle of the frame.
func noDataNote(c report.Chart, s report.Series) string {
	note := ": no data"
	if allEmpty(c) || len(s.Points) == 0 {
		return note
	}
	for _, p := range s.Points {
		if p.Reason != s.Points[0].Reason {
			return note
		}
	}
	if s.Points[0].Reason == "" {
		return note
	}
	return note + " (" + s.Points[0].Reason + ")"
}

// bandName says what the area around a staircase is.
func bandName(report.Series) string { return "where it can lie" }

func hasValue(s report.Series) bool {
	for _, p := range s.Points {
		if p.Y != nil {
			return true
		}
	}
	return len(s.Band) > 0
}

func hasPoint(c report.Chart, has func(report.Point) bool) bool {
	for _, s := range c.Series {
		for _, p := range s.Points {
			if has(p) {
				return true
			}
		}
	}
	return false
}

func (p *picture) drawKey() {
	for _, row := range p.key {
		for _, it := range row.items {
			p.drawSample(it, row.y)
			p.leaf("text", it.text, class("legend-text"), num("x", it.x+keySample+6), num("y", row.y))
		}
	}
}

// drawSample draws a sample whose text has the base line y.
func (p *picture) drawSample(it keyItem, y float64) {
	mid := y - 4
	group := "legend"
	if it.style >= 0 {
		group += " " + seriesClass(it.style)
	}
	p.start("g", class(group))
	if it.band {
		p.empty("rect", class("band"), num("x", it.x), num("y", mid-5), num("width", keySample), num("height", 10), attr{"fill-opacity", "0.2"})
	}
	if it.line {
		p.empty("path", class("curve"), attr{"d", "M" + coordinate(it.x) + "," + coordinate(mid) + "h" + coordinate(keySample)},
			attr{"fill", "none"}, attr{"stroke", "currentColor"})
	}
	if it.mark {
		if it.point.YLeast {
			mid += 3
		}
		p.drawMark(max(it.style, 0), it.point, it.x+keySample/2, mid, 0.7)
	}
	p.end()
}
