package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// minimal is the shortest right plan.
const minimal = `name = "p"
[endpoint]
url = "http://127.0.0.1:8000"
api = "chat"
model = "org-a/model-7b"
[profile]
name = "B0"
[workload]
input_tokens = [128]
output_tokens = [32]
[load]
mode = "closed"
concurrency = [1]
[stop]
requests = 10
[timeouts]
total = "60s"
[cache]
policy = "cold"
`

func mustParse(t *testing.T, src string) Plan {
	t.Helper()
	p, err := Parse("p.toml", []byte(src))
	if err != nil {
		t.Fatalf("Parse: %v\n%s", err, src)
	}
	return p
}

// faultsOf parses src and returns its faults; none is a failure.
func faultsOf(t *testing.T, src string) Faults {
	t.Helper()
	_, err := Parse("p.toml", []byte(src))
	var fs Faults
	if !errors.As(err, &fs) || len(fs) == 0 {
		t.Fatalf("Parse gave %v, want faults\n%s", err, src)
	}
	return fs
}

func TestMinimalHasTheDocumentedDefaults(t *testing.T) {
	got := mustParse(t, minimal).Spec()
	want := Spec{
		Name: "p", Family: "p", Title: "p",
		Endpoint: Endpoint{
			BaseURL: "http://127.0.0.1:8000", API: Chat, Model: "org-a/model-7b", Connections: Reuse,
			MetricsURL: "http://127.0.0.1:8000/metrics",
		},
		Profile:  Profile{Name: "B0", Model: "org-a/model-7b"},
		Workload: Workload{InputTokens: []int{128}, OutputTokens: []int{32}, IgnoreEOS: true, Words: "endpoint"},
		Load:     Closed{Concurrency: []int{1}},
		Stop:     Stop{Requests: 10},
		Drain:    Drain{Grace: 30 * time.Second},
		Timeouts: Timeouts{Total: time.Minute},
		Cache:    Cache{Policy: Cold},
		Repeats:  1,
		Quality:  Quality{Check: "none declared"},
	}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("spec, got then want:\n%s", d)
	}
}

func TestEveryDefaultIsListed(t *testing.T) {
	var got []string
	for _, d := range mustParse(t, minimal).Defaults() {
		got = append(got, d.Key+" = "+d.Value)
	}
	want := strings.Split(strings.TrimSpace(`
family = "p"
title = "p"
repeats = 1
endpoint.connections = "reuse"
endpoint.metrics = "http://127.0.0.1:8000/metrics"
profile.model = "org-a/model-7b"
workload.ignore_eos = true
workload.words = "endpoint"
workload.keep_text = false
workload.seed = 0
workload.temperature = 0
workload.word_list = the built-in list
warmup.requests = 0
drain.grace = "30s"
timeouts.connect = "none"
timeouts.first_byte = "none"
timeouts.idle = "none"
quality = check = "none declared"`), "\n")
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("defaults, got then want:\n%s", d)
	}
}

// full.toml states every key of the schema with a value that is no default.
func TestFullStatesEveryKey(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "full.toml"))
	if err != nil {
		t.Fatal(err)
	}
	p := mustParse(t, string(src))
	for _, d := range p.Defaults() {
		if d.Key != "cache.share" {
			t.Errorf("%s was filled in though the file states every key", d.Key)
		}
	}
	doc, _ := decode("full.toml", src)
	for section, keys := range schema() {
		m := doc
		if section != "" {
			m, _ = doc[section].(map[string]any)
		}
		for _, k := range keys {
			other := map[string]bool{"load.concurrency": true, "stop.requests": true, "warmup.duration": true, "cache.share": true}
			if _, ok := m[k]; !ok && !other[section+"."+k] {
				t.Errorf("full.toml does not state %s.%s", section, k)
			}
		}
	}
	yes := true
	want := Spec{
		Name: "full.v1", Family: "fam-1", Title: "A title", Description: "Two\nlines", Repeats: 3,
		Endpoint: Endpoint{
			BaseURL: "https://h.example/base", API: Completions, Model: "m", KeyEnv: "MY_KEY", Connections: Fresh, MetricsURL: "none",
		},
		Profile: Profile{
			Name: "P1", Description: "d", Model: "pm", ModelRevision: "mr", Tokenizer: "tk", TokenizerRevision: "tr", Engine: "e",
			EngineVersion: "ev", Precision: "pr", Quantized: &yes, Parallelism: "pa", Hardware: "hw", Accelerators: 2, HostCPU: "hc",
			HostMemory: "hm", Interconnect: "ic", Driver: "dr", Runtime: "rt", CacheConfig: "cc", Decoding: "de",
			ClientLocation: "cl", PriceNote: "pn", AdditionalProperties: map[string]string{"power cap": "700 W"},
		},
		Workload: Workload{
			InputTokens: []int{512, 128}, OutputTokens: []int{64, 32}, Seed: 7, Temperature: 0.5, Words: "list",
			WordList: "lists/words.txt", KeepText: true,
		},
		Load:       Open{Rates: []ArrivalRate{{20, time.Second}, {90, time.Minute}, {5, 2 * time.Second}}, Arrivals: Poisson, MaxInFlight: 64},
		Stop:       Stop{Duration: time.Minute},
		Warmup:     Warmup{Requests: 16},
		Drain:      Drain{Grace: 5 * time.Second},
		Timeouts:   Timeouts{Connect: time.Second, FirstByte: 2 * time.Second, Idle: 3 * time.Second, Total: 4 * time.Second},
		Cache:      Cache{Policy: Warm, Pool: 4},
		Objectives: &Objectives{TTFT: 500 * time.Millisecond, EndToEnd: 20 * time.Second},
		Quality:    Quality{Check: "task set A", Result: "0.71"},
	}
	if d := cmp.Diff(p.Spec(), want); d != "" {
		t.Errorf("spec, got then want:\n%s", d)
	}
}

