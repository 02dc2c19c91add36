package runner

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"time"

	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// Clock gives the time with its monotonic reading; [time.Now] is one.
type Clock func() time.Time

// Options say how a plan is run. Out, Tool, Getenv and Clock are required.
type Options struct {
	// Out is the folder in which run folders are made. It is made if needed.
	Out string
	// Stamp goes into the names of run folders, in UTC to the second.
	Stamp time.Time
	// Tool names the program in log headers and, as User-Agent, to the endpoint.
	Tool string
	// Getenv looks up the environment variable that holds the key.
	Getenv func(string) string
	Clock  Clock
	// Progress, if not nil, is told how the run goes, at most four times a
	// second and from one goroutine at a time.
	Progress func(Event)
	// PlanDir is the folder that the plan's word list is relative to.
	PlanDir string
	// Host is the root of the host's file system, for facts about it; nil: none.
	Host fs.FS
	// Dial and TLS take the place of TCP and the system's roots in tests.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	TLS  *tls.Config
}

func (o Options) check() error {
	switch {
	case o.Out == "":
		return errors.New("running a plan: no output folder given")
	case o.Tool == "" || o.Getenv == nil || o.Clock == nil:
		return errors.New("running a plan: tool name, environment and clock are required")
	}
	return nil
}

// Result is one finished run.
type Result struct {
	Dir      string // its folder
	RunID    string // the folder's name
	Manifest reqlog.Manifest
}

// Stage is what a run is doing.
type Stage string

// The stages of a run.
const (
	Preparing Stage = "preparing" // prompts, facts
	WarmingUp Stage = "warm-up"
	Measuring Stage = "measuring"
	Draining  Stage = "draining" // nothing more is sent
	Writing   Stage = "writing"  // the log
)

// Event says how a run goes. Counts are of the part that is going on, warm-up
// or measured.
type Event struct {
	Run, Runs int // this run, from 1, of so many
	RunID     string
	Point     plan.Point
	Repeat    int
	Stage     Stage

	Planned   int64 // -1: time ends the part, not a count
	Due       int64
	Sent      int64
	Completed int64
	Ended     int64 // completed, failed, rejected, timed out
	InFlight  int64
	NeverSent int64

	OutputTokens int64 // of completed requests, as the endpoint states them
	// OutputRate estimates the output tokens per second of the last seconds:
	// chunks as they come, times the tokens per chunk of the requests
	// completed so far. Nil while none is. For the eye only.
	OutputRate *float64
	Elapsed    time.Duration  // of this run
	Left       *time.Duration // of the whole plan, estimated; nil: unknown
}

// Kind classes what ends a plan before its first run, so that a program can
// give each its exit code.
type Kind string

// The kinds.
const (
	Unreachable  Kind = "unreachable"   // no connection to the endpoint
	TLSProblem   Kind = "tls"           // no trusted connection
	WrongKey     Kind = "wrong key"     // 401 or 403, or no key where one is named
	WrongModel   Kind = "wrong model"   // 404
	NotAnAPI     Kind = "not an API"    // a web page or another protocol
	NotReady     Kind = "not ready"     // 429 or 503
	Refused      Kind = "refused"       // any other failed request
	TooFewFiles  Kind = "open files"    // the limit is under what the plan needs
	FolderExists Kind = "folder exists" // a run folder is there already
	BadWords     Kind = "word list"
)

// PreflightError is what ends a plan before its first run.
type PreflightError struct {
	Kind Kind
	Msg  string
	Hint string // what may help
	Err  error  // may be nil
}

// Error is one line.
func (f *PreflightError) Error() string {
	s := f.Msg
	if f.Err != nil {
		s += ": " + f.Err.Error()
	}
	if f.Hint != "" {
		s += fmt.Sprintf(" (%s)", f.Hint)
	}
	return s
}

// Unwrap gives the cause.
func (f *PreflightError) Unwrap() error { return f.Err }

// ErrInterrupted says that the context ended before the plan did. What was
// recorded is in the results.
var ErrInterrupted = errors.New("interrupted")

// ErrLog says that the log could not be written and the run was stopped for
// it. What was recorded before is in the run's folder.
var ErrLog = errors.New("writing the log failed")
