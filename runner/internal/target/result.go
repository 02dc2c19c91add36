package target

import "time"

// Outcome is how a request ended, as far as this package can know.
type Outcome string

// The outcomes. Stopped is the caller's doing: its context ended, and the
// caller knows whether that makes the request cancelled or unresolved.
const (
	Completed Outcome = "completed"
	Failed    Outcome = "failed"
	Rejected  Outcome = "rejected" // 429 or 503
	TimedOut  Outcome = "timed_out"
	Stopped   Outcome = "stopped"
)

// Class says more closely how a request that was not completed ended.
type Class string

// The classes. A response status outside 2xx that has no class of its own is
// "http_NNN".
const (
	ConnectTimeout   Class = "connect_timeout"    // no connection in time
	FirstByteTimeout Class = "first_byte_timeout" // no byte of the body in time
	IdleTimeout      Class = "idle_timeout"       // too long a silence within the body
	TotalTimeout     Class = "total_timeout"      // the whole took too long

	DialFailed     Class = "connect_failed"  // refused, unreachable, name not found
	TLSFailed      Class = "tls_failed"      // handshake or certificate
	ConnectionLost Class = "connection_lost" // closed or reset before the head of the response
	StreamCut      Class = "stream_cut"      // ended without finish reason or [DONE], or within an event
	ErrorInBody    Class = "error_in_body"   // an error object under status 200
	EmptyAnswer    Class = "empty_answer"    // status 200 and nothing in it
	HTMLBody       Class = "html_body"       // status 200 and a web page
	NotAStream     Class = "not_a_stream"    // status 200 and something that is no event stream
	BadEvent       Class = "bad_event"       // an event that is neither JSON nor [DONE]
	LineTooLong    Class = "line_too_long"   // a line over 64 MiB
	Redirected     Class = "redirect"        // 3xx: not followed
	Compressed     Class = "compressed"      // an encoding that was not asked for
	BadResponse    Class = "bad_response"    // not HTTP/1
	Unauthorized   Class = "http_401"
	Forbidden      Class = "http_403"
	NotFound       Class = "http_404"
	TooMany        Class = "http_429"
	Unavailable    Class = "http_503"
)

// Time is an offset in nanoseconds from [Config.Start], or "did not happen".
type Time struct {
	NS int64
	OK bool
}

// at is the time ns.
func at(ns int64) Time { return Time{ns, true} }

// Pointer is nil for what did not happen.
func (t Time) Pointer() *int64 {
	if !t.OK {
		return nil
	}
	return &t.NS
}

// Result is what became of one request.
type Result struct {
	Outcome   Outcome
	Class     Class  // empty when completed or stopped
	ErrorText string // redacted, without control characters, at most 500 bytes

	Sent        Time // start of the attempt that was answered, or of the last one
	FirstSent   Time // start of attempt 1 where there were two
	Attempts    int
	Reused      bool // meaningful where Connected
	Connected   bool
	ConnectTime time.Duration // of a fresh connection: name, TCP, TLS

	Headers     Time // head of the response complete
	FirstByte   Time // first byte of the body
	FirstToken  Time // first non-empty token of any kind
	FirstAnswer Time // first non-empty token that is not reasoning: text or tool call
	LastToken   Time
	End         Time // outcome known; not set when stopped

	Status     int // 0: no response
	RetryAfter *time.Duration

	Input, Output, Reasoning, Cached *int64 // as the endpoint's usage states them
	Finish                           string
	SawDone                          bool
	Prefill, Decode                  *time.Duration // as the endpoint states them

	Chunks int     // events with at least one non-empty token
	Gaps   []int64 // nanoseconds between consecutive such events

	RequestID string // as sent in the answered attempt
	Answer    string // the answer's text, only where Config.KeepText
}
