package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"benchline/ingest/verify"
)

func verifyCommand(e env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify SITE",
		Short: "Recompute every number of a built site from the data beside it",
		Long: `Checks the checksums of a built site, recomputes every record from the per-request
logs that lie beside it, and compares every number on every page with the record it names.`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, given []string) error {
			report, err := verify.Site(c.Context(), given[0])
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
	return c
}
