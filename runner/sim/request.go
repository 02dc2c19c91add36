package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// body is the part of an OpenAI request that matters here.
type body struct {
	Model    string `json:"model"`
	Messages []struct {
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Prompt              json.RawMessage `json:"prompt"`
	MaxTokens           *int            `json:"max_tokens"`
	MaxCompletionTokens *int            `json:"max_completion_tokens"`
	IgnoreEOS           bool            `json:"ignore_eos"`
	N                   *int            `json:"n"`
	Stream              bool            `json:"stream"`
	StreamOptions       struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// ask is a request understood.
type ask struct {
	model        string
	texts        []string
	maxTokens    int
	ignoreEOS    bool
	stream       bool
	includeUsage bool
}

// parse reads a request. Its error is for the client to read.
func (c *Config) parse(src []byte, chat bool) (ask, error) {
	var b body
	if err := json.Unmarshal(src, &b); err != nil {
		return ask{}, fmt.Errorf("reading the request: %w", err)
	}
	if b.N != nil && *b.N != 1 {
		return ask{}, errors.New("only n = 1 is supported")
	}
	a := ask{
		model: b.Model, maxTokens: c.DefaultMaxTokens,
		ignoreEOS: b.IgnoreEOS, stream: b.Stream, includeUsage: b.StreamOptions.IncludeUsage,
	}
	if b.MaxTokens != nil {
		a.maxTokens = *b.MaxTokens
	}
	if b.MaxCompletionTokens != nil {
		a.maxTokens = *b.MaxCompletionTokens
	}
	if a.maxTokens < 1 {
		return ask{}, fmt.Errorf("max_tokens must be at least 1, got %d", a.maxTokens)
	}
	if !chat {
		t, err := promptTexts(b.Prompt)
		a.texts = t
		return a, err
	}
	if len(b.Messages) == 0 {
		return ask{}, errors.New("messages is empty")
	}
	for i, m := range b.Messages {
		t, err := contentTexts(m.Content)
		if err != nil {
			return ask{}, fmt.Errorf("messages[%d].content: %w", i, err)
		}
		a.texts = append(a.texts, t...)
	}
	return a, nil
}

// promptTexts takes a string, a list of one string, or a list of token IDs.
func promptTexts(raw json.RawMessage) ([]string, error) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}, nil
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil && len(list) == 1 {
		return list, nil
	}
	var ids []int
	if json.Unmarshal(raw, &ids) == nil && len(ids) > 0 {
		var b strings.Builder
		for _, id := range ids {
			fmt.Fprintf(&b, "#%d ", id)
		}
		return []string{b.String()}, nil
	}
	return nil, errors.New("prompt must be a string, a list of one string, or a list of token IDs")
}

// contentTexts takes a string, null, or a list of parts of which those of text count.
func contentTexts(raw json.RawMessage) ([]string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}, nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return nil, errors.New("must be a string or a list of parts")
	}
	texts := make([]string, 0, len(parts))
	for _, p := range parts {
		texts = append(texts, p.Text)
	}
	return texts, nil
}

// digest is a prompt as the model needs it.
type digest struct {
	tokens int
	keys   []uint64 // one for each full block: the hash of all words up to its end
	sum    uint64   // the hash of all words
}

// digestOf counts and hashes the words of a prompt behind template constant
// ones, up to limit words; 0 is no limit. The hash is FNV-1a of 64 bits, the
// same on every machine: output lengths are drawn from it. That two different
// prefixes share it is unlikely enough for a simulation (2⁻⁶⁴ a pair).
func digestOf(texts []string, template, block, limit int) digest {
	const offset, prime = 14695981039346656037, 1099511628211
	d := digest{sum: offset}
	add := func(word string) bool {
		for i := range len(word) {
			d.sum = (d.sum ^ uint64(word[i])) * prime
		}
		d.sum = (d.sum ^ ' ') * prime
		d.tokens++
		if d.tokens%block == 0 {
			d.keys = append(d.keys, d.sum)
		}
		return d.tokens != limit
	}
	for range template {
		if !add("\x00template") {
			return d
		}
	}
	for _, t := range texts {
		for word := range strings.FieldsSeq(t) {
			if !add(word) {
				return d
			}
		}
	}
	return d
}

// outputLength returns how many tokens the answer to a prompt has, and whether
// it ends by itself ("stop") rather than at the maximum ("length"). The
// natural length is geometric with the given mean: P(n) = (1−p)ⁿ⁻¹ p, p = 1/mean.
func outputLength(mean, maximum int, ignoreEOS bool, seed, prompt uint64) (n int, stop bool) {
	if mean <= 0 || ignoreEOS {
		return maximum, false
	}
	if mean == 1 {
		return 1, true
	}
	r := rand.New(rand.NewPCG(seed, prompt)) // #nosec G404 -- not a secret
	x := 1 + math.Log(1-r.Float64())/math.Log(1-1/float64(mean))
	if x >= float64(maximum)+1 {
		return maximum, false
	}
	return int(x), true
}
