package llamabench_test

import (
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/adaptertest"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/llamabench"
	"benchline/ingest/evidence"
)

func samples() []adapter.Source {
	var out []adapter.Source
	for _, ext := range []string{"json", "jsonl", "csv", "md"} {
		out = append(out, foreigntest.Sample("llama-bench/6800/result."+ext))
	}
	return out
}

func TestConformance(t *testing.T) {
	s := adaptertest.Suite{Adapter: llamabench.Adapter{}, Others: []adapter.Source{foreigntest.Sample("llama-benchy/0.2/result.json"), foreigntest.Sample("llmperf/2023-08-31/example_7b_summary.json"),
		foreigntest.Text(t, "other.md", "| model | test | t/s (total) |\n|---|---|---|\n| m | pp512 (c1) | 1.0 ± 0.1 |\n")}}
	for _, src := range samples() {
		s.Samples = append(s.Samples, adaptertest.Sample{Source: src, Gaps: []string{"state.cache.measured", "subject.quality", "state.window"}})
	}
	adaptertest.Run(t, s)
}

func TestGolden(t *testing.T) {
	foreigntest.Golden(t, llamabench.Adapter{}, samples()[0], "json")
	foreigntest.Golden(t, llamabench.Adapter{}, samples()[3], "markdown")
}

// TestFormsAgree: the four forms of one result give the same rates, as far as
// each prints its digits.
func TestFormsAgree(t *testing.T) {
	rates := func(s adapter.Source) []float64 {
		records, _ := foreigntest.Read(t, llamabench.Adapter{}, s)
		var out []float64
		for _, r := range records {
			for _, v := range r.Values {
				out = append(out, v.Amount.X)
			}
		}
		return out
	}
	want := rates(samples()[0])
	if len(want) != 2 {
		t.Fatalf("%d rates of output tokens, want those of the two tg tests", len(want))
	}
	for _, s := range samples()[1:] {
		got := rates(s)
		for i := range want {
			if len(got) != 2 || got[i] < want[i]-0.005 || got[i] > want[i]+0.005 {
				t.Errorf("%s: got %v, want %v", s.Name, got, want)
				break
			}
		}
	}
}

// TestRealFile: 22 tests of one repetition each; the zero deviation is no
// measured zero.
func TestRealFile(t *testing.T) {
	records, found := foreigntest.Read(t, llamabench.Adapter{}, foreigntest.Shared(t, "corpus/lhl--strix-halo-testing/llama-cpp-fix-wmma/gpt-oss-20b.default-hip.jsonl"))
	withRate := 0
	for _, r := range records {
		withRate += len(r.Values)
		for _, f := range r.Facts {
			if f.Key == "stddev_ts" && f.Value.State() != evidence.StateNotStated {
				t.Errorf("%s: stddev_ts is %+v", r.Slug, f)
			}
		}
		if !strings.HasPrefix(r.Title, "llama-bench ") {
			t.Errorf("title %q", r.Title)
		}
	}
	if len(records) != withRate*2 || len(found) != 0 {
		t.Errorf("%d records, %d rates, %v", len(records), withRate, found)
	}
}

func FuzzJSON(f *testing.F) {
	foreigntest.Fuzz(f, llamabench.Adapter{}, "x.json", samples()[0], samples()[1])
}

func FuzzTable(f *testing.F) {
	foreigntest.Fuzz(f, llamabench.Adapter{}, "x.csv", samples()[2], samples()[3])
}
