package sim

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Names under which the endpoint says that it is simulated.
const (
	// ServerHeader is the value of the Server header of every response.
	ServerHeader = "benchline-simulated-endpoint"
	// OwnedBy is the owned_by of every model in /v1/models.
	OwnedBy = "benchline simulated endpoint"
)

// Config is everything that determines a simulated endpoint. [Default] gives
// one that lacks only the clock.
type Config struct {
	// Model is the name served; a request for another name is answered 404.
	// Empty accepts any name.
	Model string
	// Key, when not empty, must be sent as a bearer token to everything but
	// /health, /version and /metrics; else 401.
	Key string
	// MaxModelLen is the longest prompt plus output, in tokens. Longer asks
	// are answered 400.
	MaxModelLen int
	// DefaultMaxTokens is the output limit of a request that states none.
	DefaultMaxTokens int
	// TemplateTokens are added to the prompt of each chat request, in front,
	// the same ones each time.
	TemplateTokens int
	// ReasoningTokens is how many of the first output tokens of a chat answer
	// are reasoning; at most the whole output.
	ReasoningTokens int
	// ReasoningKey is the field that carries reasoning: "reasoning_content"
	// (also when empty) or "reasoning".
	ReasoningKey string
	// EOSMean is the mean number of output tokens, geometrically distributed
	// from 1, of requests without ignore_eos. 0: answers always reach the
	// requested maximum. A request's length follows from Seed and its prompt.
	EOSMean int
	// TokensPerStep is how many tokens a decode step yields for a sequence,
	// as speculative decoding would; they share one event. At least 1. The
	// first token always comes alone.
	TokensPerStep int
	// StreamInterval gathers this many tokens into one event, rounded up to
	// whole steps. At least 1. The first token is sent alone.
	StreamInterval int
	// Seed seeds output lengths, output words and the drawing of faults.
	Seed uint64

	// Engine is the batching engine; ignored where Metronome is set.
	Engine Engine
	// Metronome, when not nil, takes the place of the engine.
	Metronome *Metronome
	// Faults may each strike a request; several may strike the same one.
	Faults []Fault

	// Precise makes the model sleep in the kernel with the least timer slack,
	// where the system has that (Linux), not on the runtime's timers, which
	// may be up to 1 ms late. It holds one of the program's processors while
	// it sleeps and costs more time in the kernel, so it is for a process of
	// its own; what Truth says is what was really written either way. It
	// must be off under testing/synctest.
	Precise bool
	// Now is the clock. Required; its monotonic reading is what is used.
	Now func() time.Time
	// Truth receives one JSON line for each request to a generating path as
	// soon as the request has ended, in one Write each. A Flush method, if it
	// has one, is called after each line. Nil: none.
	Truth io.Writer
	// KeepTruth is how many of the latest requests [Server.Truth] holds.
	KeepTruth int
}

// Engine is the batching engine's parameters.
type Engine struct {
	// PrefillRate is the prompt tokens computed per second.
	PrefillRate float64
	// PrefillBudget is the most prompt tokens computed in one step, over all
	// sequences: a long prompt is spread over several steps (chunked prefill).
	PrefillBudget int
	// DecodeBase is the part of a step's time that does not depend on the
	// batch; spent only in steps that decode.
	DecodeBase time.Duration
	// DecodePerSequence is added for each sequence that decodes.
	DecodePerSequence time.Duration
	// DecodePerKToken is added per 1,000 tokens of context of the sequences
	// that decode.
	DecodePerKToken time.Duration
	// MaxRunning is the most sequences admitted at once.
	MaxRunning int
	// KVTokens is the KV cache's capacity in tokens; whole blocks are used.
	KVTokens int
	// BlockTokens is the size of a KV block in tokens.
	BlockTokens int
	// PrefixCache keeps the full blocks of prompts for later prompts that
	// begin alike, until they are evicted, the least recently used first.
	PrefixCache bool
	// MaxQueue is the most requests waiting; one more is refused with
	// QueueStatus. 0: no limit.
	MaxQueue int
	// QueueStatus is 503 or 429.
	QueueStatus int
	// RetryAfter is sent in whole seconds, rounded up, with a refusal. 0: not sent.
	RetryAfter time.Duration
}

// Metronome gives every request the same times, whatever the load: the first
// token TTFT after the request was read, and each step's tokens ITL after the
// ones before.
type Metronome struct {
	TTFT, ITL time.Duration
}

