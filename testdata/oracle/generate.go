package oracle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"benchline/runner/reqlog"
)

// Pool is how many different prompts a generated run has: the groups of the
// paired benchmark.
const Pool = 200

// Generate writes a run of n requests into the new folder dir, through the
// same calls that the runner makes. The rows depend on seed only. Every
// nullable column has both values and nulls, among them zeros.
func Generate(dir string, n int64, seed uint64) error {
	h := reqlog.Header{
		RunID: "generated", Plan: "generated", Family: "generated", Repeat: 1, Repeats: 1,
		Tool: "benchline test", WallStart: time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC), Simulated: true,
	}
	w, err := reqlog.Create(dir, h, []byte("name = \"generated\"\n"), reqlog.WriterOptions{})
	if err != nil {
		return err
	}
	defer w.Close()
	g := newGenerator(n, seed)
	for seq := range n {
		r := g.row(seq)
		if r.Outcome == reqlog.Unresolved {
			// Left open: the log has to find out by itself.
			err = w.Sent(r.Seq, r.Phase, r.DueNS, *r.SentNS, r.AskedInputTokens, r.AskedOutputTokens, r.RequestID, r.PromptHash)
		} else {
			err = w.Ended(r)
		}
		if err != nil {
			return err
		}
	}
	_, err = w.Finish(reqlog.Manifest{State: reqlog.Complete})
	return err
}

// generator draws rows.
type generator struct {
	rng    *rand.Rand
	n      int64
	hashes []string
}

func newGenerator(n int64, seed uint64) *generator {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 1)), n: n}
	for i := range Pool {
		g.hashes = append(g.hashes, fmt.Sprintf("%032x", uint64(i+1)*0x9E3779B97F4A7C15))
	}
	return g
}

// row draws the row of a request: a hundredth is warm-up, one in fifty did
// not complete, one in twenty keeps its gaps.
func (g *generator) row(seq int64) reqlog.Row {
	r := reqlog.Row{
		Seq: seq, Phase: reqlog.MeasurePhase, DueNS: seq * 1_000_000,
		AskedInputTokens: 1024, AskedOutputTokens: 128,
		RequestID: fmt.Sprintf("generated-%010d", seq), PromptHash: g.hashes[g.rng.IntN(Pool)],
		InFlightNow: int32(g.rng.IntN(256)),
	}
	if seq < g.n/100 {
		r.Phase = reqlog.WarmupPhase
	}
	switch k := g.rng.IntN(500); {
	case k == 0:
		r.Outcome, r.InFlightNow = reqlog.NeverSent, 0
		return r
	case k == 1:
		g.send(&r)
		r.Outcome, r.InFlightNow = reqlog.Unresolved, 0
	case k < 10:
		g.send(&r)
		g.fail(&r)
	default:
		g.send(&r)
		g.complete(&r)
	}
	return r
}

func (g *generator) send(r *reqlog.Row) {
	r.Attempts = 1
	r.SentNS = point(r.DueNS + g.rng.Int64N(200_000))
	r.ConnReused = point(g.rng.IntN(2) == 0)
	if !*r.ConnReused {
		r.ConnectNS = point(g.rng.Int64N(3) * 100_000) // zero among them
	}
}

func (g *generator) fail(r *reqlog.Row) {
	r.Outcome, r.ErrorClass, r.ErrorText = reqlog.Failed, "http_500", "the endpoint said \"no\", twice:\n\t✗"
	r.HTTPStatus = point(int32(500))
	r.HeadersNS = point(*r.SentNS + 1_000_000)
	r.EndNS = point(*r.HeadersNS + 1000)
	if g.rng.IntN(2) == 0 {
		r.Outcome, r.ErrorClass, r.HTTPStatus = reqlog.Rejected, "http_429", point(int32(429))
		r.RetryAfter = point(g.rng.Int64N(2) * 1_000_000_000)
	}
}

func (g *generator) complete(r *reqlog.Row) {
	r.Outcome, r.FinishReason, r.SawDone = reqlog.Completed, "length", true
	r.HTTPStatus = point(int32(200))
	// About 200 ms in the middle, 800 ms at p99.
	first := *r.SentNS + int64(2e8*math.Exp(0.6*g.rng.NormFloat64()))
	r.HeadersNS, r.FirstByteNS = point(*r.SentNS+900_000), point(first-1000)
	r.FirstTokenNS = point(first)
	if g.rng.IntN(10) > 0 {
		r.FirstAnswerNS = point(first)
	}
	r.Chunks = 128
	last := first
	if g.rng.IntN(20) == 0 {
		r.GapsRecorded = true
		for range r.Chunks - 1 {
			gap := 20_000_000 + int64(1e6*g.rng.NormFloat64())
			r.ChunkGapsNS = append(r.ChunkGapsNS, gap)
			last += gap
		}
	} else {
		last += 127 * (20_000_000 + g.rng.Int64N(100_000))
	}
	r.LastTokenNS, r.EndNS = point(last), point(last+50_000)
	r.TokenSource, r.InputTokens, r.OutputTokens = "usage", point(int64(1024)), point(int64(128))
	r.CachedTokens = point(g.rng.Int64N(2) * 512)
	if g.rng.IntN(3) == 0 {
		r.ReasoningTokens = point(int64(0))
		r.ServerPrefillNS, r.ServerDecodeNS = point(g.rng.Int64N(1e8)), point(g.rng.Int64N(1e9))
	}
}

func point[T any](v T) *T { return &v }
