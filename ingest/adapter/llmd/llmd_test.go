package llmd_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/adaptertest"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/llmd"
)

func sample() adapter.Source { return foreigntest.Sample("llm-d/0.2.1/report.yaml") }

func first() adapter.Source { return foreigntest.Sample("llm-d/0.1/report.yaml") }

func firstJSON(t *testing.T) adapter.Source {
	t.Helper()
	return foreigntest.Text(t, "report.json", `{"version": "0.1", "scenario": {"model": {"name": "m"}, "load": {"name": "guidellm"}}, "metrics": {"time": {"duration": 10.5},
		"requests": {"total": 58, "input_length": {"units": "count", "mean": 1000}, "output_length": {"units": "count", "mean": 20000}},
		"latency": {"time_to_first_token": {"units": "ms", "mean": 3.5}}, "throughput": {"total_tokens_per_sec": 30.5}}}`)
}

func jsonReport(t *testing.T) adapter.Source {
	t.Helper()
	b, err := json.Marshal(map[string]any{"version": "0.2", "scenario": map[string]any{}, "results": map[string]any{"request_performance": map[string]any{"aggregate": map[string]any{
		"requests": map[string]any{"total": 10, "failures": 1, "incomplete": 2}, "latency": map[string]any{"time_to_first_token": map[string]any{"units": "ms", "mean": 250, "p50": nil}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return foreigntest.Text(t, "report.json", string(b))
}

func TestConformance(t *testing.T) {
	adaptertest.Run(t, adaptertest.Suite{Adapter: llmd.New(),
		Samples: []adaptertest.Sample{{Source: first(), Gaps: []string{"outcomes.completed", "outcomes.unresolved", "state.warmup"}}, {Source: firstJSON(t), Gaps: []string{"subject.engine"}}, {Source: sample(), Gaps: []string{"outcomes.completed", "outcomes.unresolved", "subject.accelerators"}}, {Source: jsonReport(t), Gaps: []string{"subject.model"}}},
		Others: []adapter.Source{foreigntest.Sample("inference-perf/0.1/stage_0_lifecycle_metrics.json"), foreigntest.Text(t, "y.yaml", "metrics:\n  latency: 5\nscenario:\n  throughput: 1\n"), foreigntest.Text(t, "x.yaml", "results:\n  tests: 5\nother:\n  observability:\n"),
			foreigntest.Text(t, "x.json", `{"results": {"a": 1}, "scenario": {}}`)}})
}

func TestGolden(t *testing.T) {
	foreigntest.Golden(t, llmd.New(), sample(), "report")
	foreigntest.Golden(t, llmd.New(), first(), "first")
}

func TestJSON(t *testing.T) {
	records, _ := foreigntest.Read(t, llmd.New(), jsonReport(t))
	o := records[0].Outcomes
	done, _ := o.Completed.Get()
	open, _ := o.Unresolved.Get()
	if done != 7 || open != 2 || len(records[0].Values) != 1 || records[0].Values[0].Amount.X != 0.25 {
		t.Errorf("got %d completed, %d open, %+v", done, open, records[0].Values)
	}
}

// TestRealReport: its duration and its start and end contradict each other.
func TestRealReport(t *testing.T) {
	records, found := foreigntest.Read(t, llmd.New(), foreigntest.Shared(t, "samples/llm-d/br_v0_2_1_example.yaml"))
	r := records[0]
	if name, _ := r.Subject.Tool.Get(); name != "inference-perf 0.3.0" || len(r.Values) == 0 {
		t.Errorf("tool %q, %d values", name, len(r.Values))
	}
	for _, v := range r.Values {
		if v.Metric == "ttft_p99" && v.Original.Number != "0.05029489721637218" {
			t.Errorf("ttft_p99 from %+v", v.Original)
		}
	}
	if len(found) != 1 || !strings.Contains(found[0].Msg, "981 s") {
		t.Errorf("diagnostics: %v", found)
	}
}

func TestRefusals(t *testing.T) {
	b, err := os.ReadFile(sample().FilePath())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, why string }{
		"an anchor":  {strings.Replace(string(b), "version: 0.2.1", "version: &v 0.2.1", 1), "begins with"},
		"no figures": {"results:\n  component_health:\n  - component_label: x\n", "no figures of requests"},
	} {
		_, _, err := foreigntest.Try(t, llmd.New(), foreigntest.Text(t, "report.yaml", c.text))
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func FuzzRead(f *testing.F) { foreigntest.Fuzz(f, llmd.New(), "x.yaml", sample(), first()) }
