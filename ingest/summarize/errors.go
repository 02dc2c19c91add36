package summarize

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

const (
	// mostClasses is how many error classes a record lists; the rest is one
	// line, so that no page grows with its errors.
	mostClasses = 50
	// mostText is how much of an error's text tells classes apart, in bytes.
	mostText = 160
)

// errorKey is what errors of one class have in common.
type errorKey struct {
	outcome reqlog.Outcome
	class   string
	status  int32  // HTTP status; 0: none
	text    string // without what differs from request to request
}

type errorGroup struct {
	n       int64
	example string // the first in the order of strings, so that row order does not matter
}

func (c *columns) addError(row reqlog.Row) {
	if row.Outcome == reqlog.Completed || row.Outcome == reqlog.Unresolved && row.ErrorClass == "" {
		return
	}
	if row.Outcome == reqlog.NeverSent && row.ErrorClass == "" && row.ErrorText == "" {
		return
	}
	key := errorKey{outcome: row.Outcome, class: row.ErrorClass, text: sameText(row.ErrorText)}
	if row.HTTPStatus != nil {
		key.status = *row.HTTPStatus
	}
	g := c.errors[key]
	if g == nil {
		g = &errorGroup{example: row.ErrorText}
		c.errors[key] = g
	}
	g.n++
	g.example = min(g.example, row.ErrorText)
}

// outcomeWords is an outcome as a reader knows it from the ledger.
func outcomeWords(o reqlog.Outcome) string { return strings.ReplaceAll(string(o), "_", " ") }

// errorClasses lists the classes, the most frequent first.
func (c *columns) errorClasses() []evidence.ErrorClass {
	list := make([]evidence.ErrorClass, 0, len(c.errors))
	for key, g := range c.errors {
		class := key.class
		if class == "" {
			class = "class not stated"
		}
		list = append(list, evidence.ErrorClass{Outcome: outcomeWords(key.outcome), Class: class, N: g.n, Example: strings.ToValidUTF8(g.example, "�")})
	}
	slices.SortFunc(list, func(a, b evidence.ErrorClass) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Outcome, b.Outcome), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Example, b.Example))
	})
	if len(list) <= mostClasses {
		return list
	}
	var rest int64
	for _, e := range list[mostClasses:] {
		rest += e.N
	}
	more := measure.FormatCount(int64(len(list) - mostClasses))
	return append(list[:mostClasses:mostClasses], evidence.ErrorClass{
		Outcome: "several", Class: more + " further classes, all in the request log", N: rest})
}

// sameText is an error text with what differs from request to request taken
// out: every word with a digit in it (counts, addresses, identifiers) becomes
// '#'. Texts that then agree are one class.
func sameText(text string) string {
	if len(text) > mostText {
		text = text[:mostText]
	}
	text = strings.ToValidUTF8(text, "�")
	var b strings.Builder
	word := func(w string) {
		if w != "" && hasID(w) {
			w = "#"
		}
		b.WriteString(w)
	}
	start := 0
	for i, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' || r == ':' || r == '.' {
			continue
		}
		word(text[start:i])
		b.WriteRune(r)
		start = i + len(string(r))
	}
	word(text[start:])
	return b.String()
}

// hasID reports whether a word looks like a number or an identifier: it has a
// digit, or is eight or more hexadecimal letters.
func hasID(w string) bool {
	if strings.ContainsFunc(w, unicode.IsDigit) {
		return true
	}
	return len(w) >= 8 && strings.Trim(w, "abcdefABCDEF") == ""
}
