package summarize

import (
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

const ms = 1_000_000

func ptr[T any](v T) *T { return &v }

// stream gives rows as a log does.
func stream(rows []reqlog.Row) iter.Seq2[reqlog.Row, error] {
	return func(yield func(reqlog.Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// done is a completed request: due, sent, first and last token in ms.
func done(seq, due, sent, first, last, out int64) reqlog.Row {
	return reqlog.Row{
		Seq: seq, Phase: reqlog.MeasurePhase, DueNS: due * ms, SentNS: ptr(sent * ms), Attempts: 1,
		FirstTokenNS: ptr(first * ms), FirstAnswerNS: ptr(first * ms), LastTokenNS: ptr(last * ms), EndNS: ptr(last * ms),
		Outcome: reqlog.Completed, AskedInputTokens: 50, AskedOutputTokens: 100, InputTokens: ptr(int64(50)), OutputTokens: ptr(out),
		TokenSource: "usage", FinishReason: "length", SawDone: true, Chunks: int32(out), GapsRecorded: true, InFlightNow: 1,
	}
}

// ended is a request with another outcome: sent and end in ms; first −1: no token.
func ended(seq, sent, first, end int64, o reqlog.Outcome, class string) reqlog.Row {
	r := reqlog.Row{Seq: seq, Phase: reqlog.MeasurePhase, DueNS: sent * ms, Attempts: 1, Outcome: o, ErrorClass: class,
		AskedInputTokens: 50, AskedOutputTokens: 100, InFlightNow: 1}
	if o == reqlog.NeverSent {
		r.Attempts = 0
		return r
	}
	r.SentNS, r.EndNS = ptr(sent*ms), ptr(end*ms)
	if first >= 0 {
		r.FirstTokenNS, r.LastTokenNS = ptr(first*ms), ptr(first*ms)
	}
	return r
}

func closedPoint(c int) plan.Point {
	return plan.Point{Slug: "i50-o100-c1", InputTokens: 50, OutputTokens: 100, Concurrency: c}
}

func openPoint(perSecond int) plan.Point {
	return plan.Point{Slug: "i50-o100-r10", InputTokens: 50, OutputTokens: 100,
		Rate: &plan.ArrivalRate{Requests: perSecond, Per: time.Second}, Arrivals: plan.Constant}
}

func testSpec() plan.Spec {
	return plan.Spec{
		Name: "test", Family: "test", Title: "Test plan",
		Endpoint: plan.Endpoint{Model: "m"},
		Profile:  plan.Profile{Name: "B0", Precision: "FP8"},
		Workload: plan.Workload{Seed: 7, IgnoreEOS: true},
		Cache:    plan.Cache{Policy: plan.Cold},
		Drain:    plan.Drain{Grace: 30 * time.Second},
		Quality:  plan.Quality{Check: "smoke", Result: "passed"},
	}
}

// manifest has windows in ms and the ledger that the rows have.
func manifest(rows []reqlog.Row, p plan.Point, from, sendEnd, observedTo int64) reqlog.Manifest {
	m := reqlog.Manifest{
		Header: reqlog.Header{Schema: reqlog.SchemaVersion, RunID: "test-20261129t172300z-i50-o100-r1", Plan: "test", Family: "test", Point: p, Repeat: 1, Repeats: 1,
			Tool: "benchline test", WallStart: time.Date(2026, 11, 29, 17, 23, 0, 0, time.UTC)},
		State:   reqlog.Complete,
		Windows: reqlog.Windows{MeasureFromNS: from * ms, SendEndNS: sendEnd * ms, ObservedToNS: observedTo * ms},
		Health:  reqlog.Health{Verdict: reqlog.Sound, Cores: 2},
	}
	for _, r := range rows {
		if r.Phase == reqlog.WarmupPhase {
			count(&m.Warmup, r.Outcome)
		} else {
			count(&m.Ledger, r.Outcome)
		}
	}
	return m
}

// summarized is the record of rows, checked as far as it can be without a source.
func summarized(t *testing.T, rows []reqlog.Row, m reqlog.Manifest, spec plan.Spec) evidence.Record {
	t.Helper()
	rec, err := fromSpec(stream(rows), m, spec, "name = \"test\"\n")
	if err != nil {
		t.Fatal(err)
	}
	sealed(t, rec)
	return rec
}

func sealed(t *testing.T, rec evidence.Record) evidence.Record {
	t.Helper()
	rec.Sources = []evidence.Source{{Name: "test", Supports: "all", Adapter: "test 1", Published: evidence.NotStated[string]("test"),
		Reviewed: evidence.NotStated[string]("test"), Licence: evidence.NotStated[string]("test")}}
	out, err := evidence.Seal(rec)
	if err != nil {
		t.Fatalf("the record is not valid evidence:\n%v", err)
	}
	return out
}

// value finds a figure; it must be there.
func value(t *testing.T, rec evidence.Record, id measure.MetricID) evidence.Value {
	t.Helper()
	for _, v := range rec.Values {
		if v.Metric == id {
			return v
		}
	}
	t.Fatalf("the record has no %s", id)
	return evidence.Value{}
}

// exact checks that a figure is a number.
func exact(t *testing.T, rec evidence.Record, id measure.MetricID, want float64) {
	t.Helper()
	a := value(t, rec, id).Amount
	if a.Kind != evidence.Exact || a.X != want {
		t.Errorf("%s: got %+v, want exactly %v", id, a, want)
	}
}

func amount(t *testing.T, rec evidence.Record, id measure.MetricID, want evidence.Amount) {
	t.Helper()
	if got := value(t, rec, id).Amount; got != want {
		t.Errorf("%s: got %+v, want %+v", id, got, want)
	}
}

func codes(limits []evidence.Limit) []evidence.Code {
	var out []evidence.Code
	for _, l := range limits {
		out = append(out, l.Code)
	}
	return out
}

func hasLimit(t *testing.T, limits []evidence.Limit, code evidence.Code, want bool) {
	t.Helper()
	if got := slices.Contains(codes(limits), code); got != want {
		t.Errorf("limit %s: got %v, want %v (all: %v)", code, got, want, codes(limits))
	}
}

func known[T any](t *testing.T, what string, k evidence.Known[T]) T {
	t.Helper()
	v, ok := k.Get()
	if !ok {
		t.Fatalf("%s is not known: %s", what, k.Note())
	}
	return v
}

func shuffled(rows []reqlog.Row, seed uint64) []reqlog.Row {
	out := slices.Clone(rows)
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
