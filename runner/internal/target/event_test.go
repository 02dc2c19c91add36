package target

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func compareFacts(t *testing.T, got, want facts) {
	t.Helper()
	if d := cmp.Diff(want, got, cmp.AllowUnexported(facts{}, usage{}, count{})); d != "" {
		t.Errorf("facts differ (-want +got):\n%s", d)
	}
}

// eventCases are events as engines send them, and odd ones.
func eventCases() []struct {
	name, data string
	fast       bool // the scanner must handle it by itself
	want       facts
} {
	n := func(n int64) count { return count{n, true} }
	return []struct {
		name, data string
		fast       bool
		want       facts
	}{
		{"content", `{"id":"c","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}],"usage":null}`, true, facts{answer: true}},
		{"role only", `{"choices":[{"delta":{"role":"assistant","content":""}}]}`, true, facts{}},
		{"role with null", `{"choices":[{"delta":{"role":"assistant","content":null},"logprobs":null}]}`, true, facts{}},
		{"escaped content", `{"choices":[{"delta":{"content":"\u00e9\n\ud83d\ude00"}}]}`, true, facts{answer: true}},
		{"reasoning_content", `{"choices":[{"delta":{"reasoning_content":"hm","content":null}}]}`, true, facts{reasoning: true}},
		{"reasoning", `{"choices":[{"delta":{"reasoning":"hm"}}]}`, true, facts{reasoning: true}},
		{"tool name", `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"w","arguments":""}}]}}]}`, true, facts{answer: true}},
		{"tool arguments", `{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"{\"a\":1"}}]}}]}`, true, facts{answer: true}},
		{"empty tool", `{"choices":[{"delta":{"tool_calls":[{"id":"t","function":{"name":"","arguments":""}}]}}]}`, true, facts{}},
		{"completions text", `{"choices":[{"index":0,"text":" w","finish_reason":null}]}`, true, facts{answer: true}},
		{"finish", `{"choices":[{"delta":{},"finish_reason":"length"}]}`, true, facts{finish: "length"}},
		{"usage alone", `{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7,"prompt_tokens_details":{"cached_tokens":3},"completion_tokens_details":{"reasoning_tokens":1}}}`, true,
			facts{usage: usage{input: n(5), output: n(2), cached: n(3), reasoning: n(1)}}},
		{"usage with null details", `{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":0,"prompt_tokens_details":null}}`, true,
			facts{usage: usage{input: n(5), output: n(0)}}},
		{"usage zeros", `{"choices":[{"text":"a"}],"usage":{"prompt_tokens":0,"completion_tokens":0}}`, true,
			facts{answer: true, usage: usage{input: n(0), output: n(0)}}},
		{"usage as fraction", `{"usage":{"prompt_tokens":5.0,"completion_tokens":2.5}}`, false, facts{usage: usage{input: n(5)}}},
		{"usage beyond range", `{"usage":{"prompt_tokens":1e999,"completion_tokens":-1}}`, false, facts{}},
		{"usage as text", `{"usage":{"prompt_tokens":"5"}}`, false, facts{}},
		{"timings", `{"choices":[],"timings":{"prompt_ms":12.5,"predicted_ms":40}}`, false, facts{prefillNS: n(12_500_000), decodeNS: n(40_000_000)}},
		{"usage times", `{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"prompt_time":0.5,"completion_time":1.25}}`, false,
			facts{usage: usage{input: n(1), output: n(1)}, prefillNS: n(500_000_000), decodeNS: n(1_250_000_000)}},
		{"error", `{"error":{"message":"engine stopped","type":"server_error","code":500}}`, false, facts{failed: true, errText: "engine stopped, server_error, code 500"}},
		{"error text", `{"error":"no"}`, false, facts{failed: true, errText: "no"}},
		{"error null", `{"error":null,"choices":[{"text":"a"}]}`, true, facts{answer: true}},
		{"error by object", `{"object":"error","message":"bad"}`, false, facts{failed: true, errText: "bad"}},
		{"upper-case key", `{"choices":[{"delta":{"Content":"a"}}]}`, true, facts{}},
		{"repeated key", `{"choices":[{"delta":{"content":"a","content":""}}]}`, false, facts{}},
		{"escaped key", `{"choices":[{"delta":{"c\u006fntent":"a"}}]}`, false, facts{answer: true}},
		{"content in parts", `{"choices":[{"delta":{"content":[{"type":"text","text":"a"}]}}]}`, false, facts{answer: true}},
		{"thinking in parts", `{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"a"}]}]}}]}`, false, facts{reasoning: true}},
		{"content as number", `{"choices":[{"delta":{"content":7}}]}`, false, facts{}},
		{"two choices", `{"choices":[{"text":""},{"text":"b","finish_reason":"stop"}]}`, true, facts{answer: true, finish: "stop"}},
		{"deep unknown", `{"x":{"a":[1,-2.5e-3,true,false,null,{"b":[]}]},"choices":[{"text":"b"}]}`, true, facts{answer: true}},
	}
}

func TestEvents(t *testing.T) {
	for _, c := range eventCases() {
		t.Run(c.name, func(t *testing.T) {
			got, ok := decodeEvent([]byte(c.data))
			if !ok {
				t.Fatal("decodeEvent refused it")
			}
			compareFacts(t, got, c.want)
			got, ok = scanEvent([]byte(c.data))
			if ok != c.fast {
				t.Errorf("scanEvent handled it: %v, want %v", ok, c.fast)
			}
			if ok {
				compareFacts(t, got, c.want)
			}
		})
	}
}

func TestEventsThatAreNone(t *testing.T) {
	for _, data := range []string{``, `[]`, `null`, `7`, `"a"`, `{`, `{"choices":[}`, `{"choices":[{"index":0,"del`, `{} {}`, `ping`} {
		if f, ok := read([]byte(data)); ok {
			t.Errorf("%q was taken for an event: %+v", data, f)
		}
	}
}

func TestScanEventDoesNotAllocate(t *testing.T) {
	data := []byte(eventCases()[0].data)
	if n := testing.AllocsPerRun(100, func() { scanEvent(data) }); n != 0 {
		t.Errorf("%v allocations an event, want 0", n)
	}
}

// FuzzEvent holds that whatever the scanner accepts means the same to
// encoding/json.
func FuzzEvent(f *testing.F) {
	for _, c := range eventCases() {
		f.Add([]byte(c.data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, ok := scanEvent(data)
		if !ok {
			return
		}
		want, ok := decodeEvent(data)
		if !ok {
			t.Fatalf("the scanner took %q, which encoding/json refuses", data)
		}
		compareFacts(t, got, want)
	})
}

func BenchmarkScanEvent(b *testing.B) {
	data := []byte(`{"id":"chatcmpl-1234","object":"chat.completion.chunk","created":1764000000,"model":"sim","choices":[{"index":0,"delta":{"content":"tok "},"finish_reason":null}],"usage":null}`)
	b.ReportAllocs()
	for b.Loop() {
		scanEvent(data)
	}
}

func BenchmarkDecodeEvent(b *testing.B) {
	data := []byte(`{"id":"chatcmpl-1234","object":"chat.completion.chunk","created":1764000000,"model":"sim","choices":[{"index":0,"delta":{"content":"tok "},"finish_reason":null}],"usage":null}`)
	b.ReportAllocs()
	for b.Loop() {
		decodeEvent(data)
	}
}
