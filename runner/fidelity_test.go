//go:build fidelity

package runner

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"benchline/runner/plan"
)

// How close is what this client reports to what happened? An endpoint in a
// process of its own writes tokens on a fixed schedule and records when it
// did; this client and a bare loop over net/http (the floor) are run against
// it in turn, on the same cores.
//
//	go test -tags fidelity -run Fidelity -v ./runner -rounds 3
var (
	rounds  = flag.Int("rounds", 1, "rounds of each comparison")
	streams = flag.String("streams", "64,256,1024", "numbers of concurrent streams")
)

const (
	fidelityTokens = 128
	fidelityITL    = 20 * time.Millisecond
	fidelityTTFT   = 100 * time.Millisecond
)

// reported is what a client says of one request.
type reported struct {
	ttft float64 // seconds
	gaps []float64
}

// truth is what the endpoint recorded of one request.
type truth struct {
	arrived, last float64
	sent          []float64
}

// figures compare the two.
type figures struct {
	client                           string
	streams, requests                int
	errP50, errP99, errMean          float64 // ms
	ttftTrue, ttftSaid               float64 // ms, medians
	gapTrue, gapP50, gapP99, gapDiff float64 // ms
	subMS, rate, ideal, cpu          float64
}

func TestFidelity(t *testing.T) {
	endpoint, floor := buildTool(t, "endpoint"), buildTool(t, "floor")
	var all []figures
	for _, field := range regexp.MustCompile(`\d+`).FindAllString(*streams, -1) {
		n, _ := strconv.Atoi(field)
		for range *rounds {
			all = append(all, runFloor(t, endpoint, floor, n), runOurs(t, endpoint, n))
		}
	}
	t.Logf("%s, %d CPUs, %d tokens at %v, first after %v, 4 requests a stream", runtime.Version(), runtime.NumCPU(), fidelityTokens, fidelityITL, fidelityTTFT)
	t.Logf("%-9s %7s %8s | %8s %8s %8s | %9s %9s | %7s %7s %7s %8s | %6s | %8s %7s | %7s %9s", "client", "streams", "requests",
		"err p50", "err p99", "err mean", "ttft true", "reported", "gap true", "p50", "p99", "gap err", "<1ms %", "tok/s", "ideal %", "cpu s", "cpu/1000")
	for _, f := range all {
		events := float64(f.requests * fidelityTokens)
		t.Logf("%-9s %7d %8d | %8.2f %8.2f %8.2f | %9.2f %9.2f | %7.2f %7.2f %7.2f %8.3f | %6.2f | %8.0f %7.2f | %7.2f %9.4f", f.client, f.streams, f.requests,
			f.errP50, f.errP99, f.errMean, f.ttftTrue, f.ttftSaid, f.gapTrue, f.gapP50, f.gapP99, f.gapDiff, 100*f.subMS, f.rate, 100*f.rate/f.ideal, f.cpu, f.cpu/events*1000)
	}
}

func buildTool(t *testing.T, name string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), name)
	cmd := exec.Command("go", "build", "-o", out, ".")
	cmd.Dir = filepath.Join("testdata", "fidelity", name)
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", name, err, b)
	}
	return out
}

// withEndpoint runs f while an endpoint is up and gives what that recorded,
// by request number and by request ID.
func withEndpoint(t *testing.T, bin string, f func(url string)) (map[int]truth, map[string]int) {
	t.Helper()
	dir := t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close()
	cmd := exec.Command(bin, "-addr", addr, "-ttft", fidelityTTFT.String(), "-itl", fidelityITL.String(),
		"-csv", filepath.Join(dir, "s.csv"), "-bin", filepath.Join(dir, "s.bin"))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if r, err := http.Get("http://" + addr + "/health"); err == nil {
			_ = r.Body.Close()
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	f("http://" + addr)
	_ = cmd.Process.Signal(syscall.SIGINT)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return readTruth(t, filepath.Join(dir, "s.csv"), filepath.Join(dir, "s.bin"))
}

func readTruth(t *testing.T, table, raw string) (map[int]truth, map[string]int) {
	t.Helper()
	b, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all, ids := map[int]truth{}, map[string]int{}
	for _, l := range lines[1:] {
		k, _ := strconv.Atoi(l[0])
		arrived, _ := strconv.ParseInt(l[3], 10, 64)
		last, _ := strconv.ParseInt(l[6], 10, 64)
		all[k] = truth{arrived: float64(arrived) / 1e9, last: float64(last) / 1e9}
		ids[l[1]] = k
	}
	if b, err = os.ReadFile(raw); err != nil {
		t.Fatal(err)
	}
	for ; len(b) >= 16; b = b[16:] {
		k := int(binary.LittleEndian.Uint32(b))
		x := all[k]
		x.sent = append(x.sent, float64(binary.LittleEndian.Uint64(b[8:]))/1e9)
		all[k] = x
	}
	return all, ids
}

func runFloor(t *testing.T, endpoint, floor string, n int) figures {
	t.Helper()
	out := filepath.Join(t.TempDir(), "floor.json")
	var cpu time.Duration
	all, _ := withEndpoint(t, endpoint, func(url string) {
		cmd := exec.Command(floor, "-url", url+"/v1/chat/completions", "-c", strconv.Itoa(n), "-n", strconv.Itoa(4*n), "-tokens", strconv.Itoa(fidelityTokens), "-o", out)
		if b, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, b)
		}
		cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	})
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var o struct {
		TTFTs []float64   `json:"ttfts"`
		ITLs  [][]float64 `json:"itls"`
		Texts []string    `json:"generated_texts"`
	}
	if err := json.Unmarshal(b, &o); err != nil {
		t.Fatal(err)
	}
	said := map[int]reported{}
	for i, text := range o.Texts {
		var k int
		if _, err := fmt.Sscanf(text, "r%d ", &k); err == nil {
			said[k] = reported{o.TTFTs[i], o.ITLs[i]}
		}
	}
	return compareTo(t, "floor", n, cpu, all, said)
}

