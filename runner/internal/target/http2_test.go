package target

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"benchline/runner/plan"
)

// Case C21 with HTTP/2: an endpoint that would rather speak it, and then hold back
// what goes over its number of streams, is spoken to in HTTP/1.1, one connection a
// request. Each of these requests is answered once all are there.
func TestNoStreamLimitWhereHTTP2IsOffered(t *testing.T) {
	const n = 300 // more than the 250 streams of Go's own server
	var mu sync.Mutex
	seen, all := map[string]int{}, make(chan struct{})
	h := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.Proto]++
		if seen[r.Proto] == n {
			close(all)
		}
		mu.Unlock()
		select {
		case <-all:
			answering(w, r)
		case <-r.Context().Done():
		}
	}))
	h.EnableHTTP2 = true
	h.StartTLS()
	defer h.Close()
	c := socketClient(t, h, func(cfg *Config) {
		cfg.Timeouts = plan.Timeouts{Connect: time.Minute, FirstByte: time.Minute, Idle: time.Minute, Total: time.Minute}
	})
	var wg sync.WaitGroup
	for range n {
		request := prepare(t, c, "r")
		wg.Go(func() {
			if r := c.Do(context.Background(), request, nil); r.Outcome != Completed || r.Reused {
				t.Errorf("%s %s, reused %v", r.Outcome, r.ErrorText, r.Reused)
			}
		})
	}
	wg.Wait()
	if seen["HTTP/1.1"] != n || len(seen) != 1 {
		t.Errorf("the endpoint saw %v, want %d of HTTP/1.1 at once", seen, n)
	}
}
