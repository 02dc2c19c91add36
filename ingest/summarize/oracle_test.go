package summarize

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// The oracle computes figures from rows a second time: slowly, one request at
// a time, in rational arithmetic, straight from the definitions, with no code
// of the package. Where the two differ one of them is wrong.

// oracleTime is one request's latency: a value, or an age, or neither.
type oracleTime struct {
	x         *big.Rat // seconds
	isAge     bool
	completed bool
}

func seconds(ns int64) *big.Rat { return big.NewRat(ns, 1_000_000_000) }

// oracleTimes are the latencies of a kind over the measured rows.
func oracleTimes(rows []reqlog.Row, kind string, observedTo int64) []oracleTime {
	var out []oracleTime
	for _, r := range rows {
		if r.Phase != reqlog.MeasurePhase {
			continue
		}
		completed := r.Outcome == reqlog.Completed
		censored := r.Outcome == reqlog.Unresolved || r.Outcome == reqlog.TimedOut || r.Outcome == reqlog.Cancelled
		if !completed && !censored {
			continue
		}
		if kind == "tpot" {
			if censored {
				out = append(out, oracleTime{x: new(big.Rat), isAge: true})
			} else if x := oracleTPOT(r); x != nil {
				out = append(out, oracleTime{x: x, completed: true})
			}
			continue
		}
		from, to := oracleEnds(r, kind, completed)
		switch {
		case to != nil && *to >= from:
			out = append(out, oracleTime{x: seconds(*to - from), completed: completed})
		case to == nil && censored:
			end := observedTo
			if r.EndNS != nil {
				end = *r.EndNS
			}
			out = append(out, oracleTime{x: seconds(max(0, end-from)), isAge: true})
		}
	}
	return out
}

func oracleEnds(r reqlog.Row, kind string, completed bool) (from int64, to *int64) {
	from = *r.SentNS
	switch kind {
	case "ttft":
		to = r.FirstTokenNS
	case "ttft_due":
		from, to = r.DueNS, r.FirstTokenNS
	case "ttfa":
		to = r.FirstAnswerNS
	case "e2e_due":
		from = r.DueNS
		fallthrough
	case "e2e":
		if completed {
			to = r.LastTokenNS
		}
	}
	return from, to
}

func oracleTPOT(r reqlog.Row) *big.Rat {
	if r.OutputTokens == nil || r.TokenSource != "usage" || *r.OutputTokens < 2 || r.FirstTokenNS == nil || r.LastTokenNS == nil || *r.LastTokenNS <= *r.FirstTokenNS {
		return nil
	}
	return new(big.Rat).Quo(seconds(*r.LastTokenNS-*r.FirstTokenNS), big.NewRat(*r.OutputTokens-1, 1))
}

// oracleRank is ⌈qN⌉ by counting up.
func oracleRank(thousandths int64, n int) int {
	for k := 1; k <= n; k++ {
		if int64(k)*1000 >= thousandths*int64(n) {
			return k
		}
	}
	return 0
}

func sortedRats(times []oracleTime, keep func(oracleTime) bool) []*big.Rat {
	var xs []*big.Rat
	for _, t := range times {
		if keep(t) {
			xs = append(xs, t.x)
		}
	}
	slices.SortFunc(xs, (*big.Rat).Cmp)
	return xs
}

// near reports whether a float64 is the rational number, to its last digits.
func near(got float64, want *big.Rat) bool {
	w, _ := want.Float64()
	return math.Abs(got-w) <= 4e-16*math.Max(math.Abs(w), 1)
}

// leastN is the smallest n with q^n ≤ 0.025, by multiplying.
func leastN(thousandths int64) int {
	limit, q, p := big.NewRat(25, 1000), big.NewRat(thousandths, 1000), big.NewRat(1, 1)
	for n := 1; ; n++ {
		if p.Mul(p, q).Cmp(limit) <= 0 {
			return n
		}
	}
}

func TestLatenciesAgainstOracle(t *testing.T) {
	least := map[string]int{"p90": leastN(900), "p95": leastN(950), "p99": leastN(990)}
	rapid.Check(t, func(rt *rapid.T) {
		rows := drawRows(rt)
		rec := recordOf(rt, rows, manifest(rows, openPoint(20), 0, 1000, 2000), testSpec())
		for _, kind := range []string{"ttft", "ttft_due", "ttfa", "tpot", "e2e", "e2e_due"} {
			times := oracleTimes(rows, kind, 2000*ms)
			completed := sortedRats(times, func(o oracleTime) bool { return o.completed })
			for stat, q := range map[string]int64{"p50": 500, "p90": 900, "p95": 950, "p99": 990, "max": 1000} {
				v := find(rt, rec, measure.MetricID(kind+"_"+stat))
				checkQuantile(rt, v, q, least[stat], times, completed)
			}
			checkMean(rt, find(rt, rec, measure.MetricID(kind+"_mean")), completed)
		}
	})
}

