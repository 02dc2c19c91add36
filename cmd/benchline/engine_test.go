package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"benchline/ingest"
	"benchline/ingest/evidence"
)

// TestEngine measures a real llama-server: cold and warm, closed and open
// loop, both APIs, its metrics page scraped, and the site built from it.
// make test-engine sets it up.
func TestEngine(t *testing.T) {
	kit := os.Getenv("BENCHLINE_ENGINE")
	if kit == "" {
		t.Skip("needs llama-server: make test-engine sets it up")
	}
	url := startLlama(t, kit, "model.gguf", 4)
	site := os.Getenv("BENCHLINE_ENGINE_SITE") // kept for looking at, when set
	if site == "" {
		site = filepath.Join(t.TempDir(), "site")
	}
	command(t, "init", site)
	if err := os.Remove(filepath.Join(site, "plans", "example.toml")); err != nil {
		t.Fatal(err)
	}
	// A plan names its word list by a path below its own folder.
	words, err := os.ReadFile(filepath.Join(kit, "words.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(site, "plans", "words.txt"), words, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cold", "warm", "open"} {
		source, err := os.ReadFile(filepath.Join("../../testdata/engine/plans", name+".toml"))
		if err != nil {
			t.Fatal(err)
		}
		source = bytes.ReplaceAll(source, []byte("@URL@"), []byte(url))
		path := filepath.Join(site, "plans", name+".toml")
		if err := os.WriteFile(path, source, 0o644); err != nil {
			t.Fatal(err)
		}
		// A busy machine voids runs, which says nothing against the program.
		if code, said := tryCommand("run", path, "--out", filepath.Join(site, "logs")); code != exitDone && code != exitVoid {
			t.Fatalf("run %s: exit %d\n%s", path, code, said)
		}
	}
	t.Log(command(t, "build", site))
	t.Log(command(t, "verify", filepath.Join(site, "public")))

	records, err := ingest.Records(site)
	if err != nil {
		t.Fatal(err)
	}
	checkEngineRecords(t, records)
}

// command runs one command line in this process, which must end with 0, and
// returns what it printed.
func command(t *testing.T, args ...string) string {
	t.Helper()
	code, said := tryCommand(args...)
	if code != exitDone {
		t.Fatalf("benchline %s: exit %d, want 0\n%s", strings.Join(args, " "), code, said)
	}
	return said
}

// tryCommand runs one command line in this process.
func tryCommand(args ...string) (exitCode, string) {
	var out, errs bytes.Buffer
	code := run(context.Background(), env{
		args: args, stdin: strings.NewReader(""), stdout: &out, stderr: &errs,
		getenv: os.Getenv, now: time.Now,
	})
	return code, out.String() + errs.String()
}

func startLlama(t *testing.T, kit, model string, slots int) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "llama.log"))
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command("sh", "../../testdata/engine/serve.sh", kit, fmt.Sprint(port), fmt.Sprint(slots), "2048", model)
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan error, 1)
	go func() { exited <- server.Wait() }()
	t.Cleanup(func() {
		_ = server.Process.Kill()
		if err := <-exited; err == nil {
			t.Error("llama-server had ended by itself")
		}
		_ = log.Close()
	})
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	deadline := time.After(30 * time.Second)
	for {
		if resp, err := http.Get(url + "/health"); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return url
			}
		}
		select {
		case err := <-exited:
			exited <- err
			text, _ := os.ReadFile(log.Name())
			t.Fatalf("llama-server ended: %v\n%s", err, text)
		case <-deadline:
			t.Fatal("llama-server did not become healthy within 30 s")
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// checkEngineRecords holds what must be true of a real engine whatever the
// machine's speed: nothing is called simulated, every ledger is whole, tokens
// come from usage, and a warm cache is reported as warm.
func checkEngineRecords(t *testing.T, records []evidence.Record) {
	t.Helper()
	if len(records) != 14 { // cold 6, warm 6, open 2
		t.Errorf("%d records, want 14", len(records))
	}
	for _, r := range records {
		if r.Class != evidence.OwnRun {
			t.Errorf("%s: class %q, want %q", r.Slug, r.Class, evidence.OwnRun)
		}
		if r.Void && strings.Contains(r.VoidWhy, "ledger") {
			t.Errorf("%s is void: %s", r.Slug, r.VoidWhy)
		}
		if source, ok := r.Workload.TokenSource.Get(); !ok || source != "usage" {
			t.Errorf("%s: token source %q, want usage", r.Slug, source)
		}
		cached, ok := r.State.Cache.Measured.Get()
		if !ok {
			t.Errorf("%s: cached tokens not reported", r.Slug)
			continue
		}
		share := float64(cached.CachedTokens) / float64(cached.PromptTokens)
		if strings.HasPrefix(r.Family, "llama-warm") && share < 0.5 {
			t.Errorf("%s: %.2f of prompt tokens cached, want at least half in the warm family", r.Slug, share)
		}
		if !strings.HasPrefix(r.Family, "llama-warm") && share > 0.2 {
			t.Errorf("%s: %.2f of prompt tokens cached in a cold family", r.Slug, share)
		}
	}
}
