package target

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// object is a JSON object whose keys are matched exactly: encoding/json
// matches struct fields without regard to case, which would make "Content"
// a token.
type object map[string]json.RawMessage

// decodeEvent says what the data of one event means, with encoding/json. It
// is the reference for scanEvent and takes what that one leaves: errors,
// timings, escapes in odd places, content in parts. It reports whether the
// data is a JSON object at all.
func decodeEvent(data []byte) (facts, bool) {
	var f facts
	var top object
	if err := json.Unmarshal(data, &top); err != nil || top == nil {
		return f, false
	}
	var kind string
	decode(top["object"], &kind)
	if e, ok := top["error"]; ok && !isNull(e) {
		f.failed, f.errText = true, errorText(e)
	} else if kind == "error" {
		f.failed, f.errText = true, errorText(data)
	}
	var choices []object
	decode(top["choices"], &choices)
	for _, c := range choices {
		decodeChoice(&f, c)
	}
	var u object
	decode(top["usage"], &u)
	f.usage = decodeUsage(u)
	decodeTimes(&f, u, top["timings"])
	return f, true
}

func decodeChoice(f *facts, c object) {
	f.answer = filled(c["text"]) || f.answer
	var finish string
	decode(c["finish_reason"], &finish)
	if finish != "" {
		f.finish = finish
	}
	var d object
	decode(c["delta"], &d)
	f.answer = filled(d["content"]) || f.answer
	f.reasoning = filled(d["reasoning_content"]) || filled(d["reasoning"]) || f.reasoning
	var tools []object
	decode(d["tool_calls"], &tools)
	for _, t := range tools {
		var fn object
		decode(t["function"], &fn)
		f.answer = filled(fn["name"]) || filled(fn["arguments"]) || f.answer
	}
	decodeParts(f, d["content"])
}

// decodeParts reads content that comes as a list of typed parts, of which
// those of the type "thinking" are reasoning.
func decodeParts(f *facts, raw json.RawMessage) {
	var parts []object
	decode(raw, &parts)
	for _, p := range parts {
		f.answer = filled(p["text"]) || f.answer
		var thoughts []object
		decode(p["thinking"], &thoughts)
		for _, t := range thoughts {
			f.reasoning = filled(t["text"]) || f.reasoning
		}
	}
}

func decodeUsage(u object) usage {
	var in, out object
	decode(u["prompt_tokens_details"], &in)
	decode(u["completion_tokens_details"], &out)
	return usage{
		input:     whole(u["prompt_tokens"]),
		output:    whole(u["completion_tokens"]),
		cached:    whole(in["cached_tokens"]),
		reasoning: whole(out["reasoning_tokens"]),
	}
}

// decodeTimes reads the endpoint's own times: llama.cpp's "timings" in
// milliseconds, or "prompt_time" and "completion_time" in seconds, which
// some hosts put into usage.
func decodeTimes(f *facts, u object, timings json.RawMessage) {
	f.prefillNS = nanoseconds(u["prompt_time"], 1e9)
	f.decodeNS = nanoseconds(u["completion_time"], 1e9)
	var t object
	decode(timings, &t)
	if p := nanoseconds(t["prompt_ms"], 1e6); p.ok {
		f.prefillNS = p
	}
	if d := nanoseconds(t["predicted_ms"], 1e6); d.ok {
		f.decodeNS = d
	}
}

// decode reports whether raw is there and of the type of v: what is not
// stated in the expected form is not stated.
func decode(raw json.RawMessage, v any) bool {
	return len(raw) > 0 && json.Unmarshal(raw, v) == nil
}

func isNull(raw json.RawMessage) bool { return string(raw) == "null" }

func filled(raw json.RawMessage) bool {
	var s string
	return decode(raw, &s) && s != ""
}

func whole(raw json.RawMessage) count {
	x, ok := number(raw)
	if !ok || x < 0 || x != math.Trunc(x) || x >= 1<<53 {
		return count{}
	}
	return count{int64(x), true}
}

func nanoseconds(raw json.RawMessage, unit float64) count {
	x, ok := number(raw)
	if ns := math.Round(x * unit); ok && ns >= 0 && ns < 1<<62 {
		return count{int64(ns), true}
	}
	return count{}
}

func number(raw json.RawMessage) (float64, bool) {
	var x *float64
	if !decode(raw, &x) || x == nil {
		return 0, false
	}
	return *x, true
}

// errorText finds the words of an error object in the forms that engines
// use: a string, {"message": …}, {"detail": …}, or one within another. Only
// these words are kept: the rest of a body may repeat the prompt.
func errorText(raw json.RawMessage) string {
	var s string
	if decode(raw, &s) {
		return s
	}
	var o object
	decode(raw, &o)
	if e, ok := o["error"]; ok && !isNull(e) {
		return errorText(e)
	}
	var words []string
	for _, key := range []string{"message", "detail", "type", "code"} {
		var s string
		if decode(o[key], &s) && s != "" {
			words = append(words, s)
		} else if x, ok := number(o[key]); ok {
			words = append(words, fmt.Sprintf("%s %v", key, x))
		}
	}
	return strings.Join(words, ", ")
}
