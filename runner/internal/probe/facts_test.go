package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"benchline/runner/plan"
	"benchline/runner/reqlog"

	"pgregory.net/rapid"
)

// endpoint serves the files of a folder of testdata: a request for /a/b gets
// a_b.json, and 404 if there is none.
func endpoint(t *testing.T, name, server string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if server != "" {
			w.Header().Set("Server", server)
		}
		file := strings.ReplaceAll(strings.TrimPrefix(r.URL.Path, "/"), "/", "_") + ".json"
		b, err := os.ReadFile(filepath.Join("testdata", name, file))
		if err != nil {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = w.Write(b)
	}))
	t.Cleanup(s.Close)
	return s
}

func spec(base, model string) plan.Spec {
	return plan.Spec{
		Endpoint: plan.Endpoint{BaseURL: base, Model: model},
		Profile:  plan.Profile{Name: "B0", Model: model},
		Cache:    plan.Cache{Policy: plan.Cold},
	}
}

// show writes facts one a line, for comparison with a file.
func show(facts []reqlog.Fact) string {
	var b strings.Builder
	for _, f := range facts {
		v := "not stated"
		if f.Value != nil {
			v = fmt.Sprintf("%q", *f.Value)
		}
		fmt.Fprintf(&b, "%s: %s | %s | %s\n", f.Key, v, f.By, f.Note)
	}
	return b.String()
}

// golden compares with a file of testdata. There is no switch that rewrites the
// file: a change is made by hand, so that it is read.
func golden(t *testing.T, name, got string) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFactsOfEngines(t *testing.T) {
	for _, tt := range []struct {
		name, server, model string
		simulated           bool
	}{
		{"vllm", "uvicorn", "org-a/model-7b", false},
		{"llama-server", "llama.cpp", "9m.gguf", false},
		{"sglang", "uvicorn", "org-a/model-7b", false},
		{"simulated", "benchline-simulated-endpoint", "simulated", true},
		{"bare", "", "m", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := endpoint(t, tt.name, tt.server)
			facts, simulated, err := Facts(t.Context(), s.Client(), spec(s.URL, tt.model), "")
			if err != nil {
				t.Fatal(err)
			}
			if simulated != tt.simulated {
				t.Errorf("simulated is %v", simulated)
			}
			golden(t, tt.name+".txt", show(facts))
		})
	}
}

// Any one of the three marks is enough to be called simulated.
func TestSimulatedByAnyMark(t *testing.T) {
	s := endpoint(t, "simulated", "")
	if _, simulated, _ := Facts(t.Context(), s.Client(), spec(s.URL, "other"), ""); !simulated {
		t.Error("without the Server header it is not recognised")
	}
	s = endpoint(t, "bare", "benchline-simulated-endpoint")
	if _, simulated, _ := Facts(t.Context(), s.Client(), spec(s.URL, "other"), ""); !simulated {
		t.Error("by the Server header alone it is not recognised")
	}
}

func TestPlanAndEndpointDisagree(t *testing.T) {
	s := endpoint(t, "vllm", "uvicorn")
	p := spec(s.URL, "org-a/model-7b")
	p.Profile.EngineVersion = "0.9.0"
	p.Profile.Engine = "vLLM"
	p.Profile.Model = "Model 7B"
	facts, _, err := Facts(t.Context(), s.Client(), p, "")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"engine_version": `0.9.0 | plan | endpoint /version says otherwise: "0.11.0"`,
		"engine":         "vLLM | plan | endpoint /v1/models says the same",
		"model":          `Model 7B | plan | endpoint /v1/models says otherwise: "org-a/model-7b"`,
	} {
		f := byKey(t, facts, key)
		if got := *f.Value + " | " + f.By + " | " + f.Note; got != want {
			t.Errorf("%s: got %s, want %s", key, got, want)
		}
	}
}

func byKey(t *testing.T, facts []reqlog.Fact, key string) reqlog.Fact {
	t.Helper()
	i := slices.IndexFunc(facts, func(f reqlog.Fact) bool { return f.Key == key })
	if i < 0 {
		t.Fatalf("no fact %s", key)
	}
	return facts[i]
}

func TestModelThatIsNotListed(t *testing.T) {
	s := endpoint(t, "vllm", "")
	facts, _, _ := Facts(t.Context(), s.Client(), spec(s.URL, "other"), "")
	if f := byKey(t, facts, "model"); !strings.Contains(f.Note, `does not list "other"; it lists 2, the first being "org-a/model-7b"`) {
		t.Errorf("note %q", f.Note)
	}
	if f := byKey(t, facts, "max_context"); f.Value != nil {
		t.Errorf("the context of another model was taken: %s", *f.Value)
	}
}

// Every key once, in order, stated or with a reason, whatever is served.
func TestKeysAreClosed(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Keys() {
		if seen[k.ID] || k.Label == "" {
			t.Errorf("key %+v", k)
		}
		seen[k.ID] = true
	}
	rapid.Check(t, func(rt *rapid.T) {
		bodies := rapid.MapOf(rapid.SampledFrom(pages()), rapid.SampledFrom([]string{
			`{}`, `[]`, `null`, `<html>`, `{"data":[{"id":"m","owned_by":"vllm","root":5,"max_model_len":{"a":1}},3]}`, `{"version":true,"tp_size":2}`,
			`{"data":{"a":1}}`, `{"default_generation_settings":[],"total_slots":-1e9,"build_info":"\u001b[31m"}`, ``,
		})).Draw(rt, "bodies")
		c := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			b, ok := bodies[r.URL.Path]
			if !ok {
				return nil, errors.New("refused")
			}
			return answerOf(200, b), nil
		})}
		facts, _, err := Facts(context.Background(), c, spec("http://h", "m"), "")
		if (err != nil) != (len(bodies) == 0) {
			rt.Fatalf("error %v of %d pages", err, len(bodies))
		}
		if err != nil && !errors.Is(err, ErrUnreachable) {
			rt.Fatalf("error %v", err)
		}
		facts = append(facts, Host(os.DirFS(t.TempDir()))...)
		if len(facts) != len(Keys()) {
			rt.Fatalf("%d facts of %d keys", len(facts), len(Keys()))
		}
		for i, k := range Keys() {
			f := facts[i]
			if f.Key != k.ID || f.By == "" || f.Value == nil && f.Note == "" || f.Value != nil && *f.Value == "" {
				rt.Fatalf("fact %+v of key %s", f, k.ID)
			}
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answerOf(status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ProtoMajor: 1, ProtoMinor: 1,
	}
}

