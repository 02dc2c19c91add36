package summarize

import (
	"testing"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// cutRows are 120 requests, one every 100 ms, that take 0.5 s to 10 s in turns;
// observation ends at 12.5 s, so that those sent late are cut at short ages.
func cutRows() (rows []reqlog.Row, finished, ages []float64) {
	const observed = 12_500
	for i := range int64(120) {
		sent, takes := i*100, 500+(i*37%20)*500
		if sent+takes <= observed {
			rows = append(rows, done(i, sent, sent, sent+takes, sent+takes, 10))
			finished = append(finished, float64(takes)/1000)
			continue
		}
		rows = append(rows, ended(i, sent, -1, observed, reqlog.Unresolved, ""))
		ages = append(ages, float64(observed-sent)/1000)
	}
	return rows, finished, ages
}

// What was cut off by the run's end alone gets an estimate, beside the bounds and
// within them.
func TestEstimateOfACutRun(t *testing.T) {
	rows, finished, ages := cutRows()
	rec := summarized(t, rows, manifest(rows, closedPoint(4), 0, 12_000, 12_500), testSpec())
	all := measure.NewSample(finished, ages)
	for id, q := range map[measure.MetricID]measure.Q{"e2e_p50": measure.Q50, "e2e_p90": measure.Q90, "e2e_p95": measure.Q95} {
		v := value(t, rec, id)
		want, ok := all.KaplanMeier(q).X()
		if !ok || v.Estimate == nil || v.Estimate.X != want || v.Estimate.N != 120 {
			t.Fatalf("%s: got %+v, want %g of 120 (reached: %t)", id, v.Estimate, want, ok)
		}
		alone, _ := v.Completed.Amount.Number()
		if low := v.Bounds.Lower.X; want < low || want < alone {
			t.Errorf("%s: the estimate %g is below the lower bound %g or the completed requests' %g", id, want, low, alone)
		}
		if v.Amount.Kind != evidence.AtLeast {
			t.Errorf("%s: the amount is %+v; an estimate does not take its place", id, v.Amount)
		}
	}
	for _, id := range []measure.MetricID{"e2e_p99", "e2e_max", "e2e_mean", "tpot_p50", "tpot_p90"} {
		if v := value(t, rec, id); v.Estimate != nil {
			t.Errorf("%s: got an estimate %+v: too few requests, no ages, or no quantile", id, v.Estimate)
		}
	}
}

// Where something else than the run's end may have decided what was cut off,
// there is no estimate.
func TestNoEstimate(t *testing.T) {
	last := func(o reqlog.Outcome, class string) func([]reqlog.Row, *reqlog.Manifest) {
		return func(rows []reqlog.Row, _ *reqlog.Manifest) {
			r := &rows[len(rows)-1]
			r.Outcome, r.ErrorClass = o, class
		}
	}
	for name, c := range map[string]struct {
		point  plan.Point
		change func([]reqlog.Row, *reqlog.Manifest)
		want   bool
	}{
		"cut by the end":      {closedPoint(4), func([]reqlog.Row, *reqlog.Manifest) {}, true},
		"total time limit":    {closedPoint(4), last(reqlog.TimedOut, "total_timeout"), true},
		"silence":             {closedPoint(4), last(reqlog.TimedOut, "idle_timeout"), false},
		"no first byte":       {closedPoint(4), last(reqlog.TimedOut, "first_byte_timeout"), false},
		"an error":            {closedPoint(4), last(reqlog.Failed, "reset"), false},
		"a rejection":         {closedPoint(4), last(reqlog.Rejected, "429"), false},
		"cancelled":           {closedPoint(4), last(reqlog.Cancelled, ""), false},
		"interrupted":         {closedPoint(4), func(_ []reqlog.Row, m *reqlog.Manifest) { m.State = reqlog.Interrupted }, false},
		"a load not known of": {plan.Point{InputTokens: 50, OutputTokens: 100}, func([]reqlog.Row, *reqlog.Manifest) {}, false},
	} {
		t.Run(name, func(t *testing.T) {
			rows, _, _ := cutRows()
			m := manifest(rows, c.point, 0, 12_000, 12_500)
			c.change(rows, &m)
			m.Ledger = manifest(rows, c.point, 0, 12_000, 12_500).Ledger
			rec := summarized(t, rows, m, testSpec())
			if got := value(t, rec, "e2e_p90").Estimate != nil; got != c.want {
				t.Errorf("got an estimate: %t, want %t", got, c.want)
			}
		})
	}
}

// In an open loop it hangs on the queue: where waits grow while requests are sent,
// the late ones, cut at short ages, are the slow ones.
func TestEstimateOfAnOpenLoop(t *testing.T) {
	steady, _, _ := cutRows()
	growing := make([]reqlog.Row, 0, 120)
	for i := range int64(120) {
		sent, takes := i*100, 100+i*60
		if sent+takes > 12_500 {
			growing = append(growing, ended(i, sent, -1, 12_500, reqlog.Unresolved, ""))
			continue
		}
		growing = append(growing, done(i, sent, sent, sent+takes, sent+takes, 10))
	}
	for name, c := range map[string]struct {
		rows []reqlog.Row
		want bool
	}{"steady": {steady, true}, "growing": {growing, false}} {
		rec := summarized(t, c.rows, manifest(c.rows, openPoint(10), 0, 12_000, 12_500), testSpec())
		hasLimit(t, rec.Limits, evidence.QueueGrows, !c.want)
		for _, id := range []measure.MetricID{"e2e_p90", "e2e_due_p90"} {
			if got := value(t, rec, id).Estimate != nil; got != c.want {
				t.Errorf("%s, %s: got an estimate: %t, want %t", name, id, got, c.want)
			}
		}
	}
}
