package measure_test

import (
	"slices"
	"strings"
	"testing"

	"benchline/ingest/measure"
)

func TestRegistry(t *testing.T) {
	seen := map[measure.MetricID]bool{}
	labels := map[string]bool{}
	for i, m := range measure.Metrics() {
		if seen[m.ID] || labels[m.Label] || labels[m.Short] {
			t.Errorf("%s: ID, label or short label stands twice", m.ID)
		}
		seen[m.ID], labels[m.Label], labels[m.Short] = true, true, true
		if m.Unit() == "" || m.Formula == "" || m.Base == "" {
			t.Errorf("%s: incomplete: %+v", m.ID, m)
		}
		if !strings.HasSuffix(m.Definition, ".") || strings.Contains(m.Definition, "..") || len(m.Definition) < 60 {
			t.Errorf("%s: definition is no sentence: %q", m.ID, m.Definition)
		}
		if got, ok := measure.Lookup(m.ID); !ok || got != m {
			t.Errorf("%s: looked up %+v, want %+v", m.ID, got, m)
		}
		if got, ok := measure.Place(m.ID); got != i || !ok {
			t.Errorf("%s: got place %d, %t, want %d", m.ID, got, ok, i)
		}
	}
	for _, base := range []measure.MetricID{"ttft", "ttft_due", "ttfa", "tpot", "e2e", "e2e_due", "chunk_gap"} {
		for _, s := range []string{"_mean", "_p50", "_p90", "_p95", "_p99", "_max"} {
			if id := base + measure.MetricID(s); !seen[id] {
				t.Errorf("%s is missing", id)
			}
		}
	}
	for _, id := range []measure.MetricID{"output_token_rate", "output_token_rate_steady", "total_token_rate", "request_rate", "goodput", "sent_rate"} {
		if !seen[id] {
			t.Errorf("%s is missing", id)
		}
	}
	if _, ok := measure.Lookup("ttft_p42"); ok {
		t.Error("an unknown metric was found")
	}
}

func TestDefinitionsSayTheirEnds(t *testing.T) {
	tests := []struct {
		id   measure.MetricID
		want []string
	}{
		{"ttft_p95", []string{"handed to the socket", "first non-empty token of any kind", "completed requests", "measured phase", "⌈0.95 n⌉-th smallest"}},
		{"ttft_due_mean", []string{"due by the plan", "arithmetic mean"}},
		{"tpot_p50", []string{"median", "first token", "last token", "less one", "undefined, and counted, for fewer than two"}},
		{"chunk_gap_p99", []string{"not a delay per token"}},
		{"output_token_rate", []string{"usage", "tokenizer", "observation window", "warm-up is not", "completed requests"}},
		{"output_token_rate_steady", []string{"steady window", "sending stopped"}},
		{"goodput", []string{"both", "fixed in the plan"}},
	}
	for _, test := range tests {
		m, _ := measure.Lookup(test.id)
		for _, want := range test.want {
			if !strings.Contains(m.Definition, want) {
				t.Errorf("%s: got %q, want %q in it", test.id, m.Definition, want)
			}
		}
	}
}

func TestStatQ(t *testing.T) {
	for s, want := range map[measure.Stat]measure.Q{measure.P50: 500, measure.P90: 900, measure.P95: 950, measure.P99: 990, measure.StatMax: 1000} {
		if got, ok := s.Q(); !ok || got != want {
			t.Errorf("%s: got %v, %v, want %v", s, got, ok, want)
		}
	}
	if _, ok := measure.Mean.Q(); ok {
		t.Error("the mean is no quantile")
	}
}

// TestKindAndPlaceAreThoseOfTheRegistry holds the short ways against the long one.
func TestKindAndPlaceAreThoseOfTheRegistry(t *testing.T) {
	for i, m := range measure.Metrics() {
		if m.Stat == measure.NoStat && m.Quantity == measure.Time && !slices.Contains(measure.Latencies(), m.ID) {
			t.Errorf("%s is not among the latencies", m.ID)
		}
		q, s, ok := measure.Kind(m.ID)
		place, placed := measure.Place(m.ID)
		if place != i || !placed || !ok || q != m.Quantity || s != m.Stat {
			t.Errorf("%s: place %d, kind %q %q %t", m.ID, place, q, s, ok)
		}
		if got, ok := measure.Lookup(m.ID); !ok || got != m {
			t.Errorf("%s: Lookup gives %+v", m.ID, got)
		}
	}
	for _, id := range []measure.MetricID{"", "ttft_", "ttft_p42", "ttft_due_", "xttft", "ttftp50", "e2e_due_due", "goodput_p50"} {
		if q, s, ok := measure.Kind(id); ok {
			t.Errorf("%q is %q %q", id, q, s)
		}
		if m, ok := measure.Lookup(id); ok {
			t.Errorf("%q is %+v", id, m)
		}
		if i, ok := measure.Place(id); ok {
			t.Errorf("%q has place %d", id, i)
		}
	}
}
