package runner

import (
	"testing"
	"time"

	"benchline/runner/internal/pace"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
	"benchline/runner/sim"
)

const msNS = int64(time.Millisecond)

// TestClosedLoop holds that a closed loop keeps exactly its number in flight,
// that a request is due when its slot is free, and that every time is right
// to the nanosecond on a clock that does not disturb.
func TestClosedLoop(t *testing.T) {
	inBubble(t, nil, nil, func(t *testing.T, w *world) {
		r := w.run(t.Context(), t, planFor(t, "http://sim.test", closed("[3]"), "requests = 7", usual))[0]
		m, rows := r.Manifest, w.rows(t, r)
		if m.Ledger != (reqlog.Ledger{Planned: 7, Sent: 7, Completed: 7}) {
			t.Errorf("ledger %+v", m.Ledger)
		}
		const took = 200 // ms: 100 to the first of 6 tokens, 20 between
		for i, row := range rows {
			due := m.Windows.MeasureFromNS + int64(i/3)*took*msNS + int64(i%3)*int64(between)
			want := []int64{due, due, due + 100*msNS, due + took*msNS, due + took*msNS}
			got := []int64{row.DueNS, *row.SentNS, *row.FirstTokenNS, *row.LastTokenNS, *row.EndNS}
			for k := range want {
				if got[k] != want[k] {
					t.Errorf("row %d: due, sent, first, last, end are %v, want %v", i, got, want)
					break
				}
			}
			if row.Seq != int64(i) || *row.OutputTokens != 6 || *row.InputTokens != 24 || row.Chunks != 6 || row.TokenSource != "usage" {
				t.Errorf("row %d: %+v", i, row)
			}
			for _, g := range row.ChunkGapsNS {
				if g != 20*msNS {
					t.Errorf("row %d: gap of %d ns", i, g)
				}
			}
			if x := w.truths()[row.RequestID]; x.FirstNS-x.ArrivalNS != *row.FirstTokenNS-*row.SentNS || x.LastNS-x.FirstNS != *row.LastTokenNS-*row.FirstTokenNS {
				t.Errorf("row %d: the endpoint saw %+v", i, x)
			}
		}
		end := m.Windows.MeasureFromNS + 3*took*msNS // that of the seventh, in the first slot
		if m.Windows.SendEndNS != end-took*msNS || m.Windows.ObservedToNS != end || m.Windows.WarmupFromNS != nil {
			t.Errorf("windows %+v, want the end of sending at %d, of observation at %d", m.Windows, end-took*msNS, end)
		}
		if m.Health.MaxInFlight != 3 || m.Health.SendLagMaxNS != 0 || m.Health.Verdict != reqlog.Sound {
			t.Errorf("health %+v", m.Health)
		}
	})
}

// TestClosedLoopByTime holds that time ends sending, not what is in flight.
func TestClosedLoopByTime(t *testing.T) {
	inBubble(t, nil, nil, func(t *testing.T, w *world) {
		r := w.run(t.Context(), t, planFor(t, "http://sim.test", closed("[2]"), `duration = "500ms"`, usual))[0]
		m := r.Manifest
		from := m.Windows.MeasureFromNS
		if m.Ledger != (reqlog.Ledger{Planned: 6, Sent: 6, Completed: 6}) || m.Windows.SendEndNS != from+500*msNS || m.Windows.ObservedToNS != from+600*msNS+int64(between) {
			t.Errorf("ledger %+v, windows %+v", m.Ledger, m.Windows)
		}
	})
}

