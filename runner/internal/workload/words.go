package workload

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a word list.
const (
	minWords    = 16
	maxWords    = 1_000_000
	maxWordSize = 64
	maxListSize = 16 << 20
)

// Words returns the built-in list: 2,102 distinct words of two syllables, made
// by rule, so that the list is the same in every build and belongs to nobody.
// How many tokens each is depends on the tokenizer.
func Words() []string {
	syllables := make([]string, 0, 65)
	for _, c := range "bdgklmnprstvz" {
		for _, v := range "aeiou" {
			syllables = append(syllables, string(c)+string(v))
		}
	}
	unwanted := map[string]bool{}
	for _, w := range strings.Fields("rape kike dike dago paki pedo puta puto kaka pipi pupu popo niga nigo nazi") {
		unwanted[w] = true
	}
	// Every second word of the square is plenty.
	words := make([]string, 0, len(syllables)*len(syllables)/2)
	for i := 0; i < len(syllables)*len(syllables); i += 2 {
		w := syllables[i/len(syllables)] + syllables[i%len(syllables)]
		if !unwanted[w] {
			words = append(words, w)
		}
	}
	return words
}

// ReadWords reads a list of one word a line. Empty lines are skipped; a word
// has no white space and stands in the list once. The error names the line.
func ReadWords(r io.Reader) ([]string, error) {
	limited := &io.LimitedReader{R: r, N: maxListSize + 1}
	sc := bufio.NewScanner(limited)
	seen := map[string]bool{}
	var words []string
	for line := 1; sc.Scan(); line++ {
		w := strings.TrimSuffix(sc.Text(), "\r")
		if w == "" {
			continue
		}
		switch {
		case !utf8.ValidString(w):
			return nil, fmt.Errorf("word list, line %d: not valid UTF-8", line)
		case len(w) > maxWordSize:
			return nil, fmt.Errorf("word list, line %d: longer than %d bytes", line, maxWordSize)
		case strings.ContainsFunc(w, notInWord):
			return nil, fmt.Errorf("word list, line %d: holds white space or an unprintable character", line)
		case seen[w]:
			return nil, fmt.Errorf("word list, line %d: the word stands there twice", line)
		case len(words) == maxWords:
			return nil, fmt.Errorf("word list: more than %d words", maxWords)
		}
		seen[w] = true
		words = append(words, w)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("reading the word list: %w", err)
	}
	if limited.N == 0 {
		return nil, fmt.Errorf("word list: larger than %d bytes", maxListSize)
	}
	if len(words) < minWords {
		return nil, fmt.Errorf("word list: %d words, at least %d are needed", len(words), minWords)
	}
	return words, nil
}

func notInWord(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
