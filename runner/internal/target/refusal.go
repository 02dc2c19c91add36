package target

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// refused reads what is said with a status that is not 200.
func (x *exchange) refused() {
	status := x.head.status
	text := spoken(x.text(grumbling))
	var class Class
	switch {
	case status >= 300 && status < 400:
		class = Redirected
		text = "redirects are not followed; the answer points to " + x.head.header.Get("Location")
	default:
		class = Class(fmt.Sprintf("http_%d", status))
	}
	switch {
	case x.r.Outcome == Stopped:
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		x.end(Rejected, class, text)
		x.r.RetryAfter = x.head.retryAfter(x.c.cfg.Start.Add(time.Duration(x.r.Headers.NS)))
	default:
		x.end(Failed, class, text)
	}
}

// accepted reads what is said with status 200.
func (x *exchange) accepted() {
	if coding := x.head.header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		x.end(Failed, Compressed, "the body is encoded as "+coding+", which was not asked for")
		return
	}
	kind := strings.ToLower(x.head.header.Get("Content-Type"))
	if strings.HasPrefix(kind, "text/event-stream") {
		x.stream()
		return
	}
	first, err := x.piece()
	if e := (*ending)(nil); errors.As(err, &e) {
		x.end(e.outcome, e.class, e.text)
		return
	}
	x.held = first
	if isWhole(first) {
		x.whole(x.text(grumbling))
		return
	}
	x.stream()
}

// isWhole tells a JSON document or a web page from an event stream whose
// content type does not say what it is.
func isWhole(first []byte) bool {
	b := bytes.TrimLeft(first, " \t\r\n\xef\xbb\xbf")
	return len(b) > 0 && (b[0] == '{' || b[0] == '<' || b[0] == '[')
}

// whole judges a body of status 200 that is no event stream.
func (x *exchange) whole(body string) {
	var o object
	switch isJSON := json.Unmarshal([]byte(body), &o) == nil; {
	case x.r.Outcome != "":
	case isJSON && len(o["error"]) > 0 && !isNull(o["error"]):
		x.end(Failed, ErrorInBody, errorText(json.RawMessage(body)))
	case strings.HasPrefix(strings.TrimSpace(body), "<"):
		x.end(Failed, HTMLBody, "the answer is a web page: "+title(body))
	case isJSON:
		x.end(Failed, NotAStream, "the answer came in one piece although a stream was asked for")
	default:
		x.end(Failed, NotAStream, "the answer is no event stream")
	}
}

// title is what a web page calls itself.
func title(page string) string {
	lower := strings.ToLower(page)
	from := strings.Index(lower, "<title")
	if len(lower) != len(page) || from < 0 {
		return "no title"
	}
	_, after, _ := strings.Cut(page[from:], ">")
	text, _, _ := strings.Cut(after, "<")
	return text
}

// text reads the rest of a body that is no stream, as far as it is worth
// keeping and for no longer than patience.
func (x *exchange) text(patience time.Duration) string {
	const most = 64 << 10
	x.until = x.c.Now() + int64(patience)
	x.arm()
	var b []byte
	for len(b) < most {
		p, err := x.piece()
		if e := (*ending)(nil); errors.As(err, &e) && e.outcome == Stopped {
			x.end(Stopped, "", "")
			break
		}
		if err != nil || p == nil {
			break
		}
		b = append(b, p...)
	}
	if len(b) >= most {
		x.head.closes = true
	}
	return string(b)
}

// spoken is what the body of an error says to people.
func spoken(body string) string {
	var o object
	if json.Unmarshal([]byte(body), &o) == nil {
		return errorText(json.RawMessage(body))
	}
	if strings.HasPrefix(strings.TrimSpace(body), "<") {
		return "a web page: " + title(body)
	}
	return body
}
