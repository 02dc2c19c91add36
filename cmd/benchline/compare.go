package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"benchline/ingest"
	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/render"
)

func compareCommand(e env) *cobra.Command {
	var site string
	var asJSON bool
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Say what a comparison of two records means, and give the numbers that are left",
		Long: `Sets two records side by side, dimension by dimension, and says whether a comparison
means anything: controlled, confounded, a ratio of two systems, or not comparable. Only
the first has a difference and only the third a ratio; the others say what would have to
be known or done. A is the base: B less A, B divided by A.

A and B are slugs or evidence IDs of the site's records (the first eight digits of an ID
are enough), or paths of run folders and result files, which are read without being kept.
Outside of a site they are records of the built-in archive.`,
		Example: "  benchline compare e16-short-c16-run1 b0-short-c16\n  benchline compare --site bench chat-c16-repeats chat-c32-repeats",
		Args:    args(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, given []string) error {
			l := lookup{env: e, site: site, named: c.Flags().Changed("site")}
			defer l.close()
			a, err := l.record(c.Context(), given[0])
			if err != nil {
				return err
			}
			b, err := l.record(c.Context(), given[1])
			if err != nil {
				return err
			}
			if a.ID == b.ID {
				return usageFault(fmt.Errorf("%q and %q are the same record", given[0], given[1]), "a record compared with itself says nothing: name two")
			}
			v := compare.Compare(a, b)
			numbers := compare.NumbersOf(v, a, b, l.run)
			if asJSON {
				return compare.WriteLines(e.stdout, v, a, b, numbers)
			}
			width, _ := onTerminal(e.stdout)
			printComparison(e.stdout, width, v, a, b, numbers)
			return nil
		},
	}
	c.Flags().StringVar(&site, "site", ".", "site folder that has the evidence")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line: the verdict, each dimension, each metric, each number")
	return c
}

// lookup finds records by what a person calls them.
type lookup struct {
	env   env
	site  string
	named bool // the site was asked for by name

	loaded  bool
	records []evidence.Record // of the site, or of the archive
	read    []evidence.Record // of paths
	temp    []string          // folders that are removed at the end
}

func (l *lookup) close() {
	for _, dir := range l.temp {
		_ = os.RemoveAll(dir) // nothing in it is needed; a left-over harms nobody
	}
}

// run finds a record by its slug, for the members of summaries.
func (l *lookup) run(slug string) (evidence.Record, bool) {
	for _, list := range [][]evidence.Record{l.read, l.records} {
		for _, r := range list {
			if r.Slug == slug {
				return r, true
			}
		}
	}
	return evidence.Record{}, false
}

// record finds the record that a word names.
func (l *lookup) record(ctx context.Context, word string) (evidence.Record, error) {
	if isPath(word) {
		return l.fromPath(ctx, word)
	}
	if err := l.load(ctx); err != nil {
		return evidence.Record{}, err
	}
	found := byName(l.records, word)
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return evidence.Record{}, usageFault(fmt.Errorf("there is no record %q in %s", word, l.place()), nearHint(l.records, word))
	}
	return evidence.Record{}, usageFault(fmt.Errorf("%q begins the ID of %d records", word, len(found)), "give more digits, or the slug: "+slugList(found))
}

// isPath tells a path from a slug: it names something that is there, and has a
// separator or an ending that no evidence has.
func isPath(word string) bool {
	if filepath.Base(word) == word && evidence.IsSlug(word) {
		return false
	}
	_, err := os.Stat(word)
	return err == nil
}

func (l *lookup) place() string {
	if l.isSite() {
		return "the evidence of " + l.site
	}
	return "the built-in archive"
}

func (l *lookup) isSite() bool {
	_, err := os.Stat(filepath.Join(l.site, render.ConfigFile))
	return err == nil
}

// load reads the records of the site, or of the built-in archive where there is
// no site.
func (l *lookup) load(ctx context.Context) error {
	if l.loaded {
		return nil
	}
	l.loaded = true
	if !l.isSite() {
		if l.named {
			return usageFault(fmt.Errorf("%s is not a site: it has no %s", l.site, render.ConfigFile), "benchline init "+l.site+" makes one")
		}
		var err error
		l.records, err = l.readInto(ctx, nil, true)
		return err
	}
	report, err := ingestSite(ctx, l.site, nil)
	if err != nil {
		return err
	}
	printRefusals(l.env, report)
	if l.records, err = ingest.Records(l.site); err != nil {
		return fmt.Errorf("read the evidence of %s: %w", l.site, err)
	}
	return nil
}

// readInto reads paths, and the archive if asked for, into a folder that is
// removed at the end.
func (l *lookup) readInto(ctx context.Context, paths []string, archive bool) ([]evidence.Record, error) {
	dir, err := os.MkdirTemp("", "benchline-compare-")
	if err != nil {
		return nil, fmt.Errorf("make a folder to read into: %w", err)
	}
	l.temp = append(l.temp, dir)
	if archive {
		if err := os.WriteFile(filepath.Join(dir, render.ConfigFile), []byte("archive = true\n"), 0o600); err != nil {
			return nil, fmt.Errorf("ask for the archive: %w", err)
		}
	}
	report, err := ingestSite(ctx, dir, paths)
	if err != nil {
		return nil, err
	}
	printRefusals(l.env, report)
	return ingest.Records(dir)
}

// fromPath reads what lies at a path: one record, or the summary over all of
// the runs that lie there.
func (l *lookup) fromPath(ctx context.Context, path string) (evidence.Record, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return evidence.Record{}, fmt.Errorf("find %s: %w", path, err)
	}
	records, err := l.readInto(ctx, []string{abs}, false)
	if err != nil {
		return evidence.Record{}, err
	}
	l.read = append(l.read, records...)
	r, err := onlyOne(records)
	if err != nil {
		return evidence.Record{}, usageFault(fmt.Errorf("%s: %w", path, err), "ingest it into a site, and name two of its records")
	}
	return r, nil
}

// onlyOne is the one record of a list, or the summary whose members all others are.
func onlyOne(records []evidence.Record) (evidence.Record, error) {
	if len(records) == 1 {
		return records[0], nil
	}
	for _, r := range records {
		if len(r.Members) > 0 && len(r.Members) == len(records)-1 {
			return r, nil
		}
	}
	if len(records) == 0 {
		return evidence.Record{}, errors.New("there is no record in it")
	}
	return evidence.Record{}, fmt.Errorf("%d records are in it: %s", len(records), slugList(records))
}
