package target

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// events reads a stream that comes in the given pieces.
func events(limit int, pieces ...[]byte) (got []string, s *stream, cut bool) {
	s = &stream{limit: limit}
	s.emit = func(kind, data []byte) bool {
		got = append(got, string(kind)+"|"+string(data))
		return true
	}
	for _, p := range pieces {
		if !s.feed(bytes.Clone(p)) {
			return got, s, false
		}
	}
	return got, s, s.finish(wholeEvent)
}

func oneByOne(b []byte) [][]byte {
	pieces := make([][]byte, len(b))
	for i := range b {
		pieces[i] = b[i : i+1]
	}
	return pieces
}

// TestFramingC01 reads case C01 whole, byte by byte, and cut at every place.
func TestFramingC01(t *testing.T) {
	b, err := os.ReadFile("testdata/cases/c01-framing.sse")
	if err != nil {
		t.Fatal(err)
	}
	want, _, cut := events(maxLine, b)
	if cut || len(want) != 6 {
		t.Fatalf("%d events, cut %v: %q; want 6, not cut", len(want), cut, want)
	}
	if w := "message|{\"choices\":[{\"index\":0,\n\"delta\":{\"content\":\" world\"}}]}"; want[2] != w {
		t.Errorf("event over two lines: got %q, want %q", want[2], w)
	}
	got, _, _ := events(maxLine, oneByOne(b)...)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("byte by byte (-whole +bytes):\n%s", d)
	}
	for i := range b {
		got, _, _ := events(maxLine, b[:i], b[i:])
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("cut at %d:\n%s", i, d)
		}
	}
}

func TestStream(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
		cut      bool
	}{
		{"byte order mark", "\xef\xbb\xbfdata: a\n\n", []string{"|a"}, false},
		{"comments and fields", ": ping\n\n:\n\nretry: 3\n\nid: 7\n\nfoo\n\ndata: a\n\n", []string{"|a"}, false},
		{"only one space goes", "data:  a \n\n", []string{"| a "}, false},
		{"empty data is no event", "data\n\ndata:\n\n", nil, false},
		{"U+2028 and U+0085 end no line", "data: a\u2028b\u0085c\n\n", []string{"|a\u2028b\u0085c"}, false},
		{"llama.cpp's old error field", "error: {\"message\":\"x\"}\n\n", []string{"error|{\"message\":\"x\"}"}, false},
		{"event field is of one event", "event: error\ndata: a\n\ndata: b\n\n", []string{"error|a", "|b"}, false},
		{"end without empty line, whole", "data: [DONE]", []string{"|[DONE]"}, false},
		{"end without empty line, cut", "data: {\"a\":", nil, true},
		{"end after a comment", "data: a\n\n: bye", []string{"|a"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, cut := events(maxLine, []byte(c.in))
			if d := cmp.Diff(c.want, got); d != "" || cut != c.cut {
				t.Errorf("cut %v, want %v; events (-want +got):\n%s", cut, c.cut, d)
			}
		})
	}
}

func TestStreamBoundsLines(t *testing.T) {
	long := []byte("data: " + strings.Repeat("x", 1<<20) + "\n\n")
	if got, _, _ := events(maxLine, long[:1000], long[1000:]); len(got) != 1 || len(got[0]) != 1<<20+1 {
		t.Errorf("a line of 1 MiB gave %d events", len(got))
	}
	for name, pieces := range map[string][][]byte{
		"one line":        {long},
		"one split line":  {long[:3000], long[3000:5000], long[5000:]},
		"many data lines": {bytes.Repeat([]byte("data: 0123456789\n"), 1000)},
	} {
		if got, s, _ := events(4096, pieces...); !s.tooBig || len(got) != 0 {
			t.Errorf("%s: too big %v, %d events; want true and none", name, s.tooBig, len(got))
		}
	}
}

// FuzzStream holds that where a stream is cut into pieces changes nothing.
func FuzzStream(f *testing.F) {
	c01, err := os.ReadFile("testdata/cases/c01-framing.sse")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(c01, 7)
	f.Add([]byte("data: a\r\rdata: b\r\n\r\ndata: \xe2\x80"), 1)
	f.Fuzz(func(t *testing.T, b []byte, at int) {
		whole, _, wholeCut := events(1<<12, b)
		bytewise, _, bytesCut := events(1<<12, oneByOne(b)...)
		if d := cmp.Diff(whole, bytewise); d != "" || wholeCut != bytesCut {
			t.Errorf("byte by byte (cut %v, whole %v):\n%s", bytesCut, wholeCut, d)
		}
		at = max(0, min(at, len(b)))
		if halves, _, _ := events(1<<12, b[:at], b[at:]); !cmp.Equal(whole, halves) {
			t.Errorf("cut at %d: got %q, want %q", at, halves, whole)
		}
	})
}
