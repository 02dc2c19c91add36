package target

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"benchline/runner/plan"
)

// TestRequest holds what is sent, as a standard server reads it.
func TestRequest(t *testing.T) {
	prompt := "say \"é\"\n\\ <b>&\u2028\x7f"
	for _, c := range []struct {
		api  plan.API
		conn plan.Connections
		path string
		want string
	}{
		{plan.Chat, plan.Reuse, "/base/v1/chat/completions", `{"model":"a/b \"c\"","messages":[{"role":"user","content":P}],"max_tokens":7,"temperature":0.5,"ignore_eos":true,"stream":true,"stream_options":{"include_usage":true}}`},
		{plan.Completions, plan.Fresh, "/base/v1/completions", `{"model":"a/b \"c\"","prompt":P,"max_tokens":7,"temperature":0.5,"ignore_eos":true,"stream":true,"stream_options":{"include_usage":true}}`},
	} {
		cl, err := New(Config{
			Endpoint:  plan.Endpoint{BaseURL: "http://h.test:81/base/", API: c.api, Model: `a/b "c"`, Connections: c.conn},
			IgnoreEOS: true, Temperature: 0.5, Key: "k", Agent: "tool 1", Start: time.Now(),
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{prompt, "plain words", ""} {
			p, err := cl.Prepare("id-1", text, 7)
			if err != nil {
				t.Fatal(err)
			}
			for want, wire := range map[string][]byte{"id-1": p.wire, "id-1-2": p.again().wire} {
				r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(wire)))
				if err != nil {
					t.Fatal(err)
				}
				body, _ := io.ReadAll(r.Body)
				got := []string{r.Method, r.URL.Path, r.Host, r.Header.Get("X-Request-Id"), r.Header.Get("Authorization"), r.Header.Get("Accept-Encoding"), r.UserAgent()}
				if d := cmp.Diff([]string{"POST", c.path, "h.test:81", want, "Bearer k", "identity", "tool 1"}, got); d != "" || r.Close != (c.conn == plan.Fresh) {
					t.Errorf("close %v (-want +got):\n%s", r.Close, d)
				}
				quoted, _ := json.Marshal(text)
				var a, b any
				if err := json.Unmarshal(body, &a); err != nil {
					t.Fatal(err)
				}
				_ = json.Unmarshal([]byte(strings.Replace(c.want, "P", string(quoted), 1)), &b)
				if d := cmp.Diff(b, a); d != "" {
					t.Errorf("body (-want +got):\n%s", d)
				}
			}
		}
	}
}

func TestRefusedConfigurations(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.Endpoint.BaseURL = "ftp://x" },
		func(c *Config) { c.Endpoint.BaseURL = "http://" },
		func(c *Config) { c.Endpoint.BaseURL = "::" },
		func(c *Config) { c.Key = "a\r\nX-Evil: 1" },
		func(c *Config) { c.Agent = "a\nb" },
	} {
		cfg := Config{Endpoint: plan.Endpoint{BaseURL: "http://x"}, Start: time.Now()}
		change(&cfg)
		if _, err := New(cfg); err == nil {
			t.Errorf("%+v was taken", cfg.Endpoint)
		}
	}
}

func BenchmarkPrepare(b *testing.B) {
	c, err := New(Config{Endpoint: plan.Endpoint{BaseURL: "http://x", API: plan.Chat}, Start: time.Now()})
	if err != nil {
		b.Fatal(err)
	}
	prompt := strings.Repeat("word ", 1000)
	b.SetBytes(int64(len(prompt)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Prepare("id", prompt, 128); err != nil {
			b.Fatal(err)
		}
	}
}
