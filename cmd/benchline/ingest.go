package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"benchline/content"
	"benchline/ingest"
	"benchline/ingest/adapter/all"
	"benchline/render"
)

func ingestCommand(e env) *cobra.Command {
	var site string
	var asJSON bool
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
				for _, d := range report.Diagnostics {
					fmt.Fprintf(e.stderr, "note: %s\n", d)
				}
				fmt.Fprintf(e.stdout, "%d read, %d unchanged, %d refused; %d records\n",
					report.Read, report.Unchanged, len(report.Refused), report.Records)
			}
			if len(report.Refused) > 0 {
				return fault{code: exitRefused}
			}
			return nil
		},
	}
	c.Flags().StringVar(&site, "site", ".", "site folder that keeps the evidence")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
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
