// Package workload makes prompts of an exact token length.
//
// A prompt is made of words drawn from a list by a generator whose seed is a
// hash of the plan's seed, the run's ID, the point, the phase and the
// request's number. So no two requests of any runs share a prompt by accident
// (a server would answer the second from its prefix cache), and yet each can
// be made again from the run's ID.
//
// The cache policy says what is shared on purpose: nothing (cold), a pool of
// whole prompts that the warm-up sends first (warm), or a prefix (shared).
//
// How long a prompt is in tokens is known in one of two ways: the list is such
// that N words are N tokens, or the endpoint counts them and the prompt is
// corrected until it is exact. Where it cannot be made exact, the prompt says
// how long it is and that it is not exact.
//
// The length is that of the prompt's text. What an endpoint puts around it (a
// chat template, a begin-of-text token) shows in the log, in the usage that
// the endpoint states.
package workload

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"benchline/runner/plan"
)

// Counter counts the tokens of a text as the endpoint does.
type Counter func(ctx context.Context, text string) (int, error)

// Prompt is one prompt.
type Prompt struct {
	Text string
	// Tokens is the length of Text in tokens: as counted, or the number of
	// words where N words of the list are taken for N tokens.
	Tokens int
	// Exact reports that Tokens is the length that the point asks for.
	Exact bool
	// Hash is a keyed hash of Text, 32 hex digits. The key is made from the
	// run's ID: within a run equal hashes mean equal prompts; across runs
	// they say nothing.
	Hash string
}

// Source makes prompts. It is safe for concurrent use.
type Source struct {
	seed    uint64
	cache   plan.Cache
	words   []string // each with its leading space
	widest  int      // bytes of the longest of them
	count   Counter  // nil: N words are N tokens
	scratch sync.Pool

	mu       sync.Mutex
	prefixes map[string][]byte // by run and point; shared policy
	kept     map[slot]Prompt   // counted prompts that are sent more than once, or were prepared
	keptSize int
	known    *costs // nil: not counted yet
}

// slot names one prompt of a run.
type slot struct {
	run, point, phase string
	seq               int64
}

// maxKept bounds the bytes of prompts that are kept.
const maxKept = 256 << 20

// New returns the source of a plan's prompts. The words come from [Words] or
// [ReadWords]. With w.Words "endpoint" a counter is required, with "list" none
// is used.
func New(w plan.Workload, c plan.Cache, words []string, count Counter) (*Source, error) {
	if len(words) < minWords {
		return nil, fmt.Errorf("making prompts: %d words, at least %d are needed", len(words), minWords)
	}
	s := &Source{seed: w.Seed, cache: c, prefixes: map[string][]byte{}, kept: map[slot]Prompt{}}
	s.scratch.New = func() any { return new([]byte) }
	switch w.Words {
	case "list":
	case "endpoint":
		if count == nil {
			return nil, errors.New(`making prompts: words = "endpoint" needs an endpoint that counts tokens`)
		}
		s.count = count
	default:
		return nil, fmt.Errorf("making prompts: unknown way %q to count tokens", w.Words)
	}
	if c.Policy == plan.Warm && c.Pool < 1 {
		return nil, errors.New("making prompts: a warm cache needs a pool of at least one prompt")
	}
	for _, word := range words {
		s.words = append(s.words, " "+word)
		s.widest = max(s.widest, len(word)+1)
	}
	return s, nil
}

// Prompt returns the prompt of a request: of the same arguments always the
// same one. The phase is part of a cold prompt's seed and, under the warm
// policy, is not: the pool is the same in warm-up and measure. An error comes
// from the counter or the context only.
//
// With a counter it asks the endpoint, unless the prompt was prepared before,
// see [Source.Prepare].
func (s *Source) Prompt(ctx context.Context, p plan.Point, runID, phase string, seq int64) (Prompt, error) {
	at := s.slot(p, runID, phase, seq)
	if s.count == nil {
		return s.listed(at, p.InputTokens), nil
	}
	s.mu.Lock()
	kept, ok := s.kept[at]
	s.mu.Unlock()
	if ok {
		return kept, nil
	}
	pr, err := s.counted(ctx, at, p.InputTokens)
	if err == nil && s.cache.Policy == plan.Warm {
		s.keep(at, pr)
	}
	return pr, err
}

