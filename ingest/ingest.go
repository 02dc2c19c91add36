// Package ingest turns what lies in a site folder into evidence.
//
// It walks the site's logs, the records that people wrote down and the result
// files of other tools, finds the adapter of each by content, and keeps the
// records in the folder evidence/, one file a source. It only reads again what
// is new: a source whose bytes and whose reader are those that its evidence was
// made from stays as it is. So evidence/ may be deleted at any time, and is the
// same byte for byte when it has been built again.
//
// A source that can't be used is refused by name, with what to do about it, and
// all others are read. Logs never change after the run: one that did since it
// was read is refused too, and its evidence is set aside until the log is as it
// was or the evidence file is deleted by hand.
//
// # Identity
//
// A run is known by its ID, and its folder has that name. The same run twice is
// taken once. The same ID with other content is refused wherever it comes from,
// naming both: what is in the site already stays, and of several that are new
// none is taken, so that the order of files decides nothing.
package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// Folders of a site.
const (
	logsDir     = "logs"
	recordsDir  = "records"
	importsDir  = "imports"
	evidenceDir = "evidence"
)

// ArchiveDir is where evidence says that records of the program's own lie.
const ArchiveDir = "archive"

// Options are what an ingest needs besides the folder.
type Options struct {
	Registry adapter.Registry
	// Archive, if set, holds record files (*.toml in its root) that come with
	// the program and are read as if they lay in the site's folder archive/.
	Archive fs.FS
	// Workers is how many sources are read at once; 0: 2. Each holds one
	// source's records in memory.
	Workers int
	// CacheDir is a folder for remembered checksums. A file whose length and
	// time of change are those remembered is not hashed again. Empty: every
	// file is hashed every time.
	CacheDir string
	// Evidence is the folder in which the evidence is kept; empty: the site's
	// own. Another one leaves the site's evidence as it is: the sources are read
	// anew, to be held against it.
	Evidence string
}

// Refusal is a source that could not be used.
type Refusal struct {
	Path string `json:"path"` // below the site folder, or as given
	Why  string `json:"why"`  // one line, or one more for each of several faults
	Hint string `json:"hint,omitempty"`
}

// String is "path: why (hint)", on one line unless the file has several faults.
func (r Refusal) String() string {
	s := evidence.ShownPath(r.Path) + ": " + r.Why
	if r.Hint != "" {
		s += " (" + r.Hint + ")"
	}
	return s
}

// Note is something done or left that is no fault.
type Note struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// String is the note on one line: "path: text".
func (n Note) String() string { return evidence.ShownPath(n.Path) + ": " + n.Text }

// Report says what an ingest did. All lists are sorted.
type Report struct {
	Read      int `json:"read"`      // sources that were read
	Unchanged int `json:"unchanged"` // sources whose evidence was there already
	Removed   int `json:"removed"`   // evidence of sources that are gone
	Records   int `json:"records"`   // records that the site has now
	// Refused sources have no evidence. If there are any, the command ends
	// with exit code 3.
	Refused []Refusal `json:"refused"`
	// LookedFor is by what each adapter would have known a file. It is there
	// when a file was refused because none did.
	LookedFor   []adapter.Looked     `json:"looked_for,omitempty"`
	Notes       []Note               `json:"notes"`
	Diagnostics []adapter.Diagnostic `json:"diagnostics"`
}

// Site brings the evidence of a site folder up to date, and takes in what is at
// the given paths: runs, files of other tools, or folders of them. They are
// copied into the site's logs and imports unless they are there already. The error is for
// what stops the whole: a folder that can't be read or written, or the end of
// the context; what was written until then is good.
func Site(ctx context.Context, dir string, paths []string, o Options) (Report, error) {
	s := &site{dir: dir, options: o, store: evidence.NewStore(cmp.Or(o.Evidence, filepath.Join(dir, evidenceDir))), memory: adapter.NewMemory(), stored: map[string]evidence.Stored{}, taken: map[string]string{}}
	if err := s.open(); err != nil {
		return Report{}, err
	}
	jobs, err := s.discover(paths)
	if err != nil {
		return Report{}, err
	}
	if jobs, err = s.look(ctx, jobs); err != nil {
		return Report{}, err
	}
	jobs = s.dropCopies(s.identify(jobs))
	if err := s.process(ctx, jobs); err != nil {
		return Report{}, err
	}
	if err := s.combine(ctx); err != nil {
		return Report{}, err
	}
	if err := s.finish(); err != nil {
		return Report{}, err
	}
	return s.report, nil
}

