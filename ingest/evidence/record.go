package evidence

import (
	"slices"

	"benchline/ingest/measure"
)

// Class says what kind of evidence a record is. Classes are visible at every
// number and never mixed in one series without a mark.
type Class string

// The evidence classes.
const (
	OwnRun       Class = "own run"
	Simulated    Class = "simulated endpoint"
	ReportBacked Class = "report-backed"
	DerivedClass Class = "derived"
	RawArchive   Class = "raw archive"
	Rerun        Class = "re-run"
	VendorStated Class = "vendor-stated"
	Independent  Class = "independent"
	// Imported is another tool's file of which nobody says who ran it.
	Imported Class = "imported, source of the run not stated"
)

// Kind tells a record of one run from a summary over repeats of one point.
type Kind string

// The kinds.
const (
	RunRecord     Kind = "run"
	RepeatsRecord Kind = "repeats" // Members holds the runs; values are medians over them
)

// Record is one piece of evidence. It is content-addressed: its ID is the hash
// of its canonical encoding without the ID itself.
type Record struct {
	ID      ID     `json:"id"`
	Schema  int    `json:"schema"`
	Slug    string `json:"slug"` // page name, as IsSlug has it
	Title   string `json:"title"`
	Summary string `json:"summary"` // one sentence for people, may be empty
	Class   Class  `json:"class"`
	Kind    Kind   `json:"kind"`
	Family  string `json:"family"`
	// Void is set when the record must not be read as a measurement: its
	// ledger does not balance, or the client was the bottleneck. VoidWhy says which.
	Void    bool   `json:"void"`
	VoidWhy string `json:"void_why,omitempty"`

	Subject  Subject  `json:"subject"`
	Workload Workload `json:"workload"`
	Load     Load     `json:"load"`
	State    State    `json:"state"`
	Outcomes Outcomes `json:"outcomes"`

	Values        []Value        `json:"values"` // sorted by metric registry order
	Distributions []Distribution `json:"distributions"`
	Timeline      *Timeline      `json:"timeline,omitempty"`
	Client        *Client        `json:"client,omitempty"`
	Errors        []ErrorClass   `json:"errors"` // classes with counts, most frequent first

	Limits  []Limit  `json:"limits"` // of the whole record; a value has its own
	Facts   []Fact   `json:"facts"`  // the run manifest (M21), stated and not stated
	Sources []Source `json:"sources"`
	Files   []File   `json:"files"` // downloads that lie beside the page
	Members []Member `json:"members,omitempty"`
	// PlanTOML is the plan as run, word for word; empty when there is none.
	PlanTOML string `json:"plan_toml,omitempty"`
}

// Value is the figure of a metric; false where the record has none.
func (r *Record) Value(id measure.MetricID) (Value, bool) {
	for i := range r.Values {
		if r.Values[i].Metric == id {
			return r.Values[i], true
		}
	}
	return Value{}, false
}

// Subject is the first group of the benchmark line: profile and evidence.
type Subject struct {
	Profile       string        `json:"profile"` // name of the serving profile
	ProfileNote   string        `json:"profile_note"`
	Model         Known[string] `json:"model"`
	ModelRevision Known[string] `json:"model_revision"`
	Tokenizer     Known[string] `json:"tokenizer"`
	Engine        Known[string] `json:"engine"`
	EngineVersion Known[string] `json:"engine_version"`
	Precision     Known[string] `json:"precision"`
	Parallelism   Known[string] `json:"parallelism"`
	Hardware      Known[string] `json:"hardware"`
	Accelerators  Known[int64]  `json:"accelerators"`
	Quality       Known[string] `json:"quality"` // the declared quality gate and its result
	Started       Known[string] `json:"started"` // RFC 3339, UTC, of the measured part
	Tool          Known[string] `json:"tool"`    // the client that measured
	SourceRunID   Known[string] `json:"source_run_id"`
}

