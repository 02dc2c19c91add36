package report

import (
	"fmt"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// PlaceOf is where a record stands among those that it may be compared with.
type PlaceOf struct {
	Place Place
	By    string // which one dominates it, or may: "c = 4"
}

// Words is the place in words; empty where the record has none.
func (p PlaceOf) Words() string {
	switch p.Place {
	case Dominated:
		return "dominated by " + p.By
	case Undecided:
		return "undecided: " + p.By + " may dominate it"
	case OnFrontier, NotCompared:
	}
	return string(p.Place)
}

// mostCompared is how many points a frontier is looked for among: each pair is
// a verdict of its own.
const mostCompared = 200

// rank finds the place of each record in one statistic. What is void, claimed or
// has no number is no contender.
func (p *plane) rank(id measure.MetricID) map[string]PlaceOf {
	contenders, records := p.contenders(id)
	out := map[string]PlaceOf{}
	if len(records) > mostCompared {
		return out
	}
	may := p.spec.May
	if may == nil {
		may = AlongLoad
	}
	for i, st := range Frontier(contenders, func(i, j int) bool {
		v := p.pairs.verdict(records[i], records[j])
		return may(v) && shares(v, p.rate.ID, id)
	}) {
		place := PlaceOf{Place: st.Place}
		if st.By >= 0 {
			place.By = p.nameBeside(records[st.By], records[i])
		}
		out[records[i].Slug] = place
	}
	return out
}

func (p *plane) contenders(id measure.MetricID) ([]Contender, []*evidence.Record) {
	var contenders []Contender
	var records []*evidence.Record
	for _, r := range p.drawn {
		x, hasRate := r.Value(p.rate.ID)
		y, hasLatency := r.Value(id)
		if r.Void || !hasRate || !hasLatency {
			continue
		}
		rate, okRate := RangeOf(x)
		latency, okLatency := RangeOf(y)
		if okRate && okLatency {
			contenders = append(contenders, Contender{Name: r.Slug, Rate: rate, Latency: latency})
			records = append(records, r)
		}
	}
	return contenders, records
}

// nameBeside names a record by its load, and by its series where that is another
// than the one of the record beside it; a repeat of that record by its title.
func (p *plane) nameBeside(r, beside *evidence.Record) string {
	if p.nameOf(r) == p.nameOf(beside) {
		return r.Title
	}
	if p.spec.Named {
		return p.nameOf(r)
	}
	name := p.seriesName()
	if n := name(r); n != name(beside) {
		return pointName(r) + " (" + n + ")"
	}
	return pointName(r)
}

// placeNotes say what is true of all places of the chart.
func (p *plane) placeNotes() []string {
	single, over, crowded := 0, 0, false
	for _, st := range p.spec.Stats {
		_, records := p.contenders(measure.ID(p.m.ID, st))
		crowded = crowded || len(records) > mostCompared
		for _, r := range records {
			if r.Kind == evidence.RepeatsRecord {
				over++
			} else {
				single++
			}
		}
	}
	var notes []string
	switch {
	case crowded:
		notes = append(notes, fmt.Sprintf("No frontier is looked for among more than %d points.", mostCompared))
	case single > 0 && over > 0:
		notes = append(notes, "The place of a median over repeats holds wherever in its interval the figure lies. That of a single run may change when the run is repeated.")
	case over > 0:
		notes = append(notes, "A place holds wherever in their intervals the figures lie.")
	case single > 0:
		notes = append(notes, "Each point is one run: its place may change when the runs are repeated.")
	}
	return notes
}

// describe is the drawing in words: what it shows and where the points stand.
func (p *plane) describe() string {
	words := measure.Counted(int64(len(p.drawn)), "record")
	if p.workload != "" {
		words += ", " + p.workload
	}
	var b strings.Builder
	b.WriteString(words + ".")
	for _, st := range p.spec.Stats {
		id := measure.ID(p.m.ID, st)
		for _, place := range []Place{OnFrontier, Dominated, Undecided, NotCompared} {
			var names []string
			for _, r := range p.drawn {
				if p.places[id][r.Slug].Place == place {
					names = append(names, p.nameOf(r))
				}
			}
			if len(names) > 0 {
				fmt.Fprintf(&b, " %s %s: %s.", upperFirst(string(st)), place, some(names))
			}
		}
	}
	return b.String()
}
