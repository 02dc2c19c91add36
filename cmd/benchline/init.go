package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"benchline/runner/plan"
)

func initCommand(e env) *cobra.Command {
	return &cobra.Command{
		Use:   "init DIR",
		Short: "Make a new site folder",
		Args:  args(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, given []string) error {
			dir := given[0]
			if err := initSite(dir, "Benchmarks"); err != nil {
				return err
			}
			example := filepath.Join(dir, "plans", "example.toml")
			if err := os.WriteFile(example, plan.Example(), 0o644); err != nil {
				return fmt.Errorf("write the example plan: %w", err)
			}
			fmt.Fprintf(e.stdout, "%s is a site now. Next:\n", dir)
			fmt.Fprintf(e.stdout, "  edit %s, then\n", example)
			fmt.Fprintf(e.stdout, "  benchline plan %s\n", example)
			fmt.Fprintf(e.stdout, "  benchline run %s --out %s\n", example, filepath.Join(dir, "logs"))
			fmt.Fprintf(e.stdout, "  benchline serve %s\n", dir)
			return nil
		},
	}
}

// initSite makes the folders and the site file. A folder that is a site
// already is refused, never changed.
func initSite(dir, title string) error {
	config := filepath.Join(dir, "site.toml")
	if _, err := os.Stat(config); err == nil {
		return usageFault(fmt.Errorf("%s is a site already", dir), "name a new folder, or edit "+config)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look at %s: %w", config, err)
	}
	for _, part := range []string{"plans", "logs", "content"} {
		if err := os.MkdirAll(filepath.Join(dir, part), 0o755); err != nil {
			return fmt.Errorf("make the site folder: %w", err)
		}
	}
	text := fmt.Sprintf("title  = %q\nbase   = \"\"   # public address, e.g. https://example.org/bench/; empty: pages name none\nauthor = \"\"\nlicence = \"\"\n", title)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write site.toml: %w", err)
	}
	return nil
}