func find(t *rapid.T, rec evidence.Record, id measure.MetricID) evidence.Value {
	i := slices.IndexFunc(rec.Values, func(v evidence.Value) bool { return v.Metric == id })
	if i < 0 {
		t.Fatalf("the record has no %s", id)
	}
	return rec.Values[i]
}

func checkQuantile(t *rapid.T, v evidence.Value, q int64, least int, times []oracleTime, completed []*big.Rat) {
	n := len(times)
	if n == 0 {
		if v.Amount.Kind != evidence.Undefined || v.Bounds != nil {
			t.Fatalf("%s of nothing: got %+v", v.Metric, v.Amount)
		}
		return
	}
	rank := oracleRank(q, n)
	all := sortedRats(times, func(oracleTime) bool { return true })
	finished := sortedRats(times, func(o oracleTime) bool { return !o.isAge })
	if b := v.Bounds; b == nil || b.N != int64(n) || !near(b.Lower.X, all[rank-1]) {
		t.Fatalf("%s: got bounds %+v, want lower %v of %d", v.Metric, b, all[rank-1], n)
	}
	if rank > len(finished) {
		x, _ := all[rank-1].Float64()
		if v.Bounds.Upper.Kind != evidence.Unbounded || x > 0 && (v.Amount.Kind != evidence.AtLeast || !near(v.Amount.X, all[rank-1])) || x == 0 && v.Amount.Kind != evidence.Unbounded {
			t.Fatalf("%s: got %+v, %+v, want at least %v, unbounded", v.Metric, v.Amount, v.Bounds.Upper, all[rank-1])
		}
		return
	}
	if v.Bounds.Upper.Kind != evidence.Exact || !near(v.Bounds.Upper.X, finished[rank-1]) {
		t.Fatalf("%s: got upper %+v, want %v", v.Metric, v.Bounds.Upper, finished[rank-1])
	}
	if n > len(completed) {
		checkOverAll(t, v, least, n, all[rank-1], finished[rank-1])
		return
	}
	switch c := len(completed); {
	case c == 0:
		if v.Amount.Kind != evidence.Undefined {
			t.Fatalf("%s: got %+v of no completed request", v.Metric, v.Amount)
		}
	case c < least:
		if v.Amount != (evidence.Amount{Kind: evidence.TooFew, N: int64(c), Need: int64(least)}) {
			t.Fatalf("%s: got %+v, want too few: %d of %d", v.Metric, v.Amount, c, least)
		}
	default:
		if want := completed[oracleRank(q, c)-1]; v.Amount.Kind != evidence.Exact || !near(v.Amount.X, want) {
			t.Fatalf("%s: got %+v, want %v", v.Metric, v.Amount, want)
		}
	}
}

// checkOverAll holds a quantile with unfinished requests among the ranked and
// both ends known: too few, one number where the ends are equal, else the lower.
func checkOverAll(t *rapid.T, v evidence.Value, least, n int, lower, upper *big.Rat) {
	switch x, _ := lower.Float64(); {
	case n < least:
		if v.Amount != (evidence.Amount{Kind: evidence.TooFew, N: int64(n), Need: int64(least)}) {
			t.Fatalf("%s: got %+v, want too few: %d of %d", v.Metric, v.Amount, n, least)
		}
	case lower.Cmp(upper) == 0:
		if v.Amount.Kind != evidence.Exact || !near(v.Amount.X, lower) {
			t.Fatalf("%s: got %+v, want %v", v.Metric, v.Amount, lower)
		}
	case x == 0:
		if v.Amount.Kind != evidence.Unbounded {
			t.Fatalf("%s: got %+v, want no end known", v.Metric, v.Amount)
		}
	default:
		if v.Amount.Kind != evidence.AtLeast || !near(v.Amount.X, lower) {
			t.Fatalf("%s: got %+v, want at least %v", v.Metric, v.Amount, lower)
		}
	}
}

func checkMean(t *rapid.T, v evidence.Value, completed []*big.Rat) {
	if len(completed) == 0 {
		if v.Amount.Kind != evidence.Undefined {
			t.Fatalf("%s of nothing: got %+v", v.Metric, v.Amount)
		}
		return
	}
	sum := new(big.Rat)
	for _, x := range completed {
		sum.Add(sum, x)
	}
	if want := sum.Quo(sum, big.NewRat(int64(len(completed)), 1)); v.Amount.Kind != evidence.Exact || !near(v.Amount.X, want) {
		t.Fatalf("%s: got %+v, want %v", v.Metric, v.Amount, want)
	}
}

