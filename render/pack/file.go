package pack

import (
	"time"

	"benchline/ingest/measure"
)

// Pack is a pack file as it was read: valid, and not yet held against evidence.
type Pack struct {
	Name     string // of the file, without its ending: the name of the page
	File     string // as given to [Parse]
	Source   []byte // the file, word for word
	Title    string
	Decision string // the question to decide
	Date     string // of this issue, a day
	Summary  Prose  // may be empty

	Shape      Shape
	Conditions Conditions
	Criteria   []Criterion
	Options    []Option

	Assumptions  []Assumption
	Accuracy     []Accuracy
	Reservations []Remark
	Conflicts    []Remark
	// NoConflicts says in words that there is none, and who said so.
	NoConflicts string
	Signatories []Signatory
}

// Prose is Markdown that people wrote, and the line of the file on which it begins.
type Prose struct {
	Markdown string
	Line     int
}

// Said is who vouches for a number.
type Said string

// Who vouches for a number.
const (
	Measured     Said = "measured"
	VendorStated Said = "vendor-stated"
	Assumed      Said = "assumed"
	// Condition is a number that the committee's conditions set.
	Condition Said = "condition"
	// Constant is a number that holds by definition: the seconds of an hour.
	Constant Said = "by definition"
)

// Shape is the kind of deployment, and the metric that governs it.
type Shape struct {
	Kind      ShapeKind
	Governing []measure.MetricID // bases, the first decides
	Why       string
}

// Conditions are what the committee's own traffic looks like. What was measured
// otherwise is not comparable.
type Conditions struct {
	InputTokens, OutputTokens int64 // 0: not set, the workload is named by its hash
	// LengthTolerance is how far the middle actual length may lie from the one
	// asked, as a share of it.
	LengthTolerance float64
	Mix             string  // the mix of lengths in words
	WorkloadHash    string  // of the mix: the fact workload_hash of a record
	Concurrency     int64   // closed loop; 0: open loop
	RatePerSec      float64 // open loop: requests due a second
	Arrivals        string  // open loop: constant or poisson
	Cache           measure.CacheKind
	CacheShare      float64
	Precision       []string // empty: any
	Region          string   // the fact region of a record; empty: any
	From, To        string   // days; empty: any
	// TTFTObjective and E2EObjective are those of goodput, in seconds; 0: any.
	TTFTObjective, E2EObjective float64
}

// Open reports whether requests arrive by a rate, whether or not earlier ones
// have ended.
func (c Conditions) Open() bool { return c.Concurrency == 0 }

// ErrorShare is the criterion on requests that ended without an answer: failed,
// rejected, timed out or cancelled, divided by all that were sent. It is no metric
// of the registry, as it is a statement about the ledger.
const ErrorShare measure.MetricID = "error_share"

// Criterion is a threshold that an option has to meet.
type Criterion struct {
	Name   string
	Metric measure.MetricID // a percentile, a rate, or [ErrorShare]
	// Limit is in the metric's base unit; [ErrorShare] is a share.
	Limit   float64
	Written string // the limit as the file has it
	AtLeast bool   // the metric must not be below the limit; else not above
	// Tolerance is what is granted beyond the limit, as a share of it. It is
	// printed with the limit.
	Tolerance float64
	Date      string // a day
	Why       string
	Line      int
}

// Bound is the limit with its tolerance: what is compared with.
func (c Criterion) Bound() float64 {
	if c.AtLeast {
		return c.Limit * (1 - c.Tolerance)
	}
	return c.Limit * (1 + c.Tolerance)
}

// latency reports whether the criterion is about a percentile of a latency.
func (c Criterion) latency() bool {
	m, ok := measure.Lookup(c.Metric)
	return ok && m.Quantity == measure.Time
}

// Option is one of the ways between which the committee decides.
type Option struct {
	Name      string
	Title     string
	Profile   string // that its records must have
	Quantised bool
	Records   []Name // slugs or IDs
	Families  []Name
	Claims    []Name // records to quote in the appendix
	// ScreenedOut is why the option is out before anything is compared. It stays
	// in the table.
	ScreenedOut                  string
	Price                        *Price
	Quality                      *Quality
	Strengths, Weaknesses, Risks Prose
	Line                         int
}

// Name is a record or family as an option names it.
type Name struct {
	Text string
	Line int
}

// Price is what an option costs, and what of it is assumed.
type Price struct {
	PerGPUHour float64
	Currency   string
	Said       Said
	Source     string
	Date       string
	// GPUs is how many GPUs one replica occupies.
	GPUs int64
	// Utilisation is the share of the paid time in which a replica serves this
	// load, more than 0 and at most 1.
	Utilisation       float64
	UtilisationSaid   Said
	UtilisationSource string
}

// Quality is the gate that a quantised option was to pass.
type Quality struct {
	Gate     string
	Declared string // a day
	Result   string // empty: not stated
	Passed   *bool  // nil: not stated
	Source   string
	Date     string
}

// Assumption is a line of the register.
type Assumption struct {
	Text   string
	Said   Said
	Source string
	Date   string
}

// Accuracy is a result on a task. It never stands in for an operational figure,
// nor the other way round.
type Accuracy struct {
	Option string
	Task   string
	Result string // as its source has it
	Said   Said
	Source string
	Date   string
}

// Remark is what somebody wants to be on record.
type Remark struct {
	By   string
	Text string
}

// Signatory is somebody who will sign.
type Signatory struct {
	Name string
	Role string
}

// isDay reports whether a text is a day of the calendar.
func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
