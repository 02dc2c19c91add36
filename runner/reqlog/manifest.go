package reqlog

import (
	"fmt"
	"slices"
	"time"

	"benchline/runner/plan"
)

// SchemaVersion is the version of the Parquet columns and of the manifest that
// are written. Version 1, which is still read, had neither the counts behind
// the client's signs nor the seed of random arrivals.
const SchemaVersion = 2

const firstSchema = 1

// readable refuses a version that this program does not know.
func readable(schema int) error {
	if schema < firstSchema || schema > SchemaVersion {
		return fmt.Errorf("%w: %d; this program reads %d to %d", ErrVersion, schema, firstSchema, SchemaVersion)
	}
	return nil
}

// RunState says how a run came to an end.
type RunState string

// The run states.
const (
	Complete    RunState = "complete"
	Interrupted RunState = "interrupted" // Ctrl-C, or killed and recovered
)

// Header is known before the first request. It stands in the journal and in
// the Parquet file's key-value metadata.
type Header struct {
	Schema   int        `json:"schema"`
	RunID    string     `json:"run_id"`
	Plan     string     `json:"plan"`
	PlanHash string     `json:"plan_hash"` // "sha256:…" of plan.toml
	Family   string     `json:"family"`
	Point    plan.Point `json:"point"`
	Repeat   int        `json:"repeat"` // from 1
	Repeats  int        `json:"repeats"`
	// ArrivalSeed is what the due times of the measured phase were drawn from.
	// Nil: they are not random, or version 1, which took the plan's seed.
	ArrivalSeed *uint64   `json:"arrival_seed,omitempty"`
	Tool        string    `json:"tool"`       // "benchline 0.1.0 (commit)"
	WallStart   time.Time `json:"wall_start"` // wall time of offset 0, UTC
	// Simulated is set when the endpoint says that it is benchline's simulator.
	Simulated bool `json:"simulated"`
}

// Ledger accounts for every planned request of the measured phase.
type Ledger struct {
	Planned    int64 `json:"planned"`
	Sent       int64 `json:"sent"`
	Completed  int64 `json:"completed"`
	Failed     int64 `json:"failed"`
	Rejected   int64 `json:"rejected"`
	TimedOut   int64 `json:"timed_out"`
	Cancelled  int64 `json:"cancelled"`
	Unresolved int64 `json:"unresolved"`
	NeverSent  int64 `json:"never_sent"`
}

// Balances reports whether every planned request is accounted for once.
func (l Ledger) Balances() bool {
	return l.Planned == l.Sent+l.NeverSent &&
		l.Sent == l.Completed+l.Failed+l.Rejected+l.TimedOut+l.Cancelled+l.Unresolved
}

// Windows are the offsets that bound the parts of a run, in nanoseconds from
// the run's start.
type Windows struct {
	WarmupFromNS  *int64 `json:"warmup_from_ns"`  // nil: no warm-up
	MeasureFromNS int64  `json:"measure_from_ns"` // the measured phase began; recovered: at the latest when its first request was due
	SendEndNS     int64  `json:"send_end_ns"`     // sending stopped
	ObservedToNS  int64  `json:"observed_to_ns"`  // observation ended: all resolved, or the drain grace was over
}

// Verdict says whether the load generator may have been what was measured.
type Verdict string

// The verdicts on the client.
const (
	Sound    Verdict = "sound"
	Unjudged Verdict = "too few to judge" // a sign is over its limit, but was seen too few times
	Suspect  Verdict = "suspect"
	Void     Verdict = "void"
)

// Worse reports whether a verdict says more against the client than another.
// One that is not known says the least.
func (v Verdict) Worse(than Verdict) bool {
	order := []Verdict{Sound, Unjudged, Suspect, Void}
	return slices.Index(order, v) > slices.Index(order, than)
}

// Health is the client's observation of itself over the measured phase.
type Health struct {
	Verdict Verdict  `json:"verdict"`
	Reasons []string `json:"reasons"` // why it is not sound; a sentence each

	SendLagP50NS  int64   `json:"send_lag_p50_ns"` // sent − due (open) or − slot free (closed)
	SendLagP99NS  int64   `json:"send_lag_p99_ns"`
	SendLagMaxNS  int64   `json:"send_lag_max_ns"`
	SchedLagP99NS int64   `json:"sched_lag_p99_ns"` // a 10 ms ticker's lateness
	SchedLagMaxNS int64   `json:"sched_lag_max_ns"`
	CPUSeconds    float64 `json:"cpu_seconds"`
	CPUShare      float64 `json:"cpu_share"` // of the cores the process may use, 0–1
	Cores         int     `json:"cores"`
	GCPauses      int64   `json:"gc_pauses"`
	GCPauseMaxNS  int64   `json:"gc_pause_max_ns"`
	MaxInFlight   int64   `json:"max_in_flight"`
	OpenFileLimit int64   `json:"open_file_limit"`
	// SubMSGapShare is the share of inter-chunk gaps under 1 ms: chunks that
	// the client (or a proxy) read in one go. A saturation alarm.
	SubMSGapShare *float64 `json:"sub_ms_gap_share"` // nil: no gaps
	// The numbers of observations behind the signs. Nil: not stated, by version
	// 1 or because they were lost with the process.
	Sends *int64 `json:"sends,omitempty"` // send lags
	Ticks *int64 `json:"ticks,omitempty"` // of the ticker, 10 ms each
	Gaps  *int64 `json:"gaps,omitempty"`  // inter-chunk gaps
	// SchedLagP50NS is the median lateness of the ticker. Nil: as above.
	SchedLagP50NS *int64 `json:"sched_lag_p50_ns,omitempty"`
	// WallStepNS is how far the wall clock moved against the monotonic clock.
	WallStepNS int64 `json:"wall_step_ns"`
}

// Fact is one thing known, or known not to be known, about the endpoint, the
// host or the client.
type Fact struct {
	Key   string  `json:"key"`   // e.g. "engine_version"; see FactKeys
	Value *string `json:"value"` // nil: not stated
	By    string  `json:"by"`    // "plan", "endpoint /version", "host", … ; who was asked, when not stated
	Note  string  `json:"note"`  // why it is not stated, in words
}

// File is one file of a run folder.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Scrape is one numeric sample of the endpoint's metrics page before and
// after the measured phase. Nil: not there.
type Scrape struct {
	Name   string   `json:"name"` // metric name with sorted labels, as exposed
	Before *float64 `json:"before"`
	After  *float64 `json:"after"`
}

// Manifest describes a finished run folder. It is written last.
type Manifest struct {
	Header
	State   RunState `json:"state"`
	Note    string   `json:"note"` // e.g. why it was interrupted
	Windows Windows  `json:"windows"`
	Ledger  Ledger   `json:"ledger"` // measured phase
	Warmup  Ledger   `json:"warmup"`
	Health  Health   `json:"health"`
	Facts   []Fact   `json:"facts"`
	Metrics []Scrape `json:"metrics"`
	Files   []File   `json:"files"` // sorted by name; not manifest.json itself
}
