package all_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/all"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

func TestRegistry(t *testing.T) {
	r, err := all.Registry()
	if err != nil {
		t.Fatal(err)
	}
	if len(r.All()) == 0 {
		t.Error("there are no adapters")
	}
	for _, a := range r.All() {
		if m := a.Sniff(nil, "empty"); m.Is || m.Want == "" {
			t.Errorf("%s: an empty file gives %+v", a.ID(), m)
		}
	}
}

func TestDefinitionsSaySomething(t *testing.T) {
	ds, err := all.Definitions()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range ds {
		m, ok := measure.Lookup(d.Metric)
		if !ok || m.Stat != measure.NoStat {
			t.Errorf("%s, %s: %q is no metric, or has a statistic", d.Tool, d.Word, d.Metric)
		}
		for field, text := range map[string]string{"tool": d.Tool, "versions": d.Versions, "word": d.Word, "start": d.Start, "end": d.End, "population": d.Population,
			"window": d.Window, "token source": d.TokenSource, "percentile rule": d.PercentileRule, "missing": d.Missing, "source": d.Source} {
			if text == "" {
				t.Errorf("%s, %s: %s is empty; what is not known is %q", d.Tool, d.Word, field, adapter.NotDefined)
			}
		}
	}
}

// TestDefinitionsCanBeTakenApart: from the sentence at a value it can be told in
// what the definitions of two tools differ.
func TestDefinitionsCanBeTakenApart(t *testing.T) {
	ds, err := all.Definitions()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range ds {
		got, ok := evidence.PartsOfRule(foreign.RuleOf(d))
		want := evidence.RuleParts{Start: d.Start, End: d.End, Requests: d.Population, Window: d.Window, Percentiles: d.PercentileRule}
		switch q, _, _ := measure.Kind(d.Metric); q { //nolint:exhaustive // what is no time and no token rate
		case measure.Time:
		case measure.OutputTokenRate, measure.TotalTokenRate:
			want = evidence.RuleParts{Counted: d.Population, Window: d.Window, Tokens: d.TokenSource}
		default:
			want = evidence.RuleParts{Counted: d.Population, Window: d.Window}
		}
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s, %s: (− want, + got)\n%s", d.Tool, d.Word, diff)
		}
	}
}
