package target

// facts is what one event of a stream says. Its zero value says nothing.
type facts struct {
	answer    bool // carries a non-empty answer token: text or a tool call
	reasoning bool // carries a non-empty reasoning token
	finish    string
	usage     usage
	prefillNS count // the endpoint's own times, where it states them
	decodeNS  count
	failed    bool   // the event is an error object
	errText   string // its message, not yet redacted
}

// count is a number that may not be stated.
type count struct {
	n  int64
	ok bool
}

// usage is a usage object. Engines repeat it, some as zeros until the last.
type usage struct {
	input, output, reasoning, cached count
}

// stated tells a usage object that says something from one that is absent or
// a placeholder of zeros.
func (u usage) stated() bool { return u.input.n > 0 || u.output.n > 0 }

// Bits of the keys that were seen, so that a repeated key, whose meaning JSON
// leaves open, goes to the careful decoder.
const (
	sawChoices = 1 << iota
	sawUsage
	sawObject
	sawDelta
	sawText
	sawFinish
	sawContent
	sawReasoning
	sawReasoningContent
	sawTools
	sawFunction
	sawName
	sawArguments
	sawPrompt
	sawCompletion
	sawPromptDetails
	sawCompletionDetails
	sawCached
)

// read says what the data of one event means. The scanner below handles what
// engines usually send, in one pass and without allocating; for all else
// encoding/json decides. A fuzz test holds that the two agree.
func read(data []byte) (facts, bool) {
	if f, ok := scanEvent(data); ok {
		return f, true
	}
	return decodeEvent(data)
}

// scanEvent reads one event and reports whether it could; when not, the
// facts mean nothing.
func scanEvent(data []byte) (facts, bool) {
	s := scanner{b: data}
	var f facts
	s.top(&f)
	s.space()
	return f, !s.bad && s.i == len(s.b)
}

func (s *scanner) top(f *facts) {
	var seen int
	for first := true; s.member(&first); {
		switch string(s.name) {
		case "choices":
			s.once(&seen, sawChoices)
			if s.null() {
				continue
			}
			for first := true; s.element(&first); {
				s.choice(f)
			}
		case "usage":
			s.once(&seen, sawUsage)
			if !s.null() {
				s.usage(&f.usage)
			}
		case "object":
			s.once(&seen, sawObject)
			if v := s.text(); string(v) == "error" {
				s.bad = true
			}
		case "error":
			if !s.null() {
				s.bad = true
			}
		case "timings":
			s.bad = true // once in a request, so the careful decoder may
		default:
			s.skip(0)
		}
	}
}

func (s *scanner) choice(f *facts) {
	var seen int
	for first := true; s.member(&first); {
		switch string(s.name) {
		case "delta":
			s.once(&seen, sawDelta)
			if !s.null() {
				s.delta(f)
			}
		case "text":
			s.once(&seen, sawText)
			f.answer = s.filled() || f.answer
		case "finish_reason":
			s.once(&seen, sawFinish)
			if s.null() {
				continue
			}
			if v := s.text(); len(v) > 0 {
				f.finish = string(v)
			}
		default:
			s.skip(0)
		}
	}
}

func (s *scanner) delta(f *facts) {
	var seen int
	for first := true; s.member(&first); {
		switch string(s.name) {
		case "content":
			s.once(&seen, sawContent)
			f.answer = s.filled() || f.answer
		case "reasoning_content":
			s.once(&seen, sawReasoningContent)
			f.reasoning = s.filled() || f.reasoning
		case "reasoning":
			s.once(&seen, sawReasoning)
			f.reasoning = s.filled() || f.reasoning
		case "tool_calls":
			s.once(&seen, sawTools)
			if s.null() {
				continue
			}
			for first := true; s.element(&first); {
				s.tool(f)
			}
		default:
			s.skip(0)
		}
	}
}

func (s *scanner) tool(f *facts) {
	var seen int
	for first := true; s.member(&first); {
		if string(s.name) != "function" {
			s.skip(0)
			continue
		}
		s.once(&seen, sawFunction)
		if s.null() {
			continue
		}
		for first := true; s.member(&first); {
			switch string(s.name) {
			case "name":
				s.once(&seen, sawName)
				f.answer = s.filled() || f.answer
			case "arguments":
				s.once(&seen, sawArguments)
				f.answer = s.filled() || f.answer
			default:
				s.skip(0)
			}
		}
	}
}

func (s *scanner) usage(u *usage) {
	var seen int
	for first := true; s.member(&first); {
		switch string(s.name) {
		case "prompt_tokens":
			s.once(&seen, sawPrompt)
			u.input = s.whole()
		case "completion_tokens":
			s.once(&seen, sawCompletion)
			u.output = s.whole()
		case "prompt_tokens_details":
			s.once(&seen, sawPromptDetails)
			s.detail("cached_tokens", &u.cached)
		case "completion_tokens_details":
			s.once(&seen, sawCompletionDetails)
			s.detail("reasoning_tokens", &u.reasoning)
		case "prompt_time", "completion_time":
			s.bad = true
		default:
			s.skip(0)
		}
	}
}

func (s *scanner) detail(key string, c *count) {
	if s.null() {
		return
	}
	var seen int
	for first := true; s.member(&first); {
		if string(s.name) != key {
			s.skip(0)
			continue
		}
		s.once(&seen, sawCached)
		*c = s.whole()
	}
}
