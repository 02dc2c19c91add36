package target

import (
	"bytes"
	"io"
	"net/http/httputil"
	"testing"

	"pgregory.net/rapid"
)

// unframe takes the coding off a body that comes in the given pieces.
func unframe(f framing, pieces ...[]byte) (body, rest []byte, ended bool, err error) {
	for _, p := range pieces {
		for len(p) > 0 && !f.ended {
			var data []byte
			if data, p, err = f.next(p); err != nil {
				return body, p, false, err
			}
			body = append(body, data...)
		}
		rest = append(rest, p...)
	}
	return body, rest, f.ended, nil
}

func TestChunkedGivesWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var wire bytes.Buffer
		w := httputil.NewChunkedWriter(&wire)
		var want []byte
		for _, part := range rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 1, 300), 0, 8).Draw(t, "parts") {
			want = append(want, part...)
			if _, err := w.Write(part); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		wire.WriteString(rapid.SampledFrom([]string{"\r\n", "X: y\r\n\r\n", "\n"}).Draw(t, "trailer"))
		b := append(wire.Bytes(), "next"...)
		at := rapid.IntRange(0, len(b)).Draw(t, "cut")
		for _, pieces := range [][][]byte{{b}, {b[:at], b[at:]}, oneByOne(b)} {
			body, rest, ended, err := unframe(framing{coding: chunked}, pieces...)
			if err != nil || !ended || !bytes.Equal(body, want) || string(rest) != "next" {
				t.Fatalf("got %d bytes, rest %q, ended %v, error %v; want %d bytes, rest %q", len(body), rest, ended, err, len(want), "next")
			}
		}
	})
}

func TestOtherCodings(t *testing.T) {
	body, rest, ended, err := unframe(framing{coding: byLength, left: 3}, []byte("ab"), []byte("cde"))
	if string(body) != "abc" || string(rest) != "de" || !ended || err != nil {
		t.Errorf("by length: body %q, rest %q, ended %v, error %v", body, rest, ended, err)
	}
	body, _, ended, err = unframe(framing{}, []byte("ab"), []byte("c"))
	if string(body) != "abc" || ended || err != nil {
		t.Errorf("until close: body %q, ended %v, error %v", body, ended, err)
	}
}

// FuzzChunked holds that what the standard decoder reads, ours reads alike,
// and that ours ends or fails on anything.
func FuzzChunked(f *testing.F) {
	for _, s := range []string{"3\r\nabc\r\n0\r\n\r\n", "3;x=y\r\nabc\r\n0\r\nT: u\r\n\r\n", "zz\r\n", "ffffffffffffffffff\r\n", "1\r\nabc", "0\n\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		want, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(b)))
		got, _, _, ourErr := unframe(framing{coding: chunked}, b)
		if err == nil && (ourErr != nil || !bytes.Equal(got, want)) {
			t.Errorf("got %q and %v, the standard library %q", got, ourErr, want)
		}
		split, _, _, splitErr := unframe(framing{coding: chunked}, oneByOne(b)...)
		if !bytes.Equal(split, got) || (splitErr == nil) != (ourErr == nil) {
			t.Errorf("byte by byte %q and %v, whole %q and %v", split, splitErr, got, ourErr)
		}
	})
}
