package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"benchline/runner/plan"
	"benchline/runner/sim"
)

//go:embed demo/*.toml
var demoPlans embed.FS

func demoCommand(e env) *cobra.Command {
	var out string
	var noServe bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "A small sweep on the simulated endpoint, and its site, in under a minute",
		Long: `Starts the simulated endpoint on loopback, runs three small plans on it (cold prompts,
warm prompts, and more arrivals than it can serve), builds the site and serves it.
Everything it shows is labelled as simulated.`,
		Args: args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			public := filepath.Join(out, "public")
			if err := demo(c.Context(), e, out, public); err != nil {
				return err
			}
			if noServe {
				fmt.Fprintf(e.stdout, "site: %s\n", filepath.Join(public, "index.html"))
				return nil
			}
			return serveSite(c.Context(), e, out, public, "127.0.0.1:0")
		},
	}
	c.Flags().StringVar(&out, "out", "demo-site", "site folder to make; must not be a site yet")
	c.Flags().BoolVar(&noServe, "no-serve", false, "build only, print where the site is")
	return c
}

// demo makes the site folder dir, fills its logs and builds it into public.
func demo(ctx context.Context, e env, dir, public string) error {
	if err := initSite(dir, "benchline demo"); err != nil {
		return err
	}
	cfg := demoEndpoint()
	cfg.Now = e.now
	endpoint, err := startEndpoint(ctx, "127.0.0.1:0", cfg)
	if err != nil {
		return err
	}
	runErr := demoRuns(ctx, e, dir, endpoint.url)
	if err := errors.Join(runErr, endpoint.close()); err != nil {
		return err
	}
	built, err := buildSite(ctx, e, dir, public)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "%d records on %d pages, all from the simulated endpoint\n", built.Records, built.Pages)
	return nil
}

// demoEndpoint is a faster engine than the default, so that two sweeps with
// enough requests for a p95 fit into a minute.
func demoEndpoint() sim.Config {
	cfg := sim.Default()
	cfg.Engine.PrefillRate = 40_000
	cfg.Engine.DecodeBase = 2 * time.Millisecond
	cfg.Engine.DecodePerSequence = 100 * time.Microsecond
	return cfg
}

func demoRuns(ctx context.Context, e env, dir, url string) error {
	names, err := fs.Glob(demoPlans, "demo/*.toml")
	if err != nil {
		return fmt.Errorf("list the demo plans: %w", err)
	}
	for _, name := range names {
		source, err := demoPlans.ReadFile(name)
		if err != nil {
			return fmt.Errorf("read the demo plan: %w", err)
		}
		source = bytes.ReplaceAll(source, []byte("@URL@"), []byte(url))
		path := filepath.Join(dir, "plans", strings.TrimPrefix(name, "demo/"))
		if err := os.WriteFile(path, source, 0o644); err != nil {
			return fmt.Errorf("write the demo plan: %w", err)
		}
		p, err := plan.Parse(path, source)
		if err != nil {
			return fmt.Errorf("demo plan: %w", err)
		}
		err = runPlan(ctx, e, p, runTarget{planDir: filepath.Join(dir, "plans"), logs: filepath.Join(dir, "logs")})
		if asFault(err).code == exitVoid {
			// A busy machine voids runs. The demo is about what the site then
			// says of them, so it goes on.
			fmt.Fprintln(e.stderr, "note: this machine was too busy for at least one run; its page says so")
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
