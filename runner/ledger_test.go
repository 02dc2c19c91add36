package runner

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"benchline/runner/reqlog"
	"benchline/runner/sim"
)

// drawnFaults gives each kind of fault a small chance.
func drawnFaults(g *rand.Rand) []sim.Fault {
	var faults []sim.Fault
	for _, k := range sim.Kinds() {
		if g.IntN(3) > 0 {
			continue
		}
		f := sim.Fault{Kind: k, Probability: 0.05, After: g.IntN(5), Wait: time.Duration(1+g.IntN(4000)) * time.Millisecond, Size: 1 + g.IntN(20)}
		faults = append(faults, f)
	}
	return faults
}

// drawnPlan is a load and a way to stop.
func drawnPlan(g *rand.Rand) (load, stop string) {
	load = closed(fmt.Sprintf("[%d]", 1+g.IntN(8)))
	if g.IntN(2) == 0 {
		load = open(fmt.Sprintf("%d/s", 1+g.IntN(60)), []string{"constant", "poisson"}[g.IntN(2)], fmt.Sprint(1+g.IntN(12)))
	}
	stop = fmt.Sprintf("requests = %d", 1+g.IntN(60))
	if g.IntN(2) == 0 {
		stop = fmt.Sprintf(`duration = "%dms"`, 1+g.IntN(3000))
	}
	return load, stop
}

// TestLedgerUnderFaults draws endpoints that misbehave in every way, loads,
// and moments at which the caller gives up, and holds that every request is
// accounted for once, that no row contradicts itself, and that what is said
// to be completed is what the endpoint knows that it served.
func TestLedgerUnderFaults(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 10
	}
	audited := uint64(0)
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g := rand.New(rand.NewPCG(seed, 1))
			load, stop := drawnPlan(g)
			faults := drawnFaults(g)
			interrupt := time.Duration(g.IntN(3)) * time.Duration(g.IntN(2000)) * time.Millisecond // often never
			inBubble(t, func(c *sim.Config) { c.Faults, c.Seed = faults, seed }, nil, func(t *testing.T, w *world) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if interrupt > 0 {
					defer time.AfterFunc(interrupt, cancel).Stop()
				}
				p := planWith(t, "", "seed = 3\n", load, stop, `[warmup]
requests = 3
[drain]
grace = "1500ms"
[timeouts]
connect = "1s"
first_byte = "2s"
idle = "1s"
total = "4s"`)
				results, err := Run(ctx, p, w.options)
				var refused *PreflightError
				if errors.As(err, &refused) || len(results) == 0 && errors.Is(err, ErrInterrupted) {
					return // the fault struck, or the caller gave up, before the first run
				}
				if err != nil && !errors.Is(err, ErrInterrupted) || len(results) != 1 {
					t.Fatalf("%d runs, %v", len(results), err)
				}
				audit(t, w, results[0])
				audited++
			})
		})
	}
	if audited < seeds/2 {
		t.Errorf("only %d of %d drawn runs got to be audited", audited, seeds)
	}
}

// audit checks one run against itself and against the endpoint's truth.
func audit(t *testing.T, w *world, r Result) {
	t.Helper()
	m := r.Manifest
	rows := w.rows(t, r)
	warm, measured := split(rows)
	if !m.Ledger.Balances() || !m.Warmup.Balances() || m.Ledger.Planned != int64(len(measured)) || m.Warmup.Planned != int64(len(warm)) {
		t.Errorf("ledgers %+v and %+v, rows %d and %d", m.Ledger, m.Warmup, len(measured), len(warm))
	}
	if m.Health.Verdict == reqlog.Void {
		t.Errorf("void: %v", m.Health.Reasons)
	}
	truths := w.truths()
	seen := map[string]bool{"benchline-preflight": true}
	for i, row := range rows {
		if row.Seq != int64(i) {
			t.Errorf("row %d has the number %d", i, row.Seq)
		}
		for _, fault := range contradictions(row, m.Windows) {
			t.Errorf("row %d: %s: %+v", i, fault, row)
		}
		seen[row.RequestID] = true
		if row.Attempts == 2 {
			seen[row.RequestID[:len(row.RequestID)-2]] = true
		}
		if row.Outcome != reqlog.Completed {
			continue
		}
		x, ok := truths[row.RequestID]
		if !ok || row.OutputTokens != nil && *row.OutputTokens != x.OutputTokens || int64(row.Chunks) > x.Chunks ||
			row.FirstTokenNS != nil && *row.FirstTokenNS-*row.SentNS < x.FirstNS-x.ArrivalNS {
			t.Errorf("row %d completed as %+v; the endpoint knows %+v", i, row, x)
		}
	}
	for id := range truths {
		if !seen[id] {
			t.Errorf("the endpoint saw the request %s, which has no row", id)
		}
	}
}

