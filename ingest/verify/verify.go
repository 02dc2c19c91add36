// Package verify recomputes every number of a built site from the data beside
// it, and holds every page against the result.
//
// It trusts nothing that the site says of itself. In order:
//
//  1. Every file has the checksum that SHA256SUMS gives, and none is missing
//     there.
//  2. Every record of data/records.jsonl is canonical, valid, and has the ID
//     that its content hashes to.
//  3. Every record of a run is computed again from the log under data/runs, and
//     every summary from its members; both must be equal byte for byte. A
//     record without a log is counted as quoted: it can't be recomputed here.
//     Where the caller has read the source files anew, it is held against
//     what they give.
//  4. Every headline block and every figure on every page names a record and a
//     metric, carries the record's number exactly, shows it to within half of
//     the last digit shown, and gives the record's ledger. Whatever else stands
//     with a unit in a headline block (bounds, interval, window) is a number of
//     the record too.
//  5. Every number that a committee document computes from those of records is
//     computed again from its terms, and every verdict is given again.
//  6. Every comparison of two records is given again: its verdict, every
//     dimension, what is said of every metric, every difference, ratio, interval
//     and test, and the file for machines beside its page.
//  7. On pages of records, families, profiles and comparisons no number stands beside a
//     performance unit outside of such an element.
//
// # Limits
//
// Whether the log itself is true can't be known from it, nor whether a price is. Drawings are not read:
// what they show stands as figures in the table beside each. Markdown twins are
// covered by their checksums only. The search for stray numbers knows the
// units that this program writes, not every way to write one.
package verify

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"benchline/ingest/evidence"
)

// Mismatch is one thing that is not as it must be.
type Mismatch struct {
	Path string `json:"path"` // page or file, below the site
	What string `json:"what"`
}

// String is "path: what".
func (m Mismatch) String() string { return m.Path + ": " + m.What }

// Report is what was looked at and what was found. Verified reports whether all
// is well.
type Report struct {
	Files      int `json:"files"`      // with the right checksum
	Records    int `json:"records"`    // in data/records.jsonl
	Recomputed int `json:"recomputed"` // records computed again from their logs or members
	Quoted     int `json:"quoted"`     // records without a log: quoted, not recomputable
	// Reread are those of the quoted records that were read again from their
	// file: written down by hand, or from another tool's file that was given.
	Reread    int `json:"reread"`
	Numbers   int `json:"numbers"` // figures of the records that were recomputed
	Pages     int `json:"pages"`
	Headlines int `json:"headlines"` // headline blocks that were held against their record
	Figures   int `json:"figures"`   // other figures likewise
	// Computed and Verdicts are the numbers that committee documents compute and
	// what they judge: both were done again.
	Computed int `json:"computed"`
	Verdicts int `json:"verdicts"`
	// Comparisons are verdicts on two records, wherever they stand, and Compared
	// the differences and ratios in them.
	Comparisons int `json:"comparisons"`
	Compared    int `json:"compared"`
	// Mismatches are sorted by path; empty: everything holds.
	Mismatches []Mismatch `json:"mismatches"`
}

// Verified reports whether no mismatch was found.
func (r Report) Verified() bool { return len(r.Mismatches) == 0 }

// Site verifies the built site in a folder. The error is for what stops the
// verification itself: a folder that can't be read, or the end of the context.
// What is wrong with the site is in the report.
//
// Anew are records that were read again from the files of other tools, which
// may not lie in the site: quoted records of the same names must be equal to them.
func Site(ctx context.Context, dir string, anew ...evidence.Record) (Report, error) {
	v := &verifier{dir: dir, records: map[string]*evidence.Record{}, anew: map[string]evidence.Record{}, strays: strayPatterns()}
	for _, r := range anew {
		v.anew[r.Slug] = r
	}
	if info, err := os.Stat(dir); err != nil {
		return Report{}, fmt.Errorf("opening the site: %w", err)
	} else if !info.IsDir() {
		return Report{}, fmt.Errorf("opening the site: %s is not a folder", dir)
	}
	for _, step := range []func(context.Context) error{v.sums, v.readRecords, v.recompute, v.walkPages, v.links} {
		if err := step(ctx); err != nil {
			return Report{}, fmt.Errorf("verifying %s: %w", dir, err)
		}
		if err := ctx.Err(); err != nil {
			return Report{}, fmt.Errorf("verifying %s: %w", dir, err)
		}
	}
	slices.SortFunc(v.report.Mismatches, func(a, b Mismatch) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.What, b.What))
	})
	return v.report, nil
}

// workers is how many files are read at once.
const workers = 2

type verifier struct {
	dir     string
	files   []string // all files, with slashes, sorted
	records map[string]*evidence.Record
	anew    map[string]evidence.Record // read again by the caller, by slug
	slugs   []string                   // in the order of data/records.jsonl
	strays  []*regexp.Regexp
	// pages are what was found on each page, by its path.
	pages map[string]*page

	mu     sync.Mutex // guards report
	report Report
}

func (v *verifier) mismatch(path, format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.report.Mismatches = append(v.report.Mismatches, Mismatch{Path: path, What: fmt.Sprintf(format, args...)})
}

func (v *verifier) count(n *int, by int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	*n += by
}

// path is where a file of the site lies on this machine.
func (v *verifier) path(name string) string { return filepath.Join(v.dir, filepath.FromSlash(name)) }

// each calls do for every item, a few at a time, and returns the first error.
func each[T any](ctx context.Context, items []T, do func(T) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := make(chan T)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for item := range todo {
				if ctx.Err() != nil {
					continue
				}
				if err := do(item); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, item := range items {
		if ctx.Err() != nil {
			break
		}
		todo <- item
	}
	close(todo)
	wg.Wait()
	return context.Cause(ctx)
}
