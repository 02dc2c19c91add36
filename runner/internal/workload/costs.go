package workload

import (
	"context"
	"fmt"
)

// costs is what a tokenizer makes of single words and letters after others.
// It is counted once for a source, on words that depend on the plan's seed
// only, so that what was made before does not change a prompt.
//
// A cost is a hint, not a promise: a tokenizer may join words. Every prompt is
// counted as a whole.
type costs struct {
	perWord float64               // mean tokens of a word of the list, ≥ 1
	pieces  [maxCost + 1][]string // by tokens: words and letters, each with its leading space
}

// maxCost is the most tokens of a piece that is kept.
const maxCost = 8

// costs counts a sample of words, and some letters: with most tokenizers a
// single letter is one token. Each is counted after two texts, and is a piece
// when it costs the same after both.
func (s *Source) costs(ctx context.Context) (*costs, error) {
	s.mu.Lock()
	known := s.known
	s.mu.Unlock()
	if known != nil {
		return known, nil
	}
	const sample, letters = 24, "abcdefgh"
	g := s.generator(slot{phase: "costs"})
	bases := [2]string{string(s.appendWords(nil, &g, 4)[1:]), string(s.appendWords(nil, &g, 5)[1:])}
	var least [2]int
	for i, base := range bases {
		n, err := s.ask(ctx, base)
		if err != nil {
			return nil, err
		}
		least[i] = n
	}
	known = &costs{}
	sum := 0
	for i := range sample + len(letters) {
		piece := " " + letters[max(0, i-sample):max(0, i-sample)+1]
		if i < sample {
			piece = string(s.appendWords(nil, &g, 1))
		}
		var c [2]int
		for i, base := range bases {
			n, err := s.ask(ctx, base+piece)
			if err != nil {
				return nil, err
			}
			c[i] = n - least[i]
		}
		if i < sample {
			sum += c[0] + c[1]
		}
		if c[0] == c[1] && c[0] >= 1 && c[0] <= maxCost {
			known.pieces[c[0]] = append(known.pieces[c[0]], piece)
		}
	}
	known.perWord = max(1, float64(sum)/(2*sample))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = known
	return known, nil
}

// ask counts a text.
func (s *Source) ask(ctx context.Context, text string) (int, error) {
	n, err := s.count(ctx, text)
	if err != nil {
		return 0, fmt.Errorf("counting a prompt's tokens: %w", err)
	}
	return n, nil
}

// sums says of each amount from 0 to n whether pieces can make it up.
func (k *costs) sums(n int) []bool {
	reach := make([]bool, n+1)
	reach[0] = true
	for i := range reach {
		for c := 1; c <= min(i, maxCost); c++ {
			reach[i] = reach[i] || len(k.pieces[c]) > 0 && reach[i-c]
		}
	}
	return reach
}
