package report_test

import (
	"strings"
	"testing"

	"benchline/ingest/measure"
	"benchline/render/report"
)

func definitions() []report.Definition {
	return []report.Definition{
		{Tool: "B tool", Versions: "1", Word: "throughput", Metric: "request_rate", Population: "all", Window: "from a to b"},
		{Tool: "A tool", Versions: "2", Word: "Through_put", Metric: "output_token_rate", Population: "successes"},
		{Tool: "A tool", Versions: "2", Word: "through-put", Metric: "total_token_rate", Population: "successes"},
		{Tool: "A tool", Versions: "2", Word: "ttft", Metric: "ttft", Population: "all"},
		{Tool: "A tool", Versions: "2", Word: "odd", Metric: "no_such_metric"},
	}
}

func TestSameWordsFollowTheRegistry(t *testing.T) {
	words := report.SameWords(definitions())
	var ids []string
	for _, w := range words {
		ids = append(ids, w.ID)
		m, _ := measure.Lookup(w.Theirs[0].Metric)
		if w.Ours != m.Definition || w.Label != m.Label || w.Ours == "" {
			t.Errorf("%s: our definition is not the registry's: %q", w.ID, w.Ours)
		}
	}
	if got := strings.Join(ids, " "); !strings.HasPrefix(got, "word-ttft ") || len(ids) != 4 {
		t.Errorf("got the sections %q, want ttft first, then the three rates", got)
	}
}

// Every base of the registry can have a section, and none has two.
func TestSameWordsLoseNoMetric(t *testing.T) {
	var defs []report.Definition
	want := map[measure.MetricID]bool{}
	for _, m := range measure.Metrics() {
		if want[m.Base] {
			continue
		}
		want[m.Base] = true
		defs = append(defs, report.Definition{Tool: "x", Word: string(m.Base), Metric: m.Base})
	}
	words := report.SameWords(defs)
	if len(words) != len(want) {
		t.Errorf("got %d sections, want %d", len(words), len(want))
	}
	seen := map[string]bool{}
	for _, w := range words {
		if seen[w.ID] {
			t.Errorf("section %s stands twice", w.ID)
		}
		seen[w.ID] = true
	}
}

func TestToolHabits(t *testing.T) {
	hs := report.ToolHabits(definitions())
	if len(hs) != 2 || hs[0].Tool != "A tool" || hs[1].Tool != "B tool" {
		t.Fatalf("got %+v", hs)
	}
	a := hs[0]
	if len(a.Populations) != 3 || a.Populations[0].Text != "successes" || a.Populations[0].Words != "Through_put, through-put" {
		t.Errorf("populations: got %+v", a.Populations)
	}
	if len(a.Windows) != 1 || a.Windows[0].Text != "" {
		t.Errorf("what is not stated must stay not stated: got %+v", a.Windows)
	}
}

func TestSharedWords(t *testing.T) {
	shared := report.SharedWords(definitions())
	if len(shared) != 1 || shared[0].Word != "through put" || len(shared[0].Uses) != 2 {
		t.Errorf("got %+v", shared)
	}
	if got := report.SharedWords(nil); len(got) != 0 {
		t.Errorf("got %+v of nothing", got)
	}
}
