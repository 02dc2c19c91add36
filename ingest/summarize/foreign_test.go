package summarize_test

import (
	"errors"
	"iter"
	"testing"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/ingest/summarize"
	"benchline/runner/reqlog"
)

// foreignRows are three requests: two complete, one failed. Times in ms.
func foreignRows() []reqlog.Row {
	row := func(seq, sent, first, last, in, out int64) reqlog.Row {
		ms := func(x int64) *int64 { x *= 1e6; return &x }
		return reqlog.Row{Seq: seq, Phase: reqlog.MeasurePhase, Outcome: reqlog.Completed, DueNS: sent * 1e6, SentNS: ms(sent), FirstTokenNS: ms(first),
			LastTokenNS: ms(last), EndNS: ms(last), InputTokens: &in, OutputTokens: &out, TokenSource: "the tool"}
	}
	failed := reqlog.Row{Seq: 2, Phase: reqlog.MeasurePhase, Outcome: reqlog.Failed, DueNS: 1e9}
	sent := int64(1e9)
	failed.SentNS = &sent
	return []reqlog.Row{row(0, 1000, 1100, 2100, 10, 11), row(1, 1500, 1700, 5000, 20, 34), failed}
}

func seq(rows []reqlog.Row, err error) iter.Seq2[reqlog.Row, error] {
	return func(yield func(reqlog.Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
		if err != nil {
			yield(reqlog.Row{}, err)
		}
	}
}

func TestRowsOfAForeignFile(t *testing.T) {
	f, err := summarize.Rows(seq(foreignRows(), nil), summarize.Foreign{Latencies: []measure.MetricID{"ttft", "tpot", "e2e"}, Clock: true,
		Events: "First token is the tool's first chunk.", From: "counted from the file's rows"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[measure.MetricID]float64{"output_token_rate": 45.0 / 4, "total_token_rate": 75.0 / 4, "request_rate": 2.0 / 4,
		"ttft_mean": 0.15, "ttft_p50": 0.1, "tpot_mean": 0.1, "e2e_max": 3.5}
	for _, v := range f.Values {
		x, ok := want[v.Metric]
		if !ok {
			continue
		}
		delete(want, v.Metric)
		if v.Amount.Kind != evidence.Exact || v.Amount.X < x-1e-9 || v.Amount.X > x+1e-9 {
			t.Errorf("%s: got %+v, want %v", v.Metric, v.Amount, x)
		}
		if w, ok := v.Window.Get(); !ok || w.Rule != measure.FirstSendToLastToken || w.Seconds != 4 || w.FromNS != 0 {
			t.Errorf("%s: window %+v", v.Metric, w)
		}
		if v.Population.Note() != "counted from the file's rows" {
			t.Errorf("%s: population is %q", v.Metric, v.Population.Note())
		}
	}
	if len(want) > 0 {
		t.Errorf("not computed: %v", want)
	}
	if f.Ledger.Completed != 2 || f.Ledger.Failed != 1 || f.TokenSource != "the tool" {
		t.Errorf("got %+v by %q", f.Ledger, f.TokenSource)
	}
	for _, v := range f.Values {
		if v.Metric == "ttft_p95" && v.Amount.Kind != evidence.TooFew {
			t.Errorf("a p95 of two requests is %+v, want too few", v.Amount)
		}
	}
}

func TestRowsWithoutAClockGiveNoRate(t *testing.T) {
	f, err := summarize.Rows(seq(foreignRows(), nil), summarize.Foreign{Latencies: []measure.MetricID{"ttft"}, From: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range f.Values {
		if m, _ := measure.Lookup(v.Metric); m.Base != "ttft" {
			t.Errorf("%s was computed", v.Metric)
		}
	}
	if _, ok := f.Window.Get(); ok {
		t.Error("there is a window")
	}
	fault := errors.New("fault")
	if _, err := summarize.Rows(seq(nil, fault), summarize.Foreign{}); !errors.Is(err, fault) {
		t.Errorf("got %v, want the rows' error", err)
	}
	if f, err := summarize.Rows(seq(nil, nil), summarize.Foreign{Latencies: []measure.MetricID{"ttft"}, Clock: true, Gaps: true}); err != nil || len(f.Values) > 0 {
		t.Errorf("no rows give %d values, %v", len(f.Values), err)
	}
}
