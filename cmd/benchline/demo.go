package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"benchline/render"
	"benchline/render/pack"
	"benchline/runner/plan"
	"benchline/runner/sim"
)

//go:embed demo/*.toml demo/pack/*.toml
var demoPlans embed.FS

func demoCommand(e env) *cobra.Command {
	var out string
	var noServe bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "A small sweep on the simulated endpoint, and its site, in under a minute",
		Long: `Starts the simulated endpoint on loopback, runs three small plans on it (cold prompts,
warm prompts, and more arrivals than it can serve), then three more for a committee pack whose
criteria are frozen before them, builds the site and serves it. Everything it shows is labelled as simulated.`,
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
	names, err := fs.Glob(demoPlans, "demo/*.toml")
	if err != nil {
		return fmt.Errorf("list the demo plans: %w", err)
	}
	if err := demoRuns(ctx, e, dir, demoEndpoint(), names...); err != nil {
		return err
	}
	if err := demoPack(ctx, e, dir); err != nil {
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

// demoRuns carries plans out on a simulated endpoint of their own.
func demoRuns(ctx context.Context, e env, dir string, cfg sim.Config, plans ...string) error {
	cfg.Now = e.now
	endpoint, err := startEndpoint(ctx, "127.0.0.1:0", cfg)
	if err != nil {
		return err
	}
	for _, name := range plans {
		if err = demoRun(ctx, e, dir, endpoint.url, name); err != nil {
			break
		}
	}
	return errors.Join(err, endpoint.close())
}

func demoRun(ctx context.Context, e env, dir, url, name string) error {
	source, err := demoPlans.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read the demo plan: %w", err)
	}
	source = bytes.ReplaceAll(source, []byte("@URL@"), []byte(url))
	file := filepath.Join(dir, "plans", path.Base(name))
	if err := os.WriteFile(file, source, 0o644); err != nil {
		return fmt.Errorf("write the demo plan: %w", err)
	}
	p, err := plan.Parse(file, source)
	if err != nil {
		return fmt.Errorf("demo plan: %w", err)
	}
	err = runPlan(ctx, e, p, runTarget{planDir: filepath.Join(dir, "plans"), logs: filepath.Join(dir, "logs")})
	if asFault(err).code == exitVoid {
		// A busy machine voids runs. The demo is about what the site then
		// says of them, so it goes on.
		fmt.Fprintln(e.stderr, "note: this machine was too busy for at least one run; its page says so")
		return nil
	}
	return err
}

// demoPack writes the demo's pack, freezes what decides before there are results,
// and then measures its three options: the same endpoint with three settings.
func demoPack(ctx context.Context, e env, dir string) error {
	source, err := demoPlans.ReadFile("demo/pack/chat.toml")
	if err != nil {
		return fmt.Errorf("read the demo pack: %w", err)
	}
	source = bytes.ReplaceAll(source, []byte("@DATE@"), []byte(e.now().UTC().Format(time.DateOnly)))
	file := filepath.Join(dir, render.PacksFolder, "chat.toml")
	p, err := pack.Parse(file, source)
	if err != nil {
		return fmt.Errorf("demo pack: %w", err)
	}
	for i := range p.Options {
		p.Options[i].Families = nil // they are named, but there is none yet
	}
	frozen, _ := pack.Freeze(p, nil, e.now())
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("make the folder of packs: %w", err)
	}
	if err := errors.Join(os.WriteFile(file, source, 0o644), os.WriteFile(pack.FreezeFile(file), frozen.TOML(), 0o644)); err != nil {
		return fmt.Errorf("write the demo pack: %w", err)
	}
	slow, brief := demoEndpoint(), demoEndpoint()
	slow.Engine.PrefillRate = 14_000
	brief.Engine.DecodeBase = time.Millisecond
	for _, option := range []struct {
		name string
		cfg  sim.Config
	}{{"s16", demoEndpoint()}, {"s8", slow}, {"s4", brief}} {
		if err := demoRuns(ctx, e, dir, option.cfg, "demo/pack/"+option.name+".toml"); err != nil {
			return err
		}
	}
	return nil
}
