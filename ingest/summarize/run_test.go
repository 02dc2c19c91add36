package summarize

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// drawRows draws a log with every outcome, odd rows among them.
func drawRows(t *rapid.T) []reqlog.Row {
	n := rapid.IntRange(0, 60).Draw(t, "rows")
	rows := make([]reqlog.Row, 0, n)
	for i := range int64(n) {
		due := rapid.Int64Range(0, 900).Draw(t, "due")
		sent := due + rapid.Int64Range(0, 60).Draw(t, "lag")
		first := sent + rapid.Int64Range(0, 300).Draw(t, "first")
		last := first + rapid.Int64Range(0, 500).Draw(t, "decode")
		var r reqlog.Row
		switch rapid.IntRange(0, 9).Draw(t, "outcome") {
		case 0:
			r = ended(i, sent, -1, first, reqlog.Failed, "stream cut")
		case 1:
			r = ended(i, sent, -1, first, reqlog.Rejected, "429")
		case 2:
			r = ended(i, sent, first, last, reqlog.TimedOut, "total")
		case 3:
			r = ended(i, sent, -1, 2000, reqlog.Unresolved, "")
		case 4:
			r = ended(i, due, -1, 0, reqlog.NeverSent, "no socket")
		case 5:
			r = ended(i, sent, first, last, reqlog.Cancelled, "interrupt")
		default:
			r = done(i, due, sent, first, last, rapid.Int64Range(0, 30).Draw(t, "tokens"))
			if rapid.IntRange(0, 9).Draw(t, "usage") == 0 {
				r.OutputTokens, r.TokenSource = nil, ""
			}
		}
		r.InFlightNow = int32(rapid.IntRange(1, 5).Draw(t, "in flight"))
		r.ChunkGapsNS = rapid.SliceOfN(rapid.Int64Range(0, 6e9), 0, 4).Draw(t, "gaps")
		rows = append(rows, r)
	}
	return rows
}

func drawPoint(t *rapid.T) plan.Point {
	if rapid.Bool().Draw(t, "open") {
		return openPoint(20)
	}
	return closedPoint(rapid.IntRange(1, 5).Draw(t, "concurrency"))
}

func recordOf(t interface{ Fatal(...any) }, rows []reqlog.Row, m reqlog.Manifest, spec plan.Spec) evidence.Record {
	rec, err := fromSpec(stream(rows), m, spec, "")
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestRowOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := drawRows(rt)
		m := manifest(rows, drawPoint(rt), 0, 1000, 2000)
		spec := testSpec()
		spec.Objectives = &plan.Objectives{TTFT: 150 * time.Millisecond, EndToEnd: 500 * time.Millisecond}
		a := recordOf(rt, rows, m, spec)
		b := recordOf(rt, shuffled(rows, rapid.Uint64().Draw(rt, "seed")), m, spec)
		if !reflect.DeepEqual(a, b) {
			rt.Fatal("two orders of the same rows give two records")
		}
		sealed(t, a)
	})
}

func TestFiguresHoldTogether(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := drawRows(rt)
		rec := recordOf(rt, rows, manifest(rows, drawPoint(rt), 0, 1000, 2000), testSpec())
		for _, v := range rec.Values {
			checkFigure(rt, v)
		}
		for _, d := range rec.Distributions {
			if n := len(d.Steps); n > 0 && math.Abs(d.Steps[n-1].Share-float64(d.Finished)/float64(d.N)) > 1e-12 {
				rt.Fatalf("%s: the curve ends at %v, %d of %d finished", d.Metric, d.Steps[n-1].Share, d.Finished, d.N)
			}
		}
		if tl := rec.Timeline; tl != nil && len(rows) > 0 {
			var due int64
			for _, n := range tl.Due {
				due += n
			}
			if due != int64(len(rows)) {
				rt.Fatalf("the timeline has %d due requests of %d", due, len(rows))
			}
		}
	})
}

func checkFigure(t *rapid.T, v evidence.Value) {
	if b := v.Bounds; b != nil && b.Upper.Kind == evidence.Exact && b.Lower.X > b.Upper.X {
		t.Fatalf("%s: bounds cross: %+v", v.Metric, b)
	}
	num, hasNum := v.Numerator.Get()
	den, hasDen := v.Denominator.Get()
	if v.Amount.Kind != evidence.Exact {
		return
	}
	if !hasNum || !hasDen {
		t.Fatalf("%s: a number without numerator or denominator", v.Metric)
	}
	if num.Unit != "rank" && math.Abs(v.Amount.X*den.Amount-num.Amount) > 1e-9*math.Max(1, num.Amount) {
		t.Fatalf("%s: %v × %v is not %v", v.Metric, v.Amount.X, den.Amount, num.Amount)
	}
	if iv, ok := v.Interval.Get(); ok && (v.Amount.X < iv.Low || v.Amount.X > iv.High) {
		t.Fatalf("%s: %v outside its interval %+v", v.Metric, v.Amount.X, iv)
	}
}

