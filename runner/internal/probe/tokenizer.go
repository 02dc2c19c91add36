package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// Bounds of one count. A prompt of a million tokens comes back as some ten
// million bytes of numbers.
const (
	countTimeout = 60 * time.Second
	countBytes   = 128 << 20
)

// ErrNoTokenizer is the error of a counter whose endpoint does not count.
var ErrNoTokenizer = errors.New(`the endpoint does not count tokens at /tokenize; use workload.words = "list"`)

// dialect is a way to ask for a count.
type dialect int32

const (
	notKnown    dialect = iota
	asPrompt            // vLLM, SGLang: {model, prompt} → {count, tokens}
	asContent           // llama-server: {content} → {tokens}
	noTokenizer         // neither
)

// Tokenizer returns a counter that asks the endpoint's /tokenize, in vLLM's
// dialect or in llama-server's: the first count finds out which. It counts the
// text alone, without the tokens that an endpoint puts around a prompt. The
// result is a workload.Counter; it is safe for concurrent use.
func Tokenizer(c *http.Client, base, key, model string) func(ctx context.Context, text string) (int, error) {
	t := &tokenizer{c: c, url: base + "/tokenize", key: key, model: model}
	return t.count
}

type tokenizer struct {
	c               *http.Client
	url, key, model string
	speaks          atomic.Int32
}

func (t *tokenizer) count(ctx context.Context, text string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, countTimeout)
	defer cancel()
	switch d := dialect(t.speaks.Load()); d {
	case asPrompt, asContent:
		n, ok, err := t.ask(ctx, d, text)
		if err == nil && !ok {
			err = errors.New("counting tokens: the endpoint's answer has no count")
		}
		return n, err
	case noTokenizer:
		return 0, ErrNoTokenizer
	case notKnown:
	}
	for _, d := range []dialect{asPrompt, asContent} {
		n, ok, err := t.ask(ctx, d, text)
		if err != nil {
			return 0, err
		}
		if ok {
			t.speaks.Store(int32(d))
			return n, nil
		}
	}
	t.speaks.Store(int32(noTokenizer))
	return 0, ErrNoTokenizer
}

// ask asks in one dialect. Not ok: the endpoint did not understand. An error
// is one of the way there, or an answer that has nothing to do with dialects.
func (t *tokenizer) ask(ctx context.Context, d dialect, text string) (int, bool, error) {
	var body any = map[string]any{"content": text, "add_special": false}
	if d == asPrompt {
		body = map[string]any{"model": t.model, "prompt": text, "add_special_tokens": false}
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return 0, false, fmt.Errorf("counting tokens: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, bytes.NewReader(raw))
	if err != nil {
		return 0, false, fmt.Errorf("counting tokens: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if t.key != "" {
		req.Header.Set("Authorization", "Bearer "+t.key)
	}
	got, err := do(t.c, req, countBytes)
	if err != nil {
		return 0, false, fmt.Errorf("counting tokens: %w", err)
	}
	if refused(got.status) {
		return 0, false, fmt.Errorf("counting tokens: HTTP %d: %s", got.status, clean(string(got.body), t.key))
	}
	if got.status != http.StatusOK {
		return 0, false, nil
	}
	n, ok := readCount(got.body, d)
	return n, ok, nil
}

// refused reports a status that says nothing about dialects: the key, the load
// or the server's own trouble.
func refused(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented:
		return false
	}
	return status >= http.StatusInternalServerError
}

// readCount takes the count from an answer. In vLLM's dialect there must be a
// count: llama-server answers it too, with an empty list.
func readCount(raw []byte, d dialect) (int, bool) {
	var a struct {
		Count  *int    `json:"count"`
		Tokens counted `json:"tokens"`
	}
	if json.Unmarshal(raw, &a) != nil {
		return 0, false
	}
	if d == asPrompt {
		return max(0, zeroIfNil(a.Count)), a.Count != nil && *a.Count >= 0
	}
	return a.Tokens.n, a.Tokens.there
}

func zeroIfNil(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// counted is the length of a JSON list, without keeping its items.
type counted struct {
	n     int
	there bool
}

// UnmarshalJSON counts the items of a list; anything else is no list and is an
// error.
func (c *counted) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return errors.New("tokens is no list")
	}
	for dec.More() {
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			return fmt.Errorf("reading tokens: %w", err)
		}
		c.n++
	}
	if _, err := dec.Token(); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading tokens: %w", err)
	}
	c.there = true
	return nil
}
