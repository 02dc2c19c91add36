package runner

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"benchline/runner/internal/target"
	"benchline/runner/internal/workload"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// counter is an endpoint that holds each request for a while and counts how
// many it holds.
type counter struct {
	hold time.Duration
	mu   sync.Mutex
	now  int
	most int
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that a client leaves
	c.mu.Lock()
	c.now++
	c.most = max(c.most, c.now)
	c.mu.Unlock()
	select {
	case <-time.After(c.hold):
	case <-r.Context().Done():
	}
	c.mu.Lock()
	c.now--
	c.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"))
}

// brokenLog is a log on a disk that is full after some frames.
type brokenLog struct {
	room atomic.Int64
	rows atomic.Int64
}

func (b *brokenLog) write() error {
	if b.room.Add(-1) < 0 {
		return errors.New("no space left on device")
	}
	return nil
}

func (b *brokenLog) Sent(int64, reqlog.Phase, int64, int64, int64, int64, string, string) error {
	return b.write()
}

func (b *brokenLog) Ended(reqlog.Row) error {
	if err := b.write(); err != nil {
		return err
	}
	b.rows.Add(1)
	return nil
}

// TestFullDisk holds that a run ends when its log cannot be written, rather
// than load an endpoint for nothing.
func TestFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := newPipes()
		stub := &counter{hold: time.Second}
		server := &http.Server{Handler: stub} //nolint:gosec // no stranger reaches it
		served := make(chan struct{})
		go func() {
			_ = server.Serve(network) // until it is closed
			close(served)
		}()
		client, err := target.New(target.Config{Endpoint: plan.Endpoint{BaseURL: "http://stub.test", API: plan.Chat}, Start: time.Now(), Dial: network.dial, Agent: "test"})
		if err != nil {
			t.Fatal(err)
		}
		source, err := workload.New(plan.Workload{Words: "list"}, plan.Cache{Policy: plan.Cold}, workload.Words(), nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancelCause(t.Context())
		pt := plan.Point{Slug: "p", InputTokens: 3, OutputTokens: 3, Concurrency: 4}
		l := new(live)
		log := new(brokenLog)
		log.room.Store(21)
		rec := &recorder{log: log, live: l, phase: reqlog.MeasurePhase, fail: func(err error) { stop(err) }}
		f := (&maker{client: client, source: source, point: pt, runID: "r"}).feed(ctx, reqlog.MeasurePhase, 0, 100, 8)
		p := phase{name: reqlog.MeasurePhase, count: 100, grace: time.Second, point: pt, client: client, feed: f, rec: rec, live: l, draining: func() {}}
		p.run(ctx)
		if err := f.close(); err != nil {
			t.Error(err)
		}
		cause := context.Cause(ctx)
		if !errors.Is(cause, ErrLog) || !strings.Contains(cause.Error(), "no space left") {
			t.Errorf("the cause is %v", cause)
		}
		if rec.ledger.NeverSent < 80 || !rec.ledger.Balances() || stub.most != 4 {
			t.Errorf("ledger %+v", rec.ledger)
		}
		client.Close()
		_ = network.Close()
		_ = server.Close()
		<-served
	})
}

func TestWallClockStep(t *testing.T) {
	inBubble(t, nil, nil, func(t *testing.T, w *world) {
		began := time.Now()
		// The wall clock goes back 2 s in the middle of the run (C40).
		w.options.Clock = func() time.Time {
			now := time.Now()
			if now.Sub(began) < 400*time.Millisecond {
				return now
			}
			return now.Round(0).Add(-2 * time.Second)
		}
		m := w.run(t.Context(), t, planFor(t, "http://sim.test", closed("[1]"), "requests = 5", usual))[0]
		if got := m.Manifest.Health.WallStepNS; got != -2e9 || !strings.Contains(m.Manifest.Note, "The wall clock moved by -2.0 s") {
			t.Errorf("a step of %d ns; note %q", got, m.Manifest.Note)
		}
		for _, row := range w.rows(t, m) {
			if *row.FirstTokenNS-*row.SentNS != 100*msNS || *row.LastTokenNS-*row.SentNS != 200*msNS {
				t.Errorf("first token after %d, last after %d", *row.FirstTokenNS-*row.SentNS, *row.LastTokenNS-*row.SentNS)
			}
		}
	})
}

