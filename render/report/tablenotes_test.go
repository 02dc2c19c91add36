package report

import (
	"strings"
	"testing"

	"benchline/ingest/evidence"
)

// The limits of a family's points stand at them: of a record at its row's head,
// of a figure at its cell; equal ones share a number, the strongest first, and
// every mark has its note.
func TestFamilyLimitsStandAtTheirFigures(t *testing.T) {
	limit := func(c evidence.Code, where string, args ...string) evidence.Limit {
		return evidence.Limit{Code: c, Where: where, Args: args}
	}
	a, b := ladderPoint("a", 1, 100, 0.1, 0.2), ladderPoint("b", 2, 200, 0.2, 0.3)
	for _, r := range []*evidence.Record{&a, &b} {
		r.Limits = []evidence.Limit{limit(evidence.SimulatedEndpoint, "record")}
	}
	amend(&a, "ttft_p95", func(v *evidence.Value) {
		v.Limits = []evidence.Limit{limit(evidence.TooFewRequests, "ttft_p95", "72", "20"), limit(evidence.SimulatedEndpoint, "ttft_p95")}
	})
	amend(&b, "ttft_p95", func(v *evidence.Value) {
		v.Limits = []evidence.Limit{limit(evidence.TooFewRequests, "ttft_p95", "72", "30"), limit(evidence.UnboundedPercentile, "ttft_p95", "at least 2 s")}
	})
	b.Limits = append(b.Limits, limit(evidence.TooFewRequests, "ttft_p50", "72", "31"))
	set, err := NewSet([]evidence.Record{a, b})
	if err != nil {
		t.Fatal(err)
	}
	f, err := set.Family("ladder")
	if err != nil {
		t.Fatal(err)
	}
	numbers := func(marks []Mark) string {
		var words []string
		for _, m := range marks {
			words = append(words, strings.TrimPrefix(m.Href, "#limit-")+" "+string(m.Code))
		}
		return strings.Join(words, ", ")
	}
	got := map[string]string{}
	for _, g := range f.Table.Groups {
		for _, row := range g.Rows {
			got[row.Record] = numbers(row.Limits)
			for k, c := range f.Table.Cols {
				got[row.Record+" "+string(c.Metric)] = numbers(row.Cells[k].Marks)
			}
		}
	}
	for at, want := range map[string]string{
		"a": "1 simulated", "b": "1 simulated",
		"a ttft_p95": "3 too-few-requests", // the simulation is said at the row
		"b ttft_p95": "2 unbounded-percentile, 3 too-few-requests", "b ttft_p50": "3 too-few-requests",
		"a ttft_p50": "", "b output_token_rate": "",
	} {
		if got[at] != want {
			t.Errorf("%s: marks %q, want %q", at, got[at], want)
		}
	}
	ids := map[string]Note{}
	for _, g := range f.Table.Notes {
		for _, n := range g.Notes {
			ids["#"+n.ID] = n
		}
	}
	if len(ids) != 3 {
		t.Errorf("got %d notes, want 3: %v", len(ids), ids)
	}
	says := ids["#limit-3"].Says
	if len(says) != 1 || len(says[0].Each) != 3 || says[0].Each[0].Words != "needs 72, has 20" || len(says[0].Each[0].About) != 1 {
		t.Errorf("equal limits with other numbers are not one sentence: %+v", says)
	}
}

// A gap that subject and manifest share is listed once.
func TestGapsStandOnce(t *testing.T) {
	r := ladderPoint("a", 1, 100, 0.1, 0.2)
	missing := evidence.NotStated[string]("nobody says")
	r.Subject.Model, r.Subject.ModelRevision, r.Subject.Tokenizer, r.Subject.Engine, r.Subject.EngineVersion = missing, missing, missing, missing, missing
	r.Subject.Precision, r.Subject.Parallelism, r.Subject.Hardware = missing, missing, missing
	r.Subject.Accelerators = evidence.NotStated[int64]("nobody says")
	before := gapsIn(t, r)
	for _, key := range []string{"model", "model_revision", "tokenizer", "engine", "engine_version", "precision", "parallelism", "hardware", "accelerators"} {
		r.Facts = append(r.Facts, evidence.Fact{Key: key, Label: evidence.FactLabel(key), Value: missing})
	}
	if after := gapsIn(t, r); len(after) != len(before) {
		t.Errorf("the manifest's facts add gaps that the subject has: %d before, %d after: %v", len(before), len(after), after)
	}
	r.Facts = append(r.Facts, evidence.Fact{Key: "driver", Label: evidence.FactLabel("driver"), Value: missing})
	if after := gapsIn(t, r); len(after) != len(before)+1 {
		t.Errorf("a fact of its own is no gap: %v", after)
	}
}

func gapsIn(t *testing.T, r evidence.Record) []Gap {
	t.Helper()
	s, err := NewSet([]evidence.Record{r})
	if err != nil {
		t.Fatal(err)
	}
	return s.gapsOf(&r)
}