// Workload is the second group.
type Workload struct {
	InputTokensAsked  Known[int64]  `json:"input_tokens_asked"`
	InputTokens       Known[Spread] `json:"input_tokens"` // actual, per completed request
	OutputTokensAsked Known[int64]  `json:"output_tokens_asked"`
	OutputTokens      Known[Spread] `json:"output_tokens"` // actual, per completed request
	TokenSource       Known[string] `json:"token_source"`
	Prompts           Known[string] `json:"prompts"`  // seed and kind of prompts, in words
	Requests          Known[int64]  `json:"requests"` // planned, measured phase
}

// EachFixed ends the rule of a summary's [Workload.Requests] where every run had
// the same number of requests, fixed by its plan.
const EachFixed = ", the same fixed number in each"

// Spread is the smallest, middle and largest of a whole-number quantity.
type Spread struct {
	Min    int64 `json:"min"`
	Median int64 `json:"median"`
	Max    int64 `json:"max"`
	N      int64 `json:"n"`
	Sum    int64 `json:"sum"`
}

// Load is the offered load: closed or open, never both.
type Load struct {
	Mode        Known[string]  `json:"mode"`        // "closed loop" or "open loop"
	Concurrency Known[int64]   `json:"concurrency"` // closed: outstanding requests
	Rate        Known[string]  `json:"rate"`        // open: as planned, "20 requests per 1s"
	RatePerSec  Known[float64] `json:"rate_per_sec"`
	Arrivals    Known[string]  `json:"arrivals"`  // "constant", "poisson"
	PeakOpen    Known[int64]   `json:"peak_open"` // most requests seen in flight
}

// State is the third group: cache, windows, warm-up and drain.
type State struct {
	Cache      Cache          `json:"cache"`
	Warmup     Known[string]  `json:"warmup"` // in words, with counts and seconds
	Window     Known[Window]  `json:"window"` // the observation window
	Drain      Known[string]  `json:"drain"`  // in words: grace, whether it was used up
	Objectives Known[string]  `json:"objectives"`
	TTFTLimit  Known[float64] `json:"ttft_limit_s"`
	E2ELimit   Known[float64] `json:"e2e_limit_s"`
	Complete   Known[string]  `json:"complete"` // "complete", or "interrupted: why"
}

// Window is a stretch of time and the rule that cut it.
type Window struct {
	Rule    measure.WindowRule `json:"rule"`
	FromNS  int64              `json:"from_ns"` // from the run's start; 0 when only the length is known
	ToNS    int64              `json:"to_ns"`
	Seconds float64            `json:"seconds"`
}

// Cache is the cache state: as declared, as measured, or both.
type Cache struct {
	Kind     measure.CacheKind `json:"kind"`
	Share    float64           `json:"share,omitempty"` // shared prefix only
	Declared bool              `json:"declared"`        // the plan or source said so
	// Measured is cached ÷ prompt tokens over the completed requests that
	// reported both.
	Measured Known[CacheMeasure] `json:"measured"`
}

// CacheMeasure is what the endpoint reported about its prefix cache.
type CacheMeasure struct {
	CachedTokens int64 `json:"cached_tokens"`
	PromptTokens int64 `json:"prompt_tokens"`
	Requests     int64 `json:"requests"` // that reported both
	Of           int64 `json:"of"`       // completed requests
}

// Outcomes is the ledger of the measured phase. A count that the source does
// not state is not stated, never zero.
type Outcomes struct {
	Planned    Known[int64] `json:"planned"`
	Sent       Known[int64] `json:"sent"`
	Completed  Known[int64] `json:"completed"`
	Failed     Known[int64] `json:"failed"`
	Rejected   Known[int64] `json:"rejected"`
	TimedOut   Known[int64] `json:"timed_out"`
	Cancelled  Known[int64] `json:"cancelled"`
	Unresolved Known[int64] `json:"unresolved"`
	NeverSent  Known[int64] `json:"never_sent"`
	// WarmupSent counts requests before the measured phase; they are in no figure.
	WarmupSent Known[int64] `json:"warmup_sent"`
}

