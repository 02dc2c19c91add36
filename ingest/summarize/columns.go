package summarize

import (
	"errors"
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
	gaps         Durations     // of completed requests
	wrongGaps    int64         // negative ones, which no clock gives
	nearGaps     int64         // below nearNS
	prompts      []uint64      // hashes of the prompt hashes, ascending; measured phase
	warmPrompts  []uint64
	errors       map[errorKey]*errorGroup
	sources      map[string]string
	unknownPhase int64
}

// readColumns reads all rows. The error is the first that rows gives. The gaps
// must be closed.
func readColumns(rows iter.Seq2[reqlog.Row, error]) (*columns, error) {
	c := &columns{errors: map[errorKey]*errorGroup{}, sources: map[string]string{}}
	for row, err := range rows {
		if err == nil && row.Phase == reqlog.MeasurePhase {
			err = c.add(row)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("reading the request log: %w", err), c.gaps.Close())
		}
		switch row.Phase {
		case reqlog.WarmupPhase:
			count(&c.warmup, row.Outcome)
			c.warmPrompts = appendPrompt(c.warmPrompts, row)
		case reqlog.MeasurePhase:
		default:
			c.unknownPhase++
		}
	}
	slices.Sort(c.prompts)
	slices.Sort(c.warmPrompts)
	return c, nil
}

func (c *columns) add(row reqlog.Row) error {
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
		if err := c.addGaps(row.ChunkGapsNS); err != nil {
			return err
		}
	}
	c.entries = append(c.entries, entry{
		due: row.DueNS, sent: at(row.SentNS), first: at(row.FirstTokenNS), answer: at(row.FirstAnswerNS),
		last: at(row.LastTokenNS), end: at(row.EndNS),
		in: tokens(row.InputTokens), out: tokens(row.OutputTokens), cached: tokens(row.CachedTokens),
		chunks: row.Chunks, inFlight: row.InFlightNow, outcome: row.Outcome, source: source,
		sawDone: row.SawDone, finished: row.FinishReason != "", gapsKept: row.GapsRecorded,
		resent: row.FirstSentNS != nil && row.SentNS != nil && *row.FirstSentNS != *row.SentNS,
	})
	return nil
}

func (c *columns) addGaps(gaps []int64) error {
	for _, ns := range gaps {
		if ns < 0 {
			c.wrongGaps++
			continue
		}
		if ns < nearNS {
			c.nearGaps++
		}
		if err := c.gaps.Add(ns); err != nil {
			return err
		}
	}
	return nil
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
