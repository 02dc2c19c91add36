package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	wordToken tokenKind = iota
	numberToken
	symbolToken
	nameToken // holds digits and is no number: a date, a version, "gpt-4"
	refToken  // a reference to evidence
)

// token is a word, a number or a sign of a flat text.
type token struct {
	kind       tokenKind
	text       string // words in lower case
	start, end int    // in the flat text
	glued      bool   // nothing stands between it and the token before
	class      class
	num        number
	ref        *refNode
}

func (t token) is(texts ...string) bool {
	for _, s := range texts {
		if t.text == s {
			return true
		}
	}
	return false
}

// tokens cuts a flat text into tokens.
func (f *flat) tokens() []token {
	s := string(f.text)
	var out []token
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) {
			i += size
			continue
		}
		t := f.token(s, i, r, size)
		t.start, t.class = i, f.class[i]
		t.glued = len(out) > 0 && out[len(out)-1].end == i
		i = t.end
		out = append(out, t)
	}
	return named(out)
}

func (f *flat) token(s string, i int, r rune, size int) token {
	switch {
	case f.refs[i] != nil:
		return token{kind: refToken, text: hole, end: i + size, ref: f.refs[i]}
	case unicode.IsLetter(r):
		end := wordEnd(s, i)
		return token{kind: wordToken, text: strings.ToLower(s[i:end]), end: end}
	case r >= '0' && r <= '9':
		if n := dateLen(s[i:]); n > 0 {
			return token{kind: nameToken, text: s[i : i+n], end: i + n}
		}
		num, n := readNumber(s[i:])
		if len(num.readings) == 0 {
			return token{kind: nameToken, text: s[i : i+n], end: i + n}
		}
		return token{kind: numberToken, text: s[i : i+n], end: i + n, num: num}
	}
	return token{kind: symbolToken, text: s[i : i+size], end: i + size}
}

// wordEnd is where the word at i ends: letters and digits, an apostrophe
// between letters, and the point of "p99.9".
func wordEnd(s string, i int) int {
	start := i
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || unicode.Is(unicode.Mn, r):
		case (r == '\'' || r == '’') && letterAt(s, i+size):
		case r == '.' && percentileDigits(s[start:i]) && i+1 < len(s) && digit(s[i+1]):
		default:
			return i
		}
		i += size
	}
	return i
}

func letterAt(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r)
}

// percentileDigits reports whether a word is a p and digits.
func percentileDigits(s string) bool {
	if len(s) < 2 || s[0] != 'p' && s[0] != 'P' {
		return false
	}
	return strings.Trim(s[1:], "0123456789") == ""
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

// dateLen is the length of a date at the start of s, written 2026-11-29, or 0.
func dateLen(s string) int {
	const shape = "dddd-dd-dd"
	if len(s) < len(shape) || len(s) > len(shape) && digit(s[len(shape)]) {
		return 0
	}
	for i := range len(shape) {
		if (shape[i] == 'd') != digit(s[i]) || shape[i] == '-' && s[i] != '-' {
			return 0
		}
	}
	return len(shape)
}

// named turns numbers that are part of a name into names: "gpt-4", "#12",
// "§ 3", "5th".
func named(ts []token) []token {
	for i := range ts {
		t := &ts[i]
		if t.kind != numberToken || i == 0 {
			continue
		}
		before := ts[i-1]
		switch {
		case before.is("#", "§", "$", "€", "£", "№"):
			t.kind = nameToken
		case t.glued && before.kind == symbolToken && before.is("-", ".", "/") && before.glued && i > 1 && (ts[i-2].kind == wordToken || ts[i-2].kind == nameToken):
			t.kind = nameToken
		case t.glued && (before.kind == wordToken || before.kind == nameToken):
			t.kind = nameToken
		}
	}
	for i := range ts {
		if i > 0 && ts[i-1].kind == numberToken && ts[i].glued && ts[i].kind == wordToken && ts[i].is("st", "nd", "rd", "th") {
			ts[i-1].kind = nameToken
		}
	}
	return ts
}

// sentences cuts tokens where a sentence ends. A point between digits is part
// of a number and no token of its own.
func sentences(ts []token) [][]token {
	var out [][]token
	from := 0
	for i, t := range ts {
		last := i+1 == len(ts)
		if t.kind != symbolToken || !t.is(".", "!", "?", "…") || !last && ts[i+1].glued && !ts[i+1].is(")", "\"", "”", "’", "*") {
			continue
		}
		if t.is(".") && i > 0 && abbreviation(ts[:i]) {
			continue
		}
		out = append(out, ts[from:i+1])
		from = i + 1
	}
	if from < len(ts) {
		out = append(out, ts[from:])
	}
	return out
}

// abbreviation reports whether the word before a point is one that a sentence
// goes on after.
func abbreviation(before []token) bool {
	t := before[len(before)-1]
	if t.kind != wordToken {
		return false
	}
	if t.is("vs", "approx", "ca", "cf", "incl", "resp", "etc", "max", "min", "avg", "no", "fig", "sec") {
		return true
	}
	// The e of e.g., the i of i.e.
	return len(t.text) == 1 && len(before) > 2 && before[len(before)-2].is(".") && before[len(before)-2].glued && len(before[len(before)-3].text) == 1
}