// TestOpenLoop holds that requests go when they are due, whatever becomes of
// the others, and that a schedule is the one that its plan, repeat and phase give, in every
// run of the plan (C20), with the seed in the log.
func TestOpenLoop(t *testing.T) {
	for _, c := range []struct {
		arrivals, stop, more string
		count                int
		sendEnd              time.Duration
	}{
		{"constant", "requests = 20", "", 20, 9500 * time.Millisecond / 5},
		{"constant", `duration = "1s"`, "", 10, time.Second},
		{"poisson", "requests = 20", "repeats = 2\n", 20, 0},
	} {
		t.Run(c.arrivals+" "+c.stop, func(t *testing.T) {
			inBubble(t, nil, nil, func(t *testing.T, w *world) {
				p := planWith(t, c.more, "seed = 7\n", open("10/s", c.arrivals, "100"), c.stop, usual)
				for _, r := range w.run(t.Context(), t, p) {
					seed := pace.Seed(7, r.Manifest.Repeat, "measure")
					if s := r.Manifest.ArrivalSeed; (s != nil) != (c.arrivals == "poisson") || s != nil && *s != seed {
						t.Errorf("arrival seed %v, want %d", s, seed)
					}
					want := pace.NewOpen(plan.ArrivalRate{Requests: 10, Per: time.Second}, plan.Arrivals(c.arrivals), seed)
					rows, from := w.rows(t, r), r.Manifest.Windows.MeasureFromNS
					for i, row := range rows {
						if due := from + int64(want.Next()); row.DueNS != due || *row.SentNS != due {
							t.Errorf("request %d was due at %d and sent at %d, want %d", i, row.DueNS, *row.SentNS, due)
						}
					}
					if len(rows) != c.count || c.sendEnd > 0 && r.Manifest.Windows.SendEndNS != from+int64(c.sendEnd) {
						t.Errorf("%d rows, want %d; windows %+v", len(rows), c.count, r.Manifest.Windows)
					}
				}
			})
		})
	}
}

// TestNeverSent holds that what cannot be sent when it is due has a row with
// its due time and is not sent later.
func TestNeverSent(t *testing.T) {
	inBubble(t, nil, nil, func(t *testing.T, w *world) {
		r := w.run(t.Context(), t, planFor(t, "http://sim.test", open("52/s", "constant", "2"), "requests = 20", usual))[0]
		// Due every 19.2 ms. Two go at 0 and 19.2 ms and are back at 200 and 219.2 ms.
		if m := r.Manifest; m.Ledger != (reqlog.Ledger{Planned: 20, Sent: 4, Completed: 4, NeverSent: 16}) || m.Health.MaxInFlight != 2 {
			t.Errorf("ledger %+v", m.Ledger)
		}
		for i, row := range w.rows(t, r) {
			sent := i == 0 || i == 1 || i == 11 || i == 12
			if due := r.Manifest.Windows.MeasureFromNS + int64(i)*1e9/52; row.DueNS != due || (row.SentNS != nil) != sent {
				t.Errorf("request %d due at %d, sent %v", i, row.DueNS, row.SentNS)
			}
			if !sent && (row.Outcome != reqlog.NeverSent || row.Attempts != 0 || row.ErrorClass != "max_in_flight" || row.ConnReused != nil) {
				t.Errorf("request %d: %+v", i, row)
			}
		}
	})
}

// TestUnresolved is case C15: what is open when observation ends is neither
// lost nor failed, and its age is known.
func TestUnresolved(t *testing.T) {
	stall := func(c *sim.Config) {
		c.Faults = []sim.Fault{{Kind: sim.Stall, Requests: []int64{3}, After: 2, Wait: time.Hour}, {Kind: sim.StallHeaders, Requests: []int64{5}, Wait: time.Hour}}
	}
	inBubble(t, stall, nil, func(t *testing.T, w *world) {
		p := planFor(t, "http://sim.test", open("2/s", "constant", "100"), "requests = 5", "[drain]\ngrace = \"3s\"\n[timeouts]\ntotal = \"2h\"")
		r := w.run(t.Context(), t, p)[0]
		m := r.Manifest
		from := m.Windows.MeasureFromNS
		if m.Ledger != (reqlog.Ledger{Planned: 5, Sent: 5, Completed: 3, Unresolved: 2}) || m.Windows.ObservedToNS != from+5000*msNS {
			t.Errorf("ledger %+v, windows %+v from %d", m.Ledger, m.Windows, from)
		}
		for i, row := range w.rows(t, r) {
			if row.Outcome != reqlog.Unresolved {
				continue
			}
			age := *row.EndNS - *row.SentNS
			if want := (5000 - 500*int64(i)) * msNS; age != want || *row.EndNS != m.Windows.ObservedToNS {
				t.Errorf("request %d is unresolved at an age of %d, want %d", i, age, want)
			}
			if (row.Chunks == 2) != (i == 1) || row.OutputTokens != nil {
				t.Errorf("request %d has %d chunks, tokens %v", i, row.Chunks, row.OutputTokens)
			}
		}
	})
}