func TestUnresolvedNeverImprovesAFigure(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := drawRows(rt)
		p := drawPoint(rt)
		more := append(rows[:len(rows):len(rows)], ended(99, 500, -1, 2000, reqlog.Unresolved, ""))
		before := recordOf(rt, rows, manifest(rows, p, 0, 1000, 2000), testSpec())
		after := recordOf(rt, more, manifest(more, p, 0, 1000, 2000), testSpec())
		for i, v := range after.Values {
			old := before.Values[i]
			if v.Bounds == nil || old.Bounds == nil {
				continue
			}
			if upper(v.Bounds) < upper(old.Bounds) {
				rt.Fatalf("%s: one more unresolved request lowered the upper end from %+v to %+v", v.Metric, old.Bounds, v.Bounds)
			}
		}
		for _, id := range []measure.MetricID{"output_token_rate", "request_rate"} {
			if a, b := value(t, before, id), value(t, after, id); a.Amount != b.Amount {
				rt.Fatalf("%s: an unresolved request changed it from %+v to %+v", id, a.Amount, b.Amount)
			}
		}
	})
}

func upper(b *evidence.Bounds) float64 {
	if b.Upper.Kind != evidence.Exact {
		return math.Inf(1)
	}
	return b.Upper.X
}

func TestDegenerateRuns(t *testing.T) {
	none := []reqlog.Row{}
	failed := []reqlog.Row{ended(0, 0, -1, 5, reqlog.Failed, "http_500"), ended(1, 0, 3, 5, reqlog.Failed, "stream cut")}
	open := []reqlog.Row{ended(0, 0, -1, 0, reqlog.Unresolved, "")}
	one := []reqlog.Row{done(0, 0, 0, 0, 0, 1)}
	backwards := []reqlog.Row{done(0, 50, 50, 40, 30, 9)}
	for name, rows := range map[string][]reqlog.Row{"no rows": none, "all failed": failed, "all open": open, "one token": one, "backwards": backwards} {
		for _, p := range []plan.Point{closedPoint(4), openPoint(3), {}} {
			for _, end := range []int64{0, 1000, -5} {
				rec := summarized(t, rows, manifest(rows, p, 0, end, end), testSpec())
				for _, v := range rec.Values {
					if v.Amount.Kind == evidence.Undefined && v.Amount.Reason == "" {
						t.Errorf("%s: %s is undefined without a reason", name, v.Metric)
					}
				}
			}
		}
	}
	rec := summarized(t, failed, manifest(failed, closedPoint(4), 0, 0, 0), testSpec())
	amount(t, rec, "request_rate", evidence.Amount{Kind: evidence.Undefined, Reason: "the observation window has no length"})
	amount(t, rec, "ttft_p50", evidence.Amount{Kind: evidence.Undefined, Reason: "no request completed"})
	rec = summarized(t, failed, manifest(failed, closedPoint(4), 0, 500, 1000), testSpec())
	exact(t, rec, "output_token_rate", 0)
	rec = summarized(t, one, manifest(one, closedPoint(1), 0, 500, 1000), testSpec())
	exact(t, rec, "ttft_p50", 0)
	amount(t, rec, "tpot_p50", evidence.Amount{Kind: evidence.Undefined, Reason: "TPOT has a value for none of 1 completed requests"})
	rec = summarized(t, open, manifest(open, closedPoint(1), 0, 500, 1000), testSpec())
	amount(t, rec, "tpot_p50", evidence.Amount{Kind: evidence.Unbounded})
	rec = summarized(t, backwards, manifest(backwards, closedPoint(1), 0, 500, 1000), testSpec())
	amount(t, rec, "ttft_mean", evidence.Amount{Kind: evidence.Undefined, Reason: "TTFT has a value for none of 1 completed requests"})
}

func TestVoidRecord(t *testing.T) {
	rows := []reqlog.Row{done(0, 0, 0, 10, 100, 10)}
	m := manifest(rows, closedPoint(1), 0, 50, 100)
	m.Ledger.Planned, m.Ledger.NeverSent = 3, 2
	rec := summarized(t, rows, m, testSpec())
	if !rec.Void || !strings.Contains(rec.VoidWhy, "3 planned, but 1 sent and 0 never sent") {
		t.Errorf("got void %v: %s", rec.Void, rec.VoidWhy)
	}
	odd := done(1, 0, 0, 10, 100, 10)
	odd.Outcome = "shrug"
	rows = append(rows, odd)
	if rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 50, 100), testSpec()); !rec.Void {
		t.Error("an unknown outcome did not void the run")
	}
}

