package mlperf_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/adaptertest"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/mlperf"
	"benchline/ingest/evidence"
)

const submission = "mlperf/5.1/closed/ExampleCorp/results/4xExample_2xCPU/llama2-70b-99.9/"

func server() adapter.Source {
	return foreigntest.Sample(submission + "Server/performance/run_1/mlperf_log_summary.txt")
}

func offline() adapter.Source {
	return foreigntest.Sample(submission + "Offline/performance/run_1/mlperf_log_summary.txt")
}

func invalid() adapter.Source {
	return foreigntest.Sample("mlperf/5.1/invalid/mlperf_log_summary.txt")
}

// alone is the detail log without its summary.
func alone(t *testing.T) adapter.Source {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(server().Dir, "mlperf_log_detail.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return foreigntest.Text(t, "mlperf_log_detail.txt", string(b))
}

func TestFormat(t *testing.T) {
	suite := foreigntest.Suite{Format: mlperf.New(), Gaps: []string{"outcomes.failed", "subject.accelerators"},
		Samples: []foreigntest.Case{{File: submission + "Offline/performance/run_1/mlperf_log_summary.txt", Golden: "offline"}, {File: "mlperf/5.1/invalid/mlperf_log_summary.txt", Golden: "invalid"}},
		Others:  []adapter.Source{foreigntest.Text(t, "training.txt", `:::MLLOG {"namespace": "", "time_ms": 1, "event_type": "POINT_IN_TIME", "key": "submission_benchmark", "value": "bert"}`)}}
	suite.Run(t)
	adaptertest.Run(t, adaptertest.Suite{Adapter: mlperf.New(), Samples: []adaptertest.Sample{{Source: alone(t), Gaps: suite.Gaps}}})
	foreigntest.Golden(t, mlperf.New(), server(), "server")
	foreigntest.Golden(t, mlperf.New(), alone(t), "detail")
}

// TestUnverifiedStandsAtEachFigure: not once a page, but beside each score.
func TestUnverifiedStandsAtEachFigure(t *testing.T) {
	for _, src := range []adapter.Source{server(), offline(), alone(t)} {
		records, _ := foreigntest.Read(t, mlperf.New(), src)
		r := records[0]
		if len(r.Values) == 0 || !strings.Contains(r.Title, "Unverified") {
			t.Errorf("%s: %d values, title %q", src.Unit, len(r.Values), r.Title)
		}
		for _, v := range r.Values {
			if !marked(v.Limits) || !strings.Contains(v.Amount.Text, "[unverified]") || strings.Contains(v.Original.Number, "unverified") {
				t.Errorf("%s: %s is not marked unverified", src.Unit, v.Metric)
			}
		}
		if !marked(r.Limits) {
			t.Errorf("%s: the record is not marked unverified", src.Unit)
		}
	}
}

func marked(ls []evidence.Limit) bool {
	for _, l := range ls {
		if s, err := l.Sentence(); err == nil && strings.Contains(s, "not verified by MLCommons Association.") {
			return true
		}
	}
	return false
}

// TestVerified: with a result ID that a person gives, the mark goes away.
func TestVerified(t *testing.T) {
	b, err := os.ReadFile(offline().FilePath())
	if err != nil {
		t.Fatal(err)
	}
	src := foreigntest.Text(t, "mlperf_log_summary.txt", string(b))
	imp := "who = \"ExampleCorp\"\nclass = \"vendor-stated\"\n[[fact]]\nlabel = \"MLPerf result ID\"\nvalue = \"5.1-0042\"\n[[fact]]\nlabel = \"MLPerf version\"\nvalue = \"v5.1\"\n[[fact]]\nlabel = \"category\"\nvalue = \"available\"\n[subject]\naccelerators = 4\n"
	if err := os.WriteFile(filepath.Join(src.Dir, "import.toml"), []byte(imp), 0o644); err != nil {
		t.Fatal(err)
	}
	records, _ := foreigntest.Read(t, mlperf.New(), src)
	r := records[0]
	if n, _ := r.Subject.Accelerators.Get(); n != 4 || marked(r.Limits) || !strings.HasPrefix(r.Title, "MLPerf result 5.1-0042") || r.Class != evidence.VendorStated {
		t.Errorf("accelerators %d, class %s, title %q, limits %+v", n, r.Class, r.Title, r.Limits)
	}
	for _, f := range r.Facts {
		if f.Key == "MLPerf version" || f.Key == "category" {
			t.Errorf("what import.toml says stands twice: %+v", f)
		}
	}
	for _, v := range r.Values {
		if v.Metric == "output_token_rate" && v.Amount.X != 6597.5 {
			t.Errorf("the rate is %v: nothing is divided by chips", v.Amount.X)
		}
	}
}

func TestInvalidIsVoid(t *testing.T) {
	records, _ := foreigntest.Read(t, mlperf.New(), invalid())
	if r := records[0]; !r.Void || !strings.Contains(r.VoidWhy, "INVALID") || !strings.Contains(r.VoidWhy, "Performance constraints satisfied: NO") {
		t.Errorf("void %t: %q", r.Void, r.VoidWhy)
	}
}

// TestDetailOfAnotherRun: a detail log that lies beside by accident is not used.
func TestDetailOfAnotherRun(t *testing.T) {
	src := foreigntest.Text(t, "mlperf_log_detail.txt", read(t, filepath.Join(server().Dir, "mlperf_log_detail.txt")))
	if err := os.WriteFile(filepath.Join(src.Dir, "mlperf_log_summary.txt"), []byte(read(t, offline().FilePath())), 0o644); err != nil {
		t.Fatal(err)
	}
	if records, found, err := foreigntest.Try(t, mlperf.New(), src); err != nil || len(records) != 0 || len(found) != 1 {
		t.Errorf("the detail log gives %d records, %v, %v", len(records), found, err)
	}
	src.Name = "mlperf_log_summary.txt"
	records, found := foreigntest.Read(t, mlperf.New(), src)
	if _, ok := records[0].Subject.Started.Get(); ok || len(found) != 1 || !strings.Contains(found[0].Msg, "another run") {
		t.Errorf("got a start, or %v", found)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func FuzzSummary(f *testing.F) {
	foreigntest.Fuzz(f, mlperf.New(), "mlperf_log_summary.txt", server(), invalid())
}

func FuzzDetail(f *testing.F) {
	src := server()
	src.Name = "mlperf_log_detail.txt"
	foreigntest.Fuzz(f, mlperf.New(), "mlperf_log_detail.txt", src)
}
