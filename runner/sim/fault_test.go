package sim

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"
)

// withFault runs one request against an endpoint on which the fault strikes
// every request.
func withFault(t *testing.T, f Fault, body string) (*Server, *seen) {
	t.Helper()
	f.Requests = []int64{1}
	s := start(t, func(c *Config) { c.Faults = []Fault{f} })
	defer closeServer(t, s)
	return s, post(s, "/v1/chat/completions", body)
}

func text(body string) string {
	var b strings.Builder
	for _, e := range events(body) {
		b.WriteString(e.text())
	}
	return b.String()
}

// finishes counts the finish reasons in a body.
func finishes(body string) int {
	n := 0
	for _, e := range events(body) {
		if len(e.Choices) > 0 && e.Choices[0].Finish != nil {
			n++
		}
	}
	return n
}

// usages returns the completion tokens of every usage in a body.
func usages(body string) (where []int, tokens []int) {
	for i, e := range events(body) {
		if e.Usage != nil {
			where, tokens = append(where, i), append(tokens, e.Usage.Completion)
		}
	}
	return where, tokens
}

// faultCase is a fault, and what a client sees of it in an answer of 4 tokens
// to 10 words: at 1, 7, 13 and 19 ms.
type faultCase struct {
	fault   Fault
	status  int
	outcome Outcome
	tokens  int
	check   func(t *testing.T, w *seen)
}

