package llamabench_test

import (
	"slices"
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

// TestDivision: the rate of a tg test has its tokens and its time, and is held
// against their quotient where there is a single repetition only.
func TestDivision(t *testing.T) {
	const lost, contradicts = evidence.DurationNotStated, evidence.RateContradictsCount
	for name, c := range map[string]struct {
		json   string
		num    float64
		den    evidence.Term // without its words
		made   evidence.Spread
		limits []evidence.Code
	}{
		"one": {`"avg_ns": 2563887565, "avg_ts": 49.924186, "samples_ns": [2563887565]`, 128, evidence.Term{Amount: 2.563887565, Unit: "s"},
			evidence.Spread{Min: 128, Median: 128, Max: 128, N: 1, Sum: 128}, nil},
		"one, wrong": {`"avg_ns": 2563887565, "avg_ts": 94.924186, "samples_ns": [2563887565]`, 128, evidence.Term{Amount: 2.563887565, Unit: "s"},
			evidence.Spread{Min: 128, Median: 128, Max: 128, N: 1, Sum: 128}, []evidence.Code{contradicts}},
		"two": {`"avg_ns": 3000000001, "avg_ts": 48.000000, "samples_ns": [2000000001, 4000000001], "samples_ts": [64, 32]`, 128, evidence.Term{Amount: 3.000000001, Unit: "s a repetition"},
			evidence.Spread{Min: 128, Median: 128, Max: 128, N: 2, Sum: 256}, nil},
		"repetitions not said": {`"avg_ns": 3000000001, "avg_ts": 48.000000`, 128, evidence.Term{Amount: 3.000000001, Unit: "s a repetition"}, evidence.Spread{}, nil},
		"lists disagree":       {`"avg_ns": 3000000001, "avg_ts": 48.0, "samples_ns": [1], "samples_ts": [64, 32]`, 128, evidence.Term{Amount: 3.000000001, Unit: "s a repetition"}, evidence.Spread{}, nil},
		"no time":              {`"avg_ts": 48.0, "samples_ts": [48.0]`, 0, evidence.Term{}, evidence.Spread{}, []evidence.Code{lost}},
		"a time of zero":       {`"avg_ns": 0, "avg_ts": 48.0, "samples_ns": [0]`, 0, evidence.Term{}, evidence.Spread{}, []evidence.Code{lost}},
		"a time below zero":    {`"avg_ns": -5, "avg_ts": 48.0, "samples_ns": [-5]`, 0, evidence.Term{}, evidence.Spread{}, []evidence.Code{lost}},
	} {
		records, _ := foreigntest.Read(t, llamabench.New(), foreigntest.Text(t, "x.json", `[{"n_prompt": 0, "n_gen": 128, `+c.json+`}]`))
		if len(records) != 1 || len(records[0].Values) != 1 {
			t.Errorf("%s: %d records", name, len(records))
			continue
		}
		v := records[0].Values[0]
		num, _ := v.Numerator.Get()
		den, _ := v.Denominator.Get()
		made, _ := records[0].Workload.OutputTokens.Get()
		den.What = ""
		if num.Amount != c.num || den != c.den || made != c.made {
			t.Errorf("%s: got %v ÷ %+v, %+v", name, num.Amount, den, made)
		}
		var codes []evidence.Code
		for _, l := range v.Limits {
			codes = append(codes, l.Code)
		}
		if !slices.Equal(codes, c.limits) {
			t.Errorf("%s: limits %v, want %v", name, codes, c.limits)
		}
		if c.num > 0 && (v.Numerator.State() != evidence.StateDerived || v.Denominator.State() != evidence.StateStated) {
			t.Errorf("%s: the numerator is %s, the denominator %s", name, v.Numerator.State(), v.Denominator.State())
		}
	}
}

func FuzzJSON(f *testing.F) {
	foreigntest.Fuzz(f, llamabench.New(), "x.json", suite(f).Sources()[0], suite(f).Sources()[1])
}

func FuzzTable(f *testing.F) {
	foreigntest.Fuzz(f, llamabench.New(), "x.csv", suite(f).Sources()[2], suite(f).Sources()[3])
}
