package main

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"benchline/runner/plan"
)

func planCommand(e env) *cobra.Command {
	return &cobra.Command{
		Use:   "plan PLAN.toml",
		Short: "Check a plan; print its points, what it will send and how long it will take",
		Args:  args(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, given []string) error {
			p, err := loadPlan(given[0])
			if err != nil {
				return err
			}
			return printPlan(e, p)
		},
	}
}

// loadPlan reads a plan; every fault of it becomes a line of the error.
func loadPlan(path string) (plan.Plan, error) {
	p, err := plan.Load(path)
	var faults plan.Faults
	switch {
	case err == nil:
		return p, nil
	case errors.As(err, &faults):
		return plan.Plan{}, usageFault(faults, "benchline init DIR writes an example plan that shows every key")
	case errors.Is(err, fs.ErrNotExist):
		return plan.Plan{}, usageFault(err, "name a plan file; benchline init DIR writes an example")
	}
	return plan.Plan{}, fmt.Errorf("read the plan: %w", err)
}

func printPlan(e env, p plan.Plan) error {
	spec, needs := p.Spec(), p.Needs()
	fmt.Fprintf(e.stdout, "%s: %s on %s, %s, profile %s\n", spec.Name, spec.Endpoint.Model, spec.Endpoint.BaseURL, spec.Endpoint.API, spec.Profile.Name)
	fmt.Fprintf(e.stdout, "plan %s\ncache %s, repeats %d, drain at most %v\n\n", p.Hash(), spec.Cache.Policy, spec.Repeats, spec.Drain.Grace)

	table := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "point\tinput\toutput\tload\twarm-up\trequests\tsockets\tseconds\t")
	for _, n := range needs.Points {
		load := fmt.Sprintf("%d outstanding", n.Point.Concurrency)
		if n.Point.Rate != nil {
			load = fmt.Sprintf("%s %s", n.Point.Rate, n.Point.Arrivals)
		}
		about := ""
		if n.Expected {
			about = "~"
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\t%s\t%s%s\t%d\t%s\t\n", n.Point.Slug, n.Point.InputTokens, n.Point.OutputTokens,
			load, known(n.Warmup), about, known(n.Requests), n.Sockets, knownSeconds(n.Seconds))
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print the plan: %w", err)
	}
	printTotals(e, needs)
	if defaults := p.Defaults(); len(defaults) > 0 {
		fmt.Fprintln(e.stdout, "\nnot in the file, so taken as:")
		for _, d := range defaults {
			fmt.Fprintf(e.stdout, "  %s = %s\n", d.Key, d.Value)
		}
	}
	return nil
}

func printTotals(e env, needs plan.Needs) {
	fmt.Fprintf(e.stdout, "\n%d runs; requests: %s; warm-up: %s\n", needs.Runs, known(needs.Requests), known(needs.Warmup))
	drain := time.Duration(needs.DrainSeconds * float64(time.Second))
	if needs.Seconds == plan.Unknown {
		fmt.Fprintf(e.stdout, "time: at least %.0f s; the rest depends on how fast the endpoint answers; draining adds at most %v\n", needs.KnownSeconds, drain)
	} else {
		fmt.Fprintf(e.stdout, "time: about %.0f s of sending; draining adds at most %v\n", needs.Seconds, drain)
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		fmt.Fprintf(e.stdout, "sockets: %d at once; the open-files limit could not be read: %v\n", needs.Sockets, err)
		return
	}
	fmt.Fprintf(e.stdout, "sockets: %d at once; open-files limit %d (may be raised to %d)\n", needs.Sockets, limit.Cur, limit.Max)
	if uint64(needs.Sockets)+reservedFiles > limit.Max {
		fmt.Fprintf(e.stdout, "warning: not enough open files for this plan: lower the concurrency (or max_in_flight), or raise the limit with ulimit -n\n")
	}
}

// reservedFiles are the files that a run needs besides its sockets: journal,
// streams, the probe's connections.
const reservedFiles = 32

func known(n int64) string {
	if n == plan.Unknown {
		return "unknown"
	}
	return fmt.Sprint(n)
}

func knownSeconds(s float64) string {
	if s == plan.Unknown {
		return "unknown"
	}
	return fmt.Sprintf("%.1f", s)
}
