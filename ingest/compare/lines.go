package compare

import (
	"encoding/json"
	"fmt"
	"io"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Each line for machines is one of these, told apart by type.
type (
	verdictLine struct {
		Type string `json:"type"` // "verdict"
		A    named  `json:"a"`
		B    named  `json:"b"`
		// The fields of [Verdict], less what has lines of its own.
		Kind      Kind               `json:"kind"`
		Sentence  string             `json:"sentence"`
		Why       []string           `json:"why"`
		Differs   []string           `json:"differs"`
		NotStated []string           `json:"not_stated"`
		Needs     []string           `json:"needs"`
		Metrics   []measure.MetricID `json:"metrics"`
	}
	named struct {
		Slug  string         `json:"slug"`
		ID    string         `json:"id"`
		Class evidence.Class `json:"class"`
	}
	dimensionLine struct {
		Type string `json:"type"` // "dimension"
		Dimension
	}
	metricLine struct {
		Type string `json:"type"` // "metric"
		Metric
		Comparable bool `json:"comparable"`
	}
	numberLine struct {
		Type string `json:"type"` // "number"
		Number
		Unit string `json:"unit"` // of all its figures
	}
)

// WriteLines writes a comparison as one JSON object a line: the verdict, each
// dimension, each metric, each number. The records are those of the verdict, the
// numbers those of [NumbersOf].
func WriteLines(w io.Writer, v Verdict, a, b evidence.Record, numbers []Number) error {
	name := func(r evidence.Record) named { return named{r.Slug, r.ID.String(), r.Class} }
	lines := []any{verdictLine{Type: "verdict", A: name(a), B: name(b), Kind: v.Kind, Sentence: v.Sentence, Why: v.Why, Differs: v.Differs,
		NotStated: v.NotStated, Needs: v.Needs, Metrics: v.Metrics}}
	for _, d := range v.Dimensions {
		lines = append(lines, dimensionLine{"dimension", d})
	}
	for i := range v.Figures {
		m := &v.Figures[i]
		lines = append(lines, metricLine{"metric", *m, m.Comparable()})
	}
	for _, n := range numbers {
		m, _ := measure.Lookup(n.Metric)
		lines = append(lines, numberLine{"number", n, m.Unit()})
	}
	to := json.NewEncoder(w)
	for _, line := range lines {
		if err := to.Encode(line); err != nil {
			return fmt.Errorf("writing the comparison of %s and %s: %w", a.Slug, b.Slug, err)
		}
	}
	return nil
}