func faultCases() []faultCase {
	hasBody := func(want string) func(*testing.T, *seen) {
		return func(t *testing.T, w *seen) {
			t.Helper()
			if got := w.body.String(); !strings.Contains(got, want) {
				t.Errorf("got body %q, want it to contain %q", got, want)
			}
		}
	}
	lacks := func(bad string) func(*testing.T, *seen) {
		return func(t *testing.T, w *seen) {
			t.Helper()
			if got := w.body.String(); strings.Contains(got, bad) {
				t.Errorf("got body %q, want it without %q", got, bad)
			}
		}
	}
	retry := func(want string) func(*testing.T, *seen) {
		return func(t *testing.T, w *seen) {
			t.Helper()
			if got := w.header.Get("Retry-After"); got != want {
				t.Errorf("got Retry-After %q, want %q", got, want)
			}
		}
	}
	times := func(want ...time.Duration) func(*testing.T, *seen) {
		return func(t *testing.T, w *seen) {
			t.Helper()
			var got []time.Duration
			for _, x := range w.writes {
				got = append(got, time.Duration(x.at.UnixNano())%time.Second)
			}
			if !slices.Equal(got, want) {
				t.Errorf("got writes at %v, want %v", got, want)
			}
		}
	}
	return []faultCase{
		{Fault{Kind: StallHeaders, Wait: 100 * ms}, 200, Finished, 4, times(101*ms, 107*ms, 113*ms, 119*ms, 119*ms)},
		{Fault{Kind: Unauthorized}, 401, Faulted, 0, hasBody(`"message":"Incorrect API key provided: `)},
		{Fault{Kind: UnknownModel}, 404, Faulted, 0, hasBody("simulated-8b")},
		{Fault{Kind: TooMany, Wait: 3 * time.Second}, 429, Faulted, 0, retry("3")},
		{Fault{Kind: TooMany}, 429, Faulted, 0, retry("")},
		{Fault{Kind: Unavailable, Wait: 100 * ms}, 503, Faulted, 0, retry("1")},
		{Fault{Kind: ServerError}, 500, Faulted, 0, hasBody(`"error"`)},
		{Fault{Kind: JSONError}, 200, Faulted, 0, hasBody(`{"error":{`)},
		{Fault{Kind: HTMLBody}, 200, Faulted, 0, hasBody("<html>")},
		{Fault{Kind: EmptyBody}, 200, Faulted, 0, func(t *testing.T, w *seen) {
			if w.body.Len() > 0 || !strings.HasPrefix(w.header.Get("Content-Type"), "text/event-stream") {
				t.Errorf("got %q of type %q", w.body.String(), w.header.Get("Content-Type"))
			}
		}},
		{Fault{Kind: ErrorEvent, After: 2}, 200, Faulted, 2, func(t *testing.T, w *seen) {
			e := events(w.body.String())
			if e[len(e)-1].Error == nil || finishes(w.body.String()) != 0 || !strings.HasSuffix(w.body.String(), "data: [DONE]\n\n") {
				t.Errorf("got %q", w.body.String())
			}
		}},
		{Fault{Kind: Cut, After: 1}, 200, Faulted, 1, func(t *testing.T, w *seen) {
			if b := w.body.String(); strings.HasSuffix(b, "\n\n") || strings.Contains(b, "DONE") {
				t.Errorf("got %q, want it to end within an event", b)
			}
		}},
		{Fault{Kind: Stall, After: 2, Wait: 100 * ms}, 200, Finished, 4, times(1*ms, 7*ms, 107*ms, 107*ms, 107*ms)},
		{Fault{Kind: NoDone}, 200, Finished, 4, lacks("[DONE]")},
		{Fault{Kind: NoFinish}, 200, Finished, 4, func(t *testing.T, w *seen) {
			if n := finishes(w.body.String()); n != 0 || !strings.Contains(w.body.String(), "[DONE]") {
				t.Errorf("got %d finish reasons, want 0, and [DONE] in %q", n, w.body.String())
			}
		}},
		{Fault{Kind: RoleEarly}, 200, Finished, 4, times(0, 1*ms, 7*ms, 13*ms, 19*ms, 19*ms)},
		{Fault{Kind: RoleNone}, 200, Finished, 4, lacks(`"role"`)},
		{Fault{Kind: RoleEvery}, 200, Finished, 4, func(t *testing.T, w *seen) {
			if n := strings.Count(w.body.String(), `"role"`); n != 5 { // its own event and four tokens
				t.Errorf("got %d roles, want 5", n)
			}
		}},
		{Fault{Kind: NullContent, Wait: 400 * time.Microsecond}, 200, Finished, 4,
			times(0, 400*time.Microsecond, 800*time.Microsecond, 1*ms, 7*ms, 13*ms, 19*ms, 19*ms)},
		{Fault{Kind: HeadersLate}, 200, Finished, 4, nil},
		{Fault{Kind: UsageMissing}, 200, Finished, 4, lacks("total_tokens")},
		{Fault{Kind: UsageInFinish}, 200, Finished, 4, func(t *testing.T, w *seen) {
			e := events(w.body.String())
			last := e[len(e)-1]
			if where, n := usages(w.body.String()); len(where) != 1 || n[0] != 4 || len(last.Choices) != 1 || last.Choices[0].Finish == nil {
				t.Errorf("got usage of %v in events %v of %q", n, where, w.body.String())
			}
		}},
		{Fault{Kind: UsageZeros}, 200, Finished, 4, func(t *testing.T, w *seen) {
			if _, n := usages(w.body.String()); !slices.Equal(n, []int{0, 0, 0, 0, 0, 0, 4}) {
				t.Errorf("got usages %v", n)
			}
		}},
		{Fault{Kind: CRLF}, 200, Finished, 4, func(t *testing.T, w *seen) {
			if b := w.body.String(); strings.Count(b, "\n") != strings.Count(b, "\r\n") || !strings.HasSuffix(b, "[DONE]\r\n\r\n") {
				t.Errorf("got %q", b)
			}
		}},
		{Fault{Kind: CR}, 200, Finished, 4, lacks("\n")},
		{Fault{Kind: NoSpace}, 200, Finished, 4, lacks("data: ")},
		{Fault{Kind: Comments, Wait: 700 * time.Microsecond}, 200, Finished, 4, func(t *testing.T, w *seen) {
			if n := strings.Count(w.body.String(), ": keep-alive\nretry: 3000\n\n"); n != 28 { // at 0 and 27 times up to 19 ms
				t.Errorf("got %d comments, want 28", n)
			}
		}},
		{Fault{Kind: SplitUTF8}, 200, Finished, 4, func(t *testing.T, w *seen) {
			split := 0
			for _, x := range w.writes {
				if !utf8.ValidString(x.text) {
					split++
				}
			}
			if split != 8 || !utf8.Valid(w.body.Bytes()) {
				t.Errorf("got %d writes with part of a letter, want 8, in %q", split, w.body.String())
			}
		}},
		{Fault{Kind: Packed, Size: 3}, 200, Finished, 4, times(13*ms, 19*ms, 19*ms)},
		{Fault{Kind: HugeLine, Size: 3 << 20, After: 1}, 200, Finished, 4, func(t *testing.T, w *seen) {
			if longest := slices.Max(lengths(w.body.String())); longest < 3<<20 {
				t.Errorf("got a longest line of %d bytes", longest)
			}
		}},
		{Fault{Kind: TruncatePrompt, Size: 5}, 200, Finished, 4, hasBody(`"prompt_tokens":5`)},
		{Fault{Kind: FinishWithLast}, 200, Finished, 4, func(t *testing.T, w *seen) {
			for _, e := range events(w.body.String()) {
				if len(e.Choices) > 0 && e.Choices[0].Finish != nil && e.text() == "" {
					t.Errorf("got the finish reason without a token in %q", w.body.String())
				}
			}
			if n := finishes(w.body.String()); n != 1 {
				t.Errorf("got %d finish reasons, want 1", n)
			}
		}},
		{Fault{Kind: ToolCall}, 200, Finished, 4, func(t *testing.T, w *seen) {
			b := w.body.String()
			if strings.Count(b, `"name":"simulated"`) != 1 || strings.Count(b, `"arguments":"`) != 4 || strings.Count(b, `"content":""`) != 1 ||
				strings.Count(b, `"finish_reason":"tool_calls"`) != 1 {
				t.Errorf("got %q", b)
			}
		}},
		{Fault{Kind: Timings}, 200, Finished, 4, hasBody(`"timings":{"cache_n":0,"prompt_n":10,"prompt_ms":1,"predicted_n":4,"predicted_ms":18}`)},
		{Fault{Kind: TwoLines}, 200, Finished, 4, func(t *testing.T, w *seen) {
			if b := w.body.String(); strings.Count(b, "\ndata: \"choices\"") != 7 {
				t.Errorf("got %q", b)
			}
		}},
		{Fault{Kind: HideCached}, 200, Finished, 4, lacks("cached_tokens")},
	}
}

