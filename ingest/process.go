package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// fatalError is an error that stops the whole ingest: the site folder can't be
// written, not: a source can't be read.
type fatalError struct{ err error }

func (e *fatalError) Error() string { return e.err.Error() }
func (e *fatalError) Unwrap() error { return e.err }

// process does the jobs, a few at a time. The result does not depend on which
// is done first.
func (s *site) process(ctx context.Context, jobs []job) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := s.each(ctx, len(jobs), func(i int) {
		err := s.do(ctx, jobs[i])
		var fatal *fatalError
		switch {
		case err == nil:
		case errors.As(err, &fatal), ctx.Err() != nil:
			cancel(err)
		default:
			s.turnDown(jobs[i], err)
		}
	})
	if err != nil {
		return err
	}
	return s.setAside()
}

// do brings the evidence of one source up to date.
func (s *site) do(ctx context.Context, j job) error {
	unit := evidence.Unit{Name: j.source.Unit, Reader: j.adapter.ID().String(), Inputs: j.inputs}
	old, had := s.storedUnit(unit.Name)
	if had && !slices.Equal(old.Inputs, unit.Inputs) && j.id != "" {
		return &adapter.RefusedError{Why: "was changed after it was read: " + differing(old.Inputs, unit.Inputs),
			Hint: fmt.Sprintf("a run never changes after it ended: bring the log back as it was, or delete %s/%s to take it as it is", evidenceDir, old.AsideFile())}
	}
	if had && old.SameSource(unit) {
		s.count(&s.report.Unchanged)
		return s.keep(old)
	}
	if err := s.preloadAgain(&j); err != nil {
		return err
	}
	records, err := s.read(ctx, j, &unit)
	if err != nil {
		return err
	}
	if j.outside {
		if err := s.copyIn(j, unit.Inputs); err != nil {
			return err
		}
		s.take(j)
	}
	s.count(&s.report.Read)
	return s.put(unit, records, old, had)
}

// take remembers a file that was copied in.
func (s *site) take(j job) {
	if j.source.IsDir {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken[j.source.Unit] = j.shown
}

func (s *site) count(n *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n++
}

// packed is the input of a source that lies in the program.
func packed(src adapter.Source) ([]evidence.Input, error) {
	b, err := fs.ReadFile(src.FS, src.Name)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", src.Unit, err)
	}
	return []evidence.Input{{Name: src.Name, Bytes: int64(len(b)), SHA256: sumOf(b)}}, nil
}

// differing says which inputs are not as they were.
func differing(old, now []evidence.Input) string {
	var names []string
	for _, in := range now {
		if !slices.Contains(old, in) {
			names = append(names, in.Name)
		}
	}
	for _, in := range old {
		if !slices.ContainsFunc(now, func(o evidence.Input) bool { return o.Name == in.Name }) {
			names = append(names, in.Name+" (gone)")
		}
	}
	return fmt.Sprint(names)
}

// read has the adapter read a source, and fills in the unit.
func (s *site) read(ctx context.Context, j job, unit *evidence.Unit) ([]evidence.Sealed, error) {
	grouper, groups := j.adapter.(adapter.Grouper)
	var records []evidence.Sealed
	diagnostics, err := j.adapter.Read(ctx, j.source, func(sealed evidence.Sealed) error {
		r := sealed.Record()
		e := evidence.Entry{ID: r.ID, Slug: r.Slug}
		e.RunID, _ = r.Subject.SourceRunID.Get()
		if groups {
			var err error
			if e.Group, err = grouper.Group(r); err != nil {
				return err
			}
		}
		unit.Records = append(unit.Records, e)
		records = append(records, sealed)
		return nil
	})
	unit.Diagnostics = diagnostics
	return records, err
}

// put writes a unit in place of an old one.
func (s *site) put(unit evidence.Unit, records []evidence.Sealed, old evidence.Stored, had bool) error {
	name, err := s.store.Put(unit, records)
	if err != nil {
		return &fatalError{err}
	}
	if had && old.File != name {
		if err := s.store.Remove(old.File); err != nil {
			return &fatalError{err}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.stored, unit.Name)
	s.kept = append(s.kept, evidence.Stored{Unit: unit, File: name})
	return nil
}

// keep leaves a unit as it is.
func (s *site) keep(u evidence.Stored) error {
	if u.Aside {
		name, err := s.store.Restore(u)
		if err != nil {
			return &fatalError{err}
		}
		u.File, u.Aside = name, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.stored, u.Name)
	s.kept = append(s.kept, u)
	return nil
}

func (s *site) storedUnit(name string) (evidence.Stored, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, ok := s.stored[name]
	return u, ok
}

// turnDown refuses a source. What was read of it before is set aside, not
// removed: it is how a changed log is told from a new one.
func (s *site) turnDown(j job, err error) {
	s.refuse(j.shown, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !j.outside {
		s.refused = append(s.refused, j.source.Unit)
	}
}

func (s *site) setAside() error {
	for _, unit := range s.refused {
		u, ok := s.stored[unit]
		if !ok {
			continue
		}
		if !u.Aside {
			if _, err := s.store.SetAside(u); err != nil {
				return err
			}
		}
		delete(s.stored, unit)
	}
	return nil
}
