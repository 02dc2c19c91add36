package evidence_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

func TestPartsOfRule(t *testing.T) {
	for _, p := range []evidence.RuleParts{
		{Start: "it is sent; after a wait", End: "the last chunk; [DONE] is not waited for", Requests: "those that ended well; no warm-up", Window: "all of it", Percentiles: "linear"},
		{Start: "it is sent", End: "the last chunk"},
		{Start: "it is sent", Window: "all of it"},
		{Counted: "output tokens of all", Window: "first to last; with drain", Tokens: "the endpoint"},
		{Counted: "requests", Window: "first to last"},
	} {
		got, ok := evidence.PartsOfRule("“x” as T defines it: " + p.Says() + ".")
		if diff := cmp.Diff(p, got); diff != "" || !ok {
			t.Errorf("%s: %t, (− want, + got)\n%s", p.Says(), ok, diff)
		}
	}
	got, ok := evidence.PartsOfRule("“x” as T defines it: " + evidence.RuleParts{Start: "it is sent", End: "it ends"}.Says() + ". Of the rows, by nearest rank.")
	if want := (evidence.RuleParts{Start: "it is sent", End: "it ends", Percentiles: "by nearest rank"}); got != want || !ok {
		t.Errorf("from rows: got %+v", got)
	}
	for _, rule := range []string{"", "As the source has it.", "Mean of the wait before the first output."} {
		if got, ok := evidence.PartsOfRule(rule); ok {
			t.Errorf("%q: got %+v", rule, got)
		}
	}
}

// TestPartsOfOurOwn: each definition of the registry can be taken apart: a latency
// has events, a rate has what it counts and what it divides by.
func TestPartsOfOurOwn(t *testing.T) {
	for _, m := range measure.Metrics() {
		p, ok := evidence.PartsOfRule(m.Definition)
		q, isQuantile := m.Stat.Q()
		switch {
		case !ok:
			t.Errorf("%s: not taken apart: %s", m.ID, m.Definition)
		case m.Quantity == measure.Time && (p.Start == "" || p.End == "" || p.Requests == ""):
			t.Errorf("%s: got %+v", m.ID, p)
		case m.Quantity != measure.Time && (p.Counted == "" || p.Window == ""):
			t.Errorf("%s: got %+v", m.ID, p)
		case isQuantile && q != measure.Max && p.Percentiles != "nearest rank":
			t.Errorf("%s: got percentiles %q", m.ID, p.Percentiles)
		}
		for _, text := range []string{p.Start, p.End, p.Requests, p.Counted, p.Window} {
			if strings.HasPrefix(text, " ") || strings.HasSuffix(text, " ") {
				t.Errorf("%s: got %q", m.ID, text)
			}
		}
	}
}

// TestPartsOfAnything: no definition, whoever wrote it, stops the reader.
func TestPartsOfAnything(t *testing.T) {
	piece := rapid.SampledFrom([]string{"starts when ", "; ends when ", "; which requests: ", "; window: ", "what is counted: ", "; over which time: ", " time from when ",
		" until ", ", of ", "; ", ". Of the rows, ", ": ", " divided by ", "x", ".", "“"})
	rapid.Check(t, func(t *rapid.T) {
		rule := strings.Join(rapid.SliceOf(piece).Draw(t, "rule"), "")
		if p, ok := evidence.PartsOfRule(rule); !ok && p != (evidence.RuleParts{}) {
			t.Fatalf("%q: got %+v", rule, p)
		}
	})
}
