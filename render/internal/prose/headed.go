package prose

import (
	east "github.com/yuin/goldmark/extension/ast"
)

// table looks at the cells of a table, each with the heads of its column and
// row: "| TTFT (ms) |" makes a figure of the number below it.
func (x *reader) table(t *east.Table, m mode) {
	var columns [][]token
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		var row []token
		at := 0
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			f := flatten(c, x.md)
			h := heads{row: row}
			if at < len(columns) {
				h.column = columns[at]
			}
			if r.Kind() == east.KindTableHeader {
				columns = append(columns, f.tokens())
				h = heads{}
			}
			x.text(f, h, m)
			x.titles(c, m)
			if at == 0 {
				row = f.tokens()
			}
			at++
		}
	}
}

// underHead finds the numbers of a text that holds nothing but numbers and
// units, where a head makes performance figures of them.
func (x *reader) underHead(ts []token, h heads, m mode) ([]figure, bool) {
	if m == unitsOnly || len(h.column)+len(h.row) == 0 || !onlyNumbers(ts) {
		return nil, false
	}
	f, byColumn, ok := x.heads(h)
	if !ok {
		return nil, false
	}
	var out []figure
	for i, t := range ts {
		if t.kind != numberToken {
			continue
		}
		if n := len(out); n > 0 && out[n-1].to >= t.end {
			continue // the other end of a range
		}
		if g, ok := headed(ts, i, f, byColumn, m); ok {
			out = append(out, g)
		}
	}
	return out, len(out) > 0
}

// heads is what the heads of a column and a row say together, and whether that
// makes figures of the numbers there.
func (x *reader) heads(h heads) (f headFound, byColumn, ok bool) {
	column, row := x.head(h.column), x.head(h.row)
	byColumn = column.topic != noTopic
	f = row
	if byColumn {
		f = column
		f.add(row.about)
		if f.factor == 0 {
			f.factor = row.factor
		}
	}
	counted := column.counts && !byColumn || row.counts && row.topic == noTopic
	asked := f.unit == requestRate && (offered(h.column) || offered(h.row))
	return f, byColumn, f.topic != noTopic && !counted && !asked
}

// headed decides about one number under a head.
func headed(ts []token, i int, f headFound, byColumn bool, m mode) (figure, bool) {
	last := rangeEnd(ts, i)
	u, factor, end := unitAt(ts, last+1)
	end = max(end, last+1)
	g := figure{from: ts[i].start, to: ts[end-1].end, num: ts[i].num, unit: u, factor: factor, about: f.about}
	if f.topic == success {
		g.kind = successShare
		return g, u == percent || f.percent || len(ts[i].num.readings) > 0 && ts[i].num.decimals
	}
	if m == sharesOnly || ts[i].class == marked {
		return g, false
	}
	if u == noUnit {
		g.unit, g.factor = f.unit, f.factor
	}
	switch f.topic {
	case latency:
		return g, u == seconds || u == noUnit && (f.factor != 0 || byColumn || ts[i].num.decimals)
	case statistic:
		return g, u == seconds || u == noUnit && f.factor != 0
	case throughput:
		return g, u == noUnit && !f.percent
	case failure:
		g.kind = failureShare
		return g, u == percent || f.percent
	case noTopic, success:
	}
	return g, false
}

// headFound is what a head says.
type headFound struct {
	found
	counts  bool // it names things that are counted, and is no condition such as "16 clients"
	percent bool
}

func (x *reader) head(ts []token) headFound {
	const most = 60 // words of a head that are read
	var f headFound
	number := false
	ts = ts[:min(len(ts), most)]
	for i, a := range x.topics(ts) {
		t := ts[i]
		if a.topic != noTopic {
			f.add(a)
			continue
		}
		number = number || t.kind == numberToken
		f.counts = f.counts || counts(t)
		f.percent = f.percent || t.is("%", "percent", "share")
		if factor, ok := timeWord(t); ok {
			f.factor = factor
		}
	}
	f.counts = f.counts && !number
	return f
}

func offered(ts []token) bool {
	for _, t := range ts {
		if offers(t) {
			return true
		}
	}
	return false
}

// onlyNumbers reports whether a text has a number, and nothing that says what
// it counts.
func onlyNumbers(ts []token) bool {
	number := false
	for i := 0; i < len(ts); i++ {
		t := ts[i]
		switch t.kind {
		case numberToken:
			number = true
			if u, _, end := unitAt(ts, i+1); u != noUnit {
				i = end - 1
			}
		case symbolToken, refToken:
		case nameToken:
			return false
		case wordToken:
			if !t.is("to", "about", "and", "or", "ca", "approx", "under", "over", "at", "least", "most", "up", "x", "k") {
				return false
			}
		}
	}
	return number
}
