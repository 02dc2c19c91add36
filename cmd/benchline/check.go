package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"benchline/render"
)

func checkCommand(e env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check [DIR]",
		Short: "Name everything that would stop a build, and every warning",
		Args:  args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, given []string) error {
			in, refused, err := siteInput(c.Context(), e, siteDir(given))
			if err != nil {
				return err
			}
			found, err := render.Check(c.Context(), in)
			if err != nil {
				return fmt.Errorf("check %s: %w", siteDir(given), err)
			}
			stops := false
			for _, d := range found {
				stops = stops || !d.Warning
				if asJSON {
					if err := printJSON(e.stdout, d); err != nil {
						return err
					}
					continue
				}
				fmt.Fprintln(e.stdout, d)
			}
			switch {
			case stops:
				return fault{code: exitCheckFailed}
			case refused:
				return fault{code: exitRefused}
			}
			if !asJSON {
				fmt.Fprintf(e.stdout, "%s: nothing stops a build\n", siteDir(given))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per finding")
	return c
}
