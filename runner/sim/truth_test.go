package sim

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

type brokenWriter struct{ err error }

func (b brokenWriter) Write([]byte) (int, error) { return 0, b.err }

func TestTruthLog(t *testing.T) {
	var file bytes.Buffer
	buffered := bufio.NewWriter(&file)
	l := truthLog{w: buffered, keep: 3}
	for i := range int64(5) {
		l.add(Truth{Number: i + 1})
		if got := strings.Count(file.String(), "\n"); got != int(i+1) {
			t.Errorf("after request %d: got %d lines flushed", i+1, got)
		}
	}
	var numbers []int64
	for _, x := range l.all() {
		numbers = append(numbers, x.Number)
	}
	if want := []int64{3, 4, 5}; !slices.Equal(numbers, want) {
		t.Errorf("got %v in memory, want %v", numbers, want)
	}
	if first, _, _ := strings.Cut(file.String(), "\n"); first != `{"number":1,"request_id":"","path":"","stream":false,"outcome":"","arrival_ns":0,"end_ns":0,"output_tokens":0,"reasoning_tokens":0,"chunks":0}` {
		t.Errorf("got first line %s", first)
	}
}

func TestTruthThatCannotBeWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("disk full")
		s := start(t, func(c *Config) { c.Truth = brokenWriter{full}; c.KeepTruth = 0 })
		if w := post(s, "/v1/chat/completions", chatBody("a", 1)); w.status != http.StatusOK {
			t.Errorf("got status %d, want 200", w.status)
		}
		if err := s.Close(); !errors.Is(err, full) || !strings.Contains(err.Error(), "request 1") {
			t.Errorf("got error %v, want %v of request 1", err, full)
		}
		if n := len(s.Truth()); n != 0 {
			t.Errorf("got %d truths kept, want 0", n)
		}
	})
}

func TestMetricsCountFromArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, func(c *Config) { c.Engine.MaxRunning, c.Model = 1, `a"b\c` })
		defer closeServer(t, s)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				post(s, "/v1/completions", `{"model":"a\"b\\c","prompt":"a b c d e f g h i j","max_tokens":2}`)
			})
		}
		wg.Wait()
		got := samples(t, metricsPage(s))
		// The second waits 7 ms for the first, then takes as long.
		for name, want := range map[string]float64{
			"vllm:request_queue_time_seconds_sum":   0.007,
			"vllm:time_to_first_token_seconds_sum":  0.001 + 0.008,
			"vllm:request_prefill_time_seconds_sum": 0.002,
			"vllm:e2e_request_latency_seconds_sum":  0.007 + 0.014,
		} {
			if v := got[name]; v < want-1e-9 || v > want+1e-9 {
				t.Errorf("%s: got %v, want %v", name, v, want)
			}
		}
	})
}

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, func(c *Config) { c.Model = `a"b\c` })
		defer closeServer(t, s)
		body := strings.ReplaceAll(chatBody(words(100, "w"), 3), "simulated-8b", `a\"b\\c`)
		post(s, "/v1/chat/completions", body)
		go post(s, "/v1/chat/completions", body)
		time.Sleep(ms) // 4 tokens to prefill, 0.4 ms; then a decode step
		got := samples(t, metricsPage(s))
		for name, want := range map[string]float64{
			"vllm:num_requests_running":                           1,
			"vllm:num_requests_waiting":                           0,
			"vllm:kv_cache_usage_perc":                            7.0 / 2500,
			"vllm:prefix_cache_queries_total":                     200,
			"vllm:prefix_cache_hits_total":                        96,
			"vllm:prompt_tokens_total":                            200,
			"vllm:generation_tokens_total":                        4,
			`vllm:request_success_total finished_reason="length"`: 1,
			"vllm:time_to_first_token_seconds_count":              2,
			"vllm:time_to_first_token_seconds_sum":                0.0104,
			`vllm:time_to_first_token_seconds_bucket le="0.001"`:  1,
			`vllm:time_to_first_token_seconds_bucket le="0.01"`:   2,
			`vllm:time_to_first_token_seconds_bucket le="+Inf"`:   2,
			"vllm:inter_token_latency_seconds_count":              2,
			"vllm:inter_token_latency_seconds_sum":                0.012,
			"vllm:request_time_per_output_token_seconds_sum":      0.006,
			"vllm:e2e_request_latency_seconds_sum":                0.022,
			"vllm:request_decode_time_seconds_sum":                0.012,
			`vllm:request_prompt_tokens_bucket le="50.0"`:         0,
			`vllm:request_prompt_tokens_bucket le="100.0"`:        1,
			"vllm:request_generation_tokens_sum":                  3,
		} {
			if v, ok := got[name]; !ok || v < want-1e-9 || v > want+1e-9 {
				t.Errorf("%s: got %v (%v), want %v", name, v, ok, want)
			}
		}
		time.Sleep(time.Second)
	})
}

// samples reads a Prometheus page strictly enough to notice what a scraper
// would refuse. Names are followed by the labels that not every sample has.
func samples(t *testing.T, page string) map[string]float64 {
	t.Helper()
	line := regexp.MustCompile(`^([a-z_:0-9]+)\{engine="0",model_name="a\\"b\\\\c"(?:,([a-z_]+="[^"]+"))?\} (\S+)$`)
	out := map[string]float64{}
	typed := ""
	for l := range strings.SplitSeq(strings.TrimSuffix(page, "\n"), "\n") {
		if rest, ok := strings.CutPrefix(l, "# TYPE "); ok {
			typed, _, _ = strings.Cut(rest, " ")
			continue
		}
		if strings.HasPrefix(l, "# HELP ") {
			continue
		}
		m := line.FindStringSubmatch(l)
		if m == nil || !strings.HasPrefix(m[1], typed) {
			t.Errorf("under %s: cannot read %q", typed, l)
			continue
		}
		v, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			t.Error(err)
		}
		key := strings.TrimSuffix(fmt.Sprintf("%s %s", m[1], m[2]), " ")
		if _, twice := out[key]; twice {
			t.Errorf("%s stands twice", key)
		}
		out[key] = v
	}
	return out
}

func TestConfigFaultsAreAllNamed(t *testing.T) {
	c := Config{
		ReasoningKey: "thoughts", EOSMean: -1, KeepTruth: -1, ReasoningTokens: -1, TemplateTokens: -1,
		Faults: []Fault{{Kind: "nonsense"}, {Kind: Stall}, {Kind: Packed}, {Kind: CR, Probability: 2, After: -1}},
		Engine: Engine{MaxQueue: 1, RetryAfter: -1},
	}
	_, err := New(c)
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		"clock", "longest context", "default output", "template", "reasoning tokens", `reasoning key "thoughts"`, "mean output", "per step", "interval", "kept",
		"prefill rate", "prefill budget", "decoding takes no time", "running limit", "block is", "queue status", "retry-after",
		`fault 1: unknown kind "nonsense"`, "fault 2: stall: needs a wait", "fault 3: packed: needs a size", "fault 4: cr: probability 2", "cr: a negative amount",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not named in:\n%v", want, err)
		}
	}
	c = Default()
	c.Now, c.Metronome, c.Engine = time.Now, &Metronome{}, Engine{}
	if _, err := New(c); err == nil || !strings.Contains(err.Error(), "metronome") {
		t.Errorf("got error %v of a metronome without times", err)
	}
}