func TestExampleParses(t *testing.T) {
	p := mustParse(t, string(Example()))
	if got, want := len(p.Points()), 6; got != want {
		t.Errorf("the example has %d points, want %d", got, want)
	}
	text := string(Example())
	for section, keys := range schema() {
		for _, k := range keys {
			if !strings.Contains(text, "\n"+k+" =") && !strings.Contains(text, "# "+k+" =") && k != "more" {
				t.Errorf("the example does not show %s.%s", section, k)
			}
		}
	}
	a, b := Example(), Example()
	a[0] ^= 1
	if b[0] == a[0] {
		t.Error("Example hands out its own bytes")
	}
}

// Each commented key of the example must be right too, once it is taken in.
func TestExampleCommentsParse(t *testing.T) {
	for line := range strings.Lines(string(Example())) {
		if strings.Contains(line, "…") {
			continue
		}
		key, rest, ok := strings.Cut(strings.TrimPrefix(line, "# "), " = ")
		if !ok || !strings.HasPrefix(line, "# ") || strings.ContainsAny(key, "` ") && !strings.HasPrefix(key, `"`) {
			continue
		}
		switch key {
		case "mode", "rates", "arrivals", "max_in_flight", "duration", "pool", "share", `"power cap"`:
			continue // alternatives: covered by the other tests
		}
		src := strings.Replace(string(Example()), line, key+" = "+rest, 1)
		if _, err := Parse("p.toml", []byte(src)); err != nil {
			t.Errorf("with %s: %v", key, err)
		}
	}
}

func TestPlanIsImmutable(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "full.toml"))
	if err != nil {
		t.Fatal(err)
	}
	own := append([]byte(nil), src...)
	p := mustParse(t, string(src))
	want, wantPoints := p.Spec(), p.Points()
	s := p.Spec()
	s.Workload.InputTokens[0], s.Workload.OutputTokens[0] = 1, 1
	*s.Profile.Quantized = false
	s.Profile.AdditionalProperties["x"] = "y"
	s.Objectives.TTFT = 1
	s.Load.(Open).Rates[0].Requests = 1
	pts := p.Points()
	pts[0].Slug = "x"
	pts[0].Rate.Requests = 9999
	p.Source()[0] ^= 1
	p.Defaults()
	if d := cmp.Diff(p.Spec(), want); d != "" {
		t.Errorf("spec changed through a copy:\n%s", d)
	}
	if d := cmp.Diff(p.Points(), wantPoints); d != "" {
		t.Errorf("points changed through a copy:\n%s", d)
	}
	if string(p.Source()) != string(own) {
		t.Error("source changed through a copy")
	}
}

func TestHashIsOfTheBytes(t *testing.T) {
	p := mustParse(t, minimal)
	sum := sha256.Sum256([]byte(minimal))
	if got, want := p.Hash(), "sha256:"+hex.EncodeToString(sum[:]); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	if q := mustParse(t, minimal+"# a comment\n"); q.Hash() == p.Hash() {
		t.Error("another file has the same hash")
	}
}

func TestPointsAreInOrder(t *testing.T) {
	src := strings.NewReplacer("[128]", "[512, 128]", "[32]", "[64, 32]", "concurrency = [1]", "concurrency = [16, 4]").Replace(minimal)
	var got []string
	for i, pt := range mustParse(t, src).Points() {
		if pt.Index != i || pt.Rate != nil || pt.Arrivals != "" {
			t.Errorf("point %d is %+v", i, pt)
		}
		got = append(got, pt.Slug)
	}
	want := []string{
		"i128-o32-c4", "i128-o32-c16", "i512-o32-c4", "i512-o32-c16",
		"i128-o64-c4", "i128-o64-c16", "i512-o64-c4", "i512-o64-c16",
	}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("points, got then want:\n%s", d)
	}
}

func TestOpenPointsRiseByRate(t *testing.T) {
	src := strings.Replace(minimal, "mode = \"closed\"\nconcurrency = [1]", `mode = "open"
rates = ["20/s", "90/min", "2.5/s", "1/7s"]`, 1)
	var got []string
	for _, pt := range mustParse(t, src).Points() {
		got = append(got, pt.Slug+" "+pt.Rate.String()+" "+string(pt.Arrivals))
	}
	want := []string{
		"i128-o32-r1per7s 1/7s constant", "i128-o32-r1.5 90/min constant", "i128-o32-r2.5 5/2s constant", "i128-o32-r20 20/s constant",
	}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("points, got then want:\n%s", d)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.toml")
	if _, err := Load(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file gave %v", err)
	}
	src := strings.Replace(minimal, "[load]", "word_list = \"words.txt\"\n[load]", 1)
	if err := os.WriteFile(path, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	var fs Faults
	if _, err := Load(path); !errors.As(err, &fs) || len(fs) != 1 || fs[0].Line != 11 || fs[0].Key != "workload.word_list" {
		t.Errorf("a missing word list gave %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "words.txt"), []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := Load(path); err != nil || p.Hash() == "" {
		t.Errorf("Load: %v", err)
	}
	if err := os.WriteFile(path, make([]byte, maxBytes+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); !errors.As(err, &fs) {
		t.Errorf("a huge file gave %v", err)
	}
}
