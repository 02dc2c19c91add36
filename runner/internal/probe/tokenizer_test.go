package probe

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"benchline/runner/internal/workload"
)

// tokenizerServer answers /tokenize in one dialect, one token a word.
func tokenizerServer(t *testing.T, kind string, asked *[]map[string]any) *http.Client {
	var mu sync.Mutex
	return &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/tokenize" || r.Method != http.MethodPost {
			t.Errorf("asked %s %s, %v", r.Method, r.URL, err)
		}
		mu.Lock()
		*asked = append(*asked, body)
		mu.Unlock()
		field := "prompt"
		if kind == "llama-server" {
			field = "content"
		}
		text, there := body[field].(string)
		n := len(strings.Fields(text))
		list := "[" + strings.TrimSuffix(strings.Repeat("7,", n), ",") + "]"
		switch {
		case kind == "llama-server":
			return answerOf(200, `{"tokens":`+list+`}`), nil // an empty list when there is no content
		case kind != "vllm":
			return answerOf(404, "<html>"), nil
		case !there:
			return answerOf(400, `{"error":"prompt is missing"}`), nil
		}
		raw, _ := json.Marshal(map[string]any{"count": n, "max_model_len": 10, "tokens": json.RawMessage(list)})
		return answerOf(200, string(raw)), nil
	})}
}

func TestTokenizerDialects(t *testing.T) {
	for kind, first := range map[string]int{"vllm": 1, "llama-server": 2} {
		t.Run(kind, func(t *testing.T) {
			var asked []map[string]any
			var count workload.Counter = Tokenizer(tokenizerServer(t, kind, &asked), "http://h", "", "m")
			if n, err := count(t.Context(), "a b c"); err != nil || n != 3 {
				t.Fatalf("got %d, %v", n, err)
			}
			if len(asked) != first {
				t.Errorf("%d questions to find out the dialect, want %d", len(asked), first)
			}
			if n, err := count(t.Context(), ""); err != nil || n != 0 {
				t.Errorf("an empty text gave %d, %v", n, err)
			}
			if len(asked) != first+1 {
				t.Errorf("the dialect was not remembered")
			}
			last := asked[len(asked)-1]
			if kind == "vllm" && (last["model"] != "m" || last["add_special_tokens"] != false) || kind != "vllm" && last["add_special"] != false {
				t.Errorf("asked %v", last)
			}
			if _, ok := last["model"]; ok != (kind == "vllm") {
				t.Errorf("asked %v", last)
			}
		})
	}
}

func TestNoTokenizer(t *testing.T) {
	var asked []map[string]any
	count := Tokenizer(tokenizerServer(t, "none", &asked), "http://h", "", "m")
	for range 2 {
		if _, err := count(t.Context(), "a"); !errors.Is(err, ErrNoTokenizer) {
			t.Errorf("got %v", err)
		}
	}
	if len(asked) != 2 {
		t.Errorf("asked %d times", len(asked))
	}
}

// Trouble on the way settles no dialect, and the key is in no error.
func TestTokenizerTrouble(t *testing.T) {
	const key = "CANARY-0123456789"
	statuses := []int{401, 503, 429}
	text := strings.Repeat(" ", 5000) + strings.Repeat("x", maxText-5) + key
	asked := 0
	c := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			t.Error("the key was not sent")
		}
		asked++
		if asked <= len(statuses) {
			return answerOf(statuses[asked-1], text), nil
		}
		return answerOf(200, `{"count":5}`), nil
	})}
	count := Tokenizer(c, "http://h", key, "m")
	for range statuses {
		if _, err := count(t.Context(), "a"); err == nil || errors.Is(err, ErrNoTokenizer) || strings.Contains(err.Error(), "CANARY") {
			t.Errorf("got %v", err)
		}
	}
	if n, err := count(t.Context(), "a"); err != nil || n != 5 {
		t.Errorf("got %d, %v", n, err)
	}
}

func TestReadCount(t *testing.T) {
	for _, tt := range []struct {
		raw string
		d   dialect
		n   int
		ok  bool
	}{
		{`{"count":3,"tokens":[1,2,3]}`, asPrompt, 3, true},
		{`{"count":0}`, asPrompt, 0, true},
		{`{"tokens":[]}`, asPrompt, 0, false},
		{`{"count":-1}`, asPrompt, 0, false},
		{`{"count":1.5}`, asPrompt, 0, false},
		{`{"tokens":[1,{"id":2,"piece":"a"},[3]]}`, asContent, 3, true},
		{`{"tokens":[]}`, asContent, 0, true},
		{`{"tokens":null}`, asContent, 0, false},
		{`{"tokens":"abc"}`, asContent, 0, false},
		{`{}`, asContent, 0, false},
		{`<html>`, asContent, 0, false},
	} {
		if n, ok := readCount([]byte(tt.raw), tt.d); n != tt.n || ok != tt.ok {
			t.Errorf("%s: got %d, %v, want %d, %v", tt.raw, n, ok, tt.n, tt.ok)
		}
	}
}