// contradictions lists what in a row cannot be.
func contradictions(r reqlog.Row, w reqlog.Windows) (faults []string) {
	bad := func(is bool, what string) {
		if is {
			faults = append(faults, what)
		}
	}
	sent := r.SentNS != nil
	bad(sent == (r.Outcome == reqlog.NeverSent) || sent != (r.Attempts > 0), "sent or not")
	bad(r.EndNS == nil, "no end")
	if !sent || r.EndNS == nil {
		return faults
	}
	last := r.DueNS
	for _, p := range []*int64{r.FirstSentNS, r.SentNS, r.HeadersNS, r.FirstByteNS, r.FirstTokenNS, r.FirstAnswerNS, r.LastTokenNS, r.EndNS} {
		if p != nil {
			bad(*p < last, "times run backwards")
			last = *p
		}
	}
	bad((r.FirstSentNS != nil) != (r.Attempts == 2), "attempts")
	bad(r.ConnectNS != nil && (r.ConnReused == nil || *r.ConnReused), "connect time of a reused connection")
	bad(r.FirstTokenNS != nil != (r.Chunks > 0) || len(r.ChunkGapsNS) != max(0, int(r.Chunks)-1), "chunks and gaps")
	bad(r.Outcome == reqlog.Completed && (r.ErrorClass != "" || r.HTTPStatus == nil || *r.HTTPStatus != 200), "completed with an error")
	bad(r.Outcome != reqlog.Completed && r.Outcome != reqlog.Unresolved && r.Outcome != reqlog.Cancelled && r.ErrorClass == "", "an error without a class")
	bad(r.Phase == reqlog.MeasurePhase && *r.EndNS > w.ObservedToNS, "ended after observation")
	bad(r.Outcome == reqlog.Unresolved && r.Phase == reqlog.MeasurePhase && *r.EndNS != w.ObservedToNS, "unresolved, but not until the end")
	return faults
}

// TestInterrupted holds what a caller who gives up is left with.
func TestInterrupted(t *testing.T) {
	for _, c := range []struct {
		name, load, stop string
		want             reqlog.Ledger
	}{
		// Given up at 730 ms: the preflight took 100, requests take 200.
		{"closed", closed("[2]"), "requests = 50", reqlog.Ledger{Planned: 50, Sent: 8, Completed: 6, Cancelled: 2, NeverSent: 42}},
		{"closed by time", closed("[2]"), `duration = "10s"`, reqlog.Ledger{Planned: 8, Sent: 8, Completed: 6, Cancelled: 2}},
		{"open", open("8/s", "constant", "9"), "requests = 50", reqlog.Ledger{Planned: 50, Sent: 6, Completed: 4, Cancelled: 2, NeverSent: 44}},
		{"open by time", open("8/s", "constant", "9"), `duration = "10s"`, reqlog.Ledger{Planned: 6, Sent: 6, Completed: 4, Cancelled: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, nil, nil, func(t *testing.T, w *world) {
				ctx, cancel := context.WithTimeout(t.Context(), 730*time.Millisecond)
				defer cancel()
				results, err := Run(ctx, planFor(t, "http://sim.test", c.load, c.stop, usual), w.options)
				if !errors.Is(err, ErrInterrupted) || len(results) != 1 {
					t.Fatalf("%d runs, %v", len(results), err)
				}
				m := results[0].Manifest
				if m.Ledger != c.want || m.State != reqlog.Interrupted || m.Note == "" {
					t.Errorf("state %s, note %q, ledger %+v, want %+v", m.State, m.Note, m.Ledger, c.want)
				}
				audit(t, w, results[0])
			})
		})
	}
}

// TestLaterRunsAreNotBegun holds that nothing is begun after an interrupt.
func TestLaterRunsAreNotBegun(t *testing.T) {
	inBubble(t, nil, nil, func(t *testing.T, w *world) {
		ctx, cancel := context.WithTimeout(t.Context(), 730*time.Millisecond)
		defer cancel()
		p := planWith(t, "repeats = 3\n", "", closed("[1, 2]"), "requests = 2", usual)
		results, err := Run(ctx, p, w.options)
		if !errors.Is(err, ErrInterrupted) || len(results) != 3 {
			t.Fatalf("%d runs, %v", len(results), err)
		}
		for i, want := range []string{"c1-r1 complete", "c2-r1 complete", "c1-r2 interrupted"} {
			if got := results[i].RunID[len("test-20261129t172300z-i24-o6-"):] + " " + string(results[i].Manifest.State); got != want {
				t.Errorf("run %d is %s, want %s", i, got, want)
			}
		}
	})
}