func TestReadErrorIsPassedOn(t *testing.T) {
	broken := errors.New("page is torn")
	_, err := fromSpec(func(yield func(reqlog.Row, error) bool) { yield(reqlog.Row{}, broken) }, reqlog.Manifest{}, testSpec(), "")
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
	m := manifest(nil, closedPoint(1), 0, 1, 1)
	m.RunID = ""
	if _, err := fromSpec(stream(nil), m, testSpec(), ""); err == nil {
		t.Error("a run without an ID got a page name")
	}
}

func TestSteadyWindow(t *testing.T) {
	rows := []reqlog.Row{done(0, 0, 0, 10, 150, 100), done(1, 100, 100, 110, 900, 50), done(2, 150, 150, 160, 1000, 50), done(3, 900, 900, 910, 1200, 70)}
	for i, n := range []int32{1, 2, 2, 2} {
		rows[i].InFlightNow = n
	}
	rec := summarized(t, rows, manifest(rows, closedPoint(2), 0, 1000, 1300), testSpec())
	v := value(t, rec, "output_token_rate_steady")
	w := known(t, "window", v.Window)
	if w.FromNS != 100*ms || w.ToNS != 1000*ms || v.Amount.X != 200/0.9 {
		t.Errorf("got %+v over %+v", v.Amount, w)
	}
	if of := known(t, "population", v.Population); of.N != 3 || of.Excluded[0].N != 1 {
		t.Errorf("got %+v", of)
	}
	bare := done(4, 200, 200, 210, 800, 0)
	bare.OutputTokens, bare.TokenSource = nil, ""
	more := append(rows[:len(rows):len(rows)], bare)
	rec = summarized(t, more, manifest(more, closedPoint(2), 0, 1000, 1300), testSpec())
	of := known(t, "population", value(t, rec, "output_token_rate_steady").Population)
	want := []evidence.Excluded{{Reason: measure.NoTokenCount.String(), N: 1}, {Reason: measure.OutsideWindow.String(), N: 1}}
	if of.N != 3 || !slices.Equal(of.Excluded, want) {
		t.Errorf("got %+v, want 3 without %+v", of, want)
	}
	rec = summarized(t, rows, manifest(rows, closedPoint(3), 0, 1000, 1300), testSpec())
	amount(t, rec, "output_token_rate_steady", evidence.Amount{Kind: evidence.Undefined, Reason: "the planned concurrency was never reached"})
	hasLimit(t, rec.Limits, evidence.ConcurrencyNotReached, true)
}

func TestSubjectAndFacts(t *testing.T) {
	rows := []reqlog.Row{done(0, 0, 0, 10, 100, 10)}
	m := manifest(rows, closedPoint(1), 0, 50, 100)
	m.Simulated = true
	m.Facts = []reqlog.Fact{
		{Key: "engine_version", By: "endpoint /version", Value: ptr("0.1")},
		{Key: "host_cpu", By: "host", Value: ptr("two cores")},
		{Key: "driver", By: "host", Note: "no accelerator was found"},
		{Key: "accelerators", By: "host", Value: ptr("2")},
	}
	spec := testSpec()
	spec.Profile.EngineVersion = "as planned"
	rec := summarized(t, rows, m, spec)
	if rec.Class != evidence.Simulated {
		t.Errorf("got class %q", rec.Class)
	}
	if v := rec.Subject.EngineVersion; known(t, "engine version", v) != "0.1" || v.Note() != "endpoint /version" {
		t.Errorf("got %+v", v)
	}
	if v := known(t, "model", rec.Subject.Model); v != "m" {
		t.Errorf("got model %q", v)
	}
	if v := known(t, "accelerators", rec.Subject.Accelerators); v != 2 {
		t.Errorf("got %d accelerators", v)
	}
	if v := rec.Subject.Hardware; v.State() != evidence.StateNotStated || v.Note() == "" {
		t.Errorf("got hardware %+v", v)
	}
	want := []string{"Engine version, commit or image", "Host processor", "Driver", "Accelerators"}
	for i, f := range rec.Facts {
		if f.Label != want[i] {
			t.Errorf("got label %q, want %q", f.Label, want[i])
		}
	}
	if f := rec.Facts[2].Value; f.State() != evidence.StateNotStated || f.Note() != "host: no accelerator was found" {
		t.Errorf("got %+v", f)
	}
	if got := known(t, "started", rec.Subject.Started); got != "2026-11-29T17:23:00.000Z" {
		t.Errorf("got %q", got)
	}
}

