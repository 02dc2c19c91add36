package main

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"benchline/runner/sim"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"benchline": main})
}

// TestScripts runs the command scripts. $URL is a simulated endpoint of the
// script's own, $DOWN an address at which nothing listens.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               startScriptEndpoint,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"replace": replace,
			"flip":    flip,
		},
	})
}

func startScriptEndpoint(e *testscript.Env) error {
	cfg := sim.Default()
	cfg.Now = time.Now
	server, err := sim.New(cfg)
	if err != nil {
		return err
	}
	web := httptest.NewServer(server)
	e.Defer(func() {
		web.CloseClientConnections()
		web.Close()
		_ = server.Close()
	})
	gone := httptest.NewServer(nil)
	down := gone.URL
	gone.Close()
	e.Setenv("URL", web.URL)
	e.Setenv("DOWN", down)
	return nil
}

// exits runs a program and holds it to an exit code, or to one of several:
// exits CODE[|CODE] PROGRAM ARG. A run on a busy machine may be void (5), which
// says nothing against the program.
func exits(ts *testscript.TestScript, neg bool, given []string) {
	if neg || len(given) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	err := ts.Exec(given[1], given[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("run %s: %v", given[1], err)
	}
	if !slices.Contains(strings.Split(given[0], "|"), strconv.Itoa(got)) {
		ts.Fatalf("%s: exit %d, want %s", strings.Join(given[1:], " "), got, given[0])
	}
}

// replace puts values into a file: replace FILE OLD NEW [OLD NEW].
func replace(ts *testscript.TestScript, neg bool, given []string) {
	if neg || len(given) < 3 || len(given)%2 == 0 {
		ts.Fatalf("usage: replace FILE OLD NEW [OLD NEW]...")
	}
	text := ts.ReadFile(given[0])
	for i := 1; i+1 < len(given); i += 2 {
		if !strings.Contains(text, given[i]) {
			ts.Fatalf("%s does not hold %q", given[0], given[i])
		}
		text = strings.ReplaceAll(text, given[i], given[i+1])
	}
	ts.Check(writeFile(ts.MkAbs(given[0]), text))
}

// flip changes one bit in the middle of each file that matches a pattern.
func flip(ts *testscript.TestScript, neg bool, given []string) {
	if neg || len(given) != 1 {
		ts.Fatalf("usage: flip PATTERN")
	}
	found, err := glob(ts.MkAbs(given[0]))
	ts.Check(err)
	if len(found) == 0 {
		ts.Fatalf("no file matches %s", given[0])
	}
	for _, name := range found {
		text := []byte(ts.ReadFile(name))
		text[len(text)/2] ^= 1
		ts.Check(writeFile(name, string(text)))
		fmt.Fprintf(ts.Stdout(), "flipped a bit of %s\n", name)
	}
}
