package all_test

import (
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/all"
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