func TestThinnedDistributionKeepsItsTail(t *testing.T) {
	xs := make([]float64, 100_000)
	for i := range xs {
		xs[i] = float64(i)
	}
	got := steps(xs, 100_000)
	if len(got) > mostSteps || got[0].X != 0 || got[0].Share != 1e-5 {
		t.Fatalf("got %d steps from %+v", len(got), got[0])
	}
	for i := range tailSteps {
		s, want := got[len(got)-1-i], float64(len(xs)-1-i)
		if s.X != want || s.Share != (want+1)/1e5 {
			t.Fatalf("got %+v in the tail, want %v", s, want)
		}
	}
	if got := steps([]float64{1, 1, 1, 2}, 8); len(got) != 2 || got[0].Share != 0.375 || got[1].Share != 0.5 {
		t.Errorf("got %+v of equal values", got)
	}
}

func TestBins(t *testing.T) {
	for length, want := range map[int64]int64{1: 1e6, 240e6: 1e6, 240e6 + 1: 2e6, 24_118e6: 200e6, 3600e9: 20e9} {
		if got := binNS(length); got != want {
			t.Errorf("%d ns: got bins of %d, want %d", length, got, want)
		}
	}
}

func TestSameText(t *testing.T) {
	for text, want := range map[string]string{
		"upstream reset, request id 9e3779b1":         "upstream reset, request id #",
		"dial tcp 127.0.0.1:8080: connection refused": "dial tcp # connection refused",
		"bad \xff byte 7":                             "bad � byte #",
		"":                                            "",
		"id deadbeef gone, id 7f":                     "id # gone, id #",
		strings.Repeat("é", 200):                      strings.Repeat("é", 80),
	} {
		if got := sameText(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestManyErrorClasses(t *testing.T) {
	var rows []reqlog.Row
	for i := range int64(70) {
		r := ended(i, 0, -1, 5, reqlog.Failed, "class "+strings.Repeat("x", int(i)+1))
		rows = append(rows, r)
	}
	rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 50, 100), testSpec())
	if n := len(rec.Errors); n != mostClasses+1 || rec.Errors[n-1].N != 20 || rec.Errors[n-1].Class != "20 further classes, all in the request log" {
		t.Errorf("got %d classes, the last %+v", n, rec.Errors[n-1])
	}
}

// TestGolden holds the whole record of a small log with one of each outcome.
func TestGolden(t *testing.T) {
	rec := goldenRecord(t)
	got, err := json.MarshalIndent(rec, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "record.golden.json")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, append(got, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got)+"\n", "\n")); diff != "" {
		t.Errorf("the record differs from %s (− want, + got; UPDATE_GOLDEN=1 writes it anew):\n%s", file, diff)
	}
}

func goldenRecord(t *testing.T) evidence.Record {
	t.Helper()
	warm := done(0, 0, 0, 400, 900, 10)
	warm.Phase, warm.PromptHash = reqlog.WarmupPhase, "w"
	rows := []reqlog.Row{warm}
	for i := range int64(80) {
		r := done(i+1, 1000+i*50, 1000+i*50+i%3, 1100+i*51, 1400+i*55, 30)
		r.CachedTokens, r.PromptHash = ptr(i%2), string(rune('a'+i))
		r.ChunkGapsNS, r.InFlightNow = []int64{10 * ms, (9 + i%4) * ms, 11 * ms}, int32(min(i+1, 5))
		rows = append(rows, r)
	}
	failed := ended(81, 5000, -1, 5100, reqlog.Failed, "http_status")
	failed.HTTPStatus, failed.ErrorText = ptr(int32(500)), "internal error 0x7f3a"
	rows = append(rows, failed, ended(82, 5050, -1, 5051, reqlog.Rejected, "http_status"), ended(83, 5100, 5200, 8100, reqlog.TimedOut, "idle"),
		ended(84, 5150, -1, 9000, reqlog.Unresolved, ""), ended(85, 5200, -1, 0, reqlog.NeverSent, "no socket"))
	m := manifest(rows, openPoint(20), 1000, 5250, 9000)
	m.Windows.WarmupFromNS = ptr(int64(0))
	m.Facts = []reqlog.Fact{{Key: "engine", By: "endpoint", Value: ptr("vLLM")}, {Key: "driver", By: "host", Note: "not found"}}
	spec := testSpec()
	spec.Objectives = &plan.Objectives{TTFT: 150 * time.Millisecond, EndToEnd: 600 * time.Millisecond}
	return sealed(t, summarized(t, rows, m, spec))
}
