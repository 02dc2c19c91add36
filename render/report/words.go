package report

import (
	"strconv"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Text is a known or unknown value made ready to be shown.
type Text struct {
	State evidence.KnownState
	Text  string // the value in words; for a gap "not stated" or "not applicable"
	Note  string // where it was stated, the rule it was derived by, or why it is missing
}

// Gap reports whether the value is not stated.
func (t Text) Gap() bool { return t.State == evidence.StateNotStated }

// Missing reports whether there is no value: not stated or not applicable.
func (t Text) Missing() bool { return t.Gap() || t.State == evidence.StateNotApplicable }

// StateText is the state in words.
func (t Text) StateText() string { return t.State.String() }

func show[T any](k evidence.Known[T], words func(T) string) Text {
	t := Text{State: k.State(), Text: k.State().String(), Note: k.Note()}
	if v, ok := k.Get(); ok {
		t.Text = words(v)
	}
	return t
}

func showString(k evidence.Known[string]) Text {
	return show(k, func(s string) string { return s })
}

func showCount(k evidence.Known[int64]) Text { return show(k, measure.FormatCount) }

// Span is a piece of a sentence: plain words, a part of the headline contract,
// a gap, or a linked figure.
type Span struct {
	Part string // the data-part of the HTML contract; empty for plain words
	Text string
	Gap  bool    // the value is not stated
	Hot  bool    // unknown or wrong: drawn in the warning colour
	Fig  *Figure // a linked figure in place of Text
	// Plain is set for words that are nothing else: most of a sentence, and so
	// what templates ask for first.
	Plain bool
}

// Spans is a sentence in pieces.
type Spans []Span

func (s *Spans) say(words ...string) {
	for _, w := range words {
		if w != "" {
			*s = append(*s, Span{Text: w, Plain: true})
		}
	}
}

func (s *Spans) text(t Text) { *s = append(*s, Span{Text: t.Text, Gap: t.Gap()}) }

func (s *Spans) part(name string, t Text) {
	*s = append(*s, Span{Part: name, Text: t.Text, Gap: t.Gap()})
}

func (s *Spans) hot(words string) { *s = append(*s, Span{Text: words, Hot: true}) }

func (s *Spans) figure(f Figure) { *s = append(*s, Span{Fig: &f}) }

// marked is the sentence as plain text, each gap with its sign.
func (s *Spans) marked() string {
	var b strings.Builder
	for _, x := range *s {
		switch {
		case x.Fig != nil:
			b.WriteString(x.Fig.Words())
		case x.Gap:
			b.WriteString("∅ " + x.Text)
		default:
			b.WriteString(x.Text)
		}
	}
	return b.String()
}

// sep puts a separator before the next piece unless it is the first.
func (s *Spans) sep(words string) {
	if len(*s) > 0 {
		s.say(words)
	}
}

// shortest is the shortest decimal that reads back as the same float64. It is
// what machines read from a page.
func shortest(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// ordinal writes a rank: 1st, 2nd, 3rd, 190th.
func ordinal(n int64) string {
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return measure.FormatCount(n) + end
}

// list joins words: "a", "a and b", "a, b and c".
func list(words []string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// upperFirst makes the first ASCII letter a capital.
func upperFirst(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}
