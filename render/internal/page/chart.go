package page

import (
	"encoding/json"
	"fmt"

	"benchline/render/internal/chart"
	"benchline/render/report"
)

// chartView is a chart with its drawings.
type chartView struct {
	Chart        report.Chart
	Wide, Narrow int             // slots
	Option       json.RawMessage // for the interactive chart
}

// draw makes the drawings of charts, by their IDs.
func draw(s *slots, charts []report.Chart) (map[string]chartView, error) {
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
		option, err := chart.Option(c)
		if err != nil {
			return nil, fmt.Errorf("drawing %q: %w", c.Title, err)
		}
		out[c.ID] = chartView{Chart: c, Wide: s.add(wide), Narrow: s.add(narrow), Option: option}
	}
	return out, nil
}
