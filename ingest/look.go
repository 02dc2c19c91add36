package ingest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// each does something for every number below n, a few at a time. It ends early
// with the context's end, which is then the error.
func (s *site) each(ctx context.Context, n int, do func(i int)) error {
	next := make(chan int)
	var wg sync.WaitGroup
	for range cmp.Or(s.options.Workers, 2) {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("ingesting: %w", err)
	}
	return nil
}

// look finds the adapter of each source and takes the checksums of its files. It
// returns the jobs that are left; the others were refused or noted.
func (s *site) look(ctx context.Context, jobs []job) ([]job, error) {
	err := s.each(ctx, len(jobs), func(i int) {
		j := &jobs[i]
		if err := s.lookAt(j); err != nil {
			j.adapter = nil
			s.turnDown(*j, err)
		}
	})
	return slices.DeleteFunc(jobs, func(j job) bool { return j.adapter == nil }), err
}

// lookAt fills in what is known of a source once its files were opened. A source
// that is left aside gets no adapter.
func (s *site) lookAt(j *job) error {
	j.source.Memory = s.memory
	if err := s.preload(j); err != nil {
		return err
	}
	defer func() { j.source.Content = nil }() // not all at once
	a, err := s.options.Registry.PickSource(j.source)
	switch {
	case adapter.IsUnknown(err) && !j.meant:
		s.note(j.shown, "is in no run's folder and is left aside")
		return nil
	case err != nil && j.source.IsDir:
		return fmt.Errorf("%s: %w", j.source.Name, err)
	case err != nil:
		return err
	case j.fault != nil:
		return j.fault
	}
	j.adapter = a
	j.inputs, err = s.inputs(*j)
	return err
}

// preload reads a file that is small, so that it is opened once for all that look
// at it.
func (s *site) preload(j *job) (err error) {
	if !j.source.IsDir && j.source.FS == nil {
		j.source.Content, err = s.hashes.small(j.source.FilePath())
	}
	return err
}

// preloadAgain is preload, of what must still have the bytes that were looked at.
func (s *site) preloadAgain(j *job) error {
	if err := s.preload(j); err != nil || j.source.Content == nil {
		return err
	}
	sum := sumOf(j.source.Content)
	if !slices.ContainsFunc(j.inputs, func(in evidence.Input) bool { return in.SHA256 == sum }) {
		return changed(j.shown)
	}
	return nil
}

// inputs are the files that a source is read from, with their checksums.
func (s *site) inputs(j job) ([]evidence.Input, error) {
	if j.source.FS != nil {
		return packed(j.source)
	}
	names := []string{j.source.Name}
	if folder, ok := j.adapter.(adapter.Folder); ok && j.source.IsDir {
		var err error
		if names, err = folder.Files(j.source); err != nil {
			return nil, err
		}
	}
	names = append(names, companions(j)...)
	inputs := make([]evidence.Input, 0, len(names))
	for _, name := range names {
		if !filepath.IsLocal(name) {
			return nil, &adapter.RefusedError{Why: fmt.Sprintf("it names a file %q outside of its folder", name)}
		}
		in, err := s.input(j, name)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, in)
	}
	slices.SortFunc(inputs, func(a, b evidence.Input) int { return cmp.Compare(a.Name, b.Name) })
	return inputs, nil
}

// input is one file of a source, with its checksum.
func (s *site) input(j job, name string) (in evidence.Input, err error) {
	head := name == j.source.Name
	if head && j.source.Content != nil {
		in = evidence.Input{Bytes: int64(len(j.source.Content)), SHA256: sumOf(j.source.Content)}
	} else {
		in, err = s.hashes.file(filepath.Join(j.source.Dir, filepath.FromSlash(name)))
	}
	in.Name = name
	if head && j.source.As != "" {
		in.Name = j.source.As
	}
	return in, err
}

func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// dropCopies takes out files that have the bytes of another: the same upload, or
// the same record written down, is not counted twice, nor read twice. What lies in the site comes
// before what does not; of equals the first by name stays.
func (s *site) dropCopies(jobs []job) []job {
	slices.SortFunc(jobs, func(a, b job) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.source.Unit, b.source.Unit))
	})
	first := map[string]string{}
	return slices.DeleteFunc(jobs, func(j job) bool {
		if j.source.IsDir || len(j.inputs) == 0 {
			return false
		}
		key := j.adapter.ID().String()
		for _, in := range j.inputs {
			key += " " + in.SHA256
		}
		if other, ok := first[key]; ok {
			s.note(j.shown, "already present as "+other)
			return true
		}
		first[key] = j.source.Unit
		return false
	})
}
