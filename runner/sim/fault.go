package sim

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Kind names one way in which a request can go wrong or look unusual.
type Kind string

// Faults that take the place of the answer, before the response headers.
const (
	Reset        Kind = "reset"         // the connection is reset (RST) without a response
	StallHeaders Kind = "stall_headers" // nothing for Wait, then the ordinary answer
	Unauthorized Kind = "unauthorized"  // 401 whose message repeats the key that was sent
	UnknownModel Kind = "unknown_model" // 404
	TooMany      Kind = "too_many"      // 429; Retry-After of Wait where that is set
	Unavailable  Kind = "unavailable"   // 503; Retry-After of Wait where that is set
	ServerError  Kind = "server_error"  // 500
	JSONError    Kind = "json_error"    // status 200 with an error object as its whole JSON body
	HTMLBody     Kind = "html_body"     // status 200 with a page of HTML
	EmptyBody    Kind = "empty_body"    // status 200, an event stream of no bytes
)

// Faults that break a stream off or leave out its end.
const (
	ErrorEvent Kind = "error_event" // after After tokens an error object, then [DONE]
	Cut        Kind = "cut"         // After tokens, half of the next event, then the connection closes; without streaming: half of the body
	Stall      Kind = "stall"       // after After tokens nothing for Wait, then the rest
	NoDone     Kind = "no_done"     // no [DONE]
	NoFinish   Kind = "no_finish"   // no finish reason
)

// Dialects: complete answers in unusual forms. They have no effect on
// requests without streaming, but for UsageMissing, TruncatePrompt and HideCached.
const (
	RoleEarly      Kind = "role_early"       // the role event comes at once; ordinarily with the first token, in the same write
	RoleNone       Kind = "role_none"        // no role event
	RoleEvery      Kind = "role_every"       // a role in every delta
	NullContent    Kind = "null_content"     // role events with null content from the start and every Wait until the first token
	HeadersLate    Kind = "headers_late"     // the headers come with the first token; ordinarily at once
	UsageMissing   Kind = "usage_missing"    // no usage though it was asked for
	UsageInFinish  Kind = "usage_in_finish"  // usage in the event with the finish reason, asked for or not
	UsageZeros     Kind = "usage_zeros"      // usage of zeros in every event and the true one last, asked for or not
	CRLF           Kind = "crlf"             // lines end in CR LF
	CR             Kind = "cr"               // lines end in CR
	NoSpace        Kind = "no_space"         // no space after "data:"
	Comments       Kind = "comments"         // a comment line and a retry field, without data, at the start and every Wait
	SplitUTF8      Kind = "split_utf8"       // words of several bytes a letter, each event written in two parts that split a letter
	Packed         Kind = "packed"           // Size events in one write
	HugeLine       Kind = "huge_line"        // the event after After tokens carries a word of Size bytes
	TruncatePrompt Kind = "truncate_prompt"  // the prompt is cut to Size tokens without a word
	HideCached     Kind = "hide_cached"      // cached tokens are not reported
	FinishWithLast Kind = "finish_with_last" // the finish reason rides on the last token's event; ordinarily on an event of its own
	ToolCall       Kind = "tool_call"        // chat: the answer after the reasoning is the arguments of a tool call, in pieces
	Timings        Kind = "timings"          // the server's own times beside the usage, under llama-server's names
	TwoLines       Kind = "two_lines"        // the data of each chunk stands in two data lines
	CloseAfter     Kind = "close_after"      // the connection closes after the stream although keep-alive was advertised
)

// Kinds returns all kinds, in the order of their definition.
func Kinds() []Kind {
	return []Kind{
		Reset, StallHeaders, Unauthorized, UnknownModel, TooMany, Unavailable, ServerError, JSONError, HTMLBody, EmptyBody,
		ErrorEvent, Cut, Stall, NoDone, NoFinish,
		RoleEarly, RoleNone, RoleEvery, NullContent, HeadersLate, UsageMissing, UsageInFinish, UsageZeros, CRLF, CR, NoSpace,
		Comments, SplitUTF8, Packed, HugeLine, TruncatePrompt, HideCached, FinishWithLast, ToolCall, Timings, TwoLines, CloseAfter,
	}
}

// Fault strikes some requests: those whose number is listed, and of the
// others a share, drawn from the configuration's seed, the fault's place in
// the list and the request's number.
type Fault struct {
	Kind Kind
	// Requests are request numbers, counted from 1 in the order of arrival.
	Requests []int64
	// Probability is from 0 to 1.
	Probability float64
	// After is a number of tokens; see the kinds that mention it.
	After int
	// Wait is a time; see the kinds that mention it. Needed by the two stalls,
	// NullContent and Comments.
	Wait time.Duration
	// Size is a number of events, bytes or tokens; see the kinds that mention
	// it, which need it.
	Size int
}

func (f *Fault) check() error {
	var errs []error
	if !slices.Contains(Kinds(), f.Kind) {
		errs = append(errs, fmt.Errorf("unknown kind %q", f.Kind))
	}
	if !(f.Probability >= 0 && f.Probability <= 1) {
		errs = append(errs, fmt.Errorf("%s: probability %v is not between 0 and 1", f.Kind, f.Probability))
	}
	if f.After < 0 || f.Wait < 0 || f.Size < 0 {
		errs = append(errs, fmt.Errorf("%s: a negative amount", f.Kind))
	}
	if f.Wait == 0 && slices.Contains([]Kind{StallHeaders, Stall, NullContent, Comments}, f.Kind) {
		errs = append(errs, fmt.Errorf("%s: needs a wait, as in wait=2s", f.Kind))
	}
	if f.Size == 0 && slices.Contains([]Kind{Packed, HugeLine, TruncatePrompt}, f.Kind) {
		errs = append(errs, fmt.Errorf("%s: needs a size, as in size=100", f.Kind))
	}
	return errors.Join(errs...)
}

// drawn returns the faults that strike a request.
func drawn(faults []Fault, seed uint64, number int64) []Fault {
	var out []Fault
	for i, f := range faults {
		hit := slices.Contains(f.Requests, number)
		if !hit && f.Probability > 0 {
			// The number's high half keeps the streams of the list's places apart.
			r := rand.New(rand.NewPCG(seed, uint64(number)^uint64(i+1)<<48)) // #nosec G404 G115 -- not a secret; a mere stream number
			hit = r.Float64() < f.Probability
		}
		if hit {
			out = append(out, f)
		}
	}
	return out
}
