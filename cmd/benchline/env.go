package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// env is everything that the program takes from its process, so that a test
// can run a whole command.
type env struct {
	args   []string
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string
	now    func() time.Time
}

// run carries out one command line and returns its exit code. It is the one
// place where an error becomes text.
func run(ctx context.Context, e env) exitCode {
	out := &sticky{w: e.stdout}
	e.stdout = out
	root := newRoot(e) //nolint:contextcheck // each command takes its context from cobra
	root.SetArgs(e.args)
	root.SetIn(e.stdin)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	err := root.ExecuteContext(ctx)
	if err == nil && out.err != nil {
		err = fmt.Errorf("write the results: %w", out.err)
	}
	if err == nil {
		return exitDone
	}
	f := asFault(err)
	if f.err != nil {
		for line := range strings.Lines(strings.TrimRight(f.err.Error(), "\n")) {
			fmt.Fprintf(e.stderr, "error: %s\n", strings.TrimRight(line, "\n"))
		}
	}
	if f.hint != "" {
		fmt.Fprintf(e.stderr, "hint: %s\n", f.hint)
	}
	return f.code
}

// sticky remembers the first error of a writer, so that a command that could
// not print its results does not end with 0.
type sticky struct {
	w   io.Writer
	err error
}

// Write writes unless a write has failed before.
func (s *sticky) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.err = err
	return n, err
}

func newRoot(e env) *cobra.Command {
	root := &cobra.Command{
		Use:   "benchline",
		Short: "Benchmarks of LLM inference endpoints in which every number can defend itself",
		Long: `benchline runs measured sweeps on LLM inference endpoints into per-request Parquet
logs, reads those as evidence, and renders a static site on which no headline
number stands without its numerator, denominator, cache state and unresolved requests.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageFault(fmt.Errorf("unknown command %q", args[0]), suggest(c, args[0]))
			}
			return c.Help()
		},
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageFault(err, fmt.Sprintf("%s --help lists the flags", c.CommandPath()))
	})
	root.SuggestionsMinimumDistance = 2
	root.AddCommand(
		demoCommand(e), initCommand(e), planCommand(e), runCommand(e), recoverCommand(e), ingestCommand(e),
		buildCommand(e), serveCommand(e), checkCommand(e), verifyCommand(e), compareCommand(e), packCommand(e), exportCommand(e), endpointCommand(e), versionCommand(e),
	)
	return root
}

// suggest is the hint for a mistyped command.
func suggest(c *cobra.Command, name string) string {
	if near := c.SuggestionsFor(name); len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	return "benchline help lists the commands"
}

// args makes a usage fault of a wrong number of arguments.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, given []string) error {
		if err := check(c, given); err != nil {
			return usageFault(err, "usage: "+c.UseLine())
		}
		return nil
	}
}

// onTerminal reports whether w is a terminal, and how wide it is.
func onTerminal(w io.Writer) (width int, ok bool) {
	file, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 80, true
	}
	return width, true
}
