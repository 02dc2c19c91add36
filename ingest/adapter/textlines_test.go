package adapter_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"benchline/ingest/adapter"
)

func TestTextLines(t *testing.T) {
	var got []string
	long := strings.Repeat("x", adapter.MaxTextLine+5)
	for l, err := range adapter.TextLines(t.Context(), strings.NewReader("\ufeffone\r\n\ntwo\xff\n"+long+"\nlast")) {
		if err != nil {
			t.Fatal(err)
		}
		if l.N != int64(len(got)+1) || l.Cut != (l.N == 4) {
			t.Errorf("line %d: cut %t, after %d lines", l.N, l.Cut, len(got))
		}
		got = append(got, l.Text)
	}
	if len(got) != 5 || got[0] != "one" || got[1] != "" || got[2] != "two\ufffd" || len(got[3]) != adapter.MaxTextLine || got[4] != "last" {
		t.Errorf("got %d lines: %.40q", len(got), got)
	}
}

func TestTextLinesEndWithTheirReason(t *testing.T) {
	broken := errors.New("broken")
	var last error
	for _, err := range adapter.TextLines(t.Context(), io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken))) {
		last = err
	}
	if !errors.Is(last, broken) {
		t.Errorf("got %v", last)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range adapter.TextLines(ctx, strings.NewReader("a")) {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("got %v", last)
	}
	for l, err := range adapter.TextLines(t.Context(), strings.NewReader("a\nb\n")) {
		if l.Text != "a" || err != nil {
			t.Errorf("got %q, %v", l.Text, err)
		}
		break
	}
}

func TestTextLinesAreTheLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.StringMatching(`[a-z :]{0,5}`), 1, 20).Draw(t, "lines")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		var got []string
		for l, err := range adapter.TextLines(context.Background(), strings.NewReader(strings.Join(want, end)+end)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, l.Text)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") || len(got) != len(want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}
