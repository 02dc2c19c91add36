package sim

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// BenchmarkEngineStep is a step of the model alone, by the sequences in it.
func BenchmarkEngineStep(b *testing.B) {
	for _, n := range []int{32, 256} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			e := Default().Engine
			e.MaxRunning, e.KVTokens, e.PrefillBudget = n, 1<<40, 1<<20
			m := newBatch(e, 1, newMetrics(16384))
			for i := range n {
				m.submit(newSequence(digestOf([]string{fmt.Sprint(i)}, 0, 16, 0), 1<<30, 1<<30, 0))
			}
			b.ReportAllocs()
			for b.Loop() {
				m.next(0)
				m.finish(0)
			}
			b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "tokens/s")
		})
	}
}

type nullWriter struct{ header http.Header }

func (n nullWriter) Header() http.Header         { return n.header }
func (n nullWriter) WriteHeader(int)             {}
func (n nullWriter) Write(b []byte) (int, error) { return len(b), nil }
func (n nullWriter) FlushError() error           { return nil }

// BenchmarkEvent is making one event and handing it to a writer that does nothing.
func BenchmarkEvent(b *testing.B) {
	s := start(b, func(c *Config) { c.Metronome = &Metronome{TTFT: 1, ITL: 1} })
	defer closeServer(b, s)
	w := nullWriter{http.Header{}}
	x := &exchange{s: s, w: w, r: httptest.NewRequest(http.MethodPost, "/", nil), chat: true, ask: ask{includeUsage: true}, q: &sequence{output: 1 << 40}}
	st := newStream(x)
	b.ReportAllocs()
	for i := 1; b.Loop(); i++ {
		st.event(i, i+1)
		st.write()
	}
}

// readAway makes one request and throws its answer away.
func readAway(b *testing.B, h *httptest.Server, tokens int) {
	b.Helper()
	resp, err := h.Client().Post(h.URL+"/v1/chat/completions", "application/json", strings.NewReader(chatBody("a", tokens)))
	if err != nil {
		b.Error(err)
		return
	}
	defer closing(b, resp.Body)
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		b.Error(err)
	}
}

// BenchmarkLoopback is streams as fast as they go, over a loopback connection
// within this process, the client reading and throwing away.
func BenchmarkLoopback(b *testing.B) {
	for _, streams := range []int{1, 64} {
		b.Run(fmt.Sprint(streams), func(b *testing.B) {
			s := start(b, func(c *Config) { c.Metronome = &Metronome{TTFT: 1, ITL: 1}; c.MaxModelLen = 1 << 40 })
			h := httptest.NewServer(s)
			defer closeServer(b, s)
			defer h.Close()
			h.Client().Transport = &http.Transport{MaxIdleConnsPerHost: streams}
			b.ReportAllocs()
			b.ResetTimer()
			var wg sync.WaitGroup
			for range streams {
				wg.Go(func() { readAway(b, h, b.N/streams+1) })
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkLateness reports how late the metronome's tokens are written, with
// streams of 50 events a second and a client in the same process.
func BenchmarkLateness(b *testing.B) {
	for _, precise := range []bool{false, true} {
		b.Run(fmt.Sprintf("precise=%v", precise), func(b *testing.B) {
			for b.Loop() {
				s := start(b, func(c *Config) {
					c.Metronome, c.Precise = &Metronome{TTFT: 20 * ms, ITL: 20 * ms}, precise
				})
				h := httptest.NewServer(s)
				var wg sync.WaitGroup
				for range 64 {
					wg.Go(func() { readAway(b, h, 20) })
				}
				wg.Wait()
				h.Close()
				closeServer(b, s)
				var sum, worst time.Duration
				for _, x := range s.Truth() {
					late := time.Duration(x.LastNS - x.DueLastNS)
					sum, worst = sum+late, max(worst, late)
				}
				b.ReportMetric(float64(sum.Microseconds())/64, "µs-late")
				b.ReportMetric(float64(worst.Microseconds()), "µs-latest")
			}
		})
	}
}
