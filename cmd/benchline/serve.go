package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
)

func serveCommand(e env) *cobra.Command {
	var addr string
	c := &cobra.Command{
		Use:   "serve [DIR]",
		Short: "Build a site, serve it on loopback, rebuild on change",
		Args:  args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, given []string) error {
			dir := siteDir(given)
			out := filepath.Join(dir, "public")
			if _, err := buildSite(c.Context(), e, dir, out); err != nil {
				return err
			}
			return serveSite(c.Context(), e, dir, out, addr)
		},
	}
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:0", "address to listen on; port 0 picks a free one")
	return c
}

// serveSite serves out on addr until the context ends and rebuilds when a
// source file of the site changes.
func serveSite(ctx context.Context, e env, dir, out, addr string) error {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return usageFault(fmt.Errorf("listen on %s: %w", addr, err), "--addr 127.0.0.1:0 picks a free port")
	}
	server := &http.Server{Handler: http.FileServer(http.Dir(out)), ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	fmt.Fprintf(e.stdout, "serving %s at http://%s/ (Ctrl-C ends it)\n", out, listener.Addr())

	seen := newest(dir)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return server.Close()
		case err := <-served:
			if errors.Is(err, http.ErrServerClosed) {
				return nil
			}
			return fmt.Errorf("serve the site: %w", err)
		case <-tick.C:
			if now := newest(dir); now != seen {
				seen = now
				// A broken page is reported, not fatal: the author is editing.
				if built, err := buildSite(ctx, e, dir, out); err != nil {
					fmt.Fprintf(e.stderr, "error: %v\n", err)
				} else {
					fmt.Fprintf(e.stderr, "rebuilt: %d pages\n", built.Pages)
				}
			}
		}
	}
}

// change is what newest watches: the latest change time and the file count,
// so that a removal is seen too.
type change struct {
	latest time.Time
	files  int
}

// newest looks at what a site is made from. The built pages and the evidence
// are made by us and left out.
func newest(dir string) change {
	var c change
	for _, part := range []string{"site.toml", "withdrawn.toml", "errata.toml", "plans", "logs", "records", "imports", "content", "packs"} {
		_ = filepath.WalkDir(filepath.Join(dir, part), func(_ string, d os.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // a file that went away between two looks is a change, not a fault
			}
			if info, err := d.Info(); err == nil {
				c.files++
				if info.ModTime().After(c.latest) {
					c.latest = info.ModTime()
				}
			}
			return nil
		})
	}
	return c
}