// Default returns a small accelerator's server, sized so that a sweep over it
// runs beside its client on two cores. Now is left for the caller to set.
func Default() Config {
	return Config{
		Model:            "simulated-8b",
		MaxModelLen:      16384,
		DefaultMaxTokens: 128,
		TokensPerStep:    1,
		StreamInterval:   1,
		Seed:             1,
		KeepTruth:        100_000,
		Engine: Engine{
			PrefillRate:       12_000,
			PrefillBudget:     512,
			DecodeBase:        6 * time.Millisecond,
			DecodePerSequence: 150 * time.Microsecond,
			MaxRunning:        32,
			KVTokens:          40_000,
			BlockTokens:       16,
			PrefixCache:       true,
			QueueStatus:       http.StatusServiceUnavailable,
			RetryAfter:        time.Second,
		},
	}
}

func (c *Config) check() error {
	var errs []error
	bad := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	bad(c.Now != nil, "no clock: set Now")
	bad(c.MaxModelLen >= 2, "longest context is %d tokens, want 2 or more", c.MaxModelLen)
	bad(c.DefaultMaxTokens >= 1, "default output limit is %d tokens, want 1 or more", c.DefaultMaxTokens)
	bad(c.TemplateTokens >= 0 && c.TemplateTokens < c.MaxModelLen, "chat template of %d tokens does not fit", c.TemplateTokens)
	bad(c.ReasoningTokens >= 0, "reasoning tokens are negative: %d", c.ReasoningTokens)
	bad(c.ReasoningKey == "" || c.ReasoningKey == "reasoning" || c.ReasoningKey == "reasoning_content",
		"unknown reasoning key %q", c.ReasoningKey)
	bad(c.EOSMean >= 0, "mean output length is negative: %d", c.EOSMean)
	bad(c.TokensPerStep >= 1, "tokens per step is %d, want 1 or more", c.TokensPerStep)
	bad(c.StreamInterval >= 1, "stream interval is %d, want 1 or more", c.StreamInterval)
	bad(c.KeepTruth >= 0, "number of requests kept is negative: %d", c.KeepTruth)
	if c.Metronome != nil {
		bad(c.Metronome.TTFT > 0 && c.Metronome.ITL > 0, "metronome times must be positive: %v, %v", c.Metronome.TTFT, c.Metronome.ITL)
	} else if err := c.Engine.check(); err != nil {
		errs = append(errs, err)
	}
	for i, f := range c.Faults {
		if err := f.check(); err != nil {
			errs = append(errs, fmt.Errorf("fault %d: %w", i+1, err))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("simulated endpoint: %w", errors.Join(errs...))
}

func (e *Engine) check() error {
	var errs []error
	bad := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	// Above one token a nanosecond the model's time would stand still.
	bad(e.PrefillRate > 0 && e.PrefillRate <= 1e9, "prefill rate is %v tokens/s, want above 0 and at most 1e9", e.PrefillRate)
	bad(e.PrefillBudget >= 1, "prefill budget is %d tokens, want 1 or more", e.PrefillBudget)
	bad(e.DecodeBase >= 0 && e.DecodePerSequence >= 0 && e.DecodePerKToken >= 0, "a decode time is negative")
	bad(e.DecodeBase+e.DecodePerSequence > 0, "decoding takes no time: set DecodeBase or DecodePerSequence")
	bad(e.MaxRunning >= 1, "running limit is %d, want 1 or more", e.MaxRunning)
	bad(e.BlockTokens >= 1, "block is %d tokens, want 1 or more", e.BlockTokens)
	bad(e.BlockTokens < 1 || e.KVTokens >= e.BlockTokens, "KV capacity of %d tokens holds no block", e.KVTokens)
	bad(e.MaxQueue >= 0, "queue limit is negative: %d", e.MaxQueue)
	bad(e.MaxQueue == 0 || e.QueueStatus == http.StatusServiceUnavailable || e.QueueStatus == http.StatusTooManyRequests,
		"queue status is %d, want 503 or 429", e.QueueStatus)
	bad(e.RetryAfter >= 0, "retry-after is negative: %v", e.RetryAfter)
	return errors.Join(errs...)
}

// chunkTokens is how many tokens an event carries after the first.
func (c *Config) chunkTokens() int {
	return (c.StreamInterval + c.TokensPerStep - 1) / c.TokensPerStep * c.TokensPerStep
}

func (c *Config) reasoningKey() string {
	if c.ReasoningKey == "" {
		return "reasoning_content"
	}
	return c.ReasoningKey
}