// Records loads the evidence of a site folder, sorted by family, then slug.
func Records(dir string) ([]evidence.Record, error) {
	records, err := evidence.NewStore(filepath.Join(dir, evidenceDir)).Load()
	if err != nil {
		return nil, fmt.Errorf("loading the evidence of %s: %w", dir, err)
	}
	return records, nil
}

// site is one ingest at work.
type site struct {
	dir     string
	options Options
	store   evidence.Store
	hashes  *hashes
	memory  *adapter.Memory

	mu      sync.Mutex // guards what follows
	report  Report
	stored  map[string]evidence.Stored // by unit; what was there at the start
	kept    []evidence.Stored          // what is there at the end
	refused []string                   // units in the site whose sources were refused
	taken   map[string]string          // by unit: files from outside that were copied in, as they were given
}

// open reads what the store has.
func (s *site) open() error {
	if _, err := os.Stat(s.dir); err != nil {
		return fmt.Errorf("opening the site folder: %w", err)
	}
	var err error
	if s.hashes, err = loadHashes(s.options.CacheDir); err != nil {
		return err
	}
	units, damage, err := s.store.Units()
	if err != nil {
		return err
	}
	for _, d := range damage {
		s.note(evidenceDir+"/"+d.File, "was damaged and is made again: "+d.Err.Error())
		if err := s.store.Remove(d.File); err != nil {
			return err
		}
	}
	for _, u := range units {
		if other, ok := s.stored[u.Name]; ok {
			// A crash came between writing the new file and removing the old
			// one. Neither is trusted.
			if err := errors.Join(s.store.Remove(other.File), s.store.Remove(u.File)); err != nil {
				return err
			}
			delete(s.stored, u.Name)
			continue
		}
		s.stored[u.Name] = u
	}
	return nil
}

// finish removes evidence without a source, and refuses names that stand twice.
func (s *site) finish() error {
	for name, u := range s.stored {
		if err := s.store.Remove(u.File); err != nil {
			return err
		}
		delete(s.stored, name)
		s.report.Removed++
	}
	if err := s.refuseSameSlugs(); err != nil {
		return err
	}
	s.noteSameRuns()
	for _, u := range s.kept {
		s.report.Records += len(u.Records)
		s.report.Diagnostics = append(s.report.Diagnostics, u.Diagnostics...)
	}
	slices.SortFunc(s.report.Refused, func(a, b Refusal) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Why, b.Why)) })
	slices.SortFunc(s.report.Notes, func(a, b Note) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Text, b.Text)) })
	slices.SortFunc(s.report.Diagnostics, func(a, b adapter.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Row, b.Row), cmp.Compare(a.Msg, b.Msg))
	})
	return s.hashes.save()
}

func (s *site) refuse(path string, err error) {
	why := err.Error()
	if p, ok := err.(*fs.PathError); ok { //nolint:errorlint // not one that is wrapped: that one may be of another file
		why = p.Op + ": " + p.Err.Error() // the path is named already
	}
	r := Refusal{Path: path, Why: oneLine(why)}
	if faults, ok := errors.AsType[faultsOfFile](err); ok && len(faults.In(path)) > 0 {
		r.Why = listed(faults.In(path))
	}
	if refused, ok := errors.AsType[*adapter.RefusedError](err); ok {
		r.Hint = refused.Hint
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if unknown, ok := errors.AsType[*adapter.UnknownError](err); ok {
		s.report.LookedFor = unknown.Looked
	}
	s.report.Refused = append(s.report.Refused, r)
}

// faultsOfFile is an error that can tell the faults of a file one by one, without
// its name.
type faultsOfFile interface {
	error
	In(file string) []string
}

// listed is the faults of a file that is named already: one a line, several below
// how many they are.
func listed(faults []string) string {
	if len(faults) == 1 {
		return oneLine(faults[0])
	}
	text := fmt.Sprintf("%d faults:", len(faults))
	for _, f := range faults {
		text += "\n  " + oneLine(f)
	}
	return text
}

func (s *site) note(path, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report.Notes = append(s.report.Notes, Note{Path: path, Text: oneLine(text)})
}

// oneLine is a text in which names of files may stand, on one line and without
// what a terminal would act on.
func oneLine(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\n':
			return ' '
		case unicode.IsPrint(c):
			return c
		}
		return utf8.RuneError
	}, s)
}
