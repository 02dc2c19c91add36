package adaptertest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// damages is how often each kind of damage is done to each file of a sample.
const damages = 12

// damage cuts, shuffles and flips the files of a sample. The adapter may refuse
// what is left, or read it; it must not panic, and what it yields must be sealed.
func (c *checker) damage(ctx context.Context, s Sample) {
	src, err := c.copy(s.Source)
	if err != nil {
		c.fault("%s: copying: %v", s.Unit, err)
		return
	}
	names, err := c.files(s.Source)
	if err != nil {
		c.fault("%s: %v", s.Unit, err)
		return
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range names {
		whole, err := os.ReadFile(filepath.Join(src.Dir, name))
		if err != nil {
			c.fault("%s: %v", s.Unit, err)
			return
		}
		for _, broken := range broken(rng, whole) {
			c.tryDamaged(ctx, src, name, broken)
		}
		if err := os.WriteFile(filepath.Join(src.Dir, name), whole, 0o644); err != nil {
			c.fault("%s: %v", s.Unit, err)
			return
		}
	}
}

func (c *checker) tryDamaged(ctx context.Context, src adapter.Source, name string, b []byte) {
	if err := os.WriteFile(filepath.Join(src.Dir, name), b, 0o644); err != nil {
		c.fault("%s: %v", src.Unit, err)
		return
	}
	if name == src.Name {
		c.sniff(b[:min(len(b), adapter.SniffLen)], name)
	}
	_, records, err := c.read(ctx, src)
	if err != nil {
		return
	}
	for _, r := range records {
		if err := evidence.Validate(r); err != nil {
			c.fault("%s: with a damaged %s it yields a record that is not valid: %v", src.Unit, name, err)
		}
	}
}

// broken returns damaged versions of some bytes.
func broken(rng *rand.Rand, whole []byte) [][]byte {
	out := [][]byte{{}}
	for range damages {
		if len(whole) < 2 {
			break
		}
		out = append(out, whole[:rng.IntN(len(whole))])

		flipped := slices.Clone(whole)
		flipped[rng.IntN(len(flipped))] ^= 1 << rng.IntN(8)
		out = append(out, flipped)

		shuffled := slices.Clone(whole)
		from := rng.IntN(len(shuffled))
		part := shuffled[from:min(len(shuffled), from+256)]
		rng.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
		out = append(out, shuffled)
	}
	return out
}

// files lists the files of a source: the folder's, or the one.
func (c *checker) files(s adapter.Source) ([]string, error) {
	if !s.IsDir {
		return []string{s.Name}, nil
	}
	entries, err := s.ReadDir()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// copy puts a source into a folder of its own. A folder keeps its name, which
// may be part of what is read.
func (c *checker) copy(s adapter.Source) (adapter.Source, error) {
	parent, err := os.MkdirTemp(c.dir, "copy-*")
	if err != nil {
		return adapter.Source{}, err
	}
	to := filepath.Join(parent, filepath.Base(s.Dir))
	if err := os.Mkdir(to, 0o755); err != nil {
		return adapter.Source{}, err
	}
	names, err := c.files(s)
	if err != nil {
		return adapter.Source{}, err
	}
	var companions []string
	if b, ok := c.suite.Adapter.(adapter.Beside); ok && !s.IsDir {
		companions = b.Companions()
	}
	for _, name := range append(companions, names...) {
		b, err := os.ReadFile(filepath.Join(s.Dir, name))
		if errors.Is(err, fs.ErrNotExist) && slices.Contains(companions, name) {
			continue
		}
		if err != nil {
			return adapter.Source{}, fmt.Errorf("copying %s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(to, name), b, 0o644); err != nil {
			return adapter.Source{}, err
		}
	}
	s.Dir = to
	return s, nil
}