// Value is one figure with everything that a reader needs to read it.
type Value struct {
	Metric measure.MetricID `json:"metric"`
	Amount Amount           `json:"amount"`
	// Numerator and Denominator are what was divided. For a quantile the
	// numerator is the rank and the denominator the population's n.
	Numerator   Known[Term]       `json:"numerator"`
	Denominator Known[Term]       `json:"denominator"`
	Window      Known[Window]     `json:"window"`
	Population  Known[Population] `json:"population"`
	Cache       Cache             `json:"cache"`
	Bounds      *Bounds           `json:"bounds,omitempty"` // quantiles: over all sent requests
	// Completed is the same quantile of the completed requests alone, where the
	// amount is not: beside an amount over unfinished requests as well.
	Completed *Conditioned `json:"completed,omitempty"`
	// Estimate is the quantile under an assumption that the amount does without,
	// where the amount has two ends that differ.
	Estimate *Estimate       `json:"estimate,omitempty"`
	Interval Known[Interval] `json:"interval"`           // 95 % interval, or why there is none
	Rule     string          `json:"rule"`               // definition and rule of the figure, a sentence
	Original *Original       `json:"original,omitempty"` // imported: number, unit and key as found
	// Claim is the figure that the source itself printed under this name,
	// where the amount was computed anew from the source's rows.
	Claim  *Claim  `json:"claim,omitempty"`
	Limits []Limit `json:"limits"`
}

// SortValues puts values in the order of the metric registry. Those of one
// metric stay in their order.
func SortValues(values []Value) {
	slices.SortStableFunc(values, func(a, b Value) int { return measure.Compare(a.Metric, b.Metric) })
}

// AmountKind says what kind of answer a figure is.
type AmountKind string

// The kinds of answer.
const (
	Exact     AmountKind = "exact"
	AtLeast   AmountKind = "at least"
	Unbounded AmountKind = "unbounded"
	TooFew    AmountKind = "too few"   // N of Need
	Undefined AmountKind = "undefined" // e.g. TPOT of one token; Reason says why
	Quoted    AmountKind = "quoted"    // a claim: Text holds it word for word
)

// Amount is the answer itself, in the metric's base unit (seconds, tokens per
// second, a ratio): scaling for people happens when it is shown.
type Amount struct {
	Kind AmountKind `json:"kind"`
	// X is the number of Exact and AtLeast. A quoted claim has it too where its
	// unit is known and it is not 0: for checks and for the order of rows, never
	// for a series with measured figures.
	X      float64 `json:"x,omitempty"`
	N      int64   `json:"n,omitempty"`
	Need   int64   `json:"need,omitempty"`
	Reason string  `json:"reason,omitempty"`
	Text   string  `json:"text,omitempty"`
}

// Number is the amount's number, and whether it has one: exact, or quoted with
// a unit that is known.
func (a Amount) Number() (float64, bool) {
	return a.X, a.Kind == Exact || a.Kind == Quoted && a.X != 0
}

// Term is a numerator or a denominator: an amount and what it counts.
type Term struct {
	Amount float64 `json:"amount"`
	Unit   string  `json:"unit"` // "output tokens", "s", "requests", "rank"
	What   string  `json:"what"` // in words: "output tokens of 200 completed requests, by usage"
}

// Population is which requests a figure is about.
type Population struct {
	Rule     string     `json:"rule"` // "completed requests, measured phase"
	N        int64      `json:"n"`
	Excluded []Excluded `json:"excluded"` // by reason
}

// Excluded is a number of requests that a population leaves out, and why.
type Excluded struct {
	Reason string `json:"reason"`
	N      int64  `json:"n"`
}

// Bounds is where a quantile over all sent requests can lie (M35).
type Bounds struct {
	Lower Amount `json:"lower"` // Exact, or AtLeast when its rank falls on an unfinished one
	Upper Amount `json:"upper"` // Exact or Unbounded
	N     int64  `json:"n"`     // requests considered
	Rule  string `json:"rule"`
}

