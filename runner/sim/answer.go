package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// usage is the usage object of a request, or of as much as was generated.
func (x *exchange) usage(output, reasoning int) []byte {
	b := make([]byte, 0, 192)
	b = append(b, `{"prompt_tokens":`...)
	b = strconv.AppendInt(b, int64(x.q.promptTokens), 10)
	b = append(b, `,"completion_tokens":`...)
	b = strconv.AppendInt(b, int64(output), 10)
	b = append(b, `,"total_tokens":`...)
	b = strconv.AppendInt(b, int64(x.q.promptTokens+output), 10)
	if _, hide := x.strike(HideCached); !hide {
		b = append(b, `,"prompt_tokens_details":{"cached_tokens":`...)
		b = strconv.AppendInt(b, int64(x.q.cached), 10)
		b = append(b, '}')
	}
	if x.chat {
		b = append(b, `,"completion_tokens_details":{"reasoning_tokens":`...)
		b = strconv.AppendInt(b, int64(reasoning), 10)
		b = append(b, '}')
	}
	return append(b, '}')
}

// reasoning is how many of the answer's first tokens are reasoning.
func (x *exchange) reasoning() int {
	if !x.chat {
		return 0
	}
	return min(x.s.cfg.ReasoningTokens, x.q.output)
}

// vocabulary is what answers are made of: plain words, or words in which
// every letter takes several bytes.
func vocabulary(wide bool) []string {
	if wide {
		return []string{"日本語", "тест", "العربية", "😀🙂", "ελλάς", "한국어"}
	}
	return []string{
		"amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "joint", "kelp", "larch", "maple", "north", "ocean", "pearl",
		"quartz", "ridge", "slate", "thorn", "umber", "vale", "willow", "yarrow", "acorn", "basil", "clove", "dune", "elder", "fern", "gorse", "hazel",
	}
}

// word returns the answer's i-th token, which depends on the prompt only.
func (x *exchange) word(words []string, i int) string {
	return words[(x.q.sum>>7+uint64(i)*(x.q.sum%13|1))%uint64(len(words))] // #nosec G115 -- i is not negative
}

// appendWords appends tokens from to to−1 as text. Each but the answer's
// first, and the first after the reasoning, starts with a space.
func (x *exchange) appendWords(b []byte, words []string, from, to int) []byte {
	for i := from; i < to; i++ {
		if i > 0 && i != x.reasoning() {
			b = append(b, ' ')
		}
		b = append(b, x.word(words, i)...)
	}
	return b
}

func (x *exchange) finishReason() string {
	if x.q.stop {
		return "stop"
	}
	return "length"
}

// whole answers without streaming.
func (x *exchange) whole() {
	if !x.await(x.q.output, nil, nil) {
		return
	}
	n, r, words := x.q.output, x.reasoning(), vocabulary(false)
	text := string(x.appendWords(nil, words, r, n))
	choice := map[string]any{"index": 0, "finish_reason": x.finishReason()}
	object := "text_completion"
	if x.chat {
		object = "chat.completion"
		message := map[string]any{"role": "assistant", "content": text}
		if r > 0 {
			message[x.s.cfg.reasoningKey()] = string(x.appendWords(nil, words, 0, r))
		}
		choice["message"] = message
	} else {
		choice["text"] = text
	}
	answer := map[string]any{
		"id": x.id(), "object": object, "created": x.truth.ArrivalNS / 1e9, "model": x.s.modelName(x.ask.model),
		"choices": []any{choice},
	}
	if _, missing := x.strike(UsageMissing); !missing {
		answer["usage"] = json.RawMessage(x.usage(n, r))
	}
	src, err := json.Marshal(answer)
	if err != nil {
		x.refuse(Faulted, http.StatusInternalServerError, "internal_error", err.Error())
		return
	}
	x.writeWhole(src)
}

func (x *exchange) writeWhole(src []byte) {
	h := x.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(src)))
	x.truth.Status = http.StatusOK
	now := x.s.unix(x.s.offset())
	if _, cut := x.strike(Cut); cut {
		_, err := x.w.Write(src[:len(src)/2])
		ignoreGone(err)
		ignoreGone(http.NewResponseController(x.w).Flush())
		x.hangUp(nil, false)
		x.truth.Outcome = Faulted
		return
	}
	_, err := x.w.Write(src)
	if err == nil {
		err = http.NewResponseController(x.w).Flush()
	}
	if err != nil {
		x.truth.Outcome = ClientGone
		return
	}
	x.truth.Outcome, x.truth.FinishReason = Finished, x.finishReason()
	x.truth.FirstNS, x.truth.LastNS, x.truth.Chunks = now, now, 1
	x.truth.OutputTokens, x.truth.ReasoningTokens = int64(x.q.output), int64(x.reasoning())
}

func (x *exchange) id() string {
	if x.chat {
		return fmt.Sprintf("chatcmpl-sim-%d", x.truth.Number)
	}
	return fmt.Sprintf("cmpl-sim-%d", x.truth.Number)
}
