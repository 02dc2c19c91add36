package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"benchline/content"
	"benchline/ingest"
	"benchline/ingest/adapter/all"
	"benchline/ingest/measure"
	"benchline/render"
)

func ingestCommand(e env) *cobra.Command {
	var site string
	var asJSON, notes bool
	c := &cobra.Command{
		Use:   "ingest [PATH...]",
		Short: "Turn logs into evidence",
		Long: `Reads run folders (or folders of them) into the evidence of a site, and always the
site's own logs and records. Says of a record that was written down what it lacks. Logs that were read before and have not changed
are not read again.`,
		RunE: func(c *cobra.Command, given []string) error {
			report, err := ingestSite(c.Context(), site, given)
			if err != nil {
				return err
			}
			if asJSON {
				if err := printJSON(e.stdout, report); err != nil {
					return err
				}
			} else {
				printRefusals(e, report)
				printNotes(e, report, notes)
				fmt.Fprintf(e.stdout, "%d read, %d unchanged, %d refused; %s\n",
					report.Read, report.Unchanged, len(report.Refused), measure.Counted(report.Records, "record"))
			}
			if len(report.Refused) > 0 {
				return fault{code: exitRefused}
			}
			return nil
		},
	}
	c.Flags().StringVar(&site, "site", ".", "site folder that keeps the evidence")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().BoolVar(&notes, "notes", false, "print all notes, also those on the built-in archive")
	return c
}

// mostNotes is how many notes on files that were left or taken once are printed
// unless all are asked for.
const mostNotes = 20

// printNotes says what is no fault. What the records of the built-in archive lack
// is the same in every site, and is printed only when all is.
func printNotes(e env, report ingest.Report, all bool) {
	left := 0
	for i, n := range report.Notes {
		if !all && i >= mostNotes {
			left = len(report.Notes) - i
			break
		}
		fmt.Fprintf(e.stderr, "note: %s\n", n)
	}
	for _, d := range report.Diagnostics {
		if !all && strings.HasPrefix(d.File, ingest.ArchiveDir+"/") {
			left++
			continue
		}
		fmt.Fprintf(e.stderr, "note: %s\n", d)
	}
	if left > 0 {
		fmt.Fprintf(e.stderr, "%d more notes; --notes prints all\n", left)
	}
}

// ingestSite reads what is new into the evidence of the site dir: paths, or
// the site's own logs when there are none.
func ingestSite(ctx context.Context, dir string, paths []string) (ingest.Report, error) {
	defer easeCollector()()
	registry, err := all.Registry()
	if err != nil {
		return ingest.Report{}, fmt.Errorf("set up the adapters: %w", err)
	}
	archive, err := archiveOf(dir)
	if err != nil {
		return ingest.Report{}, err
	}
	report, err := ingest.Site(ctx, dir, paths, ingest.Options{Registry: registry, CacheDir: filepath.Join(dir, ".cache"), Archive: archive})
	if err != nil {
		return ingest.Report{}, fmt.Errorf("ingest %s: %w", dir, err)
	}
	return report, nil
}

// archiveOf is the record files of the built-in archive if the site dir asks for
// them; nil otherwise.
func archiveOf(dir string) (fs.FS, error) {
	config, err := render.LoadConfig(os.DirFS(dir))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !config.Archive {
		return nil, nil //nolint:nilnil // no archive is no error
	}
	if err != nil {
		return nil, usageFault(fmt.Errorf("read %s: %w", filepath.Join(dir, render.ConfigFile), err), "")
	}
	archive, err := fs.Sub(content.Archive(), "archive")
	if err != nil {
		return nil, fmt.Errorf("open the built-in archive: %w", err)
	}
	return archive, nil
}
