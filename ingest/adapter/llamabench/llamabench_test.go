package llamabench_test

import (
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/llamabench"
	"benchline/ingest/evidence"
)

func suite(t testing.TB) foreigntest.Suite {
	return foreigntest.Suite{Format: llamabench.New(), Gaps: []string{"state.cache.measured", "subject.quality", "state.window"},
		Samples: []foreigntest.Case{{File: "llama-bench/6800/result.json", Golden: "json"}, {File: "llama-bench/6800/result.jsonl"}, {File: "llama-bench/6800/result.csv"},
			{File: "llama-bench/6800/result.md", Golden: "markdown"}},
		Others: []adapter.Source{foreigntest.Text(t, "other.md", "| model | test | t/s (total) |\n|---|---|---|\n| m | pp512 (c1) | 1.0 ± 0.1 |\n")}}
}

func TestFormat(t *testing.T) { suite(t).Run(t) }

// TestFormsAgree: the four forms of one result give the same rates, as far as
// each prints its digits.
func TestFormsAgree(t *testing.T) {
	rates := func(s adapter.Source) []float64 {
		records, _ := foreigntest.Read(t, llamabench.New(), s)
		var out []float64
		for _, r := range records {
			for _, v := range r.Values {
				out = append(out, v.Amount.X)
			}
		}
		return out
	}
	want := rates(suite(t).Sources()[0])
	if len(want) != 2 {
		t.Fatalf("%d rates of output tokens, want those of the two tg tests", len(want))
	}
	for _, s := range suite(t).Sources()[1:] {
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
	records, found := foreigntest.Read(t, llamabench.New(), foreigntest.Shared(t, "corpus/lhl--strix-halo-testing/llama-cpp-fix-wmma/gpt-oss-20b.default-hip.jsonl"))
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
	foreigntest.Fuzz(f, llamabench.New(), "x.json", suite(f).Sources()[0], suite(f).Sources()[1])
}

func FuzzTable(f *testing.F) {
	foreigntest.Fuzz(f, llamabench.New(), "x.csv", suite(f).Sources()[2], suite(f).Sources()[3])
}
