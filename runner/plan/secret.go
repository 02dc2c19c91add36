package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A plan is copied into every run folder and published with it, comments and
// all. So it is refused when any line looks as if it held a key, and no fault
// repeats what stood there.

// secretNames are parts of key names that announce a secret.
func secretNames() []string {
	return []string{
		"apikey", "api_key", "api-key", "token", "password", "passwd", "secret", "authorization",
		"bearer", "credential", "cookie", "private_key", "private-key", "access_key", "access-key",
	}
}

// namesSecret reports whether a key of this name would hold a secret.
// "tokenizer" and "input_tokens" are harmless.
func namesSecret(key string) bool {
	k := strings.ToLower(key)
	if strings.Contains(k, "tokenizer") || strings.HasSuffix(k, "tokens") {
		return false
	}
	return slices.ContainsFunc(secretNames(), func(n string) bool { return strings.Contains(k, n) })
}

// secretPattern matches text that looks like a literal key: the prefixes that
// providers give theirs, a bearer header, a user and password in an address,
// and a key in an address's query.
func secretPattern() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{12,}` +
		`|\b(?:hf|ghp|gho|ghs|github_pat|glpat|nvapi|gsk|xai|xoxb|xoxp)[-_][A-Za-z0-9_-]{12,}` +
		`|\bAKIA[0-9A-Z]{12,}` +
		`|\bAIza[0-9A-Za-z_-]{20,}` +
		`|\beyJ[A-Za-z0-9_-]{10,}\.` +
		`|(?i:\bbearer\s+[A-Za-z0-9._~+/-]{8,})` +
		`|[A-Za-z][A-Za-z0-9+.-]*://[^/\s"']*@` +
		`|(?i:[?&](?:api[-_]?key|key|token|access_token|password|secret)=[^\s"'&]+)`)
}

// secretLines faults every line of src that looks as if it held a key.
func (r *reader) secretLines(src []byte) {
	for i, line := range strings.Split(string(src), "\n") {
		if !r.secretAt[i+1] && r.secret.MatchString(line) {
			r.faults = append(r.faults, Fault{
				File: r.file, Line: i + 1, Msg: "this line looks as if it held a key, a password or a user name",
				Hint: "plans are published; name an environment variable with endpoint.key_env instead",
			})
		}
	}
}

// quoteSafe quotes a value for a fault, clipped; what looks like a key is not shown.
func (r *reader) quoteSafe(v string) string {
	const longest = 40
	if r.secret.MatchString(v) {
		return "(not shown)"
	}
	if rs := []rune(v); len(rs) > longest {
		v = string(rs[:longest]) + "…"
	}
	return fmt.Sprintf("%q", v)
}

// withoutQuotes removes what a syntax message quotes from the file, unless it
// is part of the key that the fault names anyway.
func withoutQuotes(msg, key string) string {
	return regexp.MustCompile(`"[^"]*"|'[^']*'|\x60[^\x60]*\x60`).ReplaceAllStringFunc(msg, func(q string) string {
		inner := q[1 : len(q)-1]
		if len([]rune(inner)) <= 1 || strings.Contains(key, inner) {
			return q
		}
		return "…"
	})
}
