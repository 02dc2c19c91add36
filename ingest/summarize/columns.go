package summarize

import (
	"fmt"
	"hash/fnv"
	"iter"
	"math"
	"slices"

	"benchline/runner/reqlog"
)

// none marks a time that did not happen. No offset is that early.
const none = math.MinInt64

// unknown marks a token count that is not known.
const unknown = -1

// entry is what is kept of one request of the measured phase.
type entry struct {
	due, sent, first, answer, last, end int64 // ns; none
	in, out, cached                     int64 // tokens; unknown
	chunks, inFlight                    int32
	outcome                             reqlog.Outcome
	source                              string // interned
	sawDone, finished, gapsKept, resent bool
}

// columns are the rows of a run, compact.
type columns struct {
	entries      []entry
	warmup       reqlog.Ledger
	ledger       reqlog.Ledger // measured phase, counted; Planned is the number of rows
	gaps         gapSet        // of completed requests
	prompts      []uint64      // hashes of the prompt hashes, ascending; measured phase
	warmPrompts  []uint64
	errors       map[errorKey]*errorGroup
	sources      map[string]string
	unknownPhase int64
}

// readColumns reads all rows. The error is the first that rows gives.
func readColumns(rows iter.Seq2[reqlog.Row, error]) (*columns, error) {
	c := &columns{errors: map[errorKey]*errorGroup{}, sources: map[string]string{}}
	for row, err := range rows {
		if err != nil {
			return nil, fmt.Errorf("reading the request log: %w", err)
		}
		switch row.Phase {
		case reqlog.WarmupPhase:
			count(&c.warmup, row.Outcome)
			c.warmPrompts = appendPrompt(c.warmPrompts, row)
		case reqlog.MeasurePhase:
			c.add(row)
		default:
			c.unknownPhase++
		}
	}
	slices.Sort(c.prompts)
	slices.Sort(c.warmPrompts)
	c.gaps.sort()
	return c, nil
}

func (c *columns) add(row reqlog.Row) {
	count(&c.ledger, row.Outcome)
	c.prompts = appendPrompt(c.prompts, row)
	c.addError(row)
	source := ""
	if row.TokenSource != "" {
		if c.sources[row.TokenSource] == "" {
			c.sources[row.TokenSource] = row.TokenSource
		}
		source = c.sources[row.TokenSource]
	}
	if row.Outcome == reqlog.Completed && row.GapsRecorded {
		c.gaps.add(row.ChunkGapsNS)
	}
	c.entries = append(c.entries, entry{
		due: row.DueNS, sent: at(row.SentNS), first: at(row.FirstTokenNS), answer: at(row.FirstAnswerNS),
		last: at(row.LastTokenNS), end: at(row.EndNS),
		in: tokens(row.InputTokens), out: tokens(row.OutputTokens), cached: tokens(row.CachedTokens),
		chunks: row.Chunks, inFlight: row.InFlightNow, outcome: row.Outcome, source: source,
		sawDone: row.SawDone, finished: row.FinishReason != "", gapsKept: row.GapsRecorded,
		resent: row.FirstSentNS != nil && row.SentNS != nil && *row.FirstSentNS != *row.SentNS,
	})
}

func appendPrompt(prompts []uint64, row reqlog.Row) []uint64 {
	if row.PromptHash == "" || row.Outcome == reqlog.NeverSent {
		return prompts
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(row.PromptHash)) // a hash never fails to write
	return append(prompts, h.Sum64())
}

func at(ns *int64) int64 {
	if ns == nil {
		return none
	}
	return *ns
}

// tokens is a token count; a negative one, which no endpoint means, is unknown.
func tokens(n *int64) int64 {
	if n == nil || *n < 0 {
		return unknown
	}
	return *n
}

// count adds one request to a ledger. An outcome that is not in the list is
// planned and nothing else, so that the ledger does not balance.
func count(l *reqlog.Ledger, o reqlog.Outcome) {
	l.Planned++
	switch o {
	case reqlog.NeverSent:
		l.NeverSent++
		return
	case reqlog.Completed:
		l.Completed++
	case reqlog.Failed:
		l.Failed++
	case reqlog.Rejected:
		l.Rejected++
	case reqlog.TimedOut:
		l.TimedOut++
	case reqlog.Cancelled:
		l.Cancelled++
	case reqlog.Unresolved:
		l.Unresolved++
	default:
		return
	}
	l.Sent++
}

// repeated is how many of the prompts stand in other as well, or, without
// other, more than once among themselves. Both ascending.
func repeated(prompts, other []uint64) int64 {
	var n int64
	for i, p := range prompts {
		if other != nil {
			if _, found := slices.BinarySearch(other, p); found {
				n++
			}
			continue
		}
		if i > 0 && prompts[i-1] == p {
			n++
		}
	}
	return n
}

// again is how many of the measured prompts had been sent before: in warm-up, or
// as another of them. Both ascending.
func again(prompts, warm []uint64) int64 {
	var n int64
	for i, p := range prompts {
		if _, found := slices.BinarySearch(warm, p); found || i > 0 && prompts[i-1] == p {
			n++
		}
	}
	return n
}

// gapSet holds many durations in four bytes each; those beyond 4.29 s are few.
type gapSet struct {
	short []uint32
	long  []int64
	sum   int64
	wrong int64 // negative ones, which no clock gives
}

func (g *gapSet) add(gaps []int64) {
	for _, ns := range gaps {
		switch {
		case ns < 0:
			g.wrong++
			continue
		case ns <= math.MaxUint32:
			g.short = append(g.short, uint32(ns))
		default:
			g.long = append(g.long, ns)
		}
		g.sum += ns
	}
}

func (g *gapSet) sort() {
	slices.Sort(g.short)
	slices.Sort(g.long)
}

func (g *gapSet) n() int64 { return int64(len(g.short) + len(g.long)) }

// under is how many are shorter than ns, which must fit four bytes. The set must
// be sorted.
func (g *gapSet) under(ns uint32) int64 {
	i, _ := slices.BinarySearch(g.short, ns)
	return int64(i)
}

// rank is the rank-th smallest, from 1.
func (g *gapSet) rank(rank int64) int64 {
	if i := rank - 1; i < int64(len(g.short)) {
		return int64(g.short[i])
	}
	return g.long[rank-1-int64(len(g.short))]
}
