package page

import (
	"fmt"
	"html"

	"benchline/render/internal/chart"
	"benchline/render/report"
)

// chartView is a chart with its drawings.
type chartView struct {
	Chart              report.Chart
	Wide, Narrow, Live int // slots; the last is for the interactive chart
	Rules              []ruleNote
}

// draw makes the drawings of charts, by their IDs, each with its notes.
func draw(s *slots, charts []report.Chart, notes map[string][]ruleNote) (map[string]chartView, error) {
	out := make(map[string]chartView, len(charts))
	for _, c := range charts {
		if _, twice := out[c.ID]; twice {
			return nil, fmt.Errorf("two charts have the ID %q", c.ID)
		}
		wide, err := chart.SVG(c, chart.Wide)
		if err != nil {
			return nil, fmt.Errorf("drawing %q: %w", c.Title, err)
		}
		narrow, err := chart.SVG(c, chart.Narrow)
		if err != nil {
			return nil, fmt.Errorf("drawing %q: %w", c.Title, err)
		}
		option, err := chart.Option(sparse(c))
		if err != nil {
			return nil, fmt.Errorf("drawing %q: %w", c.Title, err)
		}
		out[c.ID] = chartView{Chart: c, Wide: s.add(wide), Narrow: s.add(narrow), Live: s.add(live(c.ID, option)), Rules: notes[c.ID]}
	}
	return out, nil
}

// live is the element that holds the data of an interactive chart. The encoder of
// JSON writes <, > and & as escapes, so that no text of a chart can end it.
func live(id string, option []byte) []byte {
	return fmt.Appendf(nil, `<script type="application/json" data-chart="%s">%s</script>`, html.EscapeString(id), option)
}

// mostLive is how many steps of a staircase the interactive chart has: enough to
// read values from, few enough to keep pages small.
const mostLive = 100

// sparse is a chart with fewer steps: the first, the last, and an even choice.
// Each that is left is exact. Points that have marks are all left.
func sparse(c report.Chart) report.Chart {
	series := make([]report.Series, len(c.Series))
	for i, s := range c.Series {
		if s.Step {
			s.Points = everyNth(s.Points)
			s.Band = everyNth(s.Band)
		}
		series[i] = s
	}
	c.Series = series
	return c
}

func everyNth[T any](xs []T) []T {
	if len(xs) <= mostLive {
		return xs
	}
	out := make([]T, 0, mostLive)
	for i := range mostLive {
		out = append(out, xs[i*(len(xs)-1)/(mostLive-1)])
	}
	return out
}
