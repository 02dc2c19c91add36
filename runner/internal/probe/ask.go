package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Bounds of one question to an endpoint.
const (
	askTimeout = 5 * time.Second
	askBytes   = 1 << 20
	maxText    = 200 // characters of a fact
)

// answer is what came back from one page of the endpoint.
type answer struct {
	reached bool // an HTTP answer of any status came
	status  int
	server  string         // the Server header
	doc     map[string]any // nil: no JSON object
	err     string         // why there is no doc, for people
}

// pages are the pages that are asked for.
func pages() []string {
	return []string{"/v1/models", "/version", "/health", "/props", "/server_info"}
}

// askAll asks for all pages at once; none may take longer than askTimeout.
func askAll(ctx context.Context, c *http.Client, base, key string) map[string]answer {
	var mu sync.Mutex
	var wg sync.WaitGroup
	got := map[string]answer{}
	for _, page := range pages() {
		wg.Go(func() {
			a := ask(ctx, c, base+page, key)
			mu.Lock()
			defer mu.Unlock()
			got[page] = a
		})
	}
	wg.Wait()
	return got
}

// ask gets one page.
func ask(ctx context.Context, c *http.Client, url, key string) answer {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return answer{err: plainError(err)}
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	got, err := do(c, req, askBytes)
	a := answer{reached: got.status != 0, status: got.status, server: got.server}
	switch {
	case err != nil:
		a.err = plainError(err)
	case got.status != http.StatusOK:
		a.err = "HTTP " + strconv.Itoa(got.status)
	case json.Unmarshal(got.body, &a.doc) != nil:
		a.doc, a.err = nil, "no JSON object"
	}
	return a
}

// errTooLarge is the answer of a page that goes on and on.
var errTooLarge = errors.New("the answer is too large")

// page is an HTTP answer that was read to its end.
type page struct {
	status int // 0: there was no answer
	server string
	body   []byte
}

// do sends a request and reads its answer, of at most limit bytes. With an
// error the page has what came before it.
func do(c *http.Client, req *http.Request, limit int64) (page, error) {
	resp, err := c.Do(req)
	if err != nil {
		return page{}, fmt.Errorf("asking the endpoint: %w", err)
	}
	p := page{status: resp.StatusCode, server: resp.Header.Get("Server")}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return p, fmt.Errorf("reading the endpoint's answer: %w", err)
	}
	if int64(len(body)) > limit {
		return p, errTooLarge
	}
	p.body = body
	return p, nil
}

// plainError says in a few words why a page could not be had. The address is
// known to the reader and left out.
func plainError(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "no answer in " + askTimeout.String()
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err.Error()
}

// clean makes a stranger's text fit for a fact: one line, printable, clipped,
// without the key. The key is taken out before the clipping, which could leave
// a part of it, and again after the rest, which could put one together.
func clean(s, key string) string {
	s = without(s, key)
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r) || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
	s = without(strings.Join(strings.Fields(s), " "), key)
	if r := []rune(s); len(r) > maxText {
		s = string(r[:maxText-1]) + "…"
	}
	return s
}

func without(s, key string) string {
	if key == "" {
		return s
	}
	return strings.ReplaceAll(s, key, "(key)")
}

// text returns the text of a field: a string, a whole number, true or false;
// "" for anything else and for what is not there. An empty string states nothing.
func text(doc map[string]any, path ...string) string {
	for _, p := range path[:len(path)-1] {
		doc, _ = doc[p].(map[string]any)
	}
	switch v := doc[path[len(path)-1]].(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}