// Conditioned is a quantile of completed requests alone. It gets better as more
// long requests stay unfinished.
type Conditioned struct {
	Amount Amount `json:"amount"`
	N      int64  `json:"n"` // completed requests with a value
	Rule   string `json:"rule"`
}

// Estimate is a quantile over finished and unfinished requests that holds if an
// assumption does, which the rule names.
type Estimate struct {
	X    float64 `json:"x"` // in the metric's base unit
	N    int64   `json:"n"` // requests considered
	Rule string  `json:"rule"`
}

// Interval is a confidence interval, with its kind and n.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Kind string  `json:"kind"` // "order statistics, 95 %"
	N    int64   `json:"n"`
}

// Claim is a figure as a source printed it, under the source's own definition.
type Claim struct {
	Amount     Amount            `json:"amount"` // Quoted, or Undefined with the reason
	Original   Original          `json:"original"`
	Rule       string            `json:"rule"` // the source's definition, a sentence
	Population Known[Population] `json:"population"`
}

// Original is an imported number exactly as the file has it.
type Original struct {
	Number string `json:"number"`
	Unit   string `json:"unit"`
	Key    string `json:"key"`
}

// Distribution is the whole distribution of a latency over the sent requests,
// thinned to at most 512 steps for drawing. Seconds.
type Distribution struct {
	Metric measure.MetricID `json:"metric"` // the latency, e.g. "ttft"
	Start  string           `json:"start"`  // "due" or "sent"
	N      int64            `json:"n"`      // all sent requests
	// Finished are those with a value; Open those that the client stopped
	// watching before they had one (unresolved, timed out, cancelled); Ended
	// those which ended by themselves without one (failed, rejected, no token).
	Finished int64  `json:"finished"`
	Open     int64  `json:"open"`
	Ended    int64  `json:"ended"`
	Steps    []Step `json:"steps"` // ECDF over N: share of sent requests with a value ≤ X
	// OpenAges are the ages of the open ones when the client stopped watching,
	// ascending, thinned likewise.
	OpenAges []float64 `json:"open_ages"`
}

// Step is one step of an empirical distribution.
type Step struct {
	X     float64 `json:"x"`
	Share float64 `json:"share"`
}

// Timeline is what went on during a run, in equal bins.
type Timeline struct {
	BinSeconds float64 `json:"bin_s"`
	InFlight   []int64 `json:"in_flight"` // open at the end of each bin
	Due        []int64 `json:"due"`
	Ended      []int64 `json:"ended"`
}

// Client is the load generator's verdict on itself (M39).
type Client struct {
	Verdict string   `json:"verdict"` // "sound", "suspect", "void"
	Reasons []string `json:"reasons"`
	Facts   []Fact   `json:"facts"`
}

// ErrorClass is one class of failures with its count and one redacted example.
type ErrorClass struct {
	Outcome string `json:"outcome"`
	Class   string `json:"class"`
	N       int64  `json:"n"`
	Example string `json:"example"`
}

// Fact is one line of the manifest: stated or not stated, and by whom.
type Fact struct {
	Key   string        `json:"key"`
	Label string        `json:"label"`
	Value Known[string] `json:"value"`
}

// Source is one line of the source register (M26).
type Source struct {
	Name      string        `json:"name"`
	Supports  string        `json:"supports"`
	Published Known[string] `json:"published"`
	Reviewed  Known[string] `json:"reviewed"`
	Licence   Known[string] `json:"licence"`
	File      string        `json:"file,omitempty"`
	SHA256    string        `json:"sha256,omitempty"`
	Adapter   string        `json:"adapter"` // id and version of the reader
}

// File is a download that lies beside the record.
type File struct {
	Name   string `json:"name"` // file name, no folder
	Path   string `json:"path"` // relative to the site folder: logs/RUN/requests.parquet
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	What   string `json:"what"` // "per-request log, Parquet"
}

// Member is one run of a repeats record.
type Member struct {
	ID   ID     `json:"id"`
	Slug string `json:"slug"`
}
