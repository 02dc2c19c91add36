package workload

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// maxTries bounds how often one prompt is counted. Two or three are usual.
const maxTries = 12

// counted makes a prompt of n tokens by asking the counter.
func (s *Source) counted(ctx context.Context, at slot, n int) (Prompt, error) {
	perWord, err := s.rate(ctx)
	if err != nil {
		return Prompt{}, err
	}
	g := s.generator(at)
	t := text{s: s, g: &g, b: make([]byte, keySize, keySize+n*s.widest)}
	common := s.cache.SharedTokens(n)
	if common > 0 {
		prefix, err := s.countedPrefix(ctx, at, common, perWord)
		if err != nil {
			return Prompt{}, err
		}
		t.b = append(t.b, prefix...)
	}
	t.fixed = len(t.b)
	tokens, err := t.fit(ctx, n, int(float64(n-common)/perWord)-1, perWord)
	if err != nil {
		return Prompt{}, err
	}
	pr := finish(t.b, at.run)
	pr.Tokens, pr.Exact = tokens, tokens == n
	return pr, nil
}

// countedPrefix is the common prefix, as near to n tokens as it can be made.
// It is made once a run; two requests that need it at once may both make it,
// and make the same.
func (s *Source) countedPrefix(ctx context.Context, at slot, n int, perWord float64) ([]byte, error) {
	key := at.run + "\x00" + at.point
	s.mu.Lock()
	p, ok := s.prefixes[key]
	s.mu.Unlock()
	if ok {
		return p, nil
	}
	at.phase, at.seq = prefixPhase, 0
	g := s.generator(at)
	t := text{s: s, g: &g, b: make([]byte, keySize, keySize+n*s.widest), fixed: keySize}
	if _, err := t.fit(ctx, n, int(float64(n)/perWord)-1, perWord); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.prefixes[key]; ok { // another was first: there is one prefix
		return p, nil
	}
	s.setPrefix(key, t.b[keySize:])
	return t.b[keySize:], nil
}

// text is a prompt while it is fitted: words after a part that stays.
type text struct {
	s     *Source
	g     *rand.PCG
	b     []byte // room for the key, then " word word …"
	fixed int    // bytes that stay
	ends  []int  // the end of each word after them
}

func (t *text) add(n int) {
	for range n {
		t.b = t.s.appendWords(t.b, t.g, 1)
		t.ends = append(t.ends, len(t.b))
	}
}

// fill adds n one-letter words: what is nearest to one token each.
func (t *text) fill(n int) {
	for range n {
		t.b = append(t.b, ' ', 'a'+byte(t.g.Uint64()%26))
		t.ends = append(t.ends, len(t.b))
	}
}

// drop takes the last n words away, but leaves one.
func (t *text) drop(n int) {
	t.ends = t.ends[:max(1, len(t.ends)-n)]
	t.b = t.b[:t.ends[len(t.ends)-1]]
}

// fit adds and drops words until the whole is n tokens, and returns how many
// it is. If that does not come out, the nearest of what was tried stays.
// words is how many to begin with, a little less than what is needed.
func (t *text) fit(ctx context.Context, n, words int, perWord float64) (int, error) {
	t.add(max(1, words))
	var best []byte
	bestTokens := math.MaxInt
	for range maxTries {
		got, err := t.s.count(ctx, string(t.b[keySize+1:]))
		if err != nil {
			return 0, fmt.Errorf("counting a prompt's tokens: %w", err)
		}
		if best == nil || abs(got-n) < abs(bestTokens-n) {
			bestTokens = got
			best = append(best[:0], t.b...)
		}
		if got == n {
			break
		}
		t.correct(n-got, perWord)
	}
	t.b = best
	return bestTokens, nil
}

// correct changes the text by about missing tokens at so many tokens a word.
func (t *text) correct(missing int, perWord float64) {
	whole := int(float64(missing) / perWord)
	switch {
	case missing < 0:
		t.drop(max(1, int(math.Ceil(float64(-missing)/perWord))))
	case whole > 4: // stay a little short: fillers make it exact
		t.add(whole - 1)
	default:
		t.fill(missing)
	}
}

// rate is how many tokens a word is on average. It is counted once, on words
// that depend on the plan's seed only, so that what was made before does not
// change a prompt.
func (s *Source) rate(ctx context.Context) (float64, error) {
	s.mu.Lock()
	known := s.perWord
	s.mu.Unlock()
	if known > 0 {
		return known, nil
	}
	const half = 32
	g := s.generator(slot{phase: "rate"})
	b := s.appendWords(nil, &g, half)
	first := len(b)
	b = s.appendWords(b, &g, half)
	short, err := s.count(ctx, string(b[1:first]))
	if err != nil {
		return 0, fmt.Errorf("counting a prompt's tokens: %w", err)
	}
	long, err := s.count(ctx, string(b[1:]))
	if err != nil {
		return 0, fmt.Errorf("counting a prompt's tokens: %w", err)
	}
	known = max(1, float64(long-short)/half) // what is around the words drops out
	s.mu.Lock()
	defer s.mu.Unlock()
	s.perWord = known
	return known, nil
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