// TestWarmupIsApart is case C16: the warm-up is in the log and in no ledger
// of what was measured, and warms the very prompts of a warm plan.
func TestWarmupIsApart(t *testing.T) {
	engine := func(c *sim.Config) { c.Metronome = nil }
	inBubble(t, engine, nil, func(t *testing.T, w *world) {
		p := planWith(t, "", "", closed("[2]"), "requests = 9", usual)
		warm := planWithCache(t, `policy = "warm"
pool = 3`, closed("[2]"), "requests = 9", usual)
		for _, r := range w.run(t.Context(), t, warm) {
			m := r.Manifest
			before, rows := split(w.rows(t, r))
			if m.Warmup != (reqlog.Ledger{Planned: 3, Sent: 3, Completed: 3}) || m.Ledger.Planned != 9 || len(before) != 3 || len(rows) != 9 {
				t.Fatalf("warm-up %+v, measured %+v, %d and %d rows", m.Warmup, m.Ledger, len(before), len(rows))
			}
			for _, row := range before {
				if *row.EndNS > m.Windows.MeasureFromNS || *row.CachedTokens != 0 {
					t.Errorf("warm-up row %+v", row)
				}
			}
			for i, row := range rows {
				if row.PromptHash != before[i%3].PromptHash || *row.CachedTokens == 0 || row.Seq != int64(3+i) {
					t.Errorf("measured row %d has the prompt %s, cached %d", i, row.PromptHash, *row.CachedTokens)
				}
			}
		}
		hashes := map[string]bool{}
		w.options.Stamp = w.options.Stamp.Add(time.Second)
		for _, r := range w.run(t.Context(), t, p) {
			for _, row := range w.rows(t, r) {
				hashes[row.PromptHash] = true
				if *row.CachedTokens != 0 {
					t.Errorf("cold row has %d cached tokens", *row.CachedTokens)
				}
			}
		}
		if len(hashes) != 9 {
			t.Errorf("%d distinct cold prompts, want 9", len(hashes))
		}
	})
}

// TestServedTimesAndText holds what rides beside the tokens, and that text
// is kept only where the plan says so (C25).
func TestServedTimesAndText(t *testing.T) {
	for _, keep := range []bool{false, true} {
		inBubble(t, func(c *sim.Config) { c.Faults = []sim.Fault{{Kind: sim.Timings, Probability: 1}} }, nil, func(t *testing.T, w *world) {
			workload := ""
			if keep {
				workload = "keep_text = true\n"
			}
			r := w.run(t.Context(), t, planWith(t, "", workload, closed("[1]"), "requests = 2", usual))[0]
			for _, row := range w.rows(t, r) {
				if row.ServerPrefillNS == nil || row.ServerDecodeNS == nil || *row.ServerDecodeNS <= 0 {
					t.Errorf("the endpoint's times: %v, %v", row.ServerPrefillNS, row.ServerDecodeNS)
				}
				if (row.PromptText != "") != keep || (row.AnswerText != "") != keep {
					t.Errorf("keep_text %v: prompt %q, answer %q", keep, row.PromptText, row.AnswerText)
				}
			}
		})
	}
}