// A key that the endpoint gives back, whole, cut up by control characters or
// at the place where text is clipped, stands in no fact and in no error.
func TestKeyIsInNoFact(t *testing.T) {
	const key = "CANARY-key-0123456789"
	echo := func(path string) string {
		long := strings.Repeat("x", maxText-8) + key
		switch path {
		case "/v1/models":
			return fmt.Sprintf(`{"data":[{"id":"m","owned_by":%q,"root":%q}]}`, "by "+key, long)
		case "/version":
			return `{"version":"CANARY-\u0000key-\u001b0123456789"}`
		}
		return fmt.Sprintf(`{"build_info":%q}`, key)
	}
	var sent atomic.Bool
	c := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Authorization") == "Bearer "+key {
			sent.Store(true)
		}
		if r.URL.Path == "/health" {
			return nil, errors.New("refused " + key)
		}
		a := answerOf(200, echo(r.URL.Path))
		a.Header.Set("Server", key)
		return a, nil
	})}
	facts, _, err := Facts(t.Context(), c, spec("http://h", "m"), key)
	if err != nil || !sent.Load() {
		t.Fatalf("error %v, key sent %v", err, sent.Load())
	}
	if s := show(facts); strings.Contains(s, "CANARY") {
		t.Errorf("the key is in a fact:\n%s", s)
	}
	none := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) { return nil, errors.New("refused " + key) })}
	if facts, _, err := Facts(t.Context(), none, spec("http://h", "m"), key); err == nil || strings.Contains(err.Error()+show(facts), "CANARY") {
		t.Errorf("error %v", err)
	}
}

func TestCleanIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(`[a-z]{3,8}`).Draw(t, "key")
		s := rapid.String().Draw(t, "a") + key + rapid.String().Draw(t, "b")
		got := clean(s, key)
		if strings.Contains(got, key) && !strings.Contains("(key)", key) || len([]rune(got)) > maxText || strings.ContainsAny(got, "\n\r\t\x00\x1b") {
			t.Fatalf("%q became %q", s, got)
		}
	})
}

// An endpoint that never answers costs five seconds, not five a page.
func TestSilentEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}
		start := time.Now()
		facts, _, err := Facts(t.Context(), c, spec("http://h", "m"), "")
		if !errors.Is(err, ErrUnreachable) || time.Since(start) != askTimeout {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
		if f := byKey(t, facts, "endpoint_health"); f.Note != "endpoint /health: no answer in 5s" {
			t.Errorf("note %q", f.Note)
		}
	})
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Facts(ctx, http.DefaultClient, spec("http://127.0.0.1:1", "m"), ""); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A page without an end is given up at a mebibyte.
func TestEndlessPage(t *testing.T) {
	c := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		a := answerOf(200, "")
		a.Body = io.NopCloser(endless{})
		return a, nil
	})}
	facts, _, err := Facts(t.Context(), c, spec("http://h", "m"), "")
	if err != nil {
		t.Fatal(err)
	}
	if f := byKey(t, facts, "endpoint_owner"); f.Value != nil || !strings.Contains(f.Note, "too large") {
		t.Errorf("fact %+v", f)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestStatedByThePlan(t *testing.T) {
	yes := true
	p := spec("http://127.0.0.1:1", "m")
	p.Profile.Quantized, p.Profile.Accelerators, p.Profile.Hardware = &yes, 2, "2 × GH200 96 GB"
	p.Cache = plan.Cache{Policy: plan.Shared, Share: 0.5}
	facts, _, _ := Facts(t.Context(), &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return nil, errors.New("refused")
	})}, p, "")
	for key, want := range map[string]string{
		"quantized": "true", "accelerators": "2", "hardware": "2 × GH200 96 GB", "cache_policy": "shared prefix of 0.5 of the input",
	} {
		if f := byKey(t, facts, key); f.Value == nil || *f.Value != want || f.By != byPlan {
			t.Errorf("fact %+v, want %s", f, want)
		}
	}
	other := p
	other.Workload.Seed = 1
	if same := p; workloadHash(p) == workloadHash(other) || workloadHash(p) != workloadHash(same) {
		t.Error("the workload's hash does not follow the workload")
	}
}

// What a plan states under names of its own is a fact as well, after the list; a
// name of the list is not taken from there.
func TestMoreOfThePlan(t *testing.T) {
	p := spec(endpoint(t, "none", "").URL, "m")
	p.Profile.AdditionalProperties = map[string]string{"region": "eu-north", "rack": "7", "precision": "fp1"}
	facts, _, err := Facts(t.Context(), http.DefaultClient, p, "")
	if err != nil {
		t.Fatal(err)
	}
	more := facts[len(serving()):]
	if got, want := show(more), "rack: \"7\" | plan | \nregion: \"eu-north\" | plan | \n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if f := facts[slices.IndexFunc(facts, func(f reqlog.Fact) bool { return f.Key == "precision" })]; f.Value != nil {
		t.Errorf("got precision %q from profile.more", *f.Value)
	}
}
