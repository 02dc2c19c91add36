package chart

import "benchline/render/report"

// keyItem is one entry of the key: a sample and what it means.
type keyItem struct {
	style int // series colour and shape; -1 for a state
	state report.PointState
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
	for _, it := range keyItems(p.chart) {
		it.text = cut(it.text, width-keySample-6)
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
	for _, st := range []struct {
		state report.PointState
		text  string
	}{
		{report.PointSuspect, "suspect: the client may have been late"},
		{report.PointVoid, "void: not a measurement"},
		{report.PointAtLeast, "at least: the true value lies higher"},
	} {
		if hasState(c, st.state) {
			items = append(items, keyItem{style: -1, state: st.state, mark: true, text: st.text})
		}
	}
	return items
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

func hasState(c report.Chart, st report.PointState) bool {
	for _, s := range c.Series {
		for _, p := range s.Points {
			if p.State == st && p.Y != nil {
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
		if it.state == report.PointAtLeast {
			mid += 3
		}
		p.drawMark(max(it.style, 0), it.state, it.x+keySample/2, mid, 0.7)
	}
	p.end()
}
