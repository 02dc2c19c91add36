// Command benchline runs measured sweeps on LLM inference endpoints, keeps a
// per-request log of each, and renders the evidence as a static site on which
// no headline number stands without its numerator, denominator, cache state
// and unresolved requests.
//
// This package is the only one that sees arguments, the environment, the
// standard streams and the wall clock. Each subcommand has a file of its own.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	// The first Ctrl-C ends a run cleanly; stop() then restores the default,
	// so that a second one ends the process at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop()
	}()
	code := run(ctx, env{
		args:   os.Args[1:],
		stdin:  os.Stdin,
		stdout: os.Stdout,
		stderr: os.Stderr,
		getenv: os.Getenv,
		now:    time.Now,
	})
	stop()
	os.Exit(int(code))
}
