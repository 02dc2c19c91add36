package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"benchline/ingest"
	"benchline/ingest/adapter/all"
	"benchline/ingest/evidence"
	"benchline/ingest/verify"
)

func verifyCommand(e env) *cobra.Command {
	var asJSON bool
	var site string
	c := &cobra.Command{
		Use:   "verify SITE",
		Short: "Recompute every number of a built site from the data beside it",
		Long: `Checks the checksums of a built site, recomputes every record from the per-request
logs that lie beside it, and compares every number on every page with the record it names.

Files of other tools are often not ours to publish, so they do not lie beside the pages.
With --site the site folder's own files are read anew, and what they give is held against
the records too. Nothing in the folder is changed.`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, given []string) error {
			anew, err := readAnew(c.Context(), site)
			if err != nil {
				return err
			}
			report, err := verify.Site(c.Context(), given[0], anew...)
			if err != nil {
				return checkFault(fmt.Errorf("verify %s: %w", given[0], err), "name the folder that benchline build wrote, usually DIR/public")
			}
			if asJSON {
				if err := printJSON(e.stdout, report); err != nil {
					return err
				}
			} else {
				printVerify(e, report)
			}
			if len(report.Mismatches) > 0 {
				return fault{code: exitCheckFailed}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Flags().StringVar(&site, "site", "", "site folder whose logs, records and imports are read anew")
	return c
}

// readAnew reads everything in a site folder into evidence of its own, beside
// the site's; nothing for no folder.
func readAnew(ctx context.Context, site string) ([]evidence.Record, error) {
	if site == "" {
		return nil, nil
	}
	tmp, err := os.MkdirTemp("", "benchline-verify-")
	if err != nil {
		return nil, fmt.Errorf("make a folder to read the sources into: %w", err)
	}
	defer os.RemoveAll(tmp) //nolint:errcheck // temporary
	registry, err := all.Registry()
	if err != nil {
		return nil, fmt.Errorf("set up the adapters: %w", err)
	}
	if _, err := ingest.Site(ctx, site, nil, ingest.Options{Registry: registry, Evidence: filepath.Join(tmp, "evidence")}); err != nil {
		return nil, checkFault(fmt.Errorf("read the sources of %s anew: %w", site, err), "name the site folder, in which imports/ and logs/ lie")
	}
	return ingest.Records(tmp)
}
