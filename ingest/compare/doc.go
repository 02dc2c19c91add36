// Package compare says what a comparison of two records means before any
// number is shown: which dimensions of the tuple are the same, which differ,
// which are not stated, and so whether a difference may be read as the effect
// of one thing, as a ratio of two systems, or not at all.
//
// It is strict about what is not known: a dimension that one side does not
// state is not the same. The one exception is two runs of one plan: what
// neither states is then the same, because one plan has one endpoint and one
// profile, and the table says that this is why.
//
// Limits: verdicts only. Differences with intervals and the U test over repeats
// are not here yet. Which facts of host and endpoint matter is not judged: any
// that both state and that differ counts.
package compare
