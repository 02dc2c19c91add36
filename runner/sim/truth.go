package sim

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
)

// Outcome says how a request ended, as the endpoint saw it.
type Outcome string

// The outcomes.
const (
	// Finished: the whole answer was written. Faults may still have bent its
	// form; Truth.Faults names them.
	Finished Outcome = "finished"
	// ClientGone: the connection went away before the answer was complete.
	ClientGone Outcome = "client_gone"
	// Faulted: a fault took the place of the answer or of its rest.
	Faulted Outcome = "faulted"
	// Refused: the request itself was not acceptable (4xx).
	Refused Outcome = "refused"
	// QueueFull: refused because too many were waiting.
	QueueFull Outcome = "queue_full"
	// ServerClosed: the endpoint was closed meanwhile.
	ServerClosed Outcome = "server_closed"
)

// Truth is what really happened to one request. Times are nanoseconds since
// the Unix epoch, made from the wall clock at the start of the endpoint plus
// monotonic time since then: differences between them are monotonic, and a
// program on the same machine that does likewise can compare. A time or count
// that is nil or zero-valued and left out of the JSON did not happen or is
// not known.
type Truth struct {
	// Number counts the requests to generating paths from 1, in the order of arrival.
	Number int64 `json:"number"`
	// RequestID is the X-Request-Id as received, or one given by the endpoint.
	RequestID string  `json:"request_id"`
	Path      string  `json:"path"`
	Stream    bool    `json:"stream"`
	Status    int     `json:"status,omitempty"` // HTTP status; 0: none was sent
	Outcome   Outcome `json:"outcome"`
	Faults    []Kind  `json:"faults,omitempty"` // those which struck, in the configuration's order

	ArrivalNS  int64 `json:"arrival_ns"`            // the request's headers had been read
	ReadNS     int64 `json:"read_ns,omitempty"`     // its body too
	AdmittedNS int64 `json:"admitted_ns,omitempty"` // the model admitted it
	FirstNS    int64 `json:"first_ns,omitempty"`    // just before the first token was written
	LastNS     int64 `json:"last_ns,omitempty"`     // just before the last token was written
	EndNS      int64 `json:"end_ns"`                // the answer's last byte was handed over, or it was given up
	// DueFirstNS and DueLastNS are when the model made the first token and the
	// latest one: FirstNS − DueFirstNS is the simulation's own lateness.
	DueFirstNS int64 `json:"due_first_ns,omitempty"`
	DueLastNS  int64 `json:"due_last_ns,omitempty"`

	PromptTokens    *int64 `json:"prompt_tokens,omitempty"`
	CachedTokens    *int64 `json:"cached_tokens,omitempty"` // known once admitted
	OutputTokens    int64  `json:"output_tokens"`           // written, reasoning included
	ReasoningTokens int64  `json:"reasoning_tokens"`        // written
	Chunks          int64  `json:"chunks"`                  // events with tokens written
	FinishReason    string `json:"finish_reason,omitempty"` // as sent
}

// truthLog keeps the latest truths in memory and writes each one out.
type truthLog struct {
	mu   sync.Mutex
	w    io.Writer
	keep int
	kept []Truth // a ring once it is full
	next int
	err  error // the first failed write
}

func (t *truthLog) add(x Truth) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case len(t.kept) < t.keep:
		t.kept = append(t.kept, x)
	case t.keep > 0:
		t.kept[t.next] = x
		t.next = (t.next + 1) % t.keep
	}
	if t.w == nil || t.err != nil {
		return
	}
	if err := writeTruth(t.w, x); err != nil {
		t.err = fmt.Errorf("writing truth of request %d: %w", x.Number, err)
	}
}

func writeTruth(w io.Writer, x Truth) error {
	line, err := json.Marshal(x)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return err
	}
	if f, ok := w.(interface{ Flush() error }); ok {
		return f.Flush()
	}
	return nil
}

// all returns the kept truths in the order in which the requests ended.
func (t *truthLog) all() []Truth {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Concat(t.kept[t.next:], t.kept[:t.next])
}

func (t *truthLog) failed() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}
