package target

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxErrorText bounds an error text, in bytes.
const maxErrorText = 500

const removed = "[removed]"

// redactor takes out of foreign text what must not reach a log.
type redactor struct {
	secrets *strings.Replacer
	key     string
	rules   []rule
}

type rule struct {
	find *regexp.Regexp
	with string
}

func newRedactor(key string) *redactor {
	var pairs []string
	if key != "" {
		for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key),
			base64.StdEncoding.EncodeToString([]byte(key)), base64.RawURLEncoding.EncodeToString([]byte(key))} {
			pairs = append(pairs, form, removed)
		}
	}
	return &redactor{
		secrets: strings.NewReplacer(pairs...),
		key:     key,
		rules: []rule{
			{regexp.MustCompile(`(?i)\b(bearer|basic)\s+[^\s"',;]+`), "$1 " + removed},
			{regexp.MustCompile(`(?i)\b(authorization|proxy-authorization|cookie|x-api-key|api[-_]?key|access[-_]?token)(["']?\s*[:=]\s*["']?)[^\s"',;&]+`), "$1$2" + removed},
			{regexp.MustCompile(`(?i)\b([a-z][a-z0-9+.-]*://)[^\s/@"']*@`), "$1"},
			{regexp.MustCompile(`(?i)\b([a-z][a-z0-9+.-]*://[^\s?"'#]*)[?#][^\s"']*`), "$1"},
			{regexp.MustCompile(`\b(sk|pk|hf|gsk|nvapi)[-_][A-Za-z0-9*._-]{6,}`), removed},
		},
	}
}

// text makes foreign text fit for a log: without the key in any usual
// writing, without other credentials, without the prompt, on one line, as
// valid UTF-8 of at most 500 bytes.
func (r *redactor) text(s, prompt string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = r.secrets.Replace(s)
	for _, rule := range r.rules {
		s = rule.find.ReplaceAllString(s, rule.with)
	}
	s = r.partial(s)
	s = withoutPrompt(s, prompt)
	return cutText(oneLine(s))
}

// partial removes words that show a part of the key, as servers do that
// answer "incorrect key sk-ab***yz".
func (r *redactor) partial(s string) string {
	const shown = 4
	if len(r.key) < 2*shown {
		return s
	}
	head, tail := r.key[:shown], r.key[len(r.key)-shown:]
	return strings.Join(mapWords(s, func(w string) string {
		if strings.Contains(w, "*") && (strings.Contains(w, head) || strings.Contains(w, tail)) ||
			strings.Contains(w, "...") && strings.Contains(w, head) {
			return removed
		}
		return w
	}), " ")
}

func mapWords(s string, f func(string) string) []string {
	words := strings.Split(s, " ")
	for i, w := range words {
		words[i] = f(w)
	}
	return words
}

// withoutPrompt cuts s where it begins to repeat the prompt.
func withoutPrompt(s, prompt string) string {
	const least = 24
	if len(prompt) < least {
		return s
	}
	if i := strings.Index(s, prompt[:least]); i >= 0 {
		return s[:i] + "[prompt removed]"
	}
	return s
}

func oneLine(s string) string {
	s = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case unicode.IsControl(c), unicode.Is(unicode.Cf, c):
			return -1
		default:
			return c
		}
	}, s)
	return strings.TrimSpace(s)
}

func cutText(s string) string {
	const more = "…"
	if len(s) <= maxErrorText {
		return s
	}
	s = s[:maxErrorText-len(more)]
	for !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s + more
}