func lengths(body string) []int {
	var out []int
	for line := range strings.Lines(body) {
		out = append(out, len(line))
	}
	return out
}

func TestFaults(t *testing.T) {
	covered := []Kind{Reset, CloseAfter} // need a connection: see TestConnectionFaults
	for _, tt := range faultCases() {
		covered = append(covered, tt.fault.Kind)
		t.Run(string(tt.fault.Kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, w := withFault(t, tt.fault, chatBody(words(10, "w"), 4))
				if w.status != tt.status {
					t.Errorf("got status %d, want %d", w.status, tt.status)
				}
				if got := len(strings.Fields(text(w.body.String()))); got != tt.tokens {
					t.Errorf("got %d tokens, want %d", got, tt.tokens)
				}
				truth := s.Truth()[0]
				if truth.Outcome != tt.outcome || truth.Status != tt.status || truth.OutputTokens != int64(tt.tokens) || !slices.Equal(truth.Faults, []Kind{tt.fault.Kind}) {
					t.Errorf("got truth %+v, want %s, status %d, %d tokens, this fault", truth, tt.outcome, tt.status, tt.tokens)
				}
				if tt.outcome == Finished && tt.fault.Kind != NoDone && !bytes.Contains(w.body.Bytes(), []byte("[DONE]")) {
					t.Errorf("got no [DONE] in %q", w.body.String())
				}
				if tt.check != nil {
					tt.check(t, w)
				}
			})
		})
	}
	for _, k := range Kinds() {
		if !slices.Contains(covered, k) {
			t.Errorf("%s has no case", k)
		}
	}
}

func TestFaultsCombine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t, func(c *Config) {
			for _, k := range []Kind{CRLF, NoSpace, UsageInFinish, NoDone} {
				c.Faults = append(c.Faults, Fault{Kind: k, Probability: 1})
			}
		})
		defer closeServer(t, s)
		w := post(s, "/v1/completions", `{"model":"simulated-8b","prompt":"a b c","max_tokens":2,"stream":true}`)
		b := w.body.String()
		if strings.Contains(b, "data: ") || strings.Contains(b, "DONE") || !strings.HasSuffix(b, "}}}\r\n\r\n") && !strings.HasSuffix(b, "}}\r\n\r\n") {
			t.Errorf("got %q", b)
		}
		if u := usageOf(t, w); u.Total != 5 {
			t.Errorf("got usage %+v, want a total of 5", u)
		}
	})
}

