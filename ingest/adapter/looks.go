package adapter

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	mostNames = 4  // keys or headings that are named
	mostRunes = 40 // of a foreign text that are repeated
)

// Looks says in a few words what a file that nobody knows looks like, by its
// first bytes: for the person who has to find out what it is. Texts of the file
// stand in it quoted and short.
func Looks(prefix []byte) string {
	text := bytes.TrimSpace(bytes.TrimPrefix(prefix, []byte("\xef\xbb\xbf")))
	if len(text) == 0 {
		return "it is empty"
	}
	for _, kind := range []struct{ magic, name string }{{"PAR1", "a Parquet file"}, {"PK\x03\x04", "a zip file"}, {"\x1f\x8b", "a gzip file"},
		{"\x28\xb5\x2f\xfd", "a zstd file"}, {"%PDF-", "a PDF file"}, {"SQLite format 3\x00", "an SQLite file"}} {
		if bytes.HasPrefix(prefix, []byte(kind.magic)) {
			return kind.name
		}
	}
	if bytes.IndexByte(prefix, 0) >= 0 {
		return "binary data"
	}
	for _, look := range []func([]byte) (string, bool){looksJSON, looksMarkdown, looksTable} {
		if s, ok := look(text); ok {
			return s
		}
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return "text that begins with " + quoted(string(line))
}

// quoted is a foreign text, short and on one line.
func quoted(s string) string {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) <= mostRunes {
		return strconv.Quote(s)
	}
	return strconv.Quote(string([]rune(s)[:mostRunes]) + "…")
}

// named lists a few names: `"a", "b" and 7 more`.
func named(names []string) string {
	list := make([]string, 0, mostNames)
	for _, n := range names[:min(len(names), mostNames)] {
		list = append(list, quoted(n))
	}
	s := strings.Join(list, ", ")
	if more := len(names) - len(list); more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

// looksJSON names the first keys of an object, or of the first of a list.
func looksJSON(text []byte) (string, bool) {
	if text[0] != '{' && text[0] != '[' {
		return "", false
	}
	what, d := "a JSON object", json.NewDecoder(bytes.NewReader(text))
	if text[0] == '[' {
		what = "a JSON list of objects"
		if _, err := d.Token(); err != nil {
			return "", false
		}
	}
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return "", false
	}
	keys, err := keysOf(d)
	if len(keys) == 0 {
		return "", false
	}
	s := what + " with " + named(keys)
	if (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)) && len(text) < SniffLen-8 { // 8: what was trimmed
		s += ", which does not end"
	}
	return s, true
}

// keysOf reads the keys of an object behind its brace, up to its end or the first
// fault.
func keysOf(d *json.Decoder) (keys []string, err error) {
	for depth, isKey := 0, true; ; {
		t, err := d.Token()
		if err != nil {
			return keys, err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
			continue
		case json.Delim('}'), json.Delim(']'):
			if depth--; depth < 0 {
				return keys, nil
			}
		}
		if depth > 0 {
			continue
		}
		if key, ok := t.(string); ok && isKey {
			keys = append(keys, key)
		}
		isKey = !isKey
	}
}

func looksMarkdown(text []byte) (string, bool) {
	rule := regexp.MustCompile(`(?m)^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*\|[-:| \t]*\r?$`)
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return "text with a Markdown table that begins with " + quoted(string(line)), rule.Match(text)
}

// looksTable names the headings of lines that have equally many cells.
func looksTable(text []byte) (string, bool) {
	for _, kind := range []struct {
		comma rune
		name  string
		least int // cells of a line that is no sentence
	}{{'\t', "a table (TSV)", 2}, {',', "a table (CSV)", 3}, {';', "a table (CSV with semicolons)", 3}} {
		r := csv.NewReader(bytes.NewReader(text))
		r.Comma, r.LazyQuotes = kind.comma, true
		head, err := r.Read()
		if err != nil || len(head) < kind.least {
			continue
		}
		if _, err := r.Read(); err == nil {
			return kind.name + " with the columns " + named(head), true
		}
	}
	return "", false
}
