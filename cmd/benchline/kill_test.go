package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"benchline/runner/reqlog"
	"benchline/runner/sim"
)

// flushPromise is how old an ended request may be and still be lost when the
// runner is killed, as content/methodology/log-format.md promises.
const flushPromise = time.Second

// killPlan is one long run, so that every kill strikes the same log.
const killPlan = `name = "kill"
[endpoint]
url   = "@URL@"
api   = "chat"
model = "simulated-8b"
[profile]
name = "T1"
[workload]
input_tokens  = [64]
output_tokens = [8]
seed  = 1
words = "list"
[load]
mode        = "closed"
concurrency = [8]
[stop]
duration = "30s"
[timeouts]
total = "10s"
[cache]
policy = "cold"
`

// TestKilledRunsLoseNothingOld kills a real run with signal 9 at random
// moments, recovers its journal, and compares with what the endpoint itself
// recorded: every request that had ended more than a flush interval before the
// kill must be in the log as it ended.
func TestKilledRunsLoseNothingOld(t *testing.T) {
	kills := 4
	if os.Getenv("BENCHLINE_KILLS") != "" {
		if _, err := fmt.Sscan(os.Getenv("BENCHLINE_KILLS"), &kills); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(t.TempDir(), "benchline")
	build := exec.Command("go", "build", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	checked := 0
	for i := range kills {
		// A moment after the first second, so that there is something to lose.
		wait := 1200*time.Millisecond + time.Duration(rand.Int64N(int64(2500*time.Millisecond)))
		checked += killOnce(t, program, fmt.Sprintf("kill %d after %v", i, wait.Round(time.Millisecond)), wait)
	}
	if checked == 0 {
		t.Error("no kill left an ended request old enough to check")
	}
	t.Logf("%d kills, %d ended requests checked", kills, checked)
}

func killOnce(t *testing.T, program, name string, wait time.Duration) (checked int) {
	t.Helper()
	dir := t.TempDir()
	truth := filepath.Join(dir, "truth.jsonl")
	endpoint := exec.Command(program, "endpoint", "--addr", "127.0.0.1:0", "--truth", truth)
	url := startAndReadURL(t, endpoint)
	defer func() {
		_ = endpoint.Process.Kill()
		_ = endpoint.Wait()
	}()

	text := strings.ReplaceAll(killPlan, "@URL@", url)
	planFile := filepath.Join(dir, "plan.toml")
	if err := os.WriteFile(planFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	logs := filepath.Join(dir, "logs")
	client := exec.Command(program, "run", planFile, "--out", logs)
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	<-time.After(wait)
	killed := time.Now()
	if err := client.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = client.Wait()

	folders, err := filepath.Glob(filepath.Join(logs, "*", "journal.bln"))
	if err != nil || len(folders) != 1 {
		t.Fatalf("%s: %d journals (%v), want 1", name, len(folders), err)
	}
	run := filepath.Dir(folders[0])
	command(t, "recover", run)
	log, err := reqlog.Open(run)
	if err != nil {
		t.Fatalf("%s: open the recovered log: %v", name, err)
	}
	if state := log.Manifest().State; state != reqlog.Interrupted {
		t.Errorf("%s: state %q, want interrupted", name, state)
	}
	rows := map[string]reqlog.Row{}
	for row, err := range log.Rows() {
		if err != nil {
			t.Fatalf("%s: read the recovered log: %v", name, err)
		}
		rows[row.RequestID] = row
	}
	return compareWithTruth(t, name, truth, rows, killed.Add(-flushPromise))
}

func compareWithTruth(t *testing.T, name, truth string, rows map[string]reqlog.Row, before time.Time) (checked int) {
	t.Helper()
	file, err := os.Open(truth)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var told sim.Truth
		if err := json.Unmarshal(lines.Bytes(), &told); err != nil {
			continue // the last line may be torn: the endpoint is still writing
		}
		if told.Outcome != sim.Finished || told.RequestID == "benchline-preflight" || told.EndNS >= before.UnixNano() {
			continue
		}
		row, ok := rows[told.RequestID]
		if !ok {
			t.Errorf("%s: request %s ended more than %v before the kill and is not in the log", name, told.RequestID, flushPromise)
			continue
		}
		if row.Outcome != reqlog.Completed {
			t.Errorf("%s: request %s is %s in the log; the endpoint finished it", name, told.RequestID, row.Outcome)
		}
		checked++
	}
	return checked
}

// startAndReadURL starts an endpoint process and reads its address from the
// line that it prints.
func startAndReadURL(t *testing.T, endpoint *exec.Cmd) string {
	t.Helper()
	out, err := endpoint.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := endpoint.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("read the endpoint's address: %v", err)
	}
	for _, word := range strings.Fields(line) {
		if strings.HasPrefix(word, "http://") {
			return word
		}
	}
	t.Fatalf("no address in %q", line)
	return ""
}
