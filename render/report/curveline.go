package report

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// join says between which points of a series a line may be drawn: between
// neighbours by load that both have a figure of each metric, neither of them a
// bound, and between which nothing differs but one dimension of load. Other
// neighbours stand apart, and the notes say why.
func (s *Set) join(out *Series, records []*evidence.Record, p *pairs, apart *apartNotes, ids ...measure.MetricID) {
	along := make([]string, len(records))
	for i := 1; i < len(records); i++ {
		a, b := out.Points[i-1], out.Points[i]
		if a.Y == nil || b.Y == nil {
			continue // the gap has a mark of its own
		}
		name, why := s.between(records[i-1], records[i], p, ids)
		if why == "" && (a.XLeast || a.YLeast || b.XLeast || b.YLeast) {
			name, why = "", "a bound is no place to draw a line to"
		}
		if why != "" {
			apart.add(a.Label, b.Label, why)
		}
		along[i] = name
	}
	for i, name := range along {
		if name != "" && out.Along == "" {
			out.Along = name
		}
		// A line has one meaning: where another dimension rises, it ends.
		out.Points[i].Apart = i > 0 && (name == "" || name != out.Along)
	}
	out.Line = out.Along != ""
}

// between is the dimension of load that alone differs between two records, or
// why there is none.
func (s *Set) between(a, b *evidence.Record, p *pairs, ids []measure.MetricID) (along, why string) {
	v := p.verdict(a, b)
	name, ok := steps(v)
	switch {
	case !ok:
		return "", apartWords(v)
	case !shares(v, ids...):
		return "", "their figures are not under one rule, window and population"
	}
	return name, ""
}

// neighboursJoined counts the neighbours by load, and those between which nothing
// but the load differs.
func (s *Set) neighboursJoined(records []*evidence.Record, p *pairs) (pairs, joined int) {
	for i := 1; i < len(records); i++ {
		pairs++
		if _, ok := steps(p.verdict(records[i-1], records[i])); ok {
			joined++
		}
	}
	return pairs, joined
}

// apartNotes gather why neighbours are not joined: one note a reason.
type apartNotes struct {
	whys   []string
	of     map[string][]string
	claims bool // a series is claimed
}

func (n *apartNotes) add(a, b, why string) {
	if n.of == nil {
		n.of = map[string][]string{}
	}
	if n.of[why] == nil {
		n.whys = append(n.whys, why)
	}
	if pair := a + " and " + b; !slices.Contains(n.of[why], pair) {
		n.of[why] = append(n.of[why], pair)
	}
}

func (n *apartNotes) words() []string {
	var out []string
	if n.claims {
		out = append(out, "Claims are joined to nothing and compared with nothing.")
	}
	for _, why := range n.whys {
		of := n.of[why]
		rest := ""
		if len(of) > mostNamed {
			rest = fmt.Sprintf(" and %d more pairs", len(of)-mostNamed+1)
			of = of[:mostNamed-1]
		}
		out = append(out, "Not joined by a line: "+strings.Join(of, ", ")+rest+": "+why+".")
	}
	return out
}