func TestJudge(t *testing.T) {
	share := func(x float64) *float64 { return &x }
	// of has all counts and a late ticker's median.
	of := func(h reqlog.Health, n int64) reqlog.Health {
		h.Sends, h.Ticks, h.Gaps, h.Cores = &n, &n, &n, 2
		return h
	}
	median := func(h reqlog.Health, sends, ticks int64) reqlog.Health {
		h.SendLagP50NS, h.SchedLagP50NS = sends, &ticks
		return h
	}
	for _, c := range []struct {
		name        string
		health      reqlog.Health
		concurrency int64
		want        reqlog.Verdict
		says        string
	}{
		{"nothing seen", reqlog.Health{}, 0, reqlog.Unjudged, "No request was sent. The measured part was over before"},
		{"nothing sent", of(reqlog.Health{}, 0), 0, reqlog.Unjudged, "No request was sent."},
		{"seen once, on time", of(reqlog.Health{}, 1), 0, reqlog.Sound, ""},
		{"just under all limits", of(reqlog.Health{SendLagP99NS: 9.9e6, SchedLagP99NS: 9.9e6, CPUShare: 0.79, GCPauseMaxNS: 9.9e6, MaxInFlight: 4, SubMSGapShare: share(0.05)}, 100), 4, reqlog.Sound, ""},
		{"late sends", of(reqlog.Health{SendLagP99NS: 10e6}, 100), 0, reqlog.Suspect, "sent late: the 99th percentile over 100 requests is 10.0 ms, its timers being on time"},
		{"late sends and timers", of(reqlog.Health{SendLagP99NS: 10e6, SchedLagP99NS: 2e6}, 100), 0, reqlog.Suspect, "10.0 ms, its timers being late as well."},
		{"very late sends", of(reqlog.Health{SendLagP99NS: 250e6}, 100), 0, reqlog.Void, "sent late"},
		{"late timers", of(reqlog.Health{SchedLagP99NS: 20e6}, 100), 0, reqlog.Suspect, "timers were late: the 99th percentile over 100 ticks is 20.0 ms, the client using 0 % of its 2 cores, which points at something else"},
		{"late timers of a busy client", of(reqlog.Health{SchedLagP99NS: 20e6, CPUShare: 0.5}, 100), 0, reqlog.Suspect, "the client itself being busy with 50 % of its 2 cores"},
		{"very late timers", of(reqlog.Health{SchedLagP99NS: 100e6}, 100), 0, reqlog.Void, "timers were late"},
		{"busy", of(reqlog.Health{CPUShare: 0.8}, 100), 0, reqlog.Suspect, "80 % of the 2 cores that it may use."},
		{"no time left", of(reqlog.Health{CPUShare: 0.99}, 100), 0, reqlog.Void, "99 % of the 2 cores"},
		{"long pause", of(reqlog.Health{GCPauseMaxNS: 12e6}, 100), 0, reqlog.Suspect, "12.0 ms"},
		{"a pause needs no number", of(reqlog.Health{GCPauseMaxNS: 12e6}, 1), 0, reqlog.Suspect, "12.0 ms"},
		{"packed chunks of a fast engine", of(reqlog.Health{SubMSGapShare: share(0.9), CPUShare: 0.1}, 100), 0, reqlog.Sound, ""},
		{"packed chunks of a busy client", of(reqlog.Health{SubMSGapShare: share(0.06), CPUShare: 0.5}, 100), 0, reqlog.Suspect, "6.0 % of the gaps"},
		{"packed chunks of a late client", of(reqlog.Health{SubMSGapShare: share(0.06), SchedLagP99NS: 2e6}, 100), 0, reqlog.Suspect, "6.0 % of the gaps"},
		{"concurrency not reached", of(reqlog.Health{MaxInFlight: 100}, 100), 256, reqlog.Suspect, "At most 100 requests were in flight at once, where 256"},
		{"suspect and void", of(reqlog.Health{SendLagP99NS: 10e6, SchedLagP99NS: 100e6, GCPauseMaxNS: 12e6}, 100), 0, reqlog.Void, "12.0 ms"},

		{"few, one late send", of(reqlog.Health{SendLagP99NS: 14e6}, 20), 0, reqlog.Unjudged, "sent late at least once: the largest over 20 requests is 14.0 ms, and a 99th percentile takes 100"},
		{"few, one very late send", of(reqlog.Health{SendLagP99NS: 900e6}, 20), 0, reqlog.Unjudged, "900.0 ms"},
		{"one short of enough", of(reqlog.Health{SendLagP99NS: 10e6}, 99), 0, reqlog.Unjudged, "over 99 requests"},
		{"few, most sends late", of(median(reqlog.Health{SendLagP99NS: 14e6}, 10e6, 0), 20), 0, reqlog.Suspect, "the median over 20 requests is 10.0 ms"},
		{"few, most sends very late", of(median(reqlog.Health{SendLagP99NS: 900e6}, 250e6, 0), 10), 0, reqlog.Void, "the median over 10 requests is 250.0 ms"},
		{"too few for a median", of(median(reqlog.Health{SendLagP99NS: 900e6}, 250e6, 0), 9), 0, reqlog.Unjudged, "over 9 requests"},
		{"few ticks, one late", of(reqlog.Health{SchedLagP99NS: 20e6}, 50), 0, reqlog.Unjudged, "timers were late at least once: the largest over 50 ticks is 20.0 ms"},
		{"few ticks, most late", of(median(reqlog.Health{SchedLagP99NS: 120e6}, 0, 100e6), 50), 0, reqlog.Void, "the median over 50 ticks is 100.0 ms"},
		{"busy for a moment", of(reqlog.Health{CPUShare: 0.99}, 99), 0, reqlog.Unjudged, "99 % of the 2 cores that it may use, over 99 ticks of 10 ms, where it takes 100"},
		{"few packed chunks", of(reqlog.Health{SubMSGapShare: share(0.5), CPUShare: 0.5}, 20), 0, reqlog.Unjudged, "over 20 gaps, where it takes 100"},
		{"packed chunks, few ticks", func() reqlog.Health {
			h := of(reqlog.Health{SubMSGapShare: share(0.5), SchedLagP99NS: 2e6}, 400)
			h.Ticks = new(int64)
			*h.Ticks = 62
			return h
		}(), 0, reqlog.Unjudged, "over 62 ticks of 10 ms, where it takes 100"},
		{"few, and a pause", of(reqlog.Health{SendLagP99NS: 14e6, GCPauseMaxNS: 12e6}, 20), 0, reqlog.Suspect, "over 20 requests"},
	} {
		got, reasons := Judge(c.health, c.concurrency)
		if got != c.want || !strings.Contains(strings.Join(reasons, " "), c.says) || (len(reasons) == 0) != (got == reqlog.Sound) {
			t.Errorf("%s: %s %q; want %s, %q", c.name, got, reasons, c.want, c.says)
		}
	}
}

