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

	"benchline/ingest/measure"
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
	if _, err := demoRuns(ctx, e, dir, demoEndpoint(), names...); err != nil {
		return err
	}
	if err := demoPack(ctx, e, dir); err != nil {
		return err
	}
	built, err := buildSite(ctx, e, dir, public)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "%s on %s, all from the simulated endpoint\n", measure.Counted(built.Records, "record"), measure.Counted(built.Pages, "page"))
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

// demoRuns carries plans out on a simulated endpoint of their own, and reports
// whether any run was void.
func demoRuns(ctx context.Context, e env, dir string, cfg sim.Config, plans ...string) (void bool, err error) {
	cfg.Now = e.now
	endpoint, err := startEndpoint(ctx, "127.0.0.1:0", cfg)
	if err != nil {
		return false, err
	}
	for _, name := range plans {
		v, failed := demoRun(ctx, e, dir, endpoint.url, name)
		void = void || v
		if err = failed; err != nil {
			break
		}
	}
	return void, errors.Join(err, endpoint.close())
}

func demoRun(ctx context.Context, e env, dir, url, name string) (void bool, err error) {
	source, err := demoPlans.ReadFile(name)
	if err != nil {
		return false, fmt.Errorf("read the demo plan: %w", err)
	}
	source = bytes.ReplaceAll(source, []byte("@URL@"), []byte(url))
	file := filepath.Join(dir, "plans", path.Base(name))
	if err := os.WriteFile(file, source, 0o644); err != nil {
		return false, fmt.Errorf("write the demo plan: %w", err)
	}
	p, err := plan.Parse(file, source)
	if err != nil {
		return false, fmt.Errorf("demo plan: %w", err)
	}
	err = runPlan(ctx, e, p, runTarget{planDir: filepath.Join(dir, "plans"), logs: filepath.Join(dir, "logs")})
	if asFault(err).code == exitVoid {
		// A busy machine voids runs. The demo is about what the site then
		// says of them, so it goes on.
		fmt.Fprintln(e.stderr, "note: this machine was too busy for at least one run; its page says so")
		return true, nil
	}
	return false, err
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
	for _, o := range demoOptions() {
		if err := demoOptionRun(ctx, e, dir, o); err != nil {
			return err
		}
	}
	return nil
}

// demoOption is an option of the demo's pack: its plan, and the endpoint as it serves
// that option.
type demoOption struct {
	name string
	cfg  sim.Config
}

// demoOptions differ by more than a busy machine adds. A's first token takes a tenth of
// its limit. B serves two requests at once, so that with eight outstanding one waits
// for three others: longer than its limit, and a late timer only adds to it. C does not
// answer its last eight requests, which are more than 5 % of its run.
func demoOptions() []demoOption {
	a, b, c := demoEndpoint(), demoEndpoint(), demoEndpoint()
	a.Engine.DecodeBase = 10 * time.Millisecond
	b.Engine.DecodeBase, b.Engine.MaxRunning = 8*time.Millisecond, 2
	c.Engine.DecodeBase = 12 * time.Millisecond
	hang := sim.Fault{Kind: sim.StallHeaders, Wait: time.Minute}
	// The plan of C has a hundred and no warm-up; one that looks whether the endpoint
	// serves the plan comes before them.
	const before, measured, last = 1, 100, 8
	for n := before + measured - last; n < before+measured; n++ {
		hang.Requests = append(hang.Requests, int64(n+1))
	}
	c.Faults = []sim.Fault{hang}
	return []demoOption{{"s16", a}, {"s8", b}, {"s4", c}}
}

// demoTries is how often an option is measured when its runs are void.
const demoTries = 3

// demoOptionRun measures an option. A void run says nothing about the endpoint, so it is
// done again; the site keeps it. What came of a run that is not void is not looked at.
func demoOptionRun(ctx context.Context, e env, dir string, o demoOption) error {
	for try := 1; ; try++ {
		void, err := demoRuns(ctx, e, dir, o.cfg, "demo/pack/"+o.name+".toml")
		if err != nil || !void || try == demoTries {
			return err
		}
		fmt.Fprintf(e.stderr, "note: option %s is measured again\n", o.name)
	}
}
