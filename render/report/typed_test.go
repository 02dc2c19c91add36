package report

import (
	"testing"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

func typedSet(t *testing.T) *Set {
	t.Helper()
	exact := func(id measure.MetricID, x float64) evidence.Value {
		return evidence.Value{Metric: id, Amount: evidence.Amount{Kind: evidence.Exact, X: x}}
	}
	s, err := NewSet([]evidence.Record{
		{Slug: "p2", Values: []evidence.Value{exact("output_token_rate", 5191.72), exact("ttft_p50", 0.3124), exact("ttft_p95", 0.3121)}},
		{Slug: "p10", Values: []evidence.Value{exact("output_token_rate", 5191.7), exact("request_rate", 5191.72), exact("tpot_p50", 0.312)}},
		{Slug: "q", Values: []evidence.Value{{Metric: "output_token_rate", Amount: evidence.Amount{Kind: evidence.Quoted, Text: "5,191.72"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLike(t *testing.T) {
	s := typedSet(t)
	tokens := []measure.Quantity{measure.OutputTokenRate, measure.TotalTokenRate}
	times := []measure.Quantity{measure.Time}
	for _, tt := range []struct {
		name  string
		typed Typed
		want  string
	}{
		{"all digits", Typed{Readings: []Reading{{5191.72, 0.005}}, Quantities: tokens}, "p2 output_token_rate"},
		{"rounded", Typed{Readings: []Reading{{5200, 50}}, Quantities: tokens}, "p2 output_token_rate, p10 output_token_rate"},
		{"another number", Typed{Readings: []Reading{{5191.8, 0.05}}, Quantities: tokens}, ""},
		{"half of the last digit", Typed{Readings: []Reading{{5191.715, 0.005}}, Quantities: tokens}, "p2 output_token_rate"},
		{"another quantity", Typed{Readings: []Reading{{5191.72, 0.005}}, Quantities: []measure.Quantity{measure.RequestRate}}, "p10 request_rate"},
		{"the metric that is named", Typed{Readings: []Reading{{0.312, 0.0005}}, Quantities: times, Base: "ttft", Stat: measure.P50}, "p2 ttft_p50"},
		{"the statistic that is named", Typed{Readings: []Reading{{0.312, 0.0005}}, Quantities: times, Stat: measure.P95}, "p2 ttft_p95"},
		{"no metric is named", Typed{Readings: []Reading{{0.312, 0.0005}}, Quantities: times}, "p2 ttft_p50, p2 ttft_p95, p10 tpot_p50"},
		{"a second reading", Typed{Readings: []Reading{{312, 0.5}, {0.312, 0.0005}}, Quantities: times, Base: "tpot"}, "p10 tpot_p50"},
	} {
		got := ""
		for _, l := range s.Like(tt.typed) {
			if got != "" {
				got += ", "
			}
			got += l.Record + " " + string(l.Metric)
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := s.Like(Typed{Readings: []Reading{{5191.72, 0.005}}, Quantities: tokens})[0].Label; got != "output-token rate" {
		t.Errorf("got label %q", got)
	}
}

func TestVersus(t *testing.T) {
	s := typedSet(t)
	if _, ok := s.Versus("p2", "nobody"); ok {
		t.Error("there is a verdict on a record that does not exist")
	}
	v, ok := s.Versus("p2", "p10")
	if !ok || v.Controlled || v.Sentence == "" {
		t.Errorf("got %+v, %t, want a verdict that two records without facts are not controlled", v, ok)
	}
}
