package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"benchline/runner/sim"
)

func endpointCommand(e env) *cobra.Command {
	cfg := sim.Default()
	cfg.Precise = true // it has a process of its own
	var addr, truth string
	c := &cobra.Command{
		Use:   "endpoint",
		Short: "Serve the simulated endpoint alone",
		Long: `Serves benchline's simulated OpenAI-compatible endpoint on loopback: a small
continuous-batching engine with a prefix cache and seeded faults. It is no model;
whatever is measured on it is labelled as simulated. With --truth it writes what
it really did with each request, one JSON object a line.`,
		Args: args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			cfg.Now = e.now
			return serveEndpoint(c.Context(), e, cfg, addr, truth)
		},
	}
	endpointFlags(c, &cfg, &addr, &truth)
	return c
}

// serveEndpoint serves cfg until the context ends; truth, where named, is the
// file for its truth log.
func serveEndpoint(ctx context.Context, e env, cfg sim.Config, addr, truth string) (err error) {
	if truth != "" {
		file, failed := os.Create(truth)
		if failed != nil {
			return fmt.Errorf("create the truth log: %w", failed)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		cfg.Truth = file
	}
	server, err := startEndpoint(ctx, addr, cfg)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "simulated endpoint at %s (Ctrl-C ends it)\n", server.url)
	<-ctx.Done()
	return server.close()
}

// simulated is a running simulated endpoint.
type simulated struct {
	url  string
	http *http.Server
	sim  *sim.Server
	done chan error
}

// startEndpoint serves cfg on addr, which must be a loopback address: the
// simulator is for this machine only.
func startEndpoint(ctx context.Context, addr string, cfg sim.Config) (*simulated, error) {
	if err := loopback(addr); err != nil {
		return nil, err
	}
	server, err := sim.New(cfg)
	if err != nil {
		return nil, usageFault(fmt.Errorf("set up the simulated endpoint: %w", err), "benchline endpoint --help lists the settings and their ranges")
	}
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen on %s: %w", addr, err), server.Close())
	}
	s := &simulated{
		url: "http://" + listener.Addr().String(),
		// Connections end with the context, so that a run's Ctrl-C also ends
		// a demo's endpoint.
		http: &http.Server{Handler: server, ReadHeaderTimeout: 10 * time.Second},
		sim:  server,
		done: make(chan error, 1),
	}
	go func() { s.done <- s.http.Serve(listener) }()
	return s, nil
}

func loopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return usageFault(fmt.Errorf("read the address %q: %w", addr, err), "write HOST:PORT, e.g. 127.0.0.1:8000")
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usageFault(fmt.Errorf("%s is not a loopback address", host), "the simulated endpoint serves this machine only: 127.0.0.1, [::1] or localhost")
	}
	return nil
}

func (s *simulated) close() error {
	err := errors.Join(s.http.Close(), s.sim.Close())
	if served := <-s.done; !errors.Is(served, http.ErrServerClosed) && !errors.Is(served, io.EOF) {
		err = errors.Join(err, served)
	}
	return err
}
