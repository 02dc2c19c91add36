package plan

import (
	"time"
)

// Spec is everything that a plan states, after defaults that the plan file
// may leave out have been filled in. It is plain data; the immutable holder
// is [Plan].
type Spec struct {
	// Name names the plan; run folders start with it. Lower-case letters,
	// digits, '-' and '.', at most 60 bytes.
	Name string
	// Family is the evidence family that the plan's runs belong to. Runs may
	// be compared within a family. Defaults to Name.
	Family string
	// Title is one line for people. Defaults to Name.
	Title string
	// Description is free text for the record pages; may be empty.
	Description string

	Endpoint   Endpoint
	Profile    Profile
	Workload   Workload
	Load       LoadShape
	Stop       Stop
	Warmup     Warmup
	Drain      Drain
	Timeouts   Timeouts
	Cache      Cache
	Repeats    int // runs of each point, ≥ 1; default 1
	Objectives *Objectives
	Quality    Quality
}

// API is the OpenAI-compatible interface that a plan speaks.
type API string

// The two interfaces.
const (
	Chat        API = "chat"        // POST {base}/v1/chat/completions
	Completions API = "completions" // POST {base}/v1/completions
)

// Connections says how TCP connections are used.
type Connections string

// The two connection policies.
const (
	// Reuse keeps connections alive. When a reused connection dies before
	// any response byte, the request is sent once more on a fresh one and
	// both attempts are logged.
	Reuse Connections = "reuse"
	// Fresh opens one connection per request.
	Fresh Connections = "fresh"
)

// Endpoint is what is measured.
type Endpoint struct {
	// BaseURL is the address without the API path: http://host:8000. It never
	// holds user, password, query or fragment: those are refused.
	BaseURL string
	API     API
	Model   string
	// KeyEnv names the environment variable that holds the key; empty when
	// the endpoint needs none. The key itself is never in a plan.
	KeyEnv      string
	Connections Connections // default Reuse
	// MetricsURL is the Prometheus page to scrape before and after; default
	// {base}/metrics; "none" turns scraping off.
	MetricsURL string
}

// Profile is the named serving profile and what its operator states about it.
// Every field but Name may be empty: then the evidence says "not stated".
type Profile struct {
	Name                 string // e.g. "B0"
	Description          string
	Model                string // model as people name it; default Endpoint.Model
	ModelRevision        string
	Tokenizer            string
	TokenizerRevision    string
	Engine               string // e.g. "vLLM"
	EngineVersion        string // release, commit or image digest
	Precision            string // e.g. "FP8 weights, BF16 KV"
	Quantized            *bool  // nil: not stated
	Parallelism          string // e.g. "TP2"
	Hardware             string // e.g. "2 × GH200 96 GB"
	Accelerators         int    // device count; 0: not stated
	HostCPU              string
	HostMemory           string
	Interconnect         string
	Driver               string
	Runtime              string // e.g. "CUDA 12.8"
	CacheConfig          string // the engine's cache settings, in words
	Decoding             string // e.g. "speculative, 4 draft tokens"
	ClientLocation       string // where the load generator stood
	PriceNote            string
	AdditionalProperties map[string]string // [profile.more]: anything else, shown as stated
}

// Workload is the matrix of prompts and outputs.
type Workload struct {
	InputTokens  []int // each ≥ 1
	OutputTokens []int // each ≥ 1; the requested maximum, never a numerator
	// Seed sets the prompts and random arrivals. Default 0; must be stated
	// with Poisson arrivals.
	Seed uint64
	// IgnoreEOS asks engines that know "ignore_eos" to generate up to the
	// maximum. Default true.
	IgnoreEOS   bool
	Temperature float64 // 0–2; default 0
	// Words says how prompts of an exact token length are made: "endpoint"
	// counts with the endpoint's /tokenize and corrects until exact,
	// "list" takes N words of the word list as N tokens (exact for the
	// simulated endpoint and for models made with such a list). Default
	// "endpoint".
	Words string
	// WordList is a file of one word a line, relative to the plan file; empty
	// takes the built-in list.
	WordList string
	// KeepText keeps prompts and answers in the log. Default false: only
	// hashes and lengths are kept.
	KeepText bool
}

// LoadShape is how requests are offered: a closed sum of [Closed] and [Open].
// (The name Load is the function's that reads a plan file.)
//
//sumtype:decl
type LoadShape interface{ load() }

// Closed keeps a number of requests outstanding: a new one starts when one ends.
type Closed struct{ Concurrency []int }

// Open sends at due times whatever the endpoint does.
type Open struct {
	Rates    []ArrivalRate
	Arrivals Arrivals // default Constant
	// MaxInFlight bounds the sockets: what cannot be sent when due because so
	// many are open is "never sent", with a row. Default 4096.
	MaxInFlight int
}

func (Closed) load() {}
func (Open) load()   {}

// ArrivalRate is an offered load as a ratio of integers. It shares no type
// with a measured rate.
type ArrivalRate struct {
	Requests int
	Per      time.Duration
}

// Arrivals is the arrival process of an open load.
type Arrivals string

// The arrival processes.
const (
	Constant Arrivals = "constant"
	Poisson  Arrivals = "poisson"
)

// Stop ends sending: exactly one of the two is set.
type Stop struct {
	Requests int           // stop after so many measured requests were sent
	Duration time.Duration // stop so long after the measured part began
}

// Warmup runs before the measured part and is kept apart in the log.
// Both zero: no warm-up. Left out, it is none, or with the [Warm] cache policy
// one request for each prompt of the pool: fewer are refused.
type Warmup struct {
	Requests int
	Duration time.Duration
}

// Drain is how long requests in flight may go on after sending stopped.
// What is still open then is unresolved. Default 30 s.
type Drain struct{ Grace time.Duration }

// Timeouts end a request as timed out. Zero means "no limit", which a plan
// writes as "none". Total must be stated; the others default to no limit.
type Timeouts struct {
	Connect   time.Duration
	FirstByte time.Duration
	Idle      time.Duration // longest silence between two reads of the body
	Total     time.Duration
}

// CachePolicy is how prompts relate to what the endpoint may have cached.
type CachePolicy string

// The cache policies.
const (
	// Cold gives every request its own prefix from distinct seeds.
	Cold CachePolicy = "cold"
	// Warm sends each of a small set of prompts once before measuring, then
	// measures the same prompts again.
	Warm CachePolicy = "warm"
	// Shared gives all prompts one common prefix of Share × input tokens.
	Shared CachePolicy = "shared"
)

// Cache is the declared cache policy.
type Cache struct {
	Policy CachePolicy
	Share  float64 // Shared only: 0 < Share < 1
	Pool   int     // Warm only: number of distinct prompts, ≥ 1; default 8
}

// Objectives are the goodput limits, fixed before the run.
type Objectives struct {
	TTFT     time.Duration // > 0
	EndToEnd time.Duration // > 0
}

// Quality is the declared quality gate. Check [NoQualityCheck], the default,
// says that there is none.
type Quality struct {
	Check  string
	Result string
}

// Point is one fixed tuple of the plan's matrix.
type Point struct {
	Index        int    `json:"index"`
	Slug         string `json:"slug"` // i128-o32-c4, i128-o32-r2.5
	InputTokens  int    `json:"input_tokens"`
	OutputTokens int    `json:"output_tokens"`
	// Exactly one of the two loads is set.
	Concurrency int          `json:"concurrency,omitempty"`
	Rate        *ArrivalRate `json:"rate,omitempty"`
	Arrivals    Arrivals     `json:"arrivals,omitempty"`
}