// Prepare makes the prompts 0 to n−1 of a phase beforehand and keeps them, so
// that counting does not disturb what is measured. It returns how many are
// kept: fewer than n when they would take more than 256 MiB. Without a counter
// there is nothing to prepare, and all n are as good as kept.
func (s *Source) Prepare(ctx context.Context, p plan.Point, runID, phase string, n int64) (int64, error) {
	if s.count == nil {
		return n, nil
	}
	if s.cache.Policy == plan.Warm {
		n = min(n, int64(s.cache.Pool))
	}
	for seq := range n {
		pr, err := s.Prompt(ctx, p, runID, phase, seq)
		if err != nil {
			return seq, err
		}
		if !s.keep(s.slot(p, runID, phase, seq), pr) {
			return seq, nil
		}
	}
	return n, nil
}

// Forget drops what was kept for a run that is over.
func (s *Source) Forget(runID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at, pr := range s.kept {
		if at.run == runID {
			s.keptSize -= len(pr.Text)
			delete(s.kept, at)
		}
	}
	clear(s.prefixes)
}

func (s *Source) keep(at slot, pr Prompt) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.kept[at]; ok {
		return true
	}
	if s.keptSize+len(pr.Text) > maxKept {
		return false
	}
	s.kept[at] = pr
	s.keptSize += len(pr.Text)
	return true
}

// slot names the prompt of a request. Under the warm policy requests share.
func (s *Source) slot(p plan.Point, runID, phase string, seq int64) slot {
	if s.cache.Policy == plan.Warm {
		return slot{run: runID, point: p.Slug, phase: "pool", seq: seq % int64(s.cache.Pool)}
	}
	return slot{run: runID, point: p.Slug, phase: phase, seq: seq}
}

// prefixPhase is the slot of a run's common prefix.
const prefixPhase = "prefix"

// generator returns the random stream of a slot.
func (s *Source) generator(at slot) rand.PCG {
	var room [256]byte
	b := append(room[:0], "benchline prompt 1"...)
	b = binary.LittleEndian.AppendUint64(b, s.seed)
	for _, part := range [...]string{at.run, at.point, at.phase} {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(part))) //nolint:gosec // names are short
		b = append(b, part...)
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(at.seq)) //nolint:gosec // bits, not an amount
	sum := sha256.Sum256(b)
	return *rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:]))
}

// appendWords appends n words, each after a space.
func (s *Source) appendWords(b []byte, g *rand.PCG, n int) []byte {
	size := uint64(len(s.words))
	for ; n > 1; n -= 2 { // one draw of 64 bits gives two words
		x := g.Uint64()
		b = append(b, s.words[(x>>32)*size>>32]...)
		b = append(b, s.words[(x&0xffffffff)*size>>32]...)
	}
	if n == 1 {
		b = append(b, s.words[(g.Uint64()>>32)*size>>32]...)
	}
	return b
}

// keySize is the room for the hash's key, which stands before a prompt while
// it is being made, so that one pass over the buffer hashes both.
const keySize = sha256.Size

// listed makes a prompt of exactly n words.
func (s *Source) listed(at slot, n int) Prompt {
	hold := s.scratch.Get().(*[]byte)
	defer s.scratch.Put(hold)
	b := append((*hold)[:0], make([]byte, keySize)...)
	common := s.cache.SharedTokens(n)
	if common > 0 {
		b = append(b, s.listedPrefix(at, common)...)
	}
	g := s.generator(at)
	b = s.appendWords(b, &g, n-common)
	*hold = b
	pr := finish(b, at.run)
	pr.Tokens, pr.Exact = n, true
	return pr
}

// listedPrefix is the common prefix of n words.
func (s *Source) listedPrefix(at slot, n int) []byte {
	key := at.run + "\x00" + at.point
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.prefixes[key]; ok {
		return p
	}
	at.phase, at.seq = prefixPhase, 0
	g := s.generator(at)
	p := s.appendWords(make([]byte, 0, n*s.widest), &g, n)
	s.setPrefix(key, p)
	return p
}

// setPrefix notes the prefix of a run, of which few are needed at a time.
// The caller holds the lock.
func (s *Source) setPrefix(key string, p []byte) {
	const enough = 8
	if len(s.prefixes) >= enough {
		clear(s.prefixes)
	}
	s.prefixes[key] = p
}

// finish turns a buffer (room for the key, then a space and the text) into a
// prompt without a length.
func finish(b []byte, runID string) Prompt {
	key := sha256.Sum256([]byte("benchline prompt hash 1\x00" + runID))
	// The key takes the place of its room and of the leading space.
	copy(b[1:], key[:])
	sum := sha256.Sum256(b[1:])
	var digits [32]byte
	hex.Encode(digits[:], sum[:16])
	return Prompt{Text: string(b[1+keySize:]), Hash: string(digits[:])}
}
