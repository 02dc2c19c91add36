package runner

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"benchline/runner/plan"
	"benchline/runner/reqlog"
	"benchline/runner/sim"
)

func answer(status int, contentType, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	})
}

// TestPreflight holds that what would make every request fail ends a plan
// with one clear line before any folder is made.
func TestPreflight(t *testing.T) {
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	for _, c := range []struct {
		name    string
		handler http.Handler
		url     string
		kind    Kind
		says    string
	}{
		{"endpoint down", nil, dead.URL, Unreachable, "refused"},
		{"TLS without trust", nil, secure.URL, TLSProblem, "certificate"},
		{"TLS spoken to as HTTP", nil, "http" + strings.TrimPrefix(secure.URL, "https"), Refused, "HTTP 400"},
		{"wrong key", answer(401, "application/json", `{"error":{"message":"no such key"}}`), "", WrongKey, "no such key"},
		{"wrong model", answer(404, "application/json", `{"error":{"message":"no such model"}}`), "", WrongModel, "simulated-8b"},
		{"web page", answer(200, "text/html", "<html><title>Sign in</title>"), "", NotAnAPI, "Sign in"},
		{"no stream", answer(200, "application/json", `{"choices":[]}`), "", NotAnAPI, "in one piece"},
		{"loading", answer(503, "application/json", `{"error":{"message":"Loading model"}}`), "", NotReady, "Loading model"},
		{"strict", answer(400, "application/json", `{"error":{"message":"unknown field ignore_eos"}}`), "", Refused, "ignore_eos = false"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.handler != nil {
				h := httptest.NewServer(c.handler)
				defer h.Close()
				c.url = h.URL
			}
			o := options(t)
			o.Out = filepath.Join(o.Out, "logs")
			results, err := Run(context.Background(), planFor(t, c.url, closed("[1]"), "requests = 1", usual), o)
			var p *PreflightError
			if !errors.As(err, &p) || p.Kind != c.kind || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want a fault of the kind %q that says %q", err, c.kind, c.says)
			}
			if _, err := os.Stat(o.Out); len(results) > 0 || !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%d runs, and the output folder is there: %v", len(results), err)
			}
		})
	}
}

func TestTrustedTLS(t *testing.T) {
	cfg := sim.Default()
	cfg.Now = time.Now
	cfg.Metronome = &sim.Metronome{TTFT: time.Millisecond, ITL: time.Millisecond}
	s, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewTLSServer(s)
	defer h.Close()
	o := options(t)
	o.TLS = h.Client().Transport.(*http.Transport).TLSClientConfig
	results, err := Run(context.Background(), planFor(t, h.URL, closed("[2]"), "requests = 6", usual), o)
	if err != nil || results[0].Manifest.Ledger.Completed != 6 {
		t.Fatalf("%v, %v", err, results)
	}
	fresh := 0
	for _, row := range rowsOf(t, results[0]) {
		if !*row.ConnReused {
			fresh++
		}
	}
	if fresh < 1 || fresh > 2 {
		t.Errorf("%d fresh connections for 6 requests, want 1 or 2", fresh)
	}
}

func TestFolderThatExists(t *testing.T) {
	url := serve(t, nil)
	o := options(t)
	p := planFor(t, url, closed("[1, 2]"), "requests = 1", usual)
	second := filepath.Join(o.Out, "test-20261129t172300z-i24-o6-c2-r1")
	if err := os.Mkdir(second, 0o755); err != nil {
		t.Fatal(err)
	}
	results, err := Run(context.Background(), p, o)
	var f *PreflightError
	if !errors.As(err, &f) || f.Kind != FolderExists || !errors.Is(err, reqlog.ErrExists) || len(results) != 0 {
		t.Errorf("%d runs, %v", len(results), err)
	}
	if entries, _ := os.ReadDir(second); len(entries) != 0 {
		t.Errorf("the folder was written into: %v", entries)
	}
}

func TestTooFewFiles(t *testing.T) {
	url := serve(t, nil)
	_, err := Run(context.Background(), planFor(t, url, open("1/s", "constant", "60000"), "requests = 1", usual), options(t))
	var f *PreflightError
	limit, _ := openFiles(60_064)
	if limit < 60_064 && (!errors.As(err, &f) || f.Kind != TooFewFiles || !strings.Contains(f.Hint, "ulimit -n 60064")) {
		t.Errorf("with a limit of %d: %v", limit, err)
	}
}

func TestKeyFromTheEnvironment(t *testing.T) {
	withKey := func(url string) plan.Plan {
		src := planFor(t, url, closed("[2]"), "requests = 20", usual).Source()
		p, err := plan.Parse("test.toml", bytes.Replace(src, []byte(`api = "chat"`), []byte("api = \"chat\"\nkey_env = \"TEST_KEY\""), 1))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const key = "CANARY-1234567890"
	url := serve(t, func(c *sim.Config) {
		c.Key = key
		// Every second answer repeats the key.
		c.Faults = []sim.Fault{{Kind: sim.Unauthorized, Requests: []int64{2, 4, 6, 8, 10, 12, 14, 16, 18, 20}}}
	})
	o := options(t)
	var f *PreflightError
	if _, err := Run(context.Background(), withKey(url), o); !errors.As(err, &f) || f.Kind != WrongKey || !strings.Contains(err.Error(), "TEST_KEY") {
		t.Errorf("without the variable: %v", err)
	}
	o.Getenv = func(name string) string { return map[string]string{"TEST_KEY": key}[name] }
	results, err := Run(context.Background(), withKey(url), o)
	if err != nil || results[0].Manifest.Ledger.Failed != 10 {
		t.Fatalf("%v, %v", err, results)
	}
	repeated := 0
	for _, row := range rowsOf(t, results[0]) {
		if row.ErrorClass == "http_401" && strings.Contains(row.ErrorText, "[removed]") {
			repeated++
		}
		if strings.Contains(row.ErrorText, "CANARY") {
			t.Errorf("the key is in the row %+v", row)
		}
	}
	if repeated == 0 {
		t.Error("no answer repeated the key: the test shows nothing")
	}
	noKey(t, o.Out, "CANARY")
}

// noKey looks for a text in every byte of every file under a folder.
func noKey(t *testing.T, dir, key string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(key)) || strings.Contains(path, key) {
			t.Errorf("%s holds the key", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestEveryConnectionIsOpened is case C21: what a pool or a limit would stop
// the endpoint would not see.
func TestEveryConnectionIsOpened(t *testing.T) {
	held := &counter{hold: 2 * time.Second}
	inBubble(t, nil, held, func(t *testing.T, w *world) {
		m := w.run(t.Context(), t, planFor(t, "http://stub.test", closed("[256]"), "requests = 512", usual))[0].Manifest
		if held.most != 256 || m.Health.MaxInFlight != 256 || m.Ledger.Completed != 512 {
			t.Errorf("the stub saw %d at once, the client %d; ledger %+v", held.most, m.Health.MaxInFlight, m.Ledger)
		}
	})
}

func TestDeadListener(t *testing.T) {
	// A listener that never accepts: connected by the kernel, never answered.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	p := planFor(t, "http://"+l.Addr().String(), closed("[1]"), "requests = 1", "[timeouts]\nfirst_byte = \"50ms\"\ntotal = \"1s\"")
	var f *PreflightError
	if _, err := Run(context.Background(), p, options(t)); !errors.As(err, &f) || f.Kind != NotReady || !strings.Contains(err.Error(), "50ms") {
		t.Errorf("got %v", err)
	}
}
