package main

import (
	"fmt"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/all"
	"benchline/render"
)

// toolDefinitions are what other tools mean by their words, in the form that
// pages are made from. What a definition says it does not know is empty there.
func toolDefinitions() ([]render.Definition, error) {
	known, err := all.Definitions()
	if err != nil {
		return nil, fmt.Errorf("list what tools mean by their words: %w", err)
	}
	stated := func(text string) string {
		if text == adapter.NotDefined {
			return ""
		}
		return text
	}
	out := make([]render.Definition, 0, len(known))
	for _, d := range known {
		out = append(out, render.Definition{Tool: d.Tool, Versions: d.Versions, Word: d.Word, Metric: d.Metric, Start: stated(d.Start), End: stated(d.End),
			Population: stated(d.Population), Window: stated(d.Window), TokenSource: stated(d.TokenSource), PercentileRule: stated(d.PercentileRule),
			Missing: stated(d.Missing), Source: stated(d.Source)})
	}
	return out, nil
}
