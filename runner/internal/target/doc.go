// Package target speaks to one OpenAI-compatible endpoint and turns one
// request into one [Result]: when each thing happened, how it ended, and how
// many tokens the endpoint says there were.
//
// # Clock
//
// Every time is a count of nanoseconds on the monotonic clock from
// [Config.Start], so a step of the wall clock changes nothing. A time is taken
// when the read that brought the bytes returned from the socket, before TLS,
// chunked framing or JSON is looked at. An event counts when its empty line
// has arrived, at the stamp of the read that brought that line.
//
// The send time is when the attempt starts: before the dial where there is
// one, for whoever waits for an answer waits for the connection as well. How
// long the connection took stands beside it.
//
// # Connections
//
// HTTP/1.1 over one TCP (or TLS) connection a request in flight, written and
// read by the goroutine of the request: no second goroutine stands between
// the socket and the stamp. No proxy, no redirect, no compression, no HTTP/2,
// no retry but one: a reused connection that dies before the first byte of an
// answer is replaced by a fresh one, the send clock starts again, and both
// send times are kept.
//
// # Limits
//
// HTTP/2, proxies and client certificates are not spoken. One choice a
// request. A line of an event stream may be 64 MiB long at most.
package target
