package adapter_test

import (
	"strings"
	"testing"
	"unicode"

	"benchline/ingest/adapter"
)

func TestLooks(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{" \r\n", "it is empty"},
		{"PAR1\x15\x04", "a Parquet file"},
		{"PK\x03\x04\x00", "a zip file"},
		{"\x00\x01", "binary data"},
		{"\xef\xbb\xbf{\"a\": {\"b\": [1]}, \"c\": NaN, \"d\": 1}", `a JSON object with "a", "c"`}, // the bare word ends what is read
		{`{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}`, `a JSON object with "a", "b", "c", "d" and 2 more`},
		{`[{"a": 1}, {"b": 2}]`, `a JSON list of objects with "a"`},
		{`{"a": 1, "b": [1, 2`, `a JSON object with "a", "b", which does not end`},
		{`{"a": 1, "b": 2, "c`, `a JSON object with "a", "b", which does not end`},
		{"{\"a\": 1}\n{\"b\": 2}", `a JSON object with "a"`},
		{strings.Repeat("[", 500), `text that begins with "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…"`},
		{"[12:00] started", `text that begins with "[12:00] started"`},
		{"gpu,batch,rate\nx,1,2\n", `a table (CSV) with the columns "gpu", "batch", "rate"`},
		{"gpu\tbatch\nx\t1\n", `a table (TSV) with the columns "gpu", "batch"`},
		{"well, yes, indeed\nno\n", `text that begins with "well, yes, indeed"`},
		{"# Runs\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n", `text with a Markdown table that begins with "# Runs"`},
		{"<script>\x1b[31m", `text that begins with "<script>\x1b[31m"`},
	} {
		if got := adapter.Looks([]byte(c.text)); got != c.want {
			t.Errorf("%.40q: got %s, want %s", c.text, got, c.want)
		}
	}
}

// FuzzLooks: whatever the file, the words are short and stand on one line.
func FuzzLooks(f *testing.F) {
	for _, s := range []string{"", "{", `{"a":[{}]}`, "a,b,c\n1,2,3", "|---|", "\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got := adapter.Looks(b)
		if len(got) > 2000 || strings.ContainsFunc(got, func(c rune) bool { return !unicode.IsPrint(c) }) {
			t.Errorf("%q", got)
		}
	})
}
