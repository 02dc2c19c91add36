package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"benchline/ingest"
	"benchline/ingest/adapter/all"
)

func ingestCommand(e env) *cobra.Command {
	var site string
	var asJSON bool
	c := &cobra.Command{
		Use:   "ingest [PATH...]",
		Short: "Turn logs into evidence",
		Long: `Reads run folders (or folders of them) into the evidence of a site. Without PATH it
reads the site's own logs folder. Logs that were read before and have not changed
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
	registry, err := all.Registry()
	if err != nil {
		return ingest.Report{}, fmt.Errorf("set up the adapters: %w", err)
	}
	report, err := ingest.Site(ctx, dir, paths, ingest.Options{Registry: registry, CacheDir: filepath.Join(dir, ".cache")})
	if err != nil {
		return ingest.Report{}, fmt.Errorf("ingest %s: %w", dir, err)
	}
	return report, nil
}