func TestQuantileOfLags(t *testing.T) {
	l := lags{5, 1, 4, 2, 3}
	for q, want := range map[int]int64{1: 1, 200: 1, 201: 2, 500: 3, 990: 5, 1000: 5} {
		if got := l.quantile(q); got != want {
			t.Errorf("quantile %d is %d, want %d", q, got, want)
		}
	}
	if got := (lags{}).quantile(500); got != 0 {
		t.Errorf("of none: %d", got)
	}
}

// TestProgress holds what the caller is told, and how often.
func TestProgress(t *testing.T) {
	inBubble(t, nil, nil, func(t *testing.T, w *world) {
		var events []Event
		var times []time.Time
		w.options.Progress = func(e Event) { events, times = append(events, e), append(times, time.Now()) }
		p := planWith(t, "repeats = 2\n", "", closed("[2]"), "requests = 30", `[warmup]
requests = 8
[timeouts]
total = "30s"`)
		w.run(t.Context(), t, p)
		stages := map[Stage]bool{}
		for i, e := range events {
			stages[e.Stage] = true
			if i > 0 && e.Run == events[i-1].Run && times[i].Sub(times[i-1]) < 250*time.Millisecond && e.Stage != Writing {
				t.Errorf("events %d and %d are %v apart", i-1, i, times[i].Sub(times[i-1]))
			}
			if e.InFlight > 2 || e.Completed > e.Ended || e.Sent > e.Due || e.Runs != 2 {
				t.Errorf("event %+v", e)
			}
		}
		last := events[len(events)-1]
		if !stages[WarmingUp] || !stages[Measuring] || last.Run != 2 || last.Completed != 30 || last.OutputTokens != 180 || last.Left == nil || *last.Left != 0 {
			t.Errorf("stages %v, last event %+v", stages, last)
		}
		middle := events[len(events)/2-2]
		if middle.OutputRate == nil || *middle.OutputRate < 50 || *middle.OutputRate > 70 || middle.Left != nil && *middle.Left <= 0 {
			t.Errorf("in the middle %+v", middle)
		}
	})
}
