package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"testing"
	"time"

	"benchline/runner/plan"
	"benchline/runner/reqlog"
	"benchline/runner/sim"
)

// planFor makes a plan against an address, with a cold cache. More is TOML of
// sections that are not stated yet.
func planFor(t testing.TB, url, load, stop, more string) plan.Plan {
	t.Helper()
	return parsePlan(t, "", url, `policy = "cold"`, "", load, stop, more)
}

// planWith adds to the head of the plan and to its workload.
func planWith(t testing.TB, head, workload, load, stop, more string) plan.Plan {
	t.Helper()
	return parsePlan(t, head, "http://sim.test", `policy = "cold"`, workload, load, stop, more)
}

func planWithCache(t testing.TB, cache, load, stop, more string) plan.Plan {
	t.Helper()
	return parsePlan(t, "", "http://sim.test", cache, "", load, stop, more)
}

func parsePlan(t testing.TB, head, url, cache, workload, load, stop, more string) plan.Plan {
	t.Helper()
	src := fmt.Sprintf(`name = "test"
%s
[endpoint]
url = %q
api = "chat"
model = "simulated-8b"
[profile]
name = "P"
[cache]
%s
[workload]
input_tokens = [24]
output_tokens = [6]
words = "list"
%s
[load]
%s
[stop]
%s
%s
`, head, url, cache, workload, load, stop, more)
	p, err := plan.Parse("test.toml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func options(t testing.TB) Options {
	t.Helper()
	return Options{
		Out: t.TempDir(), Stamp: time.Date(2026, 11, 29, 17, 23, 0, 0, time.UTC), Tool: "benchline-test",
		Getenv: func(string) string { return "" }, Clock: time.Now,
	}
}

// serve starts a simulated endpoint on a real socket and gives its address.
func serve(t testing.TB, change func(*sim.Config)) string {
	t.Helper()
	cfg := sim.Default()
	cfg.Now = time.Now
	cfg.Metronome = &sim.Metronome{TTFT: 5 * time.Millisecond, ITL: 2 * time.Millisecond}
	if change != nil {
		change(&cfg)
	}
	s, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
		_ = s.Close()
	})
	return h.URL
}

func rowsOf(t testing.TB, r Result) []reqlog.Row {
	t.Helper()
	rows, err := readRows(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func readRows(dir string) (rows []reqlog.Row, err error) {
	l, err := reqlog.Open(dir)
	if err != nil {
		return nil, err
	}
	for row, err := range l.Rows() {
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func TestRunAgainstTheSimulatedEndpoint(t *testing.T) {
	url := serve(t, nil)
	o := options(t)
	results, err := Run(context.Background(), planFor(t, url, `mode = "closed"
concurrency = [2, 4]`, "requests = 12", `[warmup]
requests = 3
[drain]
grace = "5s"
[timeouts]
total = "30s"`), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 2 {
		t.Fatalf("%d runs, want 2", len(results))
	}
	for _, r := range results {
		m := r.Manifest
		if m.Ledger.Completed != 12 || m.Warmup.Completed != 3 || m.State != reqlog.Complete || !m.Simulated {
			t.Errorf("ledger %+v, warm-up %+v, state %s, simulated %v", m.Ledger, m.Warmup, m.State, m.Simulated)
		}
		for _, row := range rowsOf(t, r) {
			if row.OutputTokens == nil || *row.OutputTokens != 6 || row.Chunks != 6 || len(row.ChunkGapsNS) != 5 {
				t.Errorf("row %+v", row)
			}
		}
	}
}

// TestOverSockets runs drawn faults over real connections: what only they do
// (resets, half-closed streams, a connection closed while it lies idle).
func TestOverSockets(t *testing.T) {
	for seed := range uint64(4) {
		g := rand.New(rand.NewPCG(seed, 2))
		faults := append(drawnFaults(g), sim.Fault{Kind: sim.CloseAfter, Probability: 0.5}, sim.Fault{Kind: sim.Reset, Probability: 0.1})
		for i := range faults {
			faults[i].Wait = min(faults[i].Wait, 50*time.Millisecond)
			faults[i].Requests = nil
		}
		url := serve(t, func(c *sim.Config) { c.Faults, c.Seed = faults, seed })
		p := planFor(t, url, closed("[8]"), "requests = 120", "[timeouts]\nfirst_byte = \"500ms\"\nidle = \"300ms\"\ntotal = \"1s\"\n[drain]\ngrace = \"2s\"")
		results, err := Run(context.Background(), p, options(t))
		var refused *PreflightError
		if errors.As(err, &refused) {
			continue // the fault struck the very first request
		}
		if err != nil {
			t.Fatal(err)
		}
		m := results[0].Manifest
		if !m.Ledger.Balances() || m.Ledger.Planned != 120 || m.Ledger.NeverSent+m.Ledger.Unresolved+m.Ledger.Cancelled > 0 {
			t.Errorf("seed %d: ledger %+v", seed, m.Ledger)
		}
		for _, row := range rowsOf(t, results[0]) {
			for _, fault := range contradictions(row, m.Windows) {
				t.Errorf("seed %d, row %d: %s: %+v", seed, row.Seq, fault, row)
			}
		}
	}
}

// TestConnectionsThatClose is what a plain pooled client loses a third of its
// requests to: none may fail, and every second attempt shows.
func TestConnectionsThatClose(t *testing.T) {
	url := serve(t, func(c *sim.Config) { c.Faults = []sim.Fault{{Kind: sim.CloseAfter, Probability: 1}} })
	results, err := Run(context.Background(), planFor(t, url, closed("[4]"), "requests = 200", usual), options(t))
	if err != nil {
		t.Fatal(err)
	}
	if m := results[0].Manifest; m.Ledger.Completed != 200 {
		t.Errorf("ledger %+v", m.Ledger)
	}
	for _, row := range rowsOf(t, results[0]) {
		if *row.ConnReused || row.Attempts == 2 != (row.FirstSentNS != nil) {
			t.Errorf("%+v", row)
		}
	}
}

// TestCountedPrompts asks the endpoint for the length of every prompt.
func TestCountedPrompts(t *testing.T) {
	url := serve(t, nil)
	src := bytes.Replace(planFor(t, url, closed("[2]"), "requests = 6", usual).Source(), []byte(`words = "list"`), []byte(`words = "endpoint"`), 1)
	p, err := plan.Parse("test.toml", src)
	if err != nil {
		t.Fatal(err)
	}
	results, err := Run(context.Background(), p, options(t))
	if err != nil {
		t.Fatal(err)
	}
	if note := results[0].Manifest.Note; note != "" {
		t.Errorf("note %q", note)
	}
	for _, row := range rowsOf(t, results[0]) {
		if row.AskedInputTokens != 24 || *row.InputTokens != 24 {
			t.Errorf("asked for %d input tokens, had %d", row.AskedInputTokens, *row.InputTokens)
		}
	}
}
