// Package runner carries out a plan: it sends what the plan says when the
// plan says so, and records what became of every request. It judges nothing
// but itself.
//
// # A run
//
// Each point of the plan is run as often as the plan repeats it; the repeats
// are the outer loop, so that a slow change of the endpoint spreads over all
// points. A run has a warm-up and a measured part, each of which sends until
// its count or time is reached and then drains: what is in flight may go on
// for the plan's grace. What is still open then is unresolved, with its age.
//
// A closed loop keeps a number of requests in flight: a request is due the
// moment its slot is free. The slots are opened 100 µs apart, so a thousand of
// them within a tenth of a second. An open loop has a schedule that nothing slides:
// a request that is late is sent late, and both times are kept. What cannot
// be sent, because as many are in flight as the plan allows, is never sent
// and has a row that says so.
//
// When the caller's context ends, nothing more is sent, what is in flight is
// cancelled, and the log is finished with what there is.
//
// # The ledger
//
// What was planned is counted where requests become due, and what became of
// them where they end. The two counts must agree; a run in which they do not
// is void.
//
// # The client watches itself
//
// See [Judge] for what is looked at and where the limits lie.
//
// # Limits
//
// Timers of the Go runtime may be late by up to a millisecond in an idle
// process, so open-loop sends are; the send lag in the manifest says by how
// much. Only one plan should run in a process at a time: garbage collection
// is made rarer while one does, and processor time is counted per process.
package runner
