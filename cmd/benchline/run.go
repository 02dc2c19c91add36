package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"benchline/runner"
	"benchline/runner/plan"
)

func runCommand(e env) *cobra.Command {
	var out string
	var asJSON bool
	c := &cobra.Command{
		Use:   "run PLAN.toml",
		Short: "Run a plan; one log folder per run",
		Long: `Runs every point of a plan, as often as it says, and keeps one folder a run: the
per-request log, the manifest and the plan. A folder is never changed after its run.
Ctrl-C ends a run cleanly with what there is.`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, given []string) error {
			p, err := loadPlan(given[0])
			if err != nil {
				return err
			}
			return runPlan(c.Context(), e, p, runTarget{planDir: filepath.Dir(given[0]), logs: out, asJSON: asJSON})
		},
	}
	c.Flags().StringVar(&out, "out", "logs", "folder that the run folders are made in")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per run")
	return c
}

// runTarget says where a plan comes from and where its results go.
type runTarget struct {
	planDir string // the word list is relative to it
	logs    string
	asJSON  bool
}

// runPlan runs a plan and prints one line per run. Its error carries the exit
// code: 4 the endpoint cannot be measured, 5 a run is void, 130 interrupted.
func runPlan(ctx context.Context, e env, p plan.Plan, to runTarget) error {
	progress := newProgress(e.stderr)
	results, err := runner.Run(ctx, p, runner.Options{
		Out: to.logs, Stamp: e.now(), Tool: toolName(), Getenv: e.getenv, Clock: e.now,
		Progress: progress.show, PlanDir: to.planDir, Host: os.DirFS("/"),
	})
	progress.end()
	anyVoid := false
	for _, r := range results {
		anyVoid = anyVoid || void(r.Manifest)
		if to.asJSON {
			if err := printJSON(e.stdout, r.Manifest); err != nil {
				return err
			}
			continue
		}
		printLedger(e.stdout, r.Manifest)
	}
	switch {
	case err != nil:
		return runFault(err)
	case anyVoid:
		return fault{exitVoid, errors.New("at least one run is void"), "its log is kept; its page says why"}
	}
	return nil
}

// runFault gives each way in which a plan can end early its exit code.
func runFault(err error) error {
	if errors.Is(err, runner.ErrInterrupted) {
		return fault{exitInterrupted, errors.New("interrupted; what was recorded is kept"), ""}
	}
	if errors.Is(err, runner.ErrLog) {
		// Closing the journal fails for the same reason: once is enough.
		first, _, _ := strings.Cut(err.Error(), "\n")
		return fault{exitOurs, errors.New(first), "what was recorded before is in the run's journal: make room, then benchline recover RUN"}
	}
	var stopped *runner.PreflightError
	if !errors.As(err, &stopped) {
		return err
	}
	msg := stopped.Msg
	if stopped.Err != nil && !strings.Contains(msg, stopped.Err.Error()) {
		msg = fmt.Sprintf("%s: %v", msg, stopped.Err)
	}
	code := exitCheckFailed
	switch stopped.Kind {
	case runner.FolderExists, runner.BadWords, runner.TooFewFiles:
		code = exitUsage
	case runner.Unreachable, runner.TLSProblem, runner.WrongKey, runner.WrongModel,
		runner.NotAnAPI, runner.NotReady, runner.Refused:
	}
	return fault{code, errors.New(msg), stopped.Hint}
}
