// Package summarize makes evidence from a request log: counts over stated
// populations and windows, quantiles with their bounds, the ledger, the
// distributions, and the limits that a reader must know.
//
// [Run] takes the rows of one run as a stream, in any order, keeps what it
// needs in compact columns, and gives the same record for the same rows
// whatever their order. [Repeats] takes the records of several runs of one
// point and gives the middle of them.
//
// Rules that hold throughout:
//
//   - Figures are over the measured phase. Warm-up is counted apart.
//   - Token figures have one token source. Requests that were counted by
//     another, or not at all, are left out by name; they are never added.
//   - A quantile is taken over completed requests, with its bounds over all
//     requests that completed or that the client stopped watching (unresolved,
//     timed out, cancelled). Where those leave it without an upper end, the
//     figure is "at least". Failed and rejected requests are another outcome:
//     they are in neither, and named.
//   - What cannot be computed is undefined, with the reason. Nothing is 0 that
//     was not counted as 0.
//
// Limits of this package: the server's own timings and its metrics page are in
// the log but in no figure yet; requests of
// one run are treated as independent in the intervals of its quantiles, and
// the interval says so.
package summarize
