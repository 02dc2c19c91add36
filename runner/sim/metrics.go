package sim

import (
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"time"
)

// metrics are the counters behind /metrics, in vLLM's words and in the
// model's own times. They are guarded by the lock of the model.
type metrics struct {
	promptTokens, generationTokens int64
	queries, hits                  int64
	length, stopped, aborted       int64

	ttft, itl, tpot              histogram
	e2e, queued, prefill, decode histogram
	promptSize, generationSize   histogram
	lateness                     time.Duration // how much later than due the model moved on, summed over its moves
	latest                       time.Duration
	moves                        int64
}

func newMetrics(maxLen int) *metrics {
	itl := []float64{0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80}
	request := []float64{0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680}
	var size []float64
	for step := 1; ; step *= 10 {
		for _, m := range []int{1, 2, 5} {
			if m*step <= maxLen {
				size = append(size, float64(m*step))
			}
		}
		if step > maxLen/10 {
			break
		}
	}
	return &metrics{
		ttft: newHistogram([]float64{0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560}),
		itl:  newHistogram(itl), tpot: newHistogram(itl),
		e2e: newHistogram(request), queued: newHistogram(request),
		prefill: newHistogram(request), decode: newHistogram(request),
		promptSize: newHistogram(size), generationSize: newHistogram(size),
	}
}

func (m *metrics) admitted(q *sequence) {
	m.queries += int64(q.promptTokens)
	m.hits += int64(q.cached)
	m.queued.observe(seconds(q.admitted - q.arrival))
}

// emitted is called before the sequence's own times are moved on.
func (m *metrics) emitted(q *sequence, n int, at int64) {
	m.generationTokens += int64(n)
	if q.generated == 0 {
		m.promptTokens += int64(q.promptTokens)
		m.ttft.observe(seconds(at - q.arrival))
		m.prefill.observe(seconds(at - q.admitted))
		return
	}
	m.itl.observe(seconds(at - q.last))
}

func (m *metrics) finished(q *sequence) {
	if q.stop {
		m.stopped++
	} else {
		m.length++
	}
	m.e2e.observe(seconds(q.last - q.arrival))
	m.decode.observe(seconds(q.last - q.first))
	m.promptSize.observe(float64(q.promptTokens))
	m.generationSize.observe(float64(q.generated))
	if q.generated > 1 {
		m.tpot.observe(seconds(q.last-q.first) / float64(q.generated-1))
	}
}

func (m *metrics) late(by time.Duration) {
	m.moves++
	m.lateness += by
	m.latest = max(m.latest, by)
}

func seconds(ns int64) float64 { return float64(ns) / float64(time.Second) }

// histogram is a Prometheus histogram.
type histogram struct {
	bounds []float64
	counts []int64 // one more than bounds, not yet cumulative
	sum    float64
}

func newHistogram(bounds []float64) histogram {
	return histogram{bounds: bounds, counts: make([]int64, len(bounds)+1)}
}

func (h *histogram) observe(x float64) {
	h.counts[sort.SearchFloat64s(h.bounds, x)]++
	h.sum += x
}

// exposition writes Prometheus text.
type exposition struct {
	b      strings.Builder
	labels string // name="value" pairs that every sample has
}

func (e *exposition) family(name, kind, help string) {
	fmt.Fprintf(&e.b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (e *exposition) sample(name, more string, v float64) {
	labels := e.labels
	if more != "" {
		labels += "," + more
	}
	fmt.Fprintf(&e.b, "%s{%s} %s\n", name, labels, strconv.FormatFloat(v, 'g', -1, 64))
}

func (e *exposition) single(name, kind, help string, v float64) {
	e.family(name, kind, help)
	e.sample(name, "", v)
}

func (e *exposition) histogram(name, help string, h *histogram) {
	e.family(name, "histogram", help)
	var n int64
	for i, c := range h.counts {
		n += c
		le := "+Inf"
		if i < len(h.bounds) {
			le = strconv.FormatFloat(h.bounds[i], 'f', -1, 64)
			if !strings.Contains(le, ".") {
				le += ".0" // as the usual client library writes it
			}
		}
		e.sample(name+"_bucket", `le="`+le+`"`, float64(n))
	}
	e.sample(name+"_sum", "", h.sum)
	e.sample(name+"_count", "", float64(n))
}

// write writes the page. The names, labels and bucket bounds are vLLM's; the
// three benchline_sim_ ones tell how late the simulation itself ran.
func (m *metrics) write(w io.Writer, model string, running, waiting int, kv float64) error {
	e := &exposition{labels: `engine="0",model_name="` + escapeLabel(model) + `"`}
	e.single("vllm:num_requests_running", "gauge", "Requests in the running batch.", float64(running))
	e.single("vllm:num_requests_waiting", "gauge", "Requests waiting to be admitted.", float64(waiting))
	e.single("vllm:kv_cache_usage_perc", "gauge", "Share of KV blocks held by running requests, 1 means all.", kv)
	e.single("vllm:prefix_cache_queries_total", "counter", "Prompt tokens looked up in the prefix cache.", float64(m.queries))
	e.single("vllm:prefix_cache_hits_total", "counter", "Prompt tokens found in the prefix cache.", float64(m.hits))
	e.single("vllm:num_preemptions_total", "counter", "Preemptions; this engine never preempts.", 0)
	e.single("vllm:prompt_tokens_total", "counter", "Prompt tokens of requests whose prefill has ended, cached ones included.", float64(m.promptTokens))
	e.single("vllm:generation_tokens_total", "counter", "Generated tokens.", float64(m.generationTokens))
	e.family("vllm:request_success_total", "counter", "Requests that left the engine, by reason.")
	e.sample("vllm:request_success_total", `finished_reason="abort"`, float64(m.aborted))
	e.sample("vllm:request_success_total", `finished_reason="length"`, float64(m.length))
	e.sample("vllm:request_success_total", `finished_reason="stop"`, float64(m.stopped))
	e.histogram("vllm:time_to_first_token_seconds", "Arrival in the engine to the first token.", &m.ttft)
	e.histogram("vllm:inter_token_latency_seconds", "Time between the steps that gave a request tokens.", &m.itl)
	e.histogram("vllm:time_per_output_token_seconds", "The older name of inter_token_latency_seconds.", &m.itl)
	e.histogram("vllm:request_time_per_output_token_seconds", "Mean time per token after the first, by request.", &m.tpot)
	e.histogram("vllm:e2e_request_latency_seconds", "Arrival in the engine to the last token.", &m.e2e)
	e.histogram("vllm:request_queue_time_seconds", "Arrival in the engine to admission.", &m.queued)
	e.histogram("vllm:request_prefill_time_seconds", "Admission to the first token.", &m.prefill)
	e.histogram("vllm:request_decode_time_seconds", "First token to last.", &m.decode)
	e.histogram("vllm:request_prompt_tokens", "Prompt tokens by finished request.", &m.promptSize)
	e.histogram("vllm:request_generation_tokens", "Generated tokens by finished request.", &m.generationSize)
	e.single("benchline_sim_moves_total", "counter", "Moves of the simulated engine.", float64(m.moves))
	e.single("benchline_sim_lateness_seconds_total", "counter", "How much later than due it moved, summed.", m.lateness.Seconds())
	e.single("benchline_sim_lateness_max_seconds", "gauge", "The latest move.", m.latest.Seconds())
	_, err := io.WriteString(w, e.b.String())
	return err
}

func escapeLabel(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
}
