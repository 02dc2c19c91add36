// Package reqlog is the per-request log of a run: its columns, its crash-safe
// journal, its Parquet file, its manifest and the readers of all three.
//
// A log holds facts and times. It holds no rate, no percentile and no
// judgement: those are made from it by others, who say how.
package reqlog

// Phase says in which part of a run a request was due.
type Phase string

// The phases.
const (
	WarmupPhase  Phase = "warmup"
	MeasurePhase Phase = "measure"
)

// Outcome is how a request ended. Every planned request has exactly one.
type Outcome string

// The outcomes. sent = completed + failed + rejected + timed out + cancelled +
// unresolved; planned = sent + never sent.
const (
	Completed  Outcome = "completed"
	Failed     Outcome = "failed"
	Rejected   Outcome = "rejected"   // 429 or 503
	TimedOut   Outcome = "timed_out"  // ErrorClass says which limit
	Cancelled  Outcome = "cancelled"  // by the client, e.g. Ctrl-C
	Unresolved Outcome = "unresolved" // in flight when observation ended
	NeverSent  Outcome = "never_sent"
)

// Row is one request. Offsets are nanoseconds on the monotonic clock from the
// run's start, whose wall-clock time stands in the header. A nil pointer means
// "did not happen" or "not known", never zero.
type Row struct {
	Seq   int64 `parquet:"seq"`
	Phase Phase `parquet:"phase,dict"`

	DueNS  int64  `parquet:"due_ns"`           // when it should be sent
	SentNS *int64 `parquet:"sent_ns,optional"` // when the answered attempt was handed to the socket layer; nil: never sent
	// FirstSentNS is the send time of attempt 1 where the request was sent again.
	FirstSentNS *int64 `parquet:"first_sent_ns,optional"`
	Attempts    int32  `parquet:"attempts"` // 0: never sent
	// ConnReused is nil when no connection was made; ConnectNS is how long a
	// fresh connection (DNS, TCP, TLS) took.
	ConnReused *bool  `parquet:"conn_reused,optional"`
	ConnectNS  *int64 `parquet:"connect_ns,optional"`

	HeadersNS     *int64 `parquet:"headers_ns,optional"`      // response headers complete
	FirstByteNS   *int64 `parquet:"first_byte_ns,optional"`   // first byte of the body
	FirstTokenNS  *int64 `parquet:"first_token_ns,optional"`  // first non-empty token of any kind
	FirstAnswerNS *int64 `parquet:"first_answer_ns,optional"` // first non-empty answer token
	LastTokenNS   *int64 `parquet:"last_token_ns,optional"`
	EndNS         *int64 `parquet:"end_ns,optional"` // outcome known; for unresolved: when observation ended

	Outcome    Outcome `parquet:"outcome,dict"`
	ErrorClass string  `parquet:"error_class,dict"` // empty: no error
	ErrorText  string  `parquet:"error_text,dict"`  // redacted, at most 500 bytes
	HTTPStatus *int32  `parquet:"http_status,optional"`
	RetryAfter *int64  `parquet:"retry_after_ns,optional"`

	AskedInputTokens  int64  `parquet:"asked_input_tokens"`
	AskedOutputTokens int64  `parquet:"asked_output_tokens"` // the requested maximum; never a numerator
	InputTokens       *int64 `parquet:"input_tokens,optional"`
	OutputTokens      *int64 `parquet:"output_tokens,optional"`
	ReasoningTokens   *int64 `parquet:"reasoning_tokens,optional"`
	CachedTokens      *int64 `parquet:"cached_tokens,optional"`
	// TokenSource is who counted: "usage", "tokenizer:NAME", or empty when not stated.
	TokenSource  string `parquet:"token_source,dict"`
	FinishReason string `parquet:"finish_reason,dict"`
	SawDone      bool   `parquet:"saw_done"` // the stream ended with [DONE]

	// Chunks counts events that carried at least one non-empty token. It is
	// not a token count.
	Chunks int32 `parquet:"chunks"`
	// ChunkGapsNS are the times between consecutive token-bearing chunks.
	// They are not per-token delays. GapsRecorded tells "none" from "not kept".
	ChunkGapsNS  []int64 `parquet:"chunk_gaps_ns,list"`
	GapsRecorded bool    `parquet:"gaps_recorded"`

	// Server-side times that the endpoint stated in its answer, kept apart
	// from the client's (M15).
	ServerPrefillNS *int64 `parquet:"server_prefill_ns,optional"`
	ServerDecodeNS  *int64 `parquet:"server_decode_ns,optional"`

	RequestID   string `parquet:"request_id"`       // as sent in X-Request-Id
	PromptHash  string `parquet:"prompt_hash,dict"` // keyed hash; equal within a run iff the prompts are equal
	PromptText  string `parquet:"prompt_text"`      // empty unless the plan asks to keep text
	AnswerText  string `parquet:"answer_text"`      // likewise
	InFlightNow int32  `parquet:"in_flight"`        // requests of this run open when this one was sent, itself included
}