func TestFaultsAreDrawnFromTheSeed(t *testing.T) {
	faults := []Fault{{Kind: NoDone, Probability: 0.25}, {Kind: CRLF, Probability: 0.25}, {Kind: CR, Requests: []int64{7}}}
	draw := func(seed uint64) (out []string) {
		for n := range int64(4000) {
			kinds := ""
			for _, f := range drawn(faults, seed, n+1) {
				kinds += string(f.Kind) + " "
			}
			out = append(out, kinds)
		}
		return out
	}
	a := draw(1)
	if !slices.Equal(a, draw(1)) {
		t.Error("the same seed draws other faults")
	}
	if slices.Equal(a, draw(2)) {
		t.Error("another seed draws the same faults")
	}
	count := map[string]int{}
	for i, kinds := range a {
		for k := range strings.FieldsSeq(kinds) {
			count[k]++
		}
		if strings.Contains(kinds, "no_done crlf") {
			count["both"]++
		}
		if got := strings.Contains(kinds, "cr "); got != (i == 6) {
			t.Errorf("request %d: scripted fault is %v", i+1, got)
		}
	}
	// 4,000 draws at 1/4: 1,000 ± 27; both at 1/16: 250 ± 15.
	if n := count["no_done"]; n < 860 || n > 1140 {
		t.Errorf("no_done struck %d of 4000, want about 1000", n)
	}
	if n := count["both"]; n < 170 || n > 330 {
		t.Errorf("both struck %d of 4000, want about 250: the draws are not independent", n)
	}
}

func TestFaultsWithoutStreaming(t *testing.T) {
	body := `{"model":"simulated-8b","messages":[{"role":"user","content":"a b c"}],"max_tokens":2}`
	for _, tt := range []struct {
		kind    Kind
		want    string // in the body
		lack    string
		outcome Outcome
	}{
		{UsageMissing, `"finish_reason":"length"`, "usage", Finished},
		{HideCached, "total_tokens", "cached_tokens", Finished},
		{Cut, `"choices"`, "total_tokens", Faulted},
		{NoDone, "total_tokens", "data:", Finished},
	} {
		t.Run(string(tt.kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, w := withFault(t, Fault{Kind: tt.kind}, body)
				b := w.body.String()
				if w.status != http.StatusOK || !strings.Contains(b, tt.want) || strings.Contains(b, tt.lack) {
					t.Errorf("got %d %q, want %q and not %q", w.status, b, tt.want, tt.lack)
				}
				if got := s.Truth()[0].Outcome; got != tt.outcome {
					t.Errorf("got outcome %s, want %s", got, tt.outcome)
				}
			})
		})
	}
}

func TestParseFault(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Fault
	}{
		{"no_done", Fault{Kind: NoDone, Probability: 1}},
		{"stall,p=0.5,after=20,wait=5s", Fault{Kind: Stall, Probability: 0.5, After: 20, Wait: 5 * time.Second}},
		{"huge_line,requests=3+17,size=9", Fault{Kind: HugeLine, Requests: []int64{3, 17}, Size: 9}},
	} {
		got, err := ParseFault(tt.text)
		if err != nil || got.Kind != tt.want.Kind || got.Probability != tt.want.Probability || !slices.Equal(got.Requests, tt.want.Requests) ||
			got.After != tt.want.After || got.Wait != tt.want.Wait || got.Size != tt.want.Size {
			t.Errorf("%q: got %+v, %v, want %+v", tt.text, got, err, tt.want)
		}
	}
	for _, tt := range []struct{ text, want string }{
		{"", "unknown kind"}, {"nonsense", "unknown kind"}, {"stall", "needs a wait"}, {"cut,p=x", "p: "}, {"cut,p=NaN", "probability"},
		{"cut,requests=0", "start from 1"}, {"cut,requests=", "requests: "}, {"cut,colour=red", "no such setting"}, {"cut,", "no such setting"},
	} {
		if got, err := ParseFault(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %+v, %v, want an error with %q", tt.text, got, err, tt.want)
		}
	}
}

func FuzzParseFault(f *testing.F) {
	f.Add("stall,p=0.5,after=20,wait=5s,size=1,requests=1+2")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseFault(text)
		if err != nil {
			return
		}
		if err := got.check(); err != nil {
			t.Errorf("%q: accepted %+v: %v", text, got, err)
		}
	})
}
