package workload

import (
	"context"
	"math"
	"math/rand/v2"
)

// maxTries bounds how often one prompt is counted. Two or three are usual.
const maxTries = 20

// counted makes a prompt of n tokens by asking the counter.
func (s *Source) counted(ctx context.Context, at slot, n int) (Prompt, error) {
	k, err := s.costs(ctx)
	if err != nil {
		return Prompt{}, err
	}
	g := s.generator(at)
	t := text{s: s, g: &g, b: make([]byte, keySize, keySize+n*s.widest)}
	common := s.cache.SharedTokens(n)
	if common > 0 {
		prefix, err := s.countedPrefix(ctx, at, common, k)
		if err != nil {
			return Prompt{}, err
		}
		t.b = append(t.b, prefix...)
	}
	t.fixed = len(t.b)
	tokens, err := t.fit(ctx, n, n-common, k)
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
func (s *Source) countedPrefix(ctx context.Context, at slot, n int, k *costs) ([]byte, error) {
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
	if _, err := t.fit(ctx, n, n, k); err != nil {
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
	s      *Source
	g      *rand.PCG
	b      []byte // room for the key, then " word word …"
	fixed  int    // bytes that stay
	ends   []int  // the end of each word after them
	filled bool   // the last change was to be the last
}

func (t *text) add(n int) {
	for range n {
		t.b = t.s.appendWords(t.b, t.g, 1)
		t.ends = append(t.ends, len(t.b))
	}
}

// fill adds pieces whose costs are known so that they sum to missing tokens.
// Where no pieces do, it takes a word away: the gap is wider then.
func (t *text) fill(missing int, k *costs) {
	reach := k.sums(missing)
	if !reach[missing] {
		t.drop(1)
		return
	}
	t.filled = true
	for missing > 0 {
		c := 1 + int(t.g.Uint64()%maxCost) //nolint:gosec // < maxCost
		// Any that leaves a sum that can be made up will do: there is one.
		for c > missing || len(k.pieces[c]) == 0 || !reach[missing-c] {
			c = c%maxCost + 1
		}
		same := k.pieces[c]
		t.b = append(t.b, same[t.g.Uint64()%uint64(len(same))]...)
		t.ends = append(t.ends, len(t.b))
		missing -= c
	}
}

// drop takes the last n words away. In place of the only one it draws another.
func (t *text) drop(n int) {
	if n >= len(t.ends) {
		t.b, t.ends = t.b[:t.fixed], t.ends[:0]
		t.add(1)
		return
	}
	t.ends = t.ends[:len(t.ends)-n]
	t.b = t.b[:t.ends[len(t.ends)-1]]
}

// fit adds and drops words until the whole is n tokens, and returns how many
// it is. If that does not come out, the nearest of what was tried stays.
// open is how many tokens the words have to make up beside what stays.
func (t *text) fit(ctx context.Context, n, open int, k *costs) (int, error) {
	t.add(max(1, int(float64(open)/k.perWord)-1))
	var best []byte
	bestTokens := math.MaxInt
	for range maxTries {
		got, err := t.s.ask(ctx, string(t.b[keySize+1:]))
		if err != nil {
			return 0, err
		}
		if best == nil || abs(got-n) < abs(bestTokens-n) {
			bestTokens = got
			best = append(best[:0], t.b...)
		}
		if got == n {
			break
		}
		t.correct(n-got, k)
	}
	t.b = best
	return bestTokens, nil
}

// correct changes the text by missing tokens, or by about as many. Where
// filling did not come out, it takes a few words away by chance: what follows
// is then filled in another way.
func (t *text) correct(missing int, k *costs) {
	const near, few = 16, 4
	far := int(float64(missing-near) / k.perWord)
	switch {
	case t.filled:
		t.drop(int(math.Ceil(float64(max(0, -missing))/k.perWord)) + 1 + int(t.g.Uint64()%few)) //nolint:gosec // < few
		t.filled = false
	case missing < 0:
		t.drop(int(math.Ceil(float64(-missing) / k.perWord)))
	case far > 0:
		t.add(far) // stays a little short
	default:
		t.fill(missing, k)
	}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
