package limits

import (
	"math"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// UsageMissing applies where completed requests came without a token count.
func UsageMissing(without, completed int64) Finding {
	return when(without > 0, evidence.UsageMissing, measure.FormatCount(without), measure.Counted(completed, "completed request"))
}

// PromptLengthDiffers applies where the endpoint counted other prompt lengths
// than the plan asked for. Low and high are the least and most that it counted,
// of n requests.
func PromptLengthDiffers(asked, low, high, n int64) Finding {
	return when(n > 0 && (low != asked || high != asked), evidence.PromptLengthDiffers, measure.Counted(asked, "input token"), span(low, high))
}

// OutputShort applies where completed requests returned fewer tokens than the
// output maximum. Low and high are the least and most, of n requests.
func OutputShort(asked, low, high, n int64) Finding {
	return when(n > 0 && low < asked, evidence.OutputShort, measure.Counted(asked, "token"), span(low, high))
}

// OneTokenOutputs applies where completed requests returned fewer than two
// tokens, for which a time per output token is undefined.
func OneTokenOutputs(requests int64) Finding {
	return when(requests > 0, evidence.OneTokenOutputs, measure.Counted(requests, "completed request"))
}

// chunkDiffers: an end-of-text token without a chunk is no reason to warn.
const chunkDiffers = 0.05

// ChunkNotToken applies where the number of tokens and the number of chunks that
// they came in differ by more than 5 % of the smaller.
func ChunkNotToken(tokens, chunks int64) Finding {
	apart := math.Abs(float64(tokens - chunks))
	return when(chunks > 0 && apart > chunkDiffers*float64(min(tokens, chunks)), evidence.ChunkNotToken,
		measure.Counted(tokens, "token"), measure.Counted(chunks, "chunk"))
}

const (
	// leastGaps is how many gaps must be there before their kind says something.
	leastGaps = 100
	// bundledShare is the share of gaps under 1 ms above which chunks count as
	// having come together.
	bundledShare = 0.50
)

// StreamBundled applies where more than half of at least 100 gaps between chunks
// are under 1 ms: a proxy, a compressing hop or the endpoint itself sent them
// together, or the endpoint is faster than a client can see.
func StreamBundled(near, gaps int64) Finding {
	share := 0.0
	if gaps >= leastGaps {
		share = float64(near) / float64(gaps)
	}
	return when(share > bundledShare, evidence.StreamBundled, measure.FormatCount(near), measure.Counted(gaps, "gap"))
}

// FirstTokenReasoning applies where the first token of completed requests was
// reasoning or a tool call, and the answer began later or never.
func FirstTokenReasoning(requests, completed int64) Finding {
	return when(requests > 0, evidence.FirstTokenReasoning, measure.FormatCount(requests), measure.Counted(completed, "completed request"))
}

// Tally is a count of the same tokens, and who counted.
type Tally struct {
	Tokens int64
	By     string
}

// countsApart is how far two counts of the same tokens may lie apart: a
// tokenizer that adds a special token to each answer.
const countsApart = 0.02

// TokenCountsDisagree applies where a source has two counts of the same tokens
// that differ by more than 2 % of the larger.
func TokenCountsDisagree(a, b Tally) Finding {
	apart := math.Abs(float64(a.Tokens-b.Tokens)) > countsApart*float64(max(a.Tokens, b.Tokens))
	return when(a.Tokens >= 0 && b.Tokens >= 0 && apart, evidence.TokenCountsDisagree, measure.Counted(a.Tokens, "token"), a.By, measure.FormatCount(b.Tokens), b.By)
}

// TokenMiscounts is [TokenCountsDisagree] for a source that says for how many
// requests its two counts differ.
func TokenMiscounts(differing, requests int64, a, b string) Finding {
	return when(differing > 0, evidence.TokenCountsDisagree, "the tokens of "+measure.FormatCount(differing)+" of "+measure.Counted(requests, "request"), a, "another number", b)
}