func TestRatesAgainstOracle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := drawRows(rt)
		spec := testSpec()
		spec.Objectives = &plan.Objectives{TTFT: 150 * time.Millisecond, EndToEnd: 500 * time.Millisecond}
		open := rapid.Bool().Draw(rt, "open loop")
		p := closedPoint(2)
		if open {
			p = openPoint(20)
		}
		rec := recordOf(rt, rows, manifest(rows, p, 0, 1000, 2000), spec)
		var tokens, all, completed, counted, good, sent int64
		for _, r := range rows {
			if r.Outcome != reqlog.NeverSent {
				sent++
			}
			if r.Outcome != reqlog.Completed {
				continue
			}
			completed++
			start := *r.SentNS
			if open {
				start = r.DueNS
			}
			if *r.FirstTokenNS-start <= 150*ms && *r.LastTokenNS-start <= 500*ms {
				good++
			}
			if r.OutputTokens != nil {
				counted++
				tokens += *r.OutputTokens
				all += *r.OutputTokens + *r.InputTokens
			}
		}
		rates := map[measure.MetricID]*big.Rat{"request_rate": big.NewRat(completed, 2), "goodput": big.NewRat(good, 2)}
		if counted > 0 || completed == 0 {
			rates["output_token_rate"], rates["total_token_rate"] = big.NewRat(tokens, 2), big.NewRat(all, 2)
		}
		if open {
			rates["sent_rate"] = big.NewRat(sent, 1)
		}
		for id, want := range rates {
			// Tokens that were not counted make a token rate a lower bound.
			kind := evidence.Exact
			if strings.HasSuffix(string(id), "token_rate") && counted < completed && want.Sign() > 0 {
				kind = evidence.AtLeast
			}
			if a := find(rt, rec, id).Amount; a.Kind != kind || !near(a.X, want) {
				rt.Fatalf("%s: got %+v, want %s %v", id, a, kind, want)
			}
		}
	})
}

func TestTimelineAgainstOracle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := drawRows(rt)
		rec := recordOf(rt, rows, manifest(rows, closedPoint(2), 0, 1000, 2000), testSpec())
		bin := int64(math.Round(rec.Timeline.BinSeconds * 1e9))
		for i, got := range rec.Timeline.InFlight {
			// Open at the end of the bin: sent before it, not ended before it.
			// The last bin takes what happens at the very end as well.
			end := int64(i+1) * bin
			before := func(at int64) bool { return at < end || i == len(rec.Timeline.InFlight)-1 }
			var want int64
			for _, r := range rows {
				if r.SentNS != nil && before(*r.SentNS) && (r.Outcome == reqlog.Unresolved || !before(*r.EndNS)) {
					want++
				}
			}
			if got != want {
				rt.Fatalf("bin %d: got %d in flight, want %d", i, got, want)
			}
		}
	})
}

func TestGapsAgainstOracle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := drawRows(rt)
		rec := recordOf(rt, rows, manifest(rows, closedPoint(2), 0, 1000, 2000), testSpec())
		var gaps []int64
		var sum int64
		for _, r := range rows {
			if r.Outcome == reqlog.Completed {
				gaps = append(gaps, r.ChunkGapsNS...)
			}
		}
		slices.Sort(gaps)
		for _, g := range gaps {
			sum += g
		}
		p50, longest, mean := find(rt, rec, "chunk_gap_p50").Amount, find(rt, rec, "chunk_gap_max").Amount, find(rt, rec, "chunk_gap_mean").Amount
		if len(gaps) == 0 {
			if p50.Kind != evidence.Undefined || longest.Kind != evidence.Undefined || mean.Kind != evidence.Undefined {
				rt.Fatalf("got %+v, %+v, %+v of no gaps", p50, longest, mean)
			}
			return
		}
		if want := seconds(gaps[oracleRank(500, len(gaps))-1]); !near(p50.X, want) {
			rt.Fatalf("median gap: got %v, want %v", p50.X, want)
		}
		if want := seconds(gaps[len(gaps)-1]); !near(longest.X, want) {
			rt.Fatalf("longest gap: got %v, want %v", longest.X, want)
		}
		if want := new(big.Rat).Quo(seconds(sum), big.NewRat(int64(len(gaps)), 1)); !near(mean.X, want) {
			rt.Fatalf("mean gap: got %v, want %v", mean.X, want)
		}
	})
}

func TestDistributionAgainstOracle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := drawRows(rt)
		rec := recordOf(rt, rows, manifest(rows, openPoint(20), 0, 1000, 2000), testSpec())
		var sent int64
		for _, r := range rows {
			if r.Outcome != reqlog.NeverSent {
				sent++
			}
		}
		for _, d := range rec.Distributions {
			times := oracleTimes(rows, string(d.Metric), 2000*ms)
			finished := sortedRats(times, func(o oracleTime) bool { return !o.isAge })
			if d.N != sent || d.Finished != int64(len(finished)) || d.Open != int64(len(times)-len(finished)) || d.Ended != sent-int64(len(times)) {
				rt.Fatalf("%s: got %d = %d + %d + %d, want %d = %d + %d", d.Metric, d.N, d.Finished, d.Open, d.Ended, sent, len(finished), len(times)-len(finished))
			}
			for _, s := range d.Steps {
				var below int64
				for _, x := range finished {
					if f, _ := x.Float64(); f <= s.X+1e-15 {
						below++
					}
				}
				if !near(s.Share, big.NewRat(below, sent)) {
					rt.Fatalf("%s: share %v up to %v, want %d of %d", d.Metric, s.Share, s.X, below, sent)
				}
			}
		}
	})
}