func runOurs(t *testing.T, endpoint string, n int) figures {
	t.Helper()
	var cpu time.Duration
	var result Result
	all, ids := withEndpoint(t, endpoint, func(url string) {
		p, err := plan.Parse("fidelity.toml", fmt.Appendf(nil, `name = "fidelity"
[endpoint]
url = %q
api = "chat"
model = "sim"
[profile]
name = "P"
[cache]
policy = "cold"
[workload]
input_tokens = [8]
output_tokens = [%d]
words = "list"
[load]
mode = "closed"
concurrency = [%d]
[stop]
requests = %d
[timeouts]
connect = "30s"
first_byte = "60s"
idle = "30s"
total = "120s"
`, url, fidelityTokens, n, 4*n))
		if err != nil {
			t.Fatal(err)
		}
		o := options(t)
		o.Progress = func(Event) {}
		runtime.GC()
		before := cpuTime()
		results, err := Run(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		cpu = cpuTime() - before
		result = results[0]
	})
	said := map[int]reported{}
	for _, row := range rowsOf(t, result) {
		k, ok := ids[row.RequestID]
		if !ok || row.FirstTokenNS == nil {
			t.Errorf("request %s: %s %s", row.RequestID, row.Outcome, row.ErrorText)
			continue
		}
		r := reported{ttft: float64(*row.FirstTokenNS-*row.SentNS) / 1e9}
		for _, g := range row.ChunkGapsNS {
			r.gaps = append(r.gaps, float64(g)/1e9)
		}
		said[k] = r
	}
	t.Logf("%d streams: %s %v %+v", n, result.Manifest.Health.Verdict, result.Manifest.Health.Reasons, result.Manifest.Health)
	return compareTo(t, "benchline", n, cpu, all, said)
}

func compareTo(t *testing.T, client string, n int, cpu time.Duration, all map[int]truth, said map[int]reported) figures {
	t.Helper()
	if len(said) != 4*n {
		t.Errorf("%s: %d of %d requests matched", client, len(said), 4*n)
	}
	var errs, ttftTrue, ttftSaid, gapTrue, gapSaid, diff []float64
	first, last, tokens := 1e300, 0.0, 0
	for k, r := range said {
		x := all[k]
		want := x.sent[0] - x.arrived
		errs, ttftTrue, ttftSaid = append(errs, r.ttft-want), append(ttftTrue, want), append(ttftSaid, r.ttft)
		first, last, tokens = min(first, x.arrived), max(last, x.last), tokens+len(x.sent)
		if len(r.gaps) != len(x.sent)-1 {
			t.Errorf("%s: request %d has %d gaps, true %d", client, k, len(r.gaps), len(x.sent)-1)
			continue
		}
		for i, g := range r.gaps {
			w := x.sent[i+1] - x.sent[i]
			gapTrue, gapSaid, diff = append(gapTrue, w), append(gapSaid, g), append(diff, max(g-w, w-g))
		}
	}
	sub := 0
	for _, g := range gapSaid {
		if g < 0.001 {
			sub++
		}
	}
	ideal := float64(n*fidelityTokens) / (fidelityTTFT + (fidelityTokens-1)*fidelityITL).Seconds()
	return figures{client: client, streams: n, requests: len(said),
		errP50: at1000(errs, 500), errP99: at1000(errs, 990), errMean: mean(errs),
		ttftTrue: at1000(ttftTrue, 500), ttftSaid: at1000(ttftSaid, 500),
		gapTrue: at1000(gapTrue, 500), gapP50: at1000(gapSaid, 500), gapP99: at1000(gapSaid, 990), gapDiff: mean(diff),
		subMS: float64(sub) / float64(len(gapSaid)), rate: float64(tokens) / (last - first), ideal: ideal, cpu: cpu.Seconds()}
}

// at1000 is a quantile in milliseconds, nearest rank, q in thousandths.
func at1000(x []float64, q int) float64 {
	slices.Sort(x)
	return 1e3 * x[(q*len(x)+999)/1000-1]
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return 1e3 * sum / float64(len(x))
}
