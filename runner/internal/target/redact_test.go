package target

import (
	"context"
	"net"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func refuse(context.Context, string, string) (net.Conn, error) { return nil, errRefused }

func TestRedact(t *testing.T) {
	r := newRedactor("CANARY-111/+x")
	for _, c := range []struct{ in, want string }{
		{"Incorrect API key provided: CANARY-111/+x", "Incorrect API key provided: [removed]"},
		{"escaped CANARY-111%2F%2Bx here", "escaped [removed] here"},
		{"you sent CANA****1/+x.", "you sent [removed]"},
		{"header Authorization: Bearer abc.def", "header Authorization: [removed] [removed]"},
		{`{"api_key": "zzz"}`, `{"api_key": "[removed]"}`},
		{"at https://user:pw@host:1/p?api-key=s#f now", "at https://host:1/p now"},
		{"key sk-proj-abcdef123456 is wrong", "key [removed] is wrong"},
		{"a\x00b\r\n\tc\x1b[31m\u202ed", "ab   c[31md"},
		{"bad \xff bytes", "bad \uFFFD bytes"},
		{"your input was: tell me of the customer N. N.", "your input was: [prompt removed]"},
	} {
		if got := r.text(c.in, "tell me of the customer N. N. and his debts"); got != c.want {
			t.Errorf("%q:\ngot  %q\nwant %q", c.in, got, c.want)
		}
	}
}

func TestRedactBounds(t *testing.T) {
	r := newRedactor("SECRETSECRET")
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "before") + "SECRETSECRET" + strings.Repeat(rapid.String().Draw(t, "after"), 40)
		got := r.text(in, "")
		if len(got) > maxErrorText || !utf8.ValidString(got) || strings.Contains(got, "SECRETSECRET") ||
			strings.ContainsFunc(got, unicode.IsControl) {
			t.Fatalf("%q", got)
		}
	})
}

// TestKeyEchoC24 is case C24: an endpoint that repeats the key.
func TestKeyEchoC24(t *testing.T) {
	body, err := os.ReadFile("testdata/cases/c24-error-echo.json")
	if err != nil {
		t.Fatal(err)
	}
	e := &endpoint{scripts: []script{{head: "HTTP/1.1 401 Unauthorized", pieces: []piece{{0, string(body)}}}}}
	bubble(t, e, func(c *Config) { c.Key = "CANARY-111" }, func(t *testing.T, cl *Client) {
		r := cl.Do(t.Context(), prepare(t, cl, "r"), nil)
		if want := "Incorrect API key provided: [removed], invalid_request_error, invalid_api_key"; r.ErrorText != want {
			t.Errorf("got %q, want %q", r.ErrorText, want)
		}
	})
}
